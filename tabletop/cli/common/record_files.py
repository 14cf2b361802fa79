"""Game records that commands read: files, or stdin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tabletop.cli.common.shared_options import BadSettings

if TYPE_CHECKING:
    from tabletop.rules.text.record import Record
    from tabletop.rules.text.replay import Course


def read_bytes(file: str) -> bytes:
    """Return the content of a file, or of stdin for ``-``, up to MAX_RECORD_BYTES.  Raises UnreadableRecord."""
    from tabletop.rules.text.record import UnreadableRecord
    from tabletop.rules.text.record_text import MAX_RECORD_BYTES

    try:
        with click.open_file(file, "rb") as stream:
            data: bytes = stream.read(MAX_RECORD_BYTES)
    except OSError as error:
        raise UnreadableRecord(f"It cannot be read: {(error.strerror or 'no reason given').lower()}.") from error
    return data


def course_of(file: str) -> tuple[Record, Course]:
    """Return a record and the course of its game; end the command if it is not valid."""
    from tabletop.rules.text.record import Mismatch, UnreadableRecord
    from tabletop.rules.text.record_text import decode, parse_record
    from tabletop.rules.text.replay import course

    name = "stdin" if file == "-" else file
    try:
        record = parse_record(decode(read_bytes(file)))
        return record, course(record)
    except UnreadableRecord as error:
        raise BadSettings(f"{name}: {error}") from None
    except Mismatch as error:
        raise click.ClickException(f"{name}: {error}") from None
