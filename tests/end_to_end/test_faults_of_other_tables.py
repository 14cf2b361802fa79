"""Mishaps at the tables of the other games, seen through frames, never count as actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.scenario import parse
from tabletop.simulator.play.seen_table import SeenTable
from tabletop.simulator.table.hands import HandIn, HandOut, Lay, Push, Step, TakePiece
from tabletop.simulator.table.pose import PiecePose
from tests.end_to_end.faulty import astray, heard, said, todo
from tests.end_to_end.support import SMALL

FOLDER = Path(__file__).parent.parent / "scenarios"


def begun(name: str, folder: Path) -> SeenTable:
    """Return a table laid out as a scenario's opening says, after one second of frames."""
    scene = parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), GAME)
    ground = SeenTable(scene.game, scene.seats, folder, seed=1, size=SMALL, make=scene.make, opening=scene.opening)
    ground.tick(1.0)
    return ground


PAID: Sequence[Step] = (Lay("DA5", "pay1"), TakePiece("TC2", "hand1"), Push("MONEY"))
ACTS: Mapping[str, tuple[str, str, Sequence[Step], Mapping[str, object]]] = {
    "patrician/no-refill": (
        "marketROM", "card", [Lay("SIE4", "marketROM")], {"do": "reveal", "piece": "SIE4"}
    ),
    "piecepack/buy-with-the-die": (
        "pay1", "coin", PAID, {"do": "purchase", "structure": "TC2", "pay": ["DA5"], "die": True}
    ),
}  # fmt: skip
"""Scenario → the zone of a stray Palazzo card, the kind whose size it has, the steps of an act, the recorded data."""


@pytest.mark.parametrize("scenario", ACTS)
def test_a_bump_a_lamp_and_a_card_of_another_game_change_nothing_in_the_middle_of_a_turn(
    scenario: str, tmp_path: Path
) -> None:
    """The table reports the bump, the dark and the foreign card by name, and the next act counts as usual."""
    zone, kind, steps, does = ACTS[scenario]
    with closing(begun(scenario, tmp_path)) as ground:
        number, eye = ground.snapshot.number, ground.world.camera.model
        ground.world.camera.stand(replace(eye, x=eye.x + 14, y=eye.y - 9))
        assert "The camera was moved; the table has been found again." in heard(ground, 2.0)
        ground.world.camera.lamp = 0.0
        assert any("too dark" in one for one in heard(ground, 1.0))
        ground.world.camera.lamp = 1.0
        ground.tick(2.0)
        assert (todo(ground), astray(ground), ground.snapshot.number) == (set(), False, number)
        ground.world.table.put_stray("PZ:R5A", zone, kind)
        ground.tick(2.0)
        assert said(ground).startswith("PZ:R5A does not belong to this game: take it off the table.")
        assert ground.snapshot.number == number
        ground.world.table.take("PZ:R5A", "box")
        for step in steps:
            ground.perform(step)
            ground.tick(1.0)
        assert dict(ground.snapshot.events[number].data) == does


def leave_cup(ground: SeenTable, piece: str) -> None:
    """Put something without a tag on top of a piece, and leave it there."""
    table, under = ground.world.table, ground.world.table.lying[piece]
    table.put_stray("X:CUP", "store0", under.kind)
    table.put_at("X:CUP", under.pose)
    table.turn("X:CUP", face_up=False)


def covered(ground: SeenTable) -> set[str]:
    """Return the tags that are assumed to be where they were although they cannot be read."""
    scene = ground.snapshot.scene
    assert scene is not None
    return {one.payload for one in scene.unreadable}


def test_a_seat_card_whose_marker_is_covered_for_a_minute_keeps_the_palazzo_that_stands_on_it(tmp_path: Path) -> None:
    """No piece of a seat is missed while its marker or a coin is covered, and a build counts afterwards."""
    with closing(begun("piecepack/outgrown", tmp_path)) as ground:
        number, marker = ground.snapshot.number, ground.world.table.marks["TT:PLOT1"]
        ground.perform(HandIn(0, marker.x, marker.y - 15))
        leave_cup(ground, "DS3")
        ground.tick(60.0)
        assert covered(ground) == {"TT:PLOT1", "PP:DS3"}
        assert (todo(ground), astray(ground), ground.snapshot.number) == (set(), False, number)
        ground.perform(HandOut(0))
        ground.perform(Lay("TM2", "seat0", cell=(0, -3)))
        ground.tick(2.0)
        assert dict(ground.snapshot.events[-1].data) == {"do": "build", "structure": "TM2", "at": [0, -3]}
        assert (todo(ground), astray(ground)) == (set(), False)


def test_two_proxies_of_a_market_card_in_view_are_reported_and_not_taken(tmp_path: Path) -> None:
    """A tag in two places counts in neither; once one of them is gone, the card can be taken as usual."""
    with closing(begun("patrician/taken-under-an-arm", tmp_path)) as ground:
        number = ground.snapshot.number
        ground.world.table.put_stray("PA:VER4", "show1", "card")
        ground.tick(2.0)
        assert "PA:VER4 can be seen in two places" in said(ground)
        ground.perform(TakePiece("VER4", "hand0"))
        ground.tick(2.0)
        assert ground.snapshot.number == number
        assert said(ground) == "Ann: Take VER4 into your hand, or put it back."
        ground.world.table.take("PA:VER4", "box")
        ground.tick(2.0)
        assert dict(ground.snapshot.events[-1].data) == {"do": "take", "card": "VER4"}


def test_a_city_card_whose_marker_is_covered_for_a_minute_keeps_its_card_and_floors(tmp_path: Path) -> None:
    """No piece of a city is missed while its marker or a card is covered, and its card can be taken afterwards."""
    with closing(begun("patrician/taken-under-an-arm", tmp_path)) as ground:
        number, marker = ground.snapshot.number, ground.world.table.marks["TT:ROM"]
        ground.perform(HandIn(0, marker.x, marker.y - 15))
        leave_cup(ground, "LUC1")
        ground.tick(60.0)
        assert covered(ground) >= {"TT:ROM", "PA:LUC1"}
        assert (todo(ground), astray(ground), ground.snapshot.number) == (set(), False, number)
        ground.perform(HandOut(0))
        ground.tick(2.0)
        ground.perform(TakePiece("VER4", "hand0"))
        ground.tick(2.0)
        assert dict(ground.snapshot.events[-1].data) == {"do": "take", "card": "VER4"}


def test_two_palazzi_that_touch_stay_two_and_what_touches_both_is_not_read(tmp_path: Path) -> None:
    """A palazzo that was turned and pushed against another one loses no structure to it.

    A new structure that touches both is not read; it counts once it touches only one of them.
    """
    with closing(begun("piecepack/exchange-in-another-cell", tmp_path)) as ground:
        number, table = ground.snapshot.number, ground.world.table
        theirs, own = table.lying["TC2"].pose, table.lying["TM0"].pose
        ground.perform(HandIn(1, own.x, own.y))
        for piece, up in (("TM0", 1), ("TS0", 2)):
            table.put_at(piece, PiecePose(theirs.x, theirs.y - up * SIDE, own.angle + 90))
        ground.perform(HandOut(1))
        ground.tick(2.0)
        assert (todo(ground), astray(ground), ground.snapshot.number) == (set(), False, number)
        for aside, both in ((-SIDE, True), (SIDE, False)):
            ground.perform(HandIn(1, theirs.x + aside, theirs.y - SIDE))
            table.put_at("TM3", PiecePose(theirs.x + aside, theirs.y - SIDE, 0))
            ground.perform(HandOut(1))
            ground.tick(2.0)
            assert (said(ground) == "Bob: Lay TM3 in your reserve or palazzo, touching no other.") is both
            assert (ground.snapshot.number == number) is both
        assert dict(ground.snapshot.events[-1].data)["structure"] == "TM3"
        assert (todo(ground), astray(ground)) == (set(), False)


SIDE = 43.0
"""The distance between the centres of neighbouring structures of a palazzo, in mm."""
