"""Positions that ordinary games seldom reach, made by dealing out all pieces at random."""

from __future__ import annotations

import random
from typing import Any

from tests.rules.oracle import palazzo as oracle
from tests.rules.oracle.palazzo_pieces import CARDS, ENDS, TILES, floor, windows

STEER = (
    "groups",
    "certificates",
    "hand-out",
    "empty",
    "free",
    "short",
    "ends",
    "plain",
    "rich",
    "twins",
    "own",
    "bidders",
    "bidders",
)


def some_options(rng: random.Random) -> dict[str, Any]:
    """Return options, each of them differing from its default now and then."""
    every: dict[str, list[Any]] = {
        "price_basis": ["start_of_buy", "start_of_turn"],
        "min_price": [0, 1],
        "certificates_alone": [True, False],
        "handout_discard": [True, False],
        "tiebreak_groups": [True, False],
        "stacks": ["synthetic", "unknown"],
        "architect": [1, 2, 3, 4],
    }
    return {name: rng.choice(values) for name, values in every.items() if rng.random() < 0.6}


class _Pieces:
    """Pieces that have not been laid out yet."""

    def __init__(self, rng: random.Random, pieces: list[str]) -> None:
        self.left = pieces[:]
        rng.shuffle(self.left)

    def some(self, n: int) -> list[str]:
        """Take up to ``n`` of the pieces that are left."""
        taken, self.left = self.left[:n], self.left[n:]
        return taken

    def named(self, pieces: list[str]) -> list[str]:
        """Take those of these pieces that are left."""
        there = [piece for piece in pieces if piece in self.left]
        self.left = [piece for piece in self.left if piece not in there]
        return there


def _hands(rng: random.Random, steer: str, cards: _Pieces, seats: int) -> list[list[str]]:
    hands: list[list[str]] = [[] for _ in range(seats)]
    for hand in hands:
        if steer == "groups":
            for value in rng.sample(range(3, 8), 2):
                hand += cards.named([f"{c}{value}{rng.choice('abc')}" for c in "RNG"])
        if steer == "certificates":
            hand += cards.named([f"C2{x}" for x in rng.sample("abcdefghij", rng.randint(2, 4))])
        hand += cards.some(rng.randint(0, {"rich": 8, "bidders": 7}.get(steer, 3)))
    return hands


def _palazzi(rng: random.Random, tiles: _Pieces, most: int) -> list[list[str]]:
    palazzi: list[list[str]] = []
    for tile in tiles.some(rng.randint(0, most)):
        fitting = [p for p in palazzi if floor(tile) not in map(floor, p)]
        if fitting and rng.random() < 0.7:
            home = rng.choice(fitting)
            home.append(tile)
            home.sort(key=floor)
        else:
            palazzi.append([tile])
    return palazzi


def _quarries(rng: random.Random, steer: str, tiles: _Pieces, architect: int) -> list[list[str]]:
    quarries: list[list[str]] = [[], [], [], []]
    if steer == "own":
        # As when the game begins, the architect's quarry holds a tile; here the other quarries may be empty.
        quarries[architect - 1] = tiles.some(rng.randint(1, 5))
        return quarries
    for n in range(4):
        if n + 1 == architect or steer == "empty":
            continue
        quarries[n] = tiles.some(rng.randint(3, 6) if steer == "hand-out" else rng.randint(0, 3))
        if steer == "twins":
            quarries[n] += tiles.named([f"{'BSM'[n % 3]}3.1{twin}" for twin in "ab"])
    return quarries


def crafted(seed: int) -> dict[str, Any]:
    """Return a position at the start of a turn, steered towards one of the rare cases."""
    rng = random.Random(seed)
    steer = rng.choice(STEER)
    seats = rng.randint(2, 4)
    options = some_options(rng)
    tiles, cards = _Pieces(rng, TILES), _Pieces(rng, CARDS)
    ends = ENDS[:]
    rng.shuffle(ends)
    seen = rng.randint(0, 4) if steer != "ends" else rng.randint(3, 4)
    state = oracle.start(["Ada", "Bo", "Cy", "Di"][:seats], {**options, "first_seat": rng.randrange(seats)}, {})
    state["architect"] = rng.randint(1, 4)
    state["quarries"] = _quarries(rng, steer, tiles, state["architect"])
    if steer == "twins":
        state["warehouse"] = tiles.named(["M3.1a", "M3.1b", "B3.1a", "B3.1b"])
    state["warehouse"] += tiles.some(rng.randint(8, 11) if steer == "free" else rng.randint(0, 4))
    for person, hand in zip(state["seats"], _hands(rng, steer, cards, seats), strict=True):
        person["hand"] = hand
        person["palazzi"] = _palazzi(rng, tiles, 8 if steer in ("plain", "hand-out") else 5)
    state["box"] = tiles.some(rng.randint(0, max(0, len(tiles.left) - 6)))
    state["end_tiles"], ends = ends[:seen], ends[seen:]
    if steer == "ends":
        state["box"] += tiles.some(len(tiles.left) - 3)
    stacks = {"I": [], "II": [], "III": ends}
    for name in rng.choice((("I", "II", "III"), ("II", "III"), ("III",))):
        stacks[name] += tiles.some(rng.randint(0, 9))
    stacks["III"] += tiles.left
    state["unseen"] = stacks
    left = rng.randint(0, 3) if steer == "short" else rng.randint(0, len(cards.left))
    state["deck"] = cards.some(left)
    if steer == "short":
        over = len(cards.left) - rng.randint(0, seats + 1)
        state["seats"][rng.randrange(seats)]["hand"] += cards.some(over)
    state["discards"] = cards.left
    state["active"] = rng.randrange(seats)
    state["turn"] = {"phase": "action", "seat": state["active"]}
    if rng.random() < 0.6:
        _after_a_draw(rng, state)
    return state


def _after_a_draw(rng: random.Random, state: dict[str, Any]) -> None:
    """Make two of the tiles on the table those that were just turned up, if possible."""
    seconds = [
        tile
        for n, quarry in enumerate(state["quarries"])
        for tile in quarry
        if (state["architect"] - 1 + windows(tile)) % 4 == n
    ]
    firsts, seconds = state["warehouse"] + state["end_tiles"][:1], seconds + state["end_tiles"][1:2]
    if firsts and seconds:
        state["drawn"] = [rng.choice(firsts), rng.choice(seconds)]
        state["turn"]["phase"] = "choose"


def bargaining(seed: int) -> dict[str, Any]:
    """Return a choice between buying and an auction, with many cards of few values, so that groups are common."""
    rng = random.Random(seed)
    seats = rng.randint(2, 3)
    options = {**some_options(rng), "certificates_alone": rng.random() < 0.5, "first_seat": 0, "stacks": "unknown"}
    values = rng.sample(range(3, 8), 2)
    few = _Pieces(rng, [card for card in CARDS if card[0] == "C" or int(card[1]) in values])
    tiles = _Pieces(rng, TILES)
    state = oracle.start(["Ada", "Bo", "Cy"][:seats], options, {})
    state["warehouse"] = tiles.some(rng.randint(1, 9))
    second = next(tile for tile in tiles.left if windows(tile) == 1)
    architect = state["architect"]
    state["quarries"][architect % 4] = tiles.named([second])
    state["unseen"] = {"I": tiles.left + ENDS, "II": [], "III": []}
    for person in state["seats"]:
        person["hand"] = few.some(rng.randint(6, 9))
    held = {card for person in state["seats"] for card in person["hand"]}
    state["deck"] = [card for card in CARDS if card not in held]
    state |= {"drawn": [state["warehouse"][-1], second], "turn": {"phase": "choose", "seat": 0}}
    return state
