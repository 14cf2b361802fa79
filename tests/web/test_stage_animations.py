"""The films of the television in the docs show whole turns."""

from __future__ import annotations

from itertools import pairwise

import pytest

from doubles.positions import well_played
from tabletop.rules.registry import game
from tools.pictures.make_stage_animations import turns


@pytest.mark.parametrize(("name", "phase"), [("palazzo", "action"), ("patrician", "play"), ("piecepack", "action")])
def test_a_turn_begins_with_another_seats_first_decision(name: str, phase: str) -> None:
    """A film begins at a position in which a seat has done nothing of its turn, after another seat's whole turn."""
    played = well_played(game(name), 1)
    begun = turns(played)
    assert {position.phase for position in begun} == {phase}
    for before, position in pairwise(begun):
        between = played[played.index(before) : played.index(position)]
        assert {one.decider for one in between if one.phase == phase} == {before.decider}
        assert position.decider != before.decider
