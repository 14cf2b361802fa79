"""What a folder of played games contains: records, a tournament's games, the journals of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabletop.bots.tournament.games import names
from tabletop.bots.tournament.tournament_folder import RECORDS_FOLDER, SETTING_FILE, tournament_in
from tabletop.files.text import readable
from tabletop.match.event import EventKind
from tabletop.match.journal_file import read_events
from tabletop.match.store import SUFFIX
from tabletop.rules.game import Action, Position, SeatScore
from tabletop.rules.text.record import RecordError
from tabletop.rules.text.record_text import MAX_RECORD_BYTES, decode, parse_record
from tabletop.rules.text.replay import course


@dataclass(frozen=True, slots=True)
class ExportedAction:
    """One action with the positions before and after it; of a match's event also the time (Unix s) and the source."""

    action: Action
    before: Position
    after: Position
    time: float | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class ExportedGame:
    """One game as it is exported; ``about`` are further columns of the table of games, ``bots`` the level of each seat.

    ``last`` is the position at its end, ``scores`` are the results of the seats.
    """

    id: str
    source: str
    names: Sequence[str]
    actions: Sequence[ExportedAction]
    last: Position
    scores: Sequence[SeatScore]
    about: Mapping[str, Any] = field(default_factory=dict)
    bots: Sequence[str] = ()


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files that hold games, folder by folder, by name: journals, and text that may be a record."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (SUFFIX, ".txt") and path.is_file():
            yield path


def read_game(path: Path, folder: Path) -> ExportedGame:
    """Return the game in a file below a folder.

    Raises RecordError or JournalError for one that cannot be used, OSError if it cannot be read.
    """
    name = readable(path.relative_to(folder).as_posix())
    return _match(path, name) if path.suffix == SUFFIX else _record(path, name)


def _record(path: Path, name: str) -> ExportedGame:
    with path.open("rb") as stream:
        record = parse_record(decode(stream.read(MAX_RECORD_BYTES)))
    if record.view is not None:
        raise RecordError("It is what one seat saw: only whole records are exported.")
    positions, done = course(record)
    actions, last = [*map(ExportedAction, done, positions, positions[1:])], positions[-1]
    about, bots = _of_tournament(path, record.seats)
    source = "tournament" if bots else "record"
    return ExportedGame(name, source, record.seats, actions, last, last.score(), about, bots)


def _of_tournament(path: Path, seats: Sequence[str]) -> tuple[Mapping[str, Any], Sequence[str]]:
    """Return a tournament's facts about one of its records: seed and budget, and the level at each seat.

    A record with other seat names is not one of its own, wherever the file lies.
    """
    folder = path.parent.parent
    if path.parent.name != RECORDS_FOLDER or not path.stem.isdecimal() or not (folder / SETTING_FILE).exists():
        return {}, ()
    tournament, number = tournament_in(folder), int(path.stem) - 1
    if names(tournament, tournament.order_of(number)) != [*seats]:
        return {}, ()
    budget = tournament.budget
    spelt = f"{budget.seconds:g} s" if budget.seconds is not None else f"{budget.playouts} playouts"
    levels = [tournament.levels[bot] for bot in tournament.order_of(number)]
    return {"seed": tournament.chance_of(number), "budget": spelt}, levels


def _match(path: Path, name: str) -> ExportedGame:
    events, match = read_events(path)
    position, actions = match.steps[0].position, []
    for event, following in match.steps[1:]:
        if event.kind == EventKind.ACTION:
            action = position.game.action(dict(event.data))
            actions.append(ExportedAction(action, position, following, event.time, event.source))
        position = following
    about = {"started": moment(events[0].time), "minutes": round((events[-1].time - events[0].time) / 60, 2)}
    return ExportedGame(name, "match", match.names, actions, position, match.scores, about)


def moment(time: float | None) -> str | None:
    """Return Unix seconds as a date and a time in UTC."""
    return None if time is None else datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
