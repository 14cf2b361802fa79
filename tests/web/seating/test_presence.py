"""The host who plays for a seat, and the record of who sits at the table."""

from __future__ import annotations

from doubles.memory_table import MemoryTable
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME
from tabletop.web.seating.presence import Presence
from tabletop.web.seating.room import Room


def test_a_phone_that_asks_for_a_seat_just_as_the_host_takes_it_has_to_wait() -> None:
    """It was let in with the host, and the host's own phone lost the seat again."""
    room = Room("CODE42", seats=range(3), guarded=True)
    presence = Presence(MemoryTable(GAME, NAMES), room)
    asked: list[str] = []

    def ask() -> None:
        if room.seating.taken and not room.claims.waiting and not asked:
            asked.append("")
            asked.append(room.claim(1, by="another phone"))

    room.on_change(ask)
    host = presence.stand_in(1, "")
    assert room.seating.held_by(host or "") == (1,)
    assert room.seating.held_by(asked[-1]) == ()
    assert room.claims.of(asked[-1])
