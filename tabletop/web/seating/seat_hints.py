"""Hints that seats asked for: worked out separately, kept only for the seat that asked, dropped with its decision."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from tabletop.bots.hints import Suggestion
from tabletop.match.match import Match
from tabletop.rules.game import Position
from tabletop.web.seating.observable import Observable

log = logging.getLogger(__name__)

Advise = Callable[[Sequence[Position], int], Suggestion]
"""Returns what a seat could do in the last of a game's positions; takes seconds."""


def in_thread(think: Callable[[], None]) -> None:
    """Run ``think`` in a thread of its own, which nobody waits for."""
    threading.Thread(target=think, name="hint", daemon=True).start()


class SeatHint(NamedTuple):
    """A seat's hint about a position; ``found`` is None while it is being worked out, and if that ``failed``."""

    position: Position
    found: Suggestion | None = None
    failed: bool = False


class Hints(Observable):
    """The hints of a table.  Every method may be called from any thread.

    ``allowed`` is whether seats may ask; without ``advise`` they never may.  ``start`` runs a function elsewhere.
    """

    def __init__(
        self,
        advise: Advise | None = None,
        *,
        allowed: bool = False,
        start: Callable[[Callable[[], None]], None] = in_thread,
    ) -> None:
        super().__init__()
        self._advise, self._allowed, self._start = advise, allowed, start
        self._hints: dict[int, SeatHint] = {}

    @property
    def possible(self) -> bool:
        """True if hints can be worked out, so that the host may allow them."""
        return self._advise is not None

    @property
    def allowed(self) -> bool:
        """True if seats may ask."""
        return self._allowed and self.possible

    def allow(self, allowed: bool) -> None:
        """Allow or forbid seats to ask from now on."""
        self._allowed = allowed
        self._changed()

    def of(self, seat: int, position: Position) -> SeatHint | None:
        """Return what the seat asked about this very position, None if it did not."""
        hint = self._hints.get(seat)
        return hint if hint is not None and hint.position is position else None

    def ask(self, match: Match, seat: int) -> None:
        """Start to work out what the seat could do now, and return at once."""
        position = match.position
        with self._lock:
            if self._advise is None or self.of(seat, position) is not None:
                return
            self._hints[seat] = SeatHint(position)
        self._changed()
        past = [step.position for step in match.steps]
        try:
            self._start(partial(self._think, self._advise, past, seat))
        except RuntimeError:  # a system that is short of threads refuses one
            log.exception("a hint could not be thought about")
            self._answer(seat, SeatHint(position, failed=True))

    def _think(self, advise: Advise, past: Sequence[Position], seat: int) -> None:
        try:
            hint = SeatHint(past[-1], advise(past, seat))
        except Exception:
            log.exception("a hint could not be found")
            hint = SeatHint(past[-1], failed=True)
        self._answer(seat, hint)

    def _answer(self, seat: int, hint: SeatHint) -> None:
        with self._lock:
            if self.of(seat, hint.position) is None:
                return  # the seat has asked about another position meanwhile
            self._hints[seat] = hint
        self._changed()
