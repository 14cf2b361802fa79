"""Which lights are on, and in which pattern, while a game is played."""

from __future__ import annotations

from tabletop.hardware.panel.lights import Pattern
from tabletop.referee.referee import Referee
from tests.referee.hands import Hands


def test_lit_buttons_are_those_that_lead_to_something_legal(table: Hands, referee: Referee) -> None:
    lit = {name for name, pattern in referee.snapshot.signals.items() if pattern is Pattern.STEADY and name.isupper()}
    assert lit == {"MONEY", "BUILD", "UNDO"}  # no palazzo yet, so no REBUILD


def test_the_seat_to_decide_and_the_architect_are_lit(table: Hands, referee: Referee) -> None:
    assert referee.snapshot.signals["seat0"] is Pattern.STEADY
    assert referee.snapshot.signals["quarry1"] is Pattern.STEADY
