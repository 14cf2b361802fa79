"""The real referee over a match in memory, without camera, file or thread; chance is drawn if there is a seed."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tabletop.match.chain import chain_events
from tabletop.match.event import Event, EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.match import Match, begin, start_data
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Draw, Referee
from tabletop.rules.game import Game, Position


class MemoryJournal(Journal):
    """A journal that is kept in memory only."""

    def __init__(self, last: Event) -> None:
        self.path, self.last = Path("memory"), last

    def append(self, facts: Sequence[Fact]) -> list[Event]:
        events = chain_events(facts, self.last)
        self.last = events[-1]
        return events

    def close(self) -> None:
        pass


class Inline:
    """A mailbox's queue whose letters are handled at once by the thread that sends them."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell, self._lock = tell, threading.RLock()

    def put(self, letter: Callable[[], None]) -> None:
        with self._lock:
            letter()
            self._tell()


class SteeredReferee(Referee):
    """A referee whose match and snapshot a test can set."""

    def go_on(self, match: Match, draw: Draw | None) -> None:
        """Continue with another match."""
        self._match, self._draw = match, draw
        self._forget()
        self._publish()

    def show(self, **more: Any) -> None:
        """Replace fields of the newest snapshot, until the next one is published."""
        self._revision += 1
        self.snapshot = replace(self.snapshot, revision=self._revision, **more)


class MemoryTable(Mailbox):
    """A mailbox with a referee in memory, as the pages of a table use it."""

    def __init__(self, game: Game, names: Sequence[str], *, seed: int | None = 1, position: Position | None = None):
        rng = random.Random(seed)
        self._draw = None if seed is None else lambda match: match.game.draw(match.position, rng)
        (event,) = chain_events([Fact(EventKind.START, start_data(game.new(names), {}), None, Source.TABLE, 0.0)], None)
        self.journal = MemoryJournal(event)
        self._steered = SteeredReferee(begin(event), self.journal, lambda: 0.0, self._draw)
        super().__init__(self._steered)
        self._letters: Any = Inline(self._tell)
        if position is not None:
            self.become(position)

    def become(self, position: Position, **more: Any) -> None:
        """Continue from another position, and show ``more``; chance that it waits for is not drawn but reported."""
        (event,) = self.journal.append([Fact(EventKind.NOTE, {"what": "become"}, None, Source.PAGE, 0.0)])
        match = self._steered.match
        self._go_on(match.with_event(event, position))
        if more:
            self.show(**more)

    def take(self, match: Match) -> None:
        """Continue with another match."""
        self.journal.last = match.steps[-1].event
        self._go_on(match)

    def show(self, **more: Any) -> None:
        """Replace fields of the newest snapshot, until the next one is published."""
        self._letters.put(partial(self._steered.show, **more))

    def _go_on(self, match: Match) -> None:
        draw = None if match.position.decider is None else self._draw
        self._letters.put(partial(self._steered.go_on, match, draw))
