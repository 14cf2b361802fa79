"""Keeps the record in step with who sits at the table: what the seats are called, and for whom the host plays."""

from __future__ import annotations

import secrets
import threading

from tabletop.match.event import EventKind
from tabletop.messages import Declined
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.snapshot import Answer
from tabletop.web.seating.room import Room


class Presence:
    """Listens to the room and tells the referee what everybody should know about it.

    The host plays for a seat by holding it like a phone would; that ends as soon as the seat is freed or taken.  What
    is recorded replaces what was recorded before, so only one thread at a time reads and replaces it.
    """

    def __init__(self, mailbox: Mailbox, room: Room) -> None:
        self._mailbox = mailbox
        self._room = room
        self._recording = threading.RLock()
        for seat in room.seating.deputed ^ mailbox.snapshot.match.deputed:
            room.free(seat)  # held in another match, or power was lost between writing the seats' file and the record
        room.on_change(self._follow)
        self._follow()

    def stand_in(self, seat: int, also: str) -> str:
        """Let the host play for a seat and return the token that holds it.

        ``also`` is the token of the seats that the host's browser holds already.  Raises Declined if it cannot be
        recorded: nobody would be told; Waits as :meth:`Room.claim`.
        """
        if trouble := next((said for said in self._mailbox.snapshot.say if said.code == "journal"), None):
            raise Declined("journal", trouble.text)  # the seat must not be held unrecorded even for a moment
        token = self._room.claim(seat, also=also, deputy=True)
        for claim in self._room.claims.of(token):
            if claim.seat == seat:
                self._room.accept(seat, claim.number, tell=False)  # the log says it
        with self._recording:
            # A seat that was freed meanwhile is left out: nothing would take it back out of the record.
            deputed = (self._mailbox.snapshot.match.deputed | {seat}) & self._room.seating.deputed
            answer = self._say(EventKind.DEPUTY, seats=sorted(deputed))
        if answer.error is not None:
            self._room.free(seat)
            raise answer.error
        return token

    def _follow(self) -> None:
        with self._recording:
            self._follow_names()
            self._follow_deputies()

    def _follow_names(self) -> None:
        match = self._mailbox.snapshot.match
        called = self._room.seating.called(match.names)
        if tuple(called) != match.names and self._say(EventKind.NAMES, of=match.mark, names=called).stale:
            self._follow_names()  # the next match has begun meanwhile

    def _follow_deputies(self) -> None:
        deputed = self._mailbox.snapshot.match.deputed
        still = deputed & self._room.seating.deputed
        if still != deputed:
            self._say(EventKind.DEPUTY, seats=sorted(still))

    def _say(self, kind: EventKind, of: str = "", **data: object) -> Answer:
        return self._mailbox.decide(kind, data, id=f"presence-{secrets.token_hex(8)}", of=of)
