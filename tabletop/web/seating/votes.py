"""Undo by agreement: free for one's own last action, otherwise the others are asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

from tabletop.web.seating.observable import Observable


@dataclass(frozen=True, slots=True)
class Vote:
    """A request to undo every event after ``to``: who asks (None: the host), who must agree, who has agreed.

    ``on`` is the event that led to the position in which it was asked.
    """

    to: int
    on: int
    asker: int | None
    voters: frozenset[int]
    agreed: frozenset[int] = frozenset()

    @property
    def waits_for(self) -> frozenset[int]:
        """Who has not answered yet."""
        return self.voters - self.agreed

    @property
    def passed(self) -> bool:
        """True once everybody who must has agreed."""
        return not self.waits_for


class Refusal(NamedTuple):
    """A vote that was refused, and by which seat."""

    vote: Vote
    by: int


def asked_by_ok(vote: Vote, own_buttons: Collection[int]) -> int | None:
    """Return the seat that OK at the panel answers for now: one at a time of those without a button of their own."""
    return min(vote.waits_for.difference(own_buttons), default=None)


class Votes(Observable):
    """The one vote that may be open.  It ends by itself when the position changes, not with events beside the game.

    ``on`` is always the number of the event that led to the present position.
    """

    def __init__(self) -> None:
        super().__init__()
        self._vote: Vote | None = None
        self._refusal: Refusal | None = None

    def open(self, on: int) -> Vote | None:
        """Return the vote that is open while the position is the one that event ``on`` led to."""
        vote = self._vote
        return vote if vote is not None and vote.on == on else None

    def refused(self, on: int) -> Refusal | None:
        """Return the refusal of the last vote, if event ``on`` led to the position then and no other vote is open."""
        refusal = self._refusal
        return refusal if refusal is not None and refusal.vote.on == on and self._vote is None else None

    def ask(self, to: int, *, on: int, asker: int | None, voters: Collection[int]) -> Vote:
        """Open a vote and return it.  Asking for what the others are asked about already counts as agreeing."""
        with self._lock:
            vote = self.open(on)
            if vote is None or vote.to != to:
                vote = Vote(to, on, asker, frozenset(voters) - {asker})
            elif asker in vote.voters:
                vote = replace(vote, agreed=vote.agreed | {asker})
            self._vote = vote
        self._changed()
        return vote

    def drop(self) -> None:
        """Forget the vote and how the last one was refused: another game begins, whose events are numbered from 1."""
        with self._lock:
            self._vote = self._refusal = None
        self._changed()

    def answer(self, seat: int, agrees: bool, *, on: int, to: int) -> Vote | None:
        """Note an answer to going back to event ``to`` and return the vote.

        Returns None if that is not asked, the seat has no vote, or it was refused.
        """
        with self._lock:
            vote = self.open(on)
            if vote is None or vote.to != to or seat not in vote.voters:
                return None
            self._refusal = None if agrees else Refusal(vote, seat)
            vote = replace(vote, agreed=vote.agreed | {seat}) if agrees else None
            self._vote = vote
        self._changed()
        return vote
