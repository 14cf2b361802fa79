"""Which lights are on, and in which pattern, while a game is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.positions import NAMES, phases, well_played
from tabletop.hardware.panel.lights import Pattern
from tabletop.match.event import EventKind
from tabletop.referee.referee import Referee
from tabletop.referee.signals import SAVED_LIGHTS, signals
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME
from tests.referee.hands import Hands

USUAL: Mapping[str, Any] = {
    "intent": None,
    "confirms": frozenset(),
    "undo_offered": False,
    "undoable": False,
    "wrong": False,
    "camera_lost": False,
    "missing": None,
}


def lights(position: Position, **more: Any) -> dict[str, Pattern]:
    """Return the lights of a match in a position, with some facts other than usual."""
    match = MemoryTable(GAME, NAMES, seed=None, position=position).snapshot.match
    return signals(match, **{**USUAL, **more})


def seats(shown: Mapping[str, Pattern]) -> dict[str, Pattern]:
    return {name: pattern for name, pattern in shown.items() if name.startswith("seat")}


def test_lit_buttons_are_those_that_lead_to_something_legal(table: Hands, referee: Referee) -> None:
    lit = {name for name, pattern in referee.snapshot.signals.items() if pattern is Pattern.STEADY and name.isupper()}
    assert lit == {"MONEY", "BUILD", "UNDO"}  # no palazzo yet, so no REBUILD


def test_the_seat_to_decide_and_the_architect_are_lit(table: Hands, referee: Referee) -> None:
    assert referee.snapshot.signals["seat0"] is Pattern.STEADY
    assert referee.snapshot.signals["quarry1"] is Pattern.STEADY


def test_while_chance_decides_the_light_of_the_active_seat_blinks() -> None:
    position = next(one for one in well_played(GAME, 3) if one.phase == "reveal")
    assert seats(lights(position)) == {f"seat{position.active}": Pattern.SLOW}


def test_the_end_of_a_game_lights_no_seat_and_says_that_all_is_saved() -> None:
    shown = lights(well_played(GAME, 3)[-1])
    assert seats(shown) == {}
    assert shown["legal"] is SAVED_LIGHTS["legal"]


@pytest.mark.parametrize(("missing", "blinks"), [(None, True), ({"quarry"}, True), (set(), False)])
def test_the_quarry_of_the_drawn_tile_blinks_until_the_tile_lies_there(missing: set[str] | None, blinks: bool) -> None:
    """The light blinks if no scene shows the tile there; the architect's is steady whatever is missing."""
    position = next(
        one
        for one in well_played(GAME, 3)
        if one.phase == "choose" and Pattern.SLOW in quarries(lights(one)).values() and len(quarries(lights(one))) == 2
    )
    known = quarries(lights(position))
    goes = next(name for name, pattern in known.items() if pattern is Pattern.SLOW)
    shown = quarries(lights(position, missing=missing and {goes}))
    assert shown == (known if blinks else {name: known[name] for name in known if name != goes})


def quarries(shown: Mapping[str, Pattern]) -> dict[str, Pattern]:
    return {name: pattern for name, pattern in shown.items() if name.startswith("quarry")}


def test_an_intent_makes_its_own_button_blink() -> None:
    """OK blinks only once a press would be accepted, not already when BUY was pressed."""
    before, begun = lights(phases()["choose"]), lights(phases()["choose"], intent="buy")
    assert {name for name, pattern in begun.items() if before.get(name) is not pattern} == {"BUY"}
    assert begun["BUY"] is Pattern.SLOW


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ({"undoable": True}, {"UNDO": Pattern.STEADY, "legal": Pattern.STEADY}),
        ({"undoable": True, "undo_offered": True}, {"UNDO": Pattern.SLOW, "legal": Pattern.STEADY}),
        ({"confirms": frozenset({"OK"})}, {"OK": Pattern.SLOW, "legal": Pattern.STEADY}),
        ({"wrong": True, "camera_lost": True}, {"illegal": Pattern.FAST, "buzzer": Pattern.FAST}),
        ({"camera_lost": True}, {"illegal": Pattern.TWICE}),
    ],
)
def test_what_is_wrong_comes_before_a_lost_camera_and_that_before_all_is_legal(
    facts: Mapping[str, Any], shown: Mapping[str, Pattern]
) -> None:
    found = lights(phases()["action"], **facts)
    assert {name: found[name] for name in ("OK", "UNDO", "legal", "illegal", "buzzer") if name in found} == shown


def test_in_a_pause_all_seats_blink_and_nothing_else_is_asked() -> None:
    table = MemoryTable(GAME, NAMES, seed=None, position=phases()["action"])
    table.decide(EventKind.PAUSE, {}, id="pause")
    facts = {**USUAL, "wrong": True, "undoable": True}
    assert signals(table.snapshot.match, **facts) == {
        **SAVED_LIGHTS, **{f"seat{seat}": Pattern.SLOW for seat in range(len(NAMES))}
    }  # fmt: skip
