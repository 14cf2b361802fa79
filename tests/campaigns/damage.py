"""Damage to a small match: its database and its write-ahead log cut at every byte, and every bit flipped.

At most what no longer exists on the disk is lost, and the loss is reported.  The damages come in random order; if there
is time for all of them, ``complete`` is true.
"""

from __future__ import annotations

import math
import random
import re
import tempfile
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from tabletop.match import store
from tabletop.match.chain import row_of
from tabletop.match.errors import JournalError
from tabletop.match.event import Event
from tabletop.match.journal import Journal
from tabletop.match.journal_file import examine, read_events
from tabletop.match.recovery.high_water import SUFFIX
from tabletop.rules.palazzo import GAME
from tests.campaigns.harness import Budget, Tally, main
from tests.referee.support import NOW, random_facts

EVENTS = 40
OPENED = 25
"""One in this many damaged matches is also repaired and opened to play on; the others are only read."""
WAYS = 9
"""Number of ways to damage a byte: flip one of its eight bits, or cut the file before it."""
Files = dict[str, bytes]
"""The bytes of each file of a match, by the suffix added to the journal's name."""


class Damage(NamedTuple):
    """One flipped bit, or a file cut before a byte (``bit`` None)."""

    suffix: str
    at: int
    bit: int | None


class Case(NamedTuple):
    """A match as it is on the disk, and the events that were acknowledged."""

    name: str
    files: Files
    events: Sequence[Event]
    marked: bool


def campaign(budget: Budget, tally: Tally) -> None:
    """Damage a match that was closed properly, one that was killed, and one without its high-water mark."""
    with tempfile.TemporaryDirectory() as folder:
        cases = made(Path(folder) / "made")
        places = [(case, suffix) for case in cases for suffix in case.files]
        ends = list(accumulate(len(case.files[suffix]) * WAYS for case, suffix in places))
        tally.counts.update(damages=0, possible=ends[-1], shorter=0, complete=False)
        for number, chosen in enumerate(shuffled(ends[-1], budget.rng)):
            if tally.enough or (number and not budget.left()):
                return
            here = bisect_right(ends, chosen)
            (case, suffix), (at, way) = places[here], divmod(chosen - (ends[here - 1] if here else 0), WAYS)
            tally.count("damages")
            damage = Damage(suffix, at, way if way < 8 else None)
            judge(Path(folder) / f"match{store.SUFFIX}", case, damage, tally, play=number % OPENED == 0)
        tally.counts["complete"] = True


def shuffled(count: int, rng: random.Random) -> Iterator[int]:
    """Iterate over the numbers below ``count`` in random order, each once, without keeping a list."""
    start, stride = rng.randrange(count), rng.randrange(1, count)
    while math.gcd(stride, count) > 1:
        stride += 1
    return ((start + number * stride) % count for number in range(count))


def made(folder: Path) -> list[Case]:
    """Return the matches to damage; the log of the killed one holds several commits that the database does not have."""
    journal, match = store.start(folder, GAME, ["Anna", "Ben"], NOW)
    for fact in random_facts(match, EVENTS - 1, seed=1):
        journal.append([fact])
    killed = files_of(journal.path)
    journal.close()
    events, closed = read_events(journal.path)[0], files_of(journal.path)
    unmarked = {suffix: content for suffix, content in killed.items() if suffix != SUFFIX}
    return [
        Case("closed", closed, events, True),
        Case("killed", killed, events, True),
        Case("unmarked", unmarked, events, False),
    ]


def files_of(path: Path) -> Files:
    """Return the files of a match without the index of its log, which SQLite rebuilds."""
    files = {one.name.removeprefix(path.name): one.read_bytes() for one in path.parent.glob(f"{path.name}*")}
    return {suffix: content for suffix, content in files.items() if suffix != "-shm"}


def judge(path: Path, case: Case, damage: Damage, tally: Tally, *, play: bool) -> None:
    """Do one damage to a match and check what is read of it afterwards."""
    files = dict(case.files)
    content = bytearray(files[damage.suffix])
    if damage.bit is None:
        del content[damage.at :]
    else:
        content[damage.at] ^= 1 << damage.bit
    files[damage.suffix] = bytes(content)
    for one in path.parent.glob(f"{path.name}*"):
        one.unlink()
    for suffix, damaged in files.items():
        path.with_name(path.name + suffix).write_bytes(damaged)
    what = f"{case.name}: {damage}"
    try:
        found = examine(path)
    except JournalError as error:
        tally.count("unreadable")
        tally.check(not lies_there(case.events[0], files), f"{what}: its start lies there: {error}")
        return
    except Exception as error:
        tally.check(False, f"{what}: {error!r}")
        return
    kept = [event.hash for event in found.events]
    tally.check(kept == [event.hash for event in case.events[: len(kept)]], f"{what}: events that nobody accepted")
    if len(kept) < len(case.events):
        tally.count("shorter")
        tally.check(bool(found.damage) or not case.marked, f"{what}: {len(kept)} events, and nothing said")
        tally.check(not lies_there(case.events[len(kept)], files), f"{what}: event {len(kept) + 1} lies there")
    if play:
        played_on(path, kept, bool(found.damage), what, tally)


def played_on(path: Path, kept: list[str], damaged: bool, what: str, tally: Tally) -> None:
    """Open a damaged match to play on: all of ``kept`` is there, the damage is reported, the damaged file set aside."""
    tally.count("opened")
    journal, match, said = Journal.open(path)
    journal.close()
    tally.check(bool(said) == damaged, f"{what}: said “{said}”")
    tally.check(match.last == len(kept), f"{what}: {match.last} events of {len(kept)} when it is opened")
    again = examine(path)
    tally.check([event.hash for event in again.events] == kept and not again.damage, f"{what}: not whole afterwards")
    aside = path.with_name(f"{path.name}.damaged-1")
    tally.check(aside.exists() == damaged, f"{what}: kept aside: {aside.exists()}")


def lies_there(event: Event, files: Files) -> bool:
    """Return whether one of the files still holds an event's whole row in one piece."""
    _, kind, data, seat, source, _, digest = row_of(event)
    whole = re.escape(f"{kind}{data}".encode()) + (b"." if (seat or 0) > 1 else b"") + source.encode() + b".{0,8}"
    row = re.compile(whole + digest.encode(), re.DOTALL)
    return any(row.search(content) for suffix, content in files.items() if suffix != SUFFIX)


if __name__ == "__main__":
    main(campaign, __doc__)
