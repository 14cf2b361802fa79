"""The room around the table: how phones get seats, keep them and give them up."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tabletop.web.seating import seats_file
from tabletop.web.seating.claims import OPEN, Admission, Claims, SeatClaim
from tabletop.web.seating.hosts import Hosts
from tabletop.web.seating.looks import NO_LOOK, SeatLook
from tabletop.web.seating.losses import Loss, Losses
from tabletop.web.seating.observable import Observable
from tabletop.web.seating.seating import Person, Seating, typed_name
from tabletop.web.seating.seats_file import KeptSeats
from tabletop.web.seating.swaps import Swaps
from tabletop.web.seating.tokens import hash_of, new_token

log = logging.getLogger(__name__)


class Room(Observable):
    """Lets phones claim seats and remembers who sits where.  Every method may be called from any thread.

    Attributes:
        code: the short code that the table page shows; knowing it proves that one sees the table.
        admission: how a phone gets a seat; it changes once a panel works again.
        levels: the levels at which the host can let the program play other seats.
        claims: the phones that wait for a seat, or to be the host.
        hosts: the host's browsers.
        seating: who sits where now.
        swaps: the changes of places for the next game.

    Args:
        seats: the seats that people may take; the others are played by the program or by no page.  Without any, as in
            safe mode, there is no game, and the file keeps who sat where in the last one.
        host_code: the one-time code that makes a browser the host; empty: there is no host.
        store: the file that keeps the seats over a restart; None: they are forgotten.
        simulated: the seats that simulated people play until somebody takes them.
        bots: the seats that the program plays to begin with, with their levels.
        match: an id of the match that no other has; the host's choices of bots survive a restart that continues it.
        token: makes tokens.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        code: str,
        *,
        seats: Collection[int],
        admission: Admission = OPEN,
        host_code: str = "",
        store: Path | None = None,
        simulated: Collection[int] = (),
        levels: Sequence[str] = (),
        bots: Mapping[int, str] | None = None,
        match: str = "",
        token: Callable[[], str] = new_token,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.code, self.admission = code, admission
        self.levels = tuple(levels)
        self._store, self._match, self._token, self._clock = store, match, token, clock
        kept = seats_file.load(store, seats) if store is not None else KeptSeats()
        played = {seat: level for seat, level in kept.bots.items() if level in levels}
        self.seating = Seating(
            frozenset(seats), kept.holders, kept.names, kept.looks, frozenset(simulated),
            played if match and kept.match == match else dict(bots or {}), kept.deputed,
        )  # fmt: skip
        self.claims = Claims(clock, self._lock)
        self.hosts = Hosts(host_code, kept.hosts, token, self._save, self._lock)
        self.swaps = Swaps()
        self._losses = Losses()
        self._browsers: dict[int, str] = {}
        """Seat → the mark of the browser that took it in this game, empty if that has none."""

    @property
    def asked(self) -> frozenset[int]:
        """The seats whose people can be asked: those with a phone, or all if there is a panel on which to answer."""
        return self.seating.seats if self.admission.confirm else self.seating.taken

    def loss_of(self, token: str) -> Loss | None:
        """Return the loss of a token that neither holds a seat nor waits for one, None if it does or none is known."""
        if not token or self.seating.held_by(token) or self.claims.of(token):
            return None
        late = self.claims.late(token)
        if late is not None and late.seat is not None:
            return Loss(late.seat, "unconfirmed")
        return self._losses.of(hash_of(token))

    def change_admission(self, admission: Admission) -> None:
        """Let phones get seats in this way from now on."""
        self.admission = admission
        self._changed()

    def claim(
        self, seat: int, name: str = "", *, also: str = "", by: str = "", marked: bool = False,
        look: SeatLook = NO_LOOK, deputy: bool = False,
    ) -> str:  # fmt: skip
        """Return the token for the seat; without confirmation it counts at once, and the old phone's ends.

        A phone that holds a seat already keeps it if its token is given as ``also``: the same token then holds both.
        With ``deputy`` the claim is the host's, for somebody who is absent.
        Raises Waits while a phone waits for the seat, unless one browser asks twice (``by``): an answer may be lost.
        For the same reason a seat is not guarded against the browser that took it, if that is ``marked``.
        """
        token = also if self.seating.held_by(also) or self.claims.of(also) else self._token()
        called = typed_name(name)
        claim = SeatClaim(seat, called, hash_of(token), self._clock(), by, look, deputy=deputy, marked=marked)
        asked = self.claims.add(claim)
        self._changed()
        others = seat in self.seating.taken and not (marked and self._browsers.get(seat) == by)
        if not self.admission.confirm and not (self.admission.guarded and others):
            self.accept(seat, asked.number)
        return token

    def ask_to_host(self, by: str = "", name: str = "") -> str:
        """Return a token that becomes a host's once it is confirmed at the panel.  Raises Waits as :meth:`claim`."""
        token = self._token()
        self.claims.add(SeatClaim(None, name, hash_of(token), self._clock(), by))
        self._changed()
        return token

    def accept(self, seat: int | None, number: int | None = None, *, tell: bool = True) -> bool:
        """Grant the claim for a seat, or (None) to be the host, that was confirmed at the panel or by the host.

        Return whether a claim waited; with a ``number``, whether the claim with that number did.  Unless ``tell`` is
        False, the pages show what was confirmed for a while: see :meth:`Claims.confirmed`.
        """
        with self._lock:
            claim = self.claims.take(seat, number)
            if claim is None:
                return False
            if claim.seat is None:
                self.hosts.add(claim.key)
            else:
                self._lose(claim.seat, "taken", claim.key)
                self._browsers[claim.seat] = claim.by if claim.marked else ""
                holder = claim.key, claim.name, claim.look
                self._seat(self.seating.with_holder(claim.seat, *holder, deputy=claim.deputy))
            if self.admission.confirm and tell:
                self.claims.confirm(claim)
                log.info("A phone was confirmed: %s", "host" if seat is None else f"seat {seat + 1}")
        self._changed()
        return True

    def refuse(self, seat: int | None, number: int | None = None) -> bool:
        """Drop the claim for a seat, or (None) to be the host; with a ``number`` only if the claim has that number.

        Return whether it was dropped.
        """
        with self._lock:
            claim = self.claims.drop(seat, number)
            if claim is None:
                return False
            if claim.seat is not None:
                self._losses.note(claim.key, Loss(claim.seat, "refused"))
        self._changed()
        return True

    def leave(self, seat: int, token: str) -> None:
        """Give back the seat that a token holds, with its name; one that another phone has taken over stays."""
        with self._lock:
            if seat not in self.seating.held_by(token):
                return
            self._seat(self.seating.without_person(seat).without_holder(seat))
        self._changed()

    def free(self, seat: int) -> None:
        """End the token of a seat's phone; the name stays, its player may only be away."""
        with self._lock:
            self._lose(seat, "freed")
            self._seat(self.seating.without_holder(seat))
        self._changed()

    def let_play(self, seat: int, level: str) -> None:
        """Let the program play a seat at a level until somebody takes it; an empty level ends that."""
        with self._lock:
            self._seat(self.seating.with_bot(seat, level))
        self._changed()

    def swap(self, seat: int, other: int) -> None:
        """Let two seats change places in the next game, once both have asked; a seat without a phone agrees."""
        with self._lock:
            self.swaps.ask(seat, other, agreed=other not in self.seating.taken)
        self._changed()

    def same_people(self, names: Sequence[str]) -> list[Person]:
        """Return the people of a game with these names as they would play again, with places swapped as agreed."""
        called = self.seating.called(names)
        return [Person(called[seat], seat) for seat in self.swaps.order(len(called))]

    @contextmanager
    def seated(self, people: Sequence[Person]) -> Iterator[None]:
        """Let these people play the next game, which begins in this context; if it cannot, nothing changes.

        Everybody keeps their phone; those who do not continue lose their seat.
        """
        with self._lock:
            before, swaps = self.seating, self.swaps
            for seat in before.taken - ({person.seat for person in people} - before.deputed):
                self._lose(seat, "left-out")
            self._begin(before.of_next_game(people), Swaps())
        self._changed()
        try:
            yield
        except BaseException:
            with self._lock:
                self._begin(before, swaps)
            self._changed()
            raise

    def keep_for(self, match: str) -> None:
        """Keep the choices of bots for this match, which has begun, from now on."""
        with self._lock:
            self._match = match
            self._save()

    def _begin(self, seating: Seating, swaps: Swaps) -> None:
        """Let a game begin with this seating, without claims, and with these swaps for the game after it."""
        self.claims.clear()
        self._browsers.clear()
        self.swaps = swaps
        self._seat(seating)

    def _seat(self, seating: Seating) -> None:
        self.seating = seating
        self._save()

    def _lose(self, seat: int, cause: str, by: str = "") -> None:
        """Remember why a seat's phone loses it, unless it is taken ``by`` the same token."""
        key = self.seating.holders.get(seat, by)
        if key != by:
            self._losses.note(key, Loss(seat, cause, self.seating.names.get(seat, "")))

    def _save(self) -> None:
        """Write the seats and the hosts to the file; the caller holds the lock, so that the newest is written last."""
        now = self.seating
        if self._store is not None and not now.seats:
            seats_file.save_hosts(self._store, self.hosts.hashes)
        elif self._store is not None:
            kept = KeptSeats(now.holders, now.names, self.hosts.hashes, now.looks, now.bots, self._match, now.deputed)
            seats_file.save(self._store, kept)
