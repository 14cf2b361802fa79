"""The phones that asked for a seat, or to be the host, and wait until that is confirmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from tabletop.web.seating.looks import NO_LOOK, SeatLook
from tabletop.web.seating.tokens import hash_of

CLAIM_TIMEOUT_S = 180.0
"""A phone whose request was not confirmed by then has to ask again."""


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A phone that asked for a seat, or (``seat`` None) to be the host, and waits for its confirmation.

    ``since`` is in monotonic seconds, ``by`` distinguishes the browser that asked from others; ``marked`` says that no
    other browser can know it.  ``number`` tells one browser's claim from the next one's for the same seat.  ``deputy``
    says that the host asks, to play for somebody.
    """

    seat: int | None
    name: str
    key: str
    since: float
    by: str = ""
    look: SeatLook = NO_LOOK
    number: int = 0
    deputy: bool = False
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Admission:
    """How a phone gets a seat: :data:`OPEN`, :data:`GUARDED` or, at a table with a panel, :data:`CONFIRMED`.

    Attributes:
        confirm: a claim waits for the seat's button or the host before it counts.
        guarded: a seat that a phone holds moves to another only once that phone or the host agrees.
        own_buttons: the seats that have a button of their own at the panel.
    """

    confirm: bool = False
    guarded: bool = False
    own_buttons: frozenset[int] = frozenset()


OPEN = Admission()
"""A claim counts at once."""
GUARDED = Admission(guarded=True)
CONFIRMED = Admission(confirm=True)
"""Claims wait, and no seat has a button of its own: they are confirmed with OK."""


class Waits(Exception):
    """Another phone waits for the seat (None: to be the host): it is confirmed or refused before a second may ask."""

    def __init__(self, seat: int | None) -> None:
        super().__init__(f"Another phone waits for seat {seat}.")
        self.seat = seat


class Claims:
    """The claims that wait, one for each seat, and the one that was confirmed last; usable from any thread.

    ``clock`` gives monotonic seconds.  Changes are made under ``lock``, the room's; reading does not need it, so that
    no page has to wait until the room has written a file.
    """

    def __init__(self, clock: Callable[[], float], lock: AbstractContextManager[object]) -> None:
        self._clock, self._lock = clock, lock
        self._claims: Mapping[int | None, SeatClaim] = {}
        self._confirmed: tuple[SeatClaim, float] | None = None
        self._count = 0

    @property
    def waiting(self) -> dict[int | None, SeatClaim]:
        """The claims that wait, by seat, the oldest first; None: to be the host."""
        now = self._clock()
        return {seat: claim for seat, claim in self._claims.items() if now - claim.since < CLAIM_TIMEOUT_S}

    def of(self, token: str) -> tuple[SeatClaim, ...]:
        """Return the waiting claims of a token, the oldest first."""
        key = hash_of(token)
        return tuple(claim for claim in self.waiting.values() if claim.key == key)

    def late(self, token: str) -> SeatClaim | None:
        """Return the claim of a token that was not confirmed in time, None if there is none."""
        key = hash_of(token)
        return next((claim for claim in self._claims.values() if claim.key == key), None)

    def confirmed(self, within: float) -> SeatClaim | None:
        """Return the claim that was confirmed last, None if that was ``within`` seconds ago or earlier."""
        newest = self._confirmed
        return newest[0] if newest is not None and self._clock() - newest[1] < within else None

    def add(self, claim: SeatClaim) -> SeatClaim:
        """Let a claim wait and return it with its number.  Raises Waits while another browser waits for the seat."""
        with self._lock:
            # A confirmation that is on its way to the panel must not count for somebody who came in between.
            first = self.waiting.get(claim.seat)
            if first is not None and first.by != claim.by:
                raise Waits(claim.seat)
            self._count += 1
            # Somebody who saw this browser's first request may answer its second.
            numbered = replace(claim, number=self._count if first is None else first.number)
            self._claims = {**self._without(claim.seat), claim.seat: numbered}
            return numbered

    def take(self, seat: int | None, number: int | None = None) -> SeatClaim | None:
        """Remove and return the claim that waits for a seat, or (None) to be the host; None if none does.

        ``number``: only the claim with this number.
        """
        with self._lock:
            return self.drop(seat, number) if seat in self.waiting else None

    def drop(self, seat: int | None, number: int | None = None) -> SeatClaim | None:
        """Remove and return the claim for a seat, or (None) to be the host, even one that was not confirmed in time.

        ``number``: only the claim with this number.
        """
        with self._lock:
            claim = self._claims.get(seat)
            if claim is None or number not in (None, claim.number):
                return None
            self._claims = self._without(seat)
            return claim

    def confirm(self, claim: SeatClaim) -> None:
        """Remember a claim as confirmed, to be shown for a while."""
        self._confirmed = claim, self._clock()

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._claims, self._confirmed = {}, None

    def _without(self, seat: int | None) -> dict[int | None, SeatClaim]:
        return {other: claim for other, claim in self._claims.items() if other != seat}
