"""What people do at the panel besides playing: confirm phones, answer votes, begin the next game.

Each takes presses before the referee does, and changes what the lights show.  While a phone waits to be let in, lights
and buttons are for that alone; next comes an open vote; then the game.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern, Signals
from tabletop.hardware.panel.panel_file import Wiring
from tabletop.match.errors import JournalError
from tabletop.match.event import Source
from tabletop.messages import Declined
from tabletop.referee.mailbox import Mailbox
from tabletop.web.seating.claims import CONFIRMED, GUARDED, Admission, SeatClaim
from tabletop.web.seating.room import Room
from tabletop.web.seating.votes import Vote, Votes, asked_by_ok

log = logging.getLogger(__name__)

LONG_PRESS_BUTTONS = ("OK",)
"""Buttons for which a long press has a meaning of its own."""
CONFIRMATION_S = 2.0
"""How long the panel shows what was confirmed."""


def admission_at(wiring: Wiring | None) -> Admission:
    """Return how phones get seats at a table with this panel (None: without one).

    Without buttons a free seat is taken at once: there may be no host yet, and the game has to be played on pages.
    """
    if wiring is None or not wiring.buttons:
        return GUARDED
    seats = (_seat_of(wire.name) for wire in wiring.buttons)
    return replace(CONFIRMED, own_buttons=frozenset(seat for seat in seats if seat is not None))


def _seat_of(button: str) -> int | None:
    """Return the seat that a button belongs to, None if it belongs to none."""
    number = button.removeprefix("SEAT")
    return int(number) if number != button and number.isdecimal() else None


class PanelActions:
    """All that a panel does besides the game; ``begin_same`` begins a game like the last one with the same people."""

    def __init__(self, room: Room, votes: Votes, mailbox: Mailbox, begin_same: Callable[[], None]) -> None:
        self._mailbox, self._begin_same = mailbox, begin_same
        self._claims, self._votes = PanelClaims(room), PanelVotes(mailbox, room, votes)

    def press(self, press: Press) -> bool:
        """Carry out a press that is for the panel itself; return False if it is for the referee."""
        return self._claims.press(press) or self._votes.press(press) or self._next_game(press)

    def lights(self, signals: Signals) -> Signals:
        """Return the referee's signals with those of claims and votes put over them."""
        return self._claims.lights(self._votes.lights(signals))

    def _next_game(self, press: Press) -> bool:
        """Begin a game like the last one if that is over and OK is held down; return whether the press was that."""
        if not (self._mailbox.snapshot.over and press.button in LONG_PRESS_BUTTONS and press.kind is Kind.LONG):
            return False
        try:
            self._begin_same()
        except (Declined, JournalError):
            log.exception("the next game could not be begun")
        return True


class PanelClaims:
    """Confirms the phones that wait to be let into a ``room``.

    A phone that asks for a seat is confirmed by that seat's own button (``SEAT0``, ``SEAT1`` … in the panel file).  A
    panel without such buttons has OK, held down: no game asks for that, so nobody is let in by a press that was meant
    for the game.  Holding OK also makes a phone the host's.  OK answers for one phone at a time: first for those that
    ask for a seat, the longest-waiting first, then for one that asks to be the host, which has a light pattern of its
    own.  Lights and buzzer show what was confirmed before the next phone is shown.
    """

    def __init__(self, room: Room) -> None:
        self._room = room

    def press(self, press: Press) -> bool:
        """Let a phone in if the press means that; return whether it did, even if no phone could be let in."""
        if press.button in LONG_PRESS_BUTTONS and press.kind is Kind.LONG:
            claim = self._asked_by_ok
            # While another confirmation is shown, this claim is not: a player who holds OK then does not agree to it.
            return claim is not None and (self._confirmed is not None or self._room.accept(claim.seat, claim.number))
        seat = _seat_of(press.button)
        return seat is not None and press.kind is Kind.PRESS and self._room.accept(seat)

    def lights(self, signals: Signals) -> Signals:
        """Return the signals; while a phone waits or was just let in, the seats' lights show only that."""
        lit = {name: pattern for name, pattern in signals.items() if not name.startswith("seat")}
        confirmed = self._confirmed
        if confirmed is not None:
            tones = Pattern.THRICE if confirmed.seat is None else Pattern.SLOW
            return lit | dict.fromkeys(self._seats(confirmed), Pattern.STEADY) | {"buzzer": tones}
        claims = self._room.claims.waiting
        if not claims:
            return signals
        own = [claim.seat for claim in claims.values() if claim.seat in self._room.admission.own_buttons]
        blinking = dict.fromkeys((name for seat in own for name in (f"seat{seat}", f"SEAT{seat}")), Pattern.SLOW)
        asked = self._asked_by_ok
        if asked is not None:
            how = Pattern.THRICE if asked.seat is None else Pattern.SLOW
            blinking = dict.fromkeys(["OK", *self._seats(asked)], how) | blinking
        return lit | blinking

    def _seats(self, claim: SeatClaim) -> list[str]:
        """Return the lights that stand for a claim: the seat's, or all seats' for a host."""
        return [f"seat{seat}" for seat in sorted(self._room.seating.seats) if claim.seat in (None, seat)]

    @property
    def _confirmed(self) -> SeatClaim | None:
        return self._room.claims.confirmed(CONFIRMATION_S)

    @property
    def _asked_by_ok(self) -> SeatClaim | None:
        """The claim that OK confirms: the oldest one for a seat without a button, else one to be the host."""
        own_buttons = self._room.admission.own_buttons
        claims = [claim for claim in self._room.claims.waiting.values() if claim.seat not in own_buttons]
        return min(claims, key=lambda claim: claim.seat is None, default=None)


class PanelVotes:
    """Takes answers to an undo vote at the panel, from people with or without a phone.

    A seat with its own button agrees by pressing it.  The others are asked one at a time: the seat's light blinks, and
    OK agrees.  PASS says no for anybody, and one no is enough.
    """

    def __init__(self, mailbox: Mailbox, room: Room, votes: Votes) -> None:
        self._mailbox, self._room, self._votes = mailbox, room, votes

    def press(self, press: Press) -> bool:
        """Note an answer if the press is one; return whether it was."""
        vote = self._open
        if vote is None or press.kind is not Kind.PRESS:
            return False
        seat = self._answers(vote, press.button)
        if seat is None:
            return False
        answered = self._votes.answer(seat, press.button != "PASS", on=vote.on, to=vote.to)
        if answered is not None and answered.passed:
            id = f"vote-{secrets.token_hex(8)}"
            self._mailbox.undo(answered.to, on=answered.on, id=id, source=Source.BUTTON)
        return True

    def lights(self, signals: Signals) -> Signals:
        """Return the signals; while people are asked, the seats' lights show only that."""
        vote = self._open
        if vote is None or not vote.waits_for:
            return signals
        blinking = ["PASS"]
        for seat in vote.waits_for & self._room.admission.own_buttons:
            blinking += [f"seat{seat}", f"SEAT{seat}"]
        asked = asked_by_ok(vote, self._room.admission.own_buttons)
        if asked is not None:
            blinking += ["OK", f"seat{asked}"]
        lit = {name: pattern for name, pattern in signals.items() if not name.startswith("seat")}
        return lit | dict.fromkeys(blinking, Pattern.SLOW)

    @property
    def _open(self) -> Vote | None:
        """The vote that is open, None at a panel that confirms nothing: simulated hands press that one."""
        speaks = self._room.admission.confirm and not self._room.claims.waiting
        match = self._mailbox.snapshot.match
        return self._votes.open(match.position_since) if speaks and not match.halted else None

    def _answers(self, vote: Vote, button: str) -> int | None:
        """Return the seat for which a button answers a vote, None if it answers for none."""
        own_buttons = self._room.admission.own_buttons
        match button:
            case "OK":
                return asked_by_ok(vote, own_buttons)
            case "PASS":
                return min(vote.waits_for, default=None)
        seat = _seat_of(button)
        return seat if seat in vote.waits_for & own_buttons else None
