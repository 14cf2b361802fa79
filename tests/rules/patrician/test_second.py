"""Two implementations of the rules agree, position by position."""

from __future__ import annotations

import json
import random

import pytest

from tabletop.rules.game import Json
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import CARDS, CITIES
from tests.rules.patrician import second
from tests.rules.patrician.board import NAMES


def made_up_edition(rng: random.Random) -> dict[str, dict[str, dict[str, Json]]]:
    """Return an edition that satisfies every constraint and has many moves."""
    heads = ["red", "woman", "beard"]
    faces = {}
    for city in CITIES:
        shown: list[dict[str, Json]] = [{"crests": 2}] * city.doubles + [
            {"heads": [rng.choice(heads)], "start": True} for _ in range(2)
        ]
        while len(shown) < city.cards:
            shown.append(
                rng.choice([{"move": True}, {"move": True}, {"any": True}, {"heads": [rng.choice(heads)] * 2}])
            )
        rng.shuffle(shown)
        for number, face in enumerate(shown, start=1):
            plain = {"crests": 1, "heads": [], "any": False, "move": False, "start": False}
            faces[f"{city.id}{number}"] = plain | face
    return {"cards": {card: faces[card] for card in CARDS}}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_both_implementations_agree_in_every_position_of_a_game(seats: int, seed: int) -> None:
    rng = random.Random(f"{seats} {seed}")
    options = {"first_seat": seed % seats, "move_may_empty_site": seed % 2 == 0}
    position = GAME.new(NAMES[:seats], options, made_up_edition(rng) if seed else None)
    told, space = position.to_json(), None
    while not position.over:
        legal = [action.to_json() for action in position.legal]
        assert sorted(map(json.dumps, legal)) == sorted(map(json.dumps, second.listed(told, space)))
        action = rng.choice(legal)
        position = position.after(GAME.action(action))
        told, space = second.done(told, action, space)
        assert position.to_json() == told
    assert [score.points for score in position.score()] == second.points(told)
