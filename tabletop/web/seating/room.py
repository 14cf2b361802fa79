"""Who sits where: seats taken by phones, waiting claims, the host.  Only hashes of tokens are kept."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tabletop.web.seating import seats_file
from tabletop.web.seating.looks import NO_LOOK, SeatLook
from tabletop.web.seating.losses import Loss, Losses
from tabletop.web.seating.seats_file import KeptSeats
from tabletop.web.seating.swaps import Swaps

log = logging.getLogger(__name__)

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters of the code to join with: none is mistaken for another."""
MAX_NAME_LENGTH = 24


def new_token() -> str:
    """Return a fresh 256-bit token."""
    return secrets.token_urlsafe(32)


def new_code(length: int = 6) -> str:
    """Return a fresh code to join with; six letters have 29 bits, and attempts are limited."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


CLAIM_TIMEOUT_S = 180.0
"""A phone whose request was not confirmed by then has to ask again."""


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A phone that asked for a seat, or (``seat`` None) to be the host, and waits for its confirmation.

    ``since`` is in monotonic seconds, ``by`` distinguishes the browser that asked from others.
    """

    seat: int | None
    name: str
    key: str
    since: float
    by: str = ""
    look: SeatLook = NO_LOOK


class Waits(Exception):
    """Another phone waits for the seat (None: to be the host): it is confirmed or refused before a second may ask."""

    def __init__(self, seat: int | None) -> None:
        super().__init__(f"Another phone waits for seat {seat}.")
        self.seat = seat


class Person(NamedTuple):
    """Somebody who plays the next game, and the seat that was this one's in the last."""

    name: str
    seat: int


class Room:
    """The seats and their phones.  Every method may be called from any thread.

    Args:
        code: the short code that the table page shows; who knows it sees the table.
        seats: the seats that people may take; the others are played by the program or by no page.
        confirm: True if a claim waits for the seat's button or the host before it counts.
        guarded: True if, without ``confirm``, a seat that a phone holds moves to another only once that phone or the
            host agrees.
        host_code: the one-time code that makes a browser the host; empty: there is no host.
        store: the file that keeps the seats over a restart; None: they are forgotten.
        own_buttons: the seats that have a button of their own at the panel.
        helped: the seats that the program plays until somebody takes them.
        levels: the levels at which the host can let the program play other seats.
        bots: such seats, with their levels, to begin with.
        token: makes tokens.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        code: str,
        *,
        seats: Collection[int],
        confirm: bool = False,
        guarded: bool = False,
        host_code: str = "",
        store: Path | None = None,
        own_buttons: Collection[int] = (),
        helped: Collection[int] = (),
        levels: Sequence[str] = (),
        bots: Mapping[int, str] | None = None,
        token: Callable[[], str] = new_token,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.code = code
        self.seats = frozenset(seats)
        self.confirm = confirm
        self.guarded = guarded and not confirm
        self.own_buttons = frozenset(own_buttons)
        self._helped = frozenset(helped)
        self.levels = tuple(levels)
        self.bots: Mapping[int, str] = dict(bots or {})
        self._host_code = host_code
        self._store = store
        self._token = token
        self._clock = clock
        self._lock = threading.RLock()
        kept = seats_file.load(store, self.seats) if store is not None else KeptSeats()
        self._holders, self._names, self._looks = kept.holders, kept.names, kept.looks
        self._swaps = Swaps()
        self._claims: dict[int | None, SeatClaim] = {}
        self._hosts = set(kept.hosts)
        self._newest: tuple[SeatClaim, float] | None = None
        self._losses = Losses()
        self._listeners: list[Callable[[], None]] = []
        self.revision = 0

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def begin_to_confirm(self, own_buttons: Collection[int]) -> None:
        """Let claims wait to be confirmed from now on: there is a panel, where these seats have their own buttons."""
        with self._lock:
            self.confirm, self.guarded, self.own_buttons = True, False, frozenset(own_buttons)
        self._changed()

    @property
    def helped(self) -> frozenset[int]:
        """The seats that the program plays until somebody takes them."""
        return self._helped | self.bots.keys()

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that wait for people, or have some."""
        return (self.seats - self._helped) | self.taken

    def let_play(self, seat: int, level: str) -> None:
        """Let the program play a seat at a level until somebody takes it; an empty level: no longer."""
        with self._lock:
            others = {other: its for other, its in self.bots.items() if other != seat}
            self.bots = {**others, seat: level} if level else others
        self._changed()

    def knows(self, code: str) -> bool:
        """Return whether this is the code to join with, however it was typed."""
        typed = "".join(code.upper().split()).replace("-", "")
        return hmac.compare_digest(typed.encode(), self.code.encode())

    def claim(self, seat: int, name: str = "", *, also: str = "", by: str = "", look: SeatLook = NO_LOOK) -> str:
        """Return the token for the seat; without confirmation it counts at once, and the old phone's ends.

        A phone that holds a seat already keeps it where its token is given as ``also``: the same token then holds both.
        Raises Waits while a phone waits for the seat, unless one browser asks twice (``by``): an answer may be lost.
        """
        token = also if self.seats_of(also) or self.claims_of(also) else self._token()
        called = " ".join(name.split())[:MAX_NAME_LENGTH]
        self._wait(SeatClaim(seat, called, _key(token), self._clock(), by, look))
        if not self.confirm and not (self.guarded and seat in self.taken):
            self.accept(seat)
        return token

    def ask_to_host(self, by: str = "", name: str = "") -> str:
        """Return a token that becomes a host's once it is confirmed at the panel.  Raises Waits as :meth:`claim`."""
        token = self._token()
        self._wait(SeatClaim(None, name, _key(token), self._clock(), by))
        return token

    def _wait(self, claim: SeatClaim) -> None:
        with self._lock:
            # A confirmation that is on its way to the panel must not count for somebody who came in between.
            first = self.claims.get(claim.seat)
            if first is not None and first.by != claim.by:
                raise Waits(claim.seat)
            self._claims.pop(claim.seat, None)
            self._claims[claim.seat] = claim
        self._changed()

    def accept(self, seat: int | None, *, tell: bool = True) -> bool:
        """Let what waits for a seat, or (None) to be the host, count: it was confirmed at the panel or by the host.

        Unless ``tell`` is False, what was confirmed is shown where claims are: see :meth:`confirmed`.
        """
        with self._lock:
            claim = self.claims.get(seat)
            if claim is None:
                return False
            del self._claims[seat]
            if claim.seat is None:
                self._hosts.add(claim.key)
            else:
                self._lose(claim.seat, "taken", claim.key)
                self._holders[claim.seat] = claim.key
                if claim.name:
                    self._names[claim.seat] = claim.name
                if claim.look != NO_LOOK:
                    self._looks[claim.seat] = claim.look
            if self.confirm and tell:
                self._newest = claim, self._clock()
                log.info("A phone was confirmed: %s", "host" if seat is None else f"seat {seat + 1}")
            self._save()
        self._changed()
        return True

    def refuse(self, seat: int | None) -> None:
        """Drop what waits for a seat, or (None) to be the host."""
        with self._lock:
            claim = self._claims.pop(seat, None)
            if claim is not None and claim.seat is not None:
                self._losses.note(claim.key, claim.seat, "refused")
        self._changed()

    def leave(self, seat: int) -> None:
        """Give a seat back: its phone's token ends, and so does its name."""
        with self._lock:
            self._names.pop(seat, None)
            self._looks.pop(seat, None)
        self.free(seat)

    def free(self, seat: int) -> None:
        """End the token of a seat's phone; the name stays, its player may only be away."""
        with self._lock:
            self._lose(seat, "freed")
            self._holders.pop(seat, None)
            self._save()
        self._changed()

    @contextmanager
    def seated(self, people: Sequence[Person]) -> Iterator[None]:
        """Let these people play the next game, which begins inside; where it cannot, all sit as before.

        Each keeps the phone; those who do not continue have none any more.
        """
        with self._lock:
            before = self.seats, self._holders, self._names, self.bots, self._looks, self._helped
            for seat in self.taken.difference(one.seat for one in people):
                self._lose(seat, "left-out")
            holders = {seat: self._holders[one.seat] for seat, one in enumerate(people) if one.seat in self._holders}
            bots = {seat: self.bots[one.seat] for seat, one in enumerate(people) if one.seat in self.bots}
            looks = {seat: self._looks[one.seat] for seat, one in enumerate(people) if one.seat in self._looks}
            helps = self._helped | (frozenset(range(len(people))) - self.seats if self._helped else frozenset())
            helped = frozenset(seat for seat, one in enumerate(people) if one.seat in helps)
        self._seat(range(len(people)), holders, {seat: people[seat].name for seat in holders}, bots, looks, helped)
        try:
            yield
        except BaseException:
            self._seat(*before)
            raise

    def _seat(
        self,
        seats: Collection[int],
        holders: dict[int, str],
        names: dict[int, str],
        bots: Mapping[int, str],
        looks: dict[int, SeatLook],
        helped: frozenset[int],
    ) -> None:
        with self._lock:
            self.seats, self._holders, self._names, self._claims = frozenset(seats), holders, names, {}
            self.bots, self._looks, self._helped = bots, looks, helped
            self._newest, self._swaps = None, Swaps()
            self._save()
        self._changed()

    def _lose(self, seat: int, cause: str, by: str = "") -> None:
        """Remember why a seat's phone loses it, unless it continues ``by`` the same token."""
        key = self._holders.get(seat, by)
        if key != by:
            self._losses.note(key, seat, cause)

    def loss_of(self, token: str) -> Loss | None:
        """Return what a token that neither holds nor awaits a seat lost, None if it does or that is not known."""
        if not token or self.seats_of(token) or self.claims_of(token):
            return None
        key = _key(token)
        with self._lock:
            late = next((claim.seat for claim in self._claims.values() if claim.key == key), None)
            return self._losses.of(key) if late is None else Loss(late, "unconfirmed")

    def swap(self, seat: int, other: int) -> None:
        """Let two seats change places in the next game, once both have asked; a seat without a phone agrees."""
        with self._lock:
            self._swaps.ask(seat, other, agreed=other not in self._holders)
        self._changed()

    @property
    def swaps(self) -> frozenset[tuple[int, int]]:
        """The changes of places that are asked for: (who asks, who is asked)."""
        with self._lock:
            return self._swaps.asked

    def order(self, seats: int) -> list[int]:
        """Return which of the seats of the last game sits at each place of the next."""
        with self._lock:
            return self._swaps.order(seats)

    def holder_of(self, seat: int) -> str:
        """Return the hash of the token that holds a seat, empty if none does."""
        with self._lock:
            return self._holders.get(seat, "")

    def seats_of(self, token: str) -> tuple[int, ...]:
        """Return the seats that the token holds, in order."""
        key = _key(token) if token else ""
        with self._lock:
            return tuple(sorted(seat for seat, holder in self._holders.items() if holder == key))

    def claims_of(self, token: str) -> tuple[SeatClaim, ...]:
        """Return the claims with which the token waits, the oldest first."""
        key = _key(token) if token else ""
        return tuple(claim for claim in self.claims.values() if claim.key == key)

    @property
    def claims(self) -> dict[int | None, SeatClaim]:
        """The claims that wait, by seat, the oldest first; None: to be the host."""
        with self._lock:
            now = self._clock()
            return {seat: claim for seat, claim in self._claims.items() if now - claim.since < CLAIM_TIMEOUT_S}

    def confirmed(self, within: float) -> SeatClaim | None:
        """Return what was confirmed last, None if that is ``within`` seconds ago or longer."""
        with self._lock:
            newest = self._newest
            return newest[0] if newest is not None and self._clock() - newest[1] < within else None

    @property
    def taken(self) -> frozenset[int]:
        """The seats that a phone holds."""
        with self._lock:
            return frozenset(self._holders)

    @property
    def asked(self) -> frozenset[int]:
        """The seats whose people can be asked: those with a phone; at a table with a panel all, they answer there."""
        return self.seats if self.confirm else self.taken

    @property
    def names(self) -> dict[int, str]:
        """The names that people gave, by seat."""
        with self._lock:
            return dict(self._names)

    @property
    def looks(self) -> dict[int, SeatLook]:
        """The colours and marks that people chose, by seat."""
        with self._lock:
            return dict(self._looks)

    def become_host(self, code: str) -> str | None:
        """Return a host's token for the one-time code, None if it is wrong or was used."""
        typed = "".join(code.upper().split())
        with self._lock:
            if not self._host_code or not hmac.compare_digest(typed.encode(), self._host_code.encode()):
                return None
            self._host_code = ""
            token = self._token()
            self._hosts.add(_key(token))
            self._save()
        return token

    def is_host(self, token: str) -> bool:
        """Return whether the token is a host's."""
        with self._lock:
            return bool(token) and _key(token) in self._hosts

    def _changed(self) -> None:
        with self._lock:
            self.revision += 1
        for listener in self._listeners:
            listener()

    def _save(self) -> None:
        if self._store is not None:
            seats_file.save(self._store, KeptSeats(self._holders, self._names, frozenset(self._hosts), self._looks))


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
