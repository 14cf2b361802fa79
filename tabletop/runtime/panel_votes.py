"""A vote at the panel: whoever is asked whether something is taken back may answer there, with or without a phone.

A seat with a button of its own agrees by that.  Of the others one is asked at a time, whose light blinks: OK agrees.
PASS says no for anybody, and one no is enough.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from tabletop.hardware.panel.io import Kind, Pattern, Press
from tabletop.referee.desk import Desk
from tabletop.web.seating.room import Room
from tabletop.web.seating.votes import Vote, Votes, asked_by_ok


class PanelVotes:
    """Takes the answers that a panel gives to a vote."""

    def __init__(self, desk: Desk, room: Room, votes: Votes) -> None:
        self._desk, self._room, self._votes = desk, room, votes

    def press(self, press: Press) -> bool:
        """Note an answer, where the press is one.  Returns True where it was."""
        vote = self._open
        if vote is None or press.kind is not Kind.PRESS:
            return False
        seat = self._answers(vote, press.button)
        if seat is None:
            return False
        answered = self._votes.answer(seat, press.button != "PASS", on=vote.on)
        if answered is not None and answered.passed:
            self._desk.undo(answered.to, on=answered.on, id=f"vote-{secrets.token_hex(8)}", source="button")
        return True

    def lights(self, signals: Mapping[str, Pattern]) -> Mapping[str, Pattern]:
        """Return the table's signals; while people are asked, the seats' lights speak of that alone."""
        vote = self._open
        if vote is None or not vote.waits_for:
            return signals
        blinking = ["PASS"]
        for seat in vote.waits_for & self._room.own_buttons:
            blinking += [f"seat{seat}", f"SEAT{seat}"]
        asked = asked_by_ok(vote, self._room.own_buttons)
        if asked is not None:
            blinking += ["OK", f"seat{asked}"]
        lit = {name: pattern for name, pattern in signals.items() if not name.startswith("seat")}
        return lit | dict.fromkeys(blinking, Pattern.SLOW)

    @property
    def _open(self) -> Vote | None:
        """The vote that is open; while a phone waits to be let in, lights and buttons speak of that."""
        return None if self._room.claims else self._votes.open(self._desk.snapshot.number)

    def _answers(self, vote: Vote, button: str) -> int | None:
        """Return the seat for which a button answers, None where it does for none."""
        match button:
            case "OK":
                return asked_by_ok(vote, self._room.own_buttons)
            case "PASS":
                return min(vote.waits_for, default=None)
        own = [seat for seat in vote.waits_for & self._room.own_buttons if button == f"SEAT{seat}"]
        return own[0] if own else None
