"""A table played on a machine that fails: a full, read-only or slow disk, no free file descriptors, a clock that jumps.

Each trouble begins in the middle of a match and ends again.  While it lasts, nothing is acknowledged that is not on the
disk; afterwards the table continues by itself, and its journal is complete.
"""

from __future__ import annotations

import contextlib
import logging
import os
import random
import resource
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tabletop.match import store
from tabletop.match.errors import JournalError
from tabletop.match.journal import Journal
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Game
from tests.campaigns.forked import Forked
from tests.campaigns.harness import Budget, Tally, main
from tests.campaigns.kills_referee import begun, judge_all, one_request

TROUBLES = 5
"""Number of troubles that one child goes through."""
REQUESTS = 12
"""Most requests made during one trouble."""
CLOCKS = (-1e9, 0.0, 2.0**31, 4.1e9, 1e300, float("inf"), float("nan"))
"""Times that a jumping clock may show, Unix seconds."""
READY = 120.0
"""Seconds after which a child counts as hanging."""


def campaign(budget: Budget, tally: Tally) -> None:
    """Run children that play through troubles, in each game in turn."""
    tally.counts.update(troubles=0, acknowledged=0, refused=0, lost=0, doubled=0)
    games = [registry.game(name) for name in registry.BUILT_IN]
    with tempfile.TemporaryDirectory() as folder:
        for number in budget.rounds():
            if tally.enough:
                return
            go_through(Path(folder) / f"{number % 3}", games[number % 3], budget.rng.random(), tally)


def go_through(shelf: Path, game: Game, seed: float, tally: Tally) -> None:
    """Let a child play through some troubles and compare what it acknowledged with what is on the disk."""
    with Forked(partial(play, shelf, game, seed)) as child:
        tally.check(child.hear_word("whole", READY), f"{game.name}: the child hangs, or ended too soon")
        said = child.kill()
    for line in said:
        kind, *facts = line.split()
        tally.check(kind != "fault", f"{game.name}: {line}")
        if kind == "trouble":
            tally.count("troubles")
            tally.count(facts[0])
        elif kind == "refused":
            tally.count("refused")
    judge_all(shelf, [line.partition(" ")[2] for line in said if line.startswith("acknowledged")], tally)


def play(shelf: Path, game: Game, seed: float, tell: Callable[[str], None]) -> None:
    """Play through some troubles and report what is acknowledged; raise RuntimeError for what must not happen."""
    logging.disable(logging.CRITICAL)
    rng, table = random.Random(seed), _Table(shelf, game, random.Random(seed), tell)
    for _ in range(TROUBLES):
        kind = rng.choice(list(KINDS))
        tell(f"trouble {kind}")
        with KINDS[kind](table, rng):
            for _ in range(rng.randrange(REQUESTS)):
                table.ask()
        table.referee.try_again()
        if table.referee.disk_refuses:
            raise RuntimeError(f"after {kind}: {table.referee.snapshot.say[0].text}")
        if sum(table.ask() for _ in range(REQUESTS)) == 0:
            raise RuntimeError(f"after {kind} nothing can be done")
    table.journal.close()
    again, match, damage = Journal.open(table.journal.path)
    again.close()
    if damage or match.last != table.referee.match.last:
        raise RuntimeError(f"{match.last} events of {table.referee.match.last}: {damage}")
    tell("whole")


class _Table:
    """A referee, its journal and a clock that may jump."""

    def __init__(self, shelf: Path, game: Game, rng: random.Random, tell: Callable[[str], None]) -> None:
        self._shelf, self._game, self._rng, self._tell = shelf, game, rng, tell
        self.clock: Callable[[], float] = time.time
        store.clean_up(shelf)
        path = store.unfinished(shelf)
        self.journal, match = Journal.open(path)[:2] if path else begun(shelf, game, rng)
        self.referee = Referee(match, self.journal, self._now, lambda match: game.draw(match.position, rng))

    def _now(self) -> float:
        return self.clock()

    def ask(self) -> bool:
        """Make a request or begin the next match; return whether it succeeded."""
        match = self.referee.match
        if match.over:
            try:
                journal, match = begun(self._shelf, self._game, self._rng, self.clock)
            except JournalError:
                self._tell("refused")
                return False
            self.journal.close()
            self.journal, self.referee = journal, self.referee.successor(match, journal)
            return True
        if match.position.decider is None:
            return False  # chance waits for the disk
        answer = one_request(self.referee, match, self._rng)
        if not answer.ok:
            if answer.error is not None and answer.error.code == "journal":
                self._tell("refused")
            return False
        counts = self.referee.match.steps[-1].event
        self._tell(f"acknowledged {self.journal.path.name} {answer.number} {counts.number} {counts.hash}")
        return True


@contextlib.contextmanager
def limited(kind: int, most: int) -> Iterator[None]:
    """Lower one of this process's resource limits for the length of the block."""
    before = resource.getrlimit(kind)
    resource.setrlimit(kind, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)


@contextlib.contextmanager
def full(table: _Table, rng: random.Random) -> Iterator[None]:
    """Let no file grow; bytes already in a file can still be overwritten."""
    sizes = [one.stat().st_size for one in table.journal.path.parent.glob(f"{table.journal.path.name}*")]
    with limited(resource.RLIMIT_FSIZE, max(sizes) - rng.choice([0, 0, 4096])):
        yield


@contextlib.contextmanager
def read_only(_table: _Table, _rng: random.Random) -> Iterator[None]:
    """Let no file be written to."""
    with limited(resource.RLIMIT_FSIZE, 0):
        yield


@contextlib.contextmanager
def slow(table: _Table, rng: random.Random) -> Iterator[None]:
    """Make every write wait: another connection locks the database for a moment, again and again."""
    ended, holder = (
        threading.Event(),
        sqlite3.connect(table.journal.path, check_same_thread=False, isolation_level=None),
    )
    pause = rng.random() / 20

    def hold() -> None:
        while not ended.wait(pause / 4):
            with contextlib.suppress(sqlite3.OperationalError):
                holder.execute("BEGIN IMMEDIATE")
                ended.wait(pause)
                holder.execute("ROLLBACK")

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        holder.close()


@contextlib.contextmanager
def no_descriptors(_table: _Table, _rng: random.Random) -> Iterator[None]:
    """Let no further file be opened."""
    lowest = os.open("/", os.O_RDONLY)
    os.close(lowest)
    with limited(resource.RLIMIT_NOFILE, lowest):
        yield


@contextlib.contextmanager
def clock_jump(table: _Table, rng: random.Random) -> Iterator[None]:
    """Let the clock return any time."""
    table.clock = lambda: rng.choice(CLOCKS)
    try:
        yield
    finally:
        table.clock = time.time


KINDS = {"full": full, "read_only": read_only, "slow": slow, "no_descriptors": no_descriptors, "clock_jump": clock_jump}


if __name__ == "__main__":
    main(campaign, __doc__)
