"""Taking back by agreement: free for one's own last act, else the others are asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from tabletop.referee.state import Event


@dataclass(frozen=True, slots=True)
class Vote:
    """A wish to take back every event after ``to``: who asks, who must agree, who has."""

    to: int
    on: int
    asker: int
    voters: frozenset[int]
    agreed: frozenset[int] = frozenset()

    @property
    def passed(self) -> bool:
        """True once everybody who must has agreed."""
        return self.voters <= self.agreed


class Votes:
    """The one vote that may be open.  It ends by itself when the match goes on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vote: Vote | None = None
        self._listeners: list[Callable[[], None]] = []
        self.revision = 0

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def open(self, on: int) -> Vote | None:
        """Return the vote that is open while event ``on`` is the newest."""
        vote = self._vote
        return vote if vote is not None and vote.on == on else None

    def ask(self, to: int, *, on: int, asker: int, voters: Collection[int]) -> Vote:
        """Open a vote and return it."""
        vote = Vote(to, on, asker, frozenset(voters) - {asker})
        self._set(vote)
        return vote

    def answer(self, seat: int, agrees: bool, *, on: int) -> Vote | None:
        """Note an answer and return the vote; None where none is open, the seat has none, or it was refused."""
        with self._lock:
            vote = self.open(on)
            if vote is None or seat not in vote.voters:
                return None
            vote = replace(vote, agreed=vote.agreed | {seat}) if agrees else None
        self._set(vote)
        return vote

    def _set(self, vote: Vote | None) -> None:
        with self._lock:
            self._vote = vote
            self.revision += 1
        for listener in self._listeners:
            listener()


def own_last_act(events: Collection[Event], seat: int) -> int | None:
    """Return the number to go back to so that the seat's own last act is undone freely, None where it is not free.

    Free while nobody else has acted since and nothing was revealed since.
    """
    kept = [event for event in events if event.kind in ("start", "action")]
    if len(kept) < 2 or kept[-1].seat != seat:
        return None
    return kept[-2].number


def last_act(events: Collection[Event]) -> int | None:
    """Return the number to go back to so that the last act of any seat, with the chance after it, is undone."""
    kept = [event for event in events if event.kind in ("start", "action")]
    while len(kept) > 1 and kept[-1].seat is None:
        kept.pop()
    return kept[-2].number if len(kept) > 1 else None
