"""An OK that was meant for something else never discards a tile that merely could not be read."""

from __future__ import annotations

from pathlib import Path

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.seen_table import SeenTable
from tabletop.simulator.table.hands import TakePiece
from tabletop.vision.scene import Cause, ReadBy, Scene, Sighting, Unreadable
from tests.end_to_end.support import AUCTION, SETUP
from tests.simulator.perfect_eye import seen

TINY = (320, 180)
MARKER = Sighting("TT:SEAT2", 0.0, 0.0, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0, ReadBy.ZXING)
"""The marker of Bob's seat, at the table's origin."""


def test_a_discard_is_asked_about_once_while_something_cannot_be_read(tmp_path: Path) -> None:
    opening = [GAME.parse(act) for act in (*SETUP, *AUCTION, "bid R6b", "pass")]
    ground = SeenTable(GAME, ["Ann", "Bob"], tmp_path, size=TINY, opening=opening)
    referee, table = ground.referee, ground.world.table

    def see(time: float, *, unread: bool) -> None:
        places = (Unreadable(Cause.GLARE, place=(100.0, -50.0)),) if unread else ()
        referee.see(Scene(time, int(time), seen(table), (MARKER,), places))

    see(1.0, unread=True)
    ground.perform(TakePiece("S1.2", "hand1"))
    see(2.0, unread=True)
    number = referee.snapshot.number
    referee.press(Press("OK", Kind.PRESS, 3.0))
    see(4.0, unread=True)
    assert referee.snapshot.number == number
    [asked] = [one.text for one in referee.snapshot.say if one.code == "question"]
    assert asked.startswith("S1.2 cannot be seen, but something on the table cannot be read")
    referee.press(Press("OK", Kind.PRESS, 5.0))
    see(6.0, unread=True)
    assert dict(referee.snapshot.events[-1].data) == {"do": "scrap", "tile": "S1.2"}
    ground.close()
