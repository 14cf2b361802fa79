"""What players made of code must keep: they decide legally from their own view, and games with them end."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tabletop.bots.bot import bots_of, find_player
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME


def play(kinds: list[str], seed: int) -> tuple[Position, Counter[str]]:
    rng = random.Random(seed)
    players = [find_player(GAME.name, kind) for kind in kinds]
    position, done = GAME.new([f"{kind} {n}" for n, kind in enumerate(kinds)]), Counter[str]()
    for _ in range(2000):
        if position.over:
            return position, done
        if position.decider is None:
            action = GAME.draw(position, rng)
        else:
            legal = list(position.legal.thrifty())
            action = players[position.decider].choose(position.view(position.decider), legal, rng)
            assert action in legal
            done[action.do] += 1
        position = position.after(action)
    pytest.fail("the game does not end")


@pytest.mark.parametrize("kinds", [["random"] * 2, ["random"] * 4, ["thrifty"] * 3], ids=" ".join)
def test_games_end_within_some_hundred_actions(kinds: list[str]) -> None:
    for seed in range(4):
        _, done = play(kinds, seed)
        assert sum(done.values()) < 600


def test_random_games_bring_every_kind_of_act_up() -> None:
    done = sum((play(["random"] * 3, seed)[1] for seed in range(12)), Counter[str]())
    kinds = {"money", "build", "rebuild", "take", "buy", "auction", "bid", "pass", "claim", "place", "scrap"}
    assert done.keys() == kinds


def test_thrifty_beats_random_clearly() -> None:
    points = [[seat.points for seat in play(["thrifty", "random", "random"], seed)[0].score()] for seed in range(8)]
    assert all(first > max(others) for first, *others in points)


@pytest.mark.parametrize("kind", bots_of(GAME.name))
def test_the_same_generator_gives_the_same_game(kind: str) -> None:
    assert play([kind] * 2, 5)[0] == play([kind] * 2, 5)[0]


@pytest.mark.parametrize("kind", bots_of(GAME.name))
def test_a_player_is_not_moved_by_what_is_hidden_from_it(kind: str) -> None:
    position = GAME.new(["A", "B"])
    rng = random.Random(1)
    while position.phase != "action":
        position = position.after(GAME.draw(position, rng))
    swapped = position.to_json()
    swapped["seats"][1]["hand"], swapped["deck"] = (
        swapped["deck"][:4],
        [*swapped["seats"][1]["hand"], *swapped["deck"][4:]],
    )
    other = GAME.load(swapped)
    assert other != position
    choices = [
        find_player(GAME.name, kind).choose(p.view(0), list(p.legal.thrifty()), random.Random(3))
        for p in (position, other)
    ]
    assert choices[0] == choices[1]


def test_an_unknown_player_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no player “clever”: choose random or thrifty"):
        find_player(GAME.name, "clever")
