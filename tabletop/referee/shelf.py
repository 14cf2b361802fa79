"""The shelf of matches: one journal file each, in one folder; the newest unfinished one is taken up again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabletop.referee.errors import JournalError
from tabletop.referee.journal import REPAIRED, Fact, Journal, finish_repair, read_events
from tabletop.referee.match import Match, start_data
from tabletop.rules.game import Game

SUFFIX = ".tabletop"
MOMENT = "%Y-%m-%d-%H%M%S"
"""How the name of a journal begins: when its match began, each later than the one before it."""


def start(
    folder: Path,
    game: Game,
    names: Sequence[str],
    now: float,
    options: Mapping[str, Any] | None = None,
    edition: Any = None,
) -> tuple[Journal, Match]:
    """Start a match and put its journal on the shelf; ``now`` is Unix seconds.

    Raises Illegal for seats or options that the game refuses, JournalError where the file cannot be made.
    """
    position = game.new(names, options or {}, edition)
    # A clock that was put back, as that of a Pi is by a power cut, makes no match older than those before it.
    newest = max(map(_moment, folder.glob(f"*{SUFFIX}")), default=0.0)
    day = datetime.fromtimestamp(max(now, newest + 1), UTC).strftime(MOMENT)
    data = start_data(position, options or {}, json.loads(json.dumps(edition)))
    return Journal.create(free_name(folder, f"{day}-{game.name}"), Fact("start", data, None, "table", now))


def unfinished(folder: Path) -> Path | None:
    """Return the newest journal of a match that is not over, None where there is none."""
    for cut_off in folder.glob(f"*{SUFFIX}{REPAIRED}"):
        finish_repair(cut_off.with_name(cut_off.name.removesuffix(REPAIRED)))
    for path in sorted(folder.glob(f"*{SUFFIX}"), reverse=True):
        try:
            _, match = read_events(path)
        except JournalError:
            continue  # an unreadable journal is never in the way of the next one; `doctor` names it
        if not match.over:
            return path
    return None


def _moment(path: Path) -> float:
    """Return Unix seconds of the moment that a journal is called after, 0 where it has another name."""
    try:
        return datetime.strptime(path.name[:17], MOMENT).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def free_name(folder: Path, stem: str) -> Path:
    """Return a file on the shelf that is not there yet, called after the stem."""
    path, number = folder / (stem + SUFFIX), 2
    while path.exists():
        path, number = folder / f"{stem}-{number}{SUFFIX}", number + 1
    return path
