"""``tabletop replay``: verify a game record and print it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tabletop.cli.common.record_files import read_bytes

if TYPE_CHECKING:
    from tabletop.rules.game import Position, SeatScore
    from tabletop.rules.text.record import Record
    from tabletop.rules.text.replay import ReplayedLine

ZIP_MAGIC = b"PK"
"""The first bytes of a bug report."""


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(file: str, as_json: bool) -> None:
    """Check a game record line by line and print it.

    FILE can be - for stdin, or a bug report by tabletop doctor: its faults are printed first, then the record.

    The exit status is 1 if an action is not legal or a checksum does not match, and 2 if the file is not a record or
    this program does not support its rules.
    """
    from tabletop.rules.text.record import Mismatch, UnreadableRecord
    from tabletop.rules.text.record_text import decode, parse_record
    from tabletop.rules.text.replay import first_position, replay

    try:
        data = read_bytes(file)
        if data.startswith(ZIP_MAGIC):
            data = _opened(data, as_json)
            if not data:
                click.echo("{}" if as_json else "There is no game in this bug report.")
                return
        record = parse_record(decode(data))
        position, steps = first_position(record), []
        for step in replay(record):
            steps.append((position, step))
            position = step.position
    except Mismatch as error:
        _stop(file, error, 1, as_json)
    except UnreadableRecord as error:
        _stop(file, error, 2, as_json)
    click.echo(json.dumps(_document(record, steps, position)) if as_json else _text(record, steps, position))


def _opened(data: bytes, as_json: bool) -> bytes:
    """Return the record in a bug report and print the faults at its table; with ``--json`` only the record."""
    from tabletop.rules.text.record import UnreadableRecord
    from tabletop.runtime.health import bug_report

    try:
        report = bug_report.read(data)
    except bug_report.BadBugReport as error:
        raise UnreadableRecord(str(error)) from error
    if not as_json:
        click.echo(f"tabletop {report.version} on {report.system}; pictures: {report.pictures}.")
        for check in report.checks:
            if check["state"] != "ok":
                click.echo(f"  {check['state']}: {check['check']}: {check['fact']}")
    return report.record


def _stop(file: str, error: Exception, status: int, as_json: bool) -> NoReturn:
    if as_json:
        click.echo(json.dumps({"error": str(error)}))
    click.echo(f"{'stdin' if file == '-' else file}: {error}", err=True)
    sys.exit(status)


def _text(record: Record, steps: list[tuple[Position, ReplayedLine]], last: Position) -> str:
    """Return the record as readable text: who did what, comments in their places, and the score."""
    whose = "" if record.view is None else f" as seen by {_whose(record)}"
    lines = [f"{record.game}, rules {record.rules}: {', '.join(record.seats)}{whose}"]
    done = {step.number: (before, step) for before, step in steps}
    count = 0
    for number, line in enumerate(record.lines, start=1):
        if line.kind == "comment":
            lines.append(f"        # {line.text}")
        elif number in done:
            count += 1
            lines.append(f"{count:6}  {_who(record, done[number][0])}: {line.text}")
    lines.append("The game is over." if last.over else f"The record ends in the phase {last.phase}.")
    for name, score in zip(record.seats, _scores(record, last), strict=False):
        lines.append(f"  {score.rank}. {name}: {score.points}")
    return "\n".join(lines)


def _scores(record: Record, last: Position) -> Sequence[SeatScore]:
    """Return the scores; none for an unfinished game of which only one view is known."""
    return last.score() if record.view is None or last.over else ()


def _document(record: Record, steps: list[tuple[Position, ReplayedLine]], last: Position) -> dict[str, Any]:
    from tabletop.rules.text import redaction

    return {
        "error": None,
        "game": record.game,
        "rules": record.rules,
        "seats": list(record.seats),
        "options": record.options,
        "view": record.view,
        "actions": [
            {
                "seat": before.decider,
                "text": step.line.text,
                "action": None if redaction.is_outline(step.line.text) else step.action.to_json(),
            }
            for before, step in steps
        ],
        "checks": sum(line.kind == "check" for line in record.lines),
        "comments": [line.text for line in record.lines if line.kind == "comment"],
        "turn": {"phase": last.phase, "seat": last.decider},
        "over": last.over,
        "score": [score._asdict() for score in _scores(record, last)] or None,
    }


def _whose(record: Record) -> str:
    return record.seats[record.view] if isinstance(record.view, int) else "a spectator"


def _who(record: Record, before: Position) -> str:
    return "chance" if before.decider is None else record.seats[before.decider]
