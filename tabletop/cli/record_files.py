"""Game records that commands read: files, or stdin."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabletop.cli.shared_options import BadSettings

if TYPE_CHECKING:
    from tabletop.rules.game import Action, Position
    from tabletop.rules.text.record import Record


def read_bytes(file: str) -> bytes:
    """Return what a file, or stdin for ``-``, holds, a little more than a record may.  Raises UnreadableRecord."""
    from tabletop.rules.text.record import MAX_RECORD_LENGTH, UnreadableRecord

    try:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as stream:
            return stream.read(4 * MAX_RECORD_LENGTH + 1)
    except OSError as error:
        raise UnreadableRecord(f"It cannot be read: {(error.strerror or 'no reason given').lower()}.") from error


def text_of(data: bytes) -> str:
    """Return the text of a record.  Raises UnreadableRecord if it is not one."""
    from tabletop.rules.text.record import UnreadableRecord

    try:
        return data.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        raise UnreadableRecord("It is not text in UTF-8.") from error


def course_of(file: str) -> tuple[Record, list[Position], list[Action]]:
    """Return a record with its positions and the actions between them; one that is not valid ends the command."""
    from tabletop.bots.hints import course
    from tabletop.rules.text.record import Mismatch, UnreadableRecord, parse_record

    name = "stdin" if file == "-" else file
    try:
        record = parse_record(text_of(read_bytes(file)))
        return (record, *course(record))
    except UnreadableRecord as error:
        raise BadSettings(f"{name}: {error}") from None
    except Mismatch as error:
        raise click.ClickException(f"{name}: {error}") from None
