"""The door of a table: who is let in at its panel, and which light says who waits.

A phone that asks for a seat is confirmed by that seat's own button (``SEAT0``, ``SEAT1`` … in the panel file).  A panel
without such buttons has OK, held down: no game asks for that, so nobody is let in by a press that was meant for the
game.  Holding OK also lets a phone be the host.  One at a time is asked about by OK, the one that waited longest.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.hardware.panel import Kind, Pattern, Press
from tabletop.hardware.wiring import Wiring
from tabletop.web.room import Claim, Room

HELD = ("OK",)
"""Buttons whose long press means something of its own."""


def own_buttons(wiring: Wiring) -> frozenset[int]:
    """Return the seats that have a button of their own on the panel."""
    names = (wire.name for wire in wiring.buttons)
    return frozenset(int(name[4:]) for name in names if name.startswith("SEAT") and name[4:].isdecimal())


class Door:
    """Lets in whoever waits at the door of a ``room``."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def press(self, press: Press) -> bool:
        """Let somebody in, where that is what the press means.  Returns True where it did."""
        if press.button in HELD and press.kind is Kind.LONG:
            claim = self._asked_by_ok
            return claim is not None and self._room.accept(claim.seat)
        if press.button.startswith("SEAT") and press.kind is Kind.PRESS and press.button[4:].isdecimal():
            return self._room.accept(int(press.button[4:]))
        return False

    def lights(self, signals: Mapping[str, Pattern]) -> Mapping[str, Pattern]:
        """Return the table's signals; while somebody waits, the seats' lights speak of that alone."""
        claims = self._room.claims
        if not claims:
            return signals
        lit = {name: pattern for name, pattern in signals.items() if not name.startswith("seat")}
        own = [claim.seat for claim in claims.values() if claim.seat in self._room.own_buttons]
        blinking = [name for seat in own for name in (f"seat{seat}", f"SEAT{seat}")]
        asked = self._asked_by_ok
        if asked is not None:
            seats = self._room.seats if asked.seat is None else [asked.seat]
            blinking += ["OK", *(f"seat{seat}" for seat in seats)]
        return lit | dict.fromkeys(blinking, Pattern.SLOW)

    @property
    def _asked_by_ok(self) -> Claim | None:
        claims = self._room.claims.values()
        return next((claim for claim in claims if claim.seat not in self._room.own_buttons), None)
