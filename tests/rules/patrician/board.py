"""Boards for the tests: positions written in a line or two, and games played at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tabletop.rules.game import Illegal, Json
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import COLOURS, FLOOR_SUPPLY, cards, cities
from tabletop.rules.patrician.position import PatricianPosition

NAMES = ("Ann", "Bob", "Cas", "Dee", "Eve")
LETTERS = dict(zip("bwryu", COLOURS, strict=True))


def tower(letters: str) -> list[str]:
    """Return the floors from the ground up: ``"bwb"`` is black, white, black."""
    return [LETTERS[letter] for letter in letters]


def tokens_of(first: Sequence[str], second: Sequence[str], worth: tuple[int, int]) -> list[tuple[str, int]]:
    """Return who gets which token as (colour, value), worked out differently than in the rules."""
    won = []
    high, low = (first, second) if len(first) >= len(second) else (second, first)
    for floors, value in ((high, worth[0]), (low, worth[1])):
        if floors:
            best = max(Counter(floors).values())
            tied = {colour for colour, count in Counter(floors).items() if count == best}
            won.append((max(tied, key=lambda colour: max(at for at, c in enumerate(floors) if c == colour)), value))
    return won


def data(
    seats: int = 3,
    *,
    phase: str = "play",
    active: int = 0,
    hands: Sequence[Sequence[str]] = (),
    towers: Mapping[str, tuple[str, str]] | None = None,
    market: Mapping[str, str] | None = None,
    deck: Sequence[str] = (),
    played: Sequence[Sequence[str]] = (),
    pending: tuple[str, int] | None = None,
    **options: bool,
) -> dict[str, Json]:
    """Return the JSON of a position; cards that are not named are at the bottom of the last seat's pile."""
    towns = cities(seats)
    hands = [list(hands[at]) if at < len(hands) else [] for at in range(seats)]
    piles = [list(played[at]) if at < len(played) else [] for at in range(seats)]
    beside = {city.id: (market or {}).get(city.id) for city in towns}
    named = {card for group in (*hands, *piles, beside.values(), deck) for card in group}
    piles[-1] = [card for card in cards(seats) if card not in named] + piles[-1]
    board = {city.id: [tower(site) for site in (towers or {}).get(city.id, ("", ""))] for city in towns}
    won: dict[str, list[int]] = {colour: [] for colour in COLOURS}
    for city in towns:
        first, second = board[city.id]
        if phase == "over" or len(first) + len(second) == city.capacity:
            for colour, value in tokens_of(first, second, city.tokens):
                won[colour].append(value)
    built = Counter(colour for sites in board.values() for site in sites for colour in site)
    found = {
        "game": "patrician",
        "options": options,
        "edition": GAME.new(NAMES[:seats]).to_json()["edition"],
        "seats": [
            {
                "name": NAMES[at],
                "colour": COLOURS[at],
                "hand": hands[at],
                "played": piles[at],
                "supply": FLOOR_SUPPLY[seats] - built[COLOURS[at]],
                "tokens": won[COLOURS[at]],
            }
            for at in range(seats)
        ],
        "cities": {
            city.id: {
                "A": board[city.id][0],
                "B": board[city.id][1],
                "scored": phase == "over" or sum(map(len, board[city.id])) == city.capacity,
            }
            for city in towns
        },
        "market": beside,
        "deck": list(deck),
        "active": active,
        "turn": {"phase": phase, "seat": active if phase in ("play", "floor", "move", "take") else None},
    }
    if pending:
        found["pending"] = {"card": pending[0], "floors": pending[1]}
    return found


def board(seats: int = 3, **fields: Json) -> PatricianPosition:
    """Return the position of :func:`data`."""
    return GAME.load(data(seats, **fields))


def do(position: PatricianPosition, *lines: str) -> PatricianPosition:
    """Return the position after actions in short notation."""
    for line in lines:
        position = position.after(GAME.parse(line))
    return position


def legal(position: PatricianPosition) -> list[str]:
    """Return the legal actions in short notation, sorted."""
    return sorted(GAME.format(action) for action in position.legal)


def refused(position: PatricianPosition, line: str) -> Illegal:
    """Return the refusal of an action in short notation."""
    refusal = position.refusal(GAME.parse(line))
    assert refusal is not None, f"{line} is legal"
    return refusal


def walk(seed: int, seats: int, **options: int) -> Iterator[PatricianPosition]:
    """Yield every position of one random game, including the first and the last."""
    rng = random.Random(seed)
    position = GAME.new(NAMES[:seats], options)
    yield position
    while not position.over:
        action = GAME.draw(position, rng) if position.decider is None else rng.choice(list(position.legal))
        position = position.after(action)
        yield position


def begun(seats: int = 3, seed: int = 1, **options: int) -> PatricianPosition:
    """Return the first position of a game in which a seat decides."""
    return next(position for position in walk(seed, seats, **options) if position.decider is not None)
