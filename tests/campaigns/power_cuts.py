"""Power cuts while a match is written: of what was not yet synced, any of the sectors may be on the disk.

A match is recorded event by event, and its files are copied wherever the program waited for the disk.  The sectors that
changed between two of these moments are those that a power cut may keep or lose, each by itself, in any mixture.
After every cut, everything acknowledged before is there and nothing else, and no such cut is called damage.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tabletop.match import store
from tabletop.match.event import Event, EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.journal_file import examine, read_events
from tabletop.match.match import Match
from tabletop.match.recovery.high_water import HighWater
from tabletop.match.recovery.wal import HEADER_BYTES
from tabletop.rules import registry
from tabletop.rules.game import Game
from tests.campaigns.damage import Files, files_of
from tests.campaigns.harness import Budget, Tally, main
from tests.referee.support import NOW

SECTOR = 512
"""Bytes that a disk writes either completely or not at all."""
EVENTS = 60
"""Events of a recorded match, enough for its log to be restarted several times."""
CHECKPOINT = 7
"""Events between two checkpoints; unrelated to the other numbers, so that checkpoints fall anywhere."""
CUTS = 40
"""Cuts in one recorded match before another one is recorded."""
OPENED = 4
"""One in this many cuts is opened to play on; the others are only read."""


class Synced(NamedTuple):
    """The files at a moment when the program had waited for the disk, and how many events were acknowledged by then."""

    files: Files
    acknowledged: int


def campaign(budget: Budget, tally: Tally) -> None:
    """Record matches of all games in turn, and cut the power in each."""
    games = [registry.game(name) for name in registry.BUILT_IN]
    tally.counts.update(cuts=0, matches=0, opened=0, unacknowledged=0, lost=0, doubled=0)
    with tempfile.TemporaryDirectory() as folder:
        for number in budget.rounds():
            moments, events = recorded(Path(folder) / f"{number}", games[number % len(games)], budget.rng)
            tally.count("matches")
            for _ in range(CUTS):
                if tally.enough:
                    return
                cut(Path(folder) / f"cut{store.SUFFIX}", moments, events, budget.rng, tally)


def recorded(folder: Path, game: Game, rng: random.Random) -> tuple[list[Synced], list[Event]]:
    """Play a match at random; return its files wherever the program waited for the disk, and its events."""
    journal, match = store.start(folder, game, ["Anna", "Ben", "Cleo"], NOW)
    journal._connection.execute("PRAGMA wal_autocheckpoint = 0")
    moments = [Synced(files_of(journal.path), 1)]
    newest = journal._newest

    def look(acknowledged: int) -> None:
        moments.append(Synced(files_of(journal.path), acknowledged))

    class Watched(HighWater):
        """A mark that also copies the files: it is written after the commit's sync and before any checkpoint."""

        def __init__(self) -> None:
            pass

        def raise_to(self, number: int, digest: str) -> None:
            look(moments[-1].acknowledged)
            if number % CHECKPOINT == 0:
                journal._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
                look(moments[-1].acknowledged)
            newest.raise_to(number, digest)

        def close(self) -> None:
            newest.close()

    journal._newest = Watched()
    for fact in facts(match, rng):
        [event] = journal.append([fact])
        look(event.number)
    journal.close()
    return moments, read_events(journal.path)[0]


def facts(match: Match, rng: random.Random) -> Iterator[Fact]:
    """Yield the facts of a random game, some as long as several pages of the database."""
    position = match.position
    for number in range(EVENTS):
        if position.over or rng.random() < 0.05:
            yield Fact(EventKind.NOTE, {"what": "x" * rng.randrange(9000)}, None, Source.HOST, NOW + number)
            continue
        chance = position.decider is None
        action = position.game.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))
        yield Fact(EventKind.ACTION, action.to_json(), position.decider, Source.PAGE, NOW + number)
        position = position.after(action)


def cut(path: Path, moments: Sequence[Synced], events: list[Event], rng: random.Random, tally: Tally) -> None:
    """Cut the power between two moments and check what the next start finds."""
    at = rng.randrange(1, len(moments))
    before, after = moments[at - 1], moments[at]
    for one in path.parent.glob(f"{path.name}*"):
        one.unlink()
    for suffix, content in left(before.files, after.files, rng).items():
        path.with_name(path.name + suffix).write_bytes(content)
    tally.count("cuts")
    what = f"between moments {at - 1} and {at}, after event {before.acknowledged}"
    try:
        found = examine(path)
    except Exception as error:
        tally.check(False, f"{what}: {error!r}")
        return
    count = len(found.events)
    tally.count("lost", max(0, before.acknowledged - count))
    tally.count("unacknowledged", int(count > before.acknowledged))
    tally.check(before.acknowledged <= count <= before.acknowledged + 1, f"{what}: {count} events are there")
    tally.check(found.events == events[:count], f"{what}: they are not what was written")
    tally.check(not found.damage, f"{what}: it is called damage: {found.damage}")
    if tally.counts["cuts"] % OPENED == 0:
        played_on(path, events, count, what, tally)


def played_on(path: Path, events: list[Event], count: int, what: str, tally: Tally) -> None:
    """Open what is left, append an event and open it again: the event is there exactly once."""
    tally.count("opened")
    journal, match, said = Journal.open(path)
    journal.append([Fact(EventKind.NOTE, {"what": "on"}, None, Source.HOST, NOW)])
    journal.close()
    again = read_events(path)[0]
    twice = len(again) - len({event.number for event in again})
    tally.count("doubled", twice)
    tally.check((match.last, str(said), twice) == (count, "", 0), f"{what}: {match.last} of {count}, “{said}”")
    tally.check(again[:-1] == events[:count], f"{what}: another {len(again)} events when it is opened again")


def left(before: Files, after: Files, rng: random.Random) -> Files:
    """Return the files as a power cut leaves them: of what changed, some sectors are new and the others old."""
    kept, share = {}, rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
    for suffix in before.keys() | after.keys():
        old, new = before.get(suffix, b""), after.get(suffix, b"")
        if suffix == "-wal" and old and old[:HEADER_BYTES] != new[:HEADER_BYTES]:
            # SQLite restarts its log in two steps: it waits for the disk between the header and the frames.
            if rng.random() < 0.3:
                new = new[:HEADER_BYTES] + old[HEADER_BYTES:]
            else:
                old = new[:HEADER_BYTES] + old[HEADER_BYTES:]
        if suffix not in before and rng.random() > share:
            continue  # not even the file's name is on the disk
        grown = rng.random() < share
        size = len(new) if grown else len(old)
        content = bytearray(old.ljust(size, b"\0")[:size])
        for place in range(0, size, SECTOR):
            sector = new[place : place + SECTOR]
            if sector != old[place : place + SECTOR] and rng.random() < share:
                content[place : min(place + SECTOR, size)] = sector[: size - place]
        kept[suffix] = bytes(content)
    return kept


if __name__ == "__main__":
    main(campaign, __doc__)
