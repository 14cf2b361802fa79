"""The matches in the store, for looking back: who played what and when, and how it ended."""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tabletop.match.errors import JournalError
from tabletop.match.journal_file import read_events, remove
from tabletop.match.match import Match
from tabletop.match.store import SUFFIX, FileStamp, stamp_of
from tabletop.rules.game import Game, SeatScore

MAX_LOADED_MATCHES = 4
"""How many whole matches are kept in memory: a replay asks for the same one again and again."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One match in a list.

    ``name`` is the stem of its file, ``id`` the hash of its start (the same wherever the match is copied),
    ``started`` and ``last`` Unix seconds; ``over``, ``ended``, ``only_counted``, ``complete`` and ``game`` as in the
    match; ``readable`` is False for a file whose start cannot even be read: then everything else is empty.
    """

    name: str
    id: str = ""
    title: str = ""
    names: tuple[str, ...] = ()
    scores: tuple[SeatScore, ...] = ()
    started: float = 0.0
    last: float = 0.0
    over: bool = False
    ended: bool = False
    only_counted: bool = False
    complete: bool = False
    game: Game | None = None
    readable: bool = True


class Archive:
    """The folder of the matches.  Every method may be called from any thread; nothing here opens a match to play it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._summaries: dict[str, tuple[FileStamp, Summary]] = {}
        self._loaded: OrderedDict[str, tuple[FileStamp, Match]] = OrderedDict()

    def names(self) -> list[str]:
        """Return the names of all matches, the newest first."""
        return sorted((path.name.removesuffix(SUFFIX) for path in self.folder.glob(f"*{SUFFIX}")), reverse=True)

    def summary(self, name: str) -> Summary:
        """Return the summary of a match.  Raises KeyError if there is none of that name."""
        path = self.path(name)
        stamp = stamp_of(path)
        known = self._summaries.get(name)
        if known is None or known[0] != stamp or not known[1].readable:  # an unresponsive disk may answer again
            known = self._summaries[name] = stamp, _summed_up(name, path)
        return known[1]

    def summaries(self, names: Iterable[str]) -> Iterator[Summary]:
        """Iterate over the summaries of these matches, without those that were deleted meanwhile."""
        for name in names:
            with contextlib.suppress(KeyError):
                yield self.summary(name)

    def match(self, name: str) -> Match:
        """Return a whole match.  Raises KeyError if there is none, JournalError if it cannot be read."""
        path = self.path(name)
        stamp = stamp_of(path)
        known = self._loaded.pop(name, None)
        if known is None or known[0] != stamp:
            known = stamp, read_events(path)[1]
        self._loaded[name] = known
        while len(self._loaded) > MAX_LOADED_MATCHES:
            self._loaded.popitem(last=False)
        return known[1]

    def delete(self, name: str) -> None:
        """Delete a match for ever; never call this for the one that this program plays.

        Raises KeyError if there is none, JournalError if another program plays it.
        """
        remove(self.path(name))
        self._summaries.pop(name, None)
        self._loaded.pop(name, None)

    def path(self, name: str) -> Path:
        """Return the file of a match.  Raises KeyError if there is none; a name is never taken for a path."""
        path = self.folder / (name + SUFFIX)
        if path.name != name + SUFFIX or not os.path.isfile(path):  # isfile() raises nothing, whatever the name
            raise KeyError(name)
        return path


def _summed_up(name: str, path: Path) -> Summary:
    try:
        events, match = read_events(path)
    except JournalError:
        return Summary(name, readable=False)
    return Summary(
        name,
        events[0].hash,
        match.game.title,
        match.names,
        tuple(match.scores),
        events[0].time,
        events[-1].time,
        match.over,
        match.ended,
        match.only_counted,
        match.complete,
        match.game,
    )
