"""The door of a table: who is let in at its panel, and which light says who waits.

A phone that asks for a seat is confirmed by that seat's own button (``SEAT0``, ``SEAT1`` … in the panel file).  A panel
without such buttons has OK, held down: no game asks for that, so nobody is let in by a press that was meant for the
game.  Holding OK also lets a phone be the host.  One at a time is asked about by OK: of the phones that ask for a seat
the one that waited longest, and after all of them one that asks to be the host, with a pattern of its own.  What was
confirmed is said by the lights and the buzzer before the next one is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.hardware.panel.io import Kind, Pattern, Press
from tabletop.hardware.panel.wiring import Wiring
from tabletop.web.seating.room import Room, SeatClaim

HELD = ("OK",)
"""Buttons whose long press means something of its own."""
TOLD = 2.0
"""Seconds for which the panel says what was confirmed."""


def own_buttons(wiring: Wiring) -> frozenset[int]:
    """Return the seats that have a button of their own on the panel."""
    names = (wire.name for wire in wiring.buttons)
    return frozenset(int(name[4:]) for name in names if name.startswith("SEAT") and name[4:].isdecimal())


class PanelClaims:
    """Lets in whoever waits at the door of a ``room``."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def press(self, press: Press) -> bool:
        """Let somebody in, where that is what the press means.  Returns True where it did, or was kept from it."""
        if press.button in HELD and press.kind is Kind.LONG:
            claim = self._asked_by_ok
            # While another confirmation is told, this claim is not shown: whoever holds OK does not agree to it.
            return claim is not None and (self._confirmed is not None or self._room.accept(claim.seat))
        if press.button.startswith("SEAT") and press.kind is Kind.PRESS and press.button[4:].isdecimal():
            return self._room.accept(int(press.button[4:]))
        return False

    def lights(self, signals: Mapping[str, Pattern]) -> Mapping[str, Pattern]:
        """Return the table's signals; while somebody waits or was just let in, the seats' lights say only that."""
        lit = {name: pattern for name, pattern in signals.items() if not name.startswith("seat")}
        confirmed = self._confirmed
        if confirmed is not None:
            tones = Pattern.THRICE if confirmed.seat is None else Pattern.SLOW
            return lit | dict.fromkeys(self._seats(confirmed), Pattern.STEADY) | {"buzzer": tones}
        claims = self._room.claims
        if not claims:
            return signals
        own = [claim.seat for claim in claims.values() if claim.seat in self._room.own_buttons]
        blinking = dict.fromkeys((name for seat in own for name in (f"seat{seat}", f"SEAT{seat}")), Pattern.SLOW)
        asked = self._asked_by_ok
        if asked is not None:
            how = Pattern.THRICE if asked.seat is None else Pattern.SLOW
            blinking = dict.fromkeys(["OK", *self._seats(asked)], how) | blinking
        return lit | blinking

    def _seats(self, claim: SeatClaim) -> list[str]:
        """Return the lights that speak of a claim: the seat's, or all for a host."""
        return [f"seat{seat}" for seat in sorted(self._room.seats) if claim.seat in (None, seat)]

    @property
    def _confirmed(self) -> SeatClaim | None:
        return self._room.confirmed(TOLD)

    @property
    def _asked_by_ok(self) -> SeatClaim | None:
        """The claim that OK confirms: the oldest for a seat, and only where there is none one to be the host."""
        claims = [claim for claim in self._room.claims.values() if claim.seat not in self._room.own_buttons]
        return min(claims, key=lambda claim: claim.seat is None, default=None)
