"""A game as text: a header, then one action per line in the game's short notation, those of chance included.

::

    game: "lantern"
    rules: "1"
    schema: 1
    seats: ["Ada", "Ben"]
    options: {}

    deal 0 L1 L2
    # what anybody wants to say
    lay L4
    = 5f0e3a91

A line that begins with ``=`` is a check, a short hash of the position at the end of a turn; one with ``#`` a comment.
Positions are never stored but derived from the actions.  A seat's own record (header ``view``) has only what that seat
could know: its checks are of the seat's view, and a secret action is reduced to its outline
(:mod:`tabletop.rules.text.redaction`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tabletop.messages import Message
from tabletop.rules.game import Json
from tabletop.rules.text.record import SPECTATOR, Line, Record, RecordError, UnreadableRecord
from tabletop.rules.validate import NOT_ALLOWED, unfit

SCHEMA = 1
"""The schema of the text that is written; older ones are read through MIGRATIONS."""
MAX_RECORD_LENGTH = 5_000_000
"""The longest record that is read, in characters; a game takes some ten thousand."""
MAX_RECORD_BYTES = 4 * MAX_RECORD_LENGTH + 1
"""The most bytes to read of a file: more than the longest record in UTF-8, so that a longer one shows."""


class Raw(NamedTuple):
    """A record's text split into header and lines, not yet interpreted; a migration turns it into the next schema."""

    header: dict[str, Json]
    lines: tuple[str, ...]


MIGRATIONS: Mapping[int, Callable[[Raw], Raw]] = {}
"""Schema → the pure function that turns a record of it into the next schema."""


def format_record(record: Record) -> str:
    """Return the record as text.  Raises RecordError for a line that contains a line break or an unfit character."""
    for number, line in enumerate(record.lines, start=1):
        if "\n" in line.text or "\r" in line.text:
            raise RecordError(Message("a line of a record must not contain a line break."), number)
        if code := _unfit(line.text):
            raise RecordError(_unfit_text(code), number)
    header: dict[str, Json] = {
        "game": record.game,
        "rules": record.rules,
        "schema": SCHEMA,
        "seats": list(record.seats),
        "options": record.options,
    }
    optional = {"edition": record.edition, "start": record.start, "view": record.view}
    header |= {key: value for key, value in optional.items() if value is not None}
    marks = {"action": "", "check": "= ", "comment": "# "}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in header.items()]
    return "\n".join([*lines, "", *(marks[line.kind] + line.text for line in record.lines)]) + "\n"


def decode(data: bytes) -> str:
    """Return the text of a record in a file.  Raises UnreadableRecord if it is not text."""
    try:
        return data.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        raise UnreadableRecord("It is not text in UTF-8.") from error


def parse_record(text: str, migrations: Mapping[int, Callable[[Raw], Raw]] = MIGRATIONS) -> Record:
    """Return the record in a text.  Raises UnreadableRecord.

    Text of an older schema is taken through the migrations one by one.
    """
    if len(text) > MAX_RECORD_LENGTH:
        most, number = f"{MAX_RECORD_LENGTH:,}", f"{len(text):,}"
        said = Message("A record has at most {most} characters; this one has {number}.", most=most, number=number)
        raise UnreadableRecord(said)
    raw = _take_apart(text)
    found = raw.header.get("schema")
    if type(found) is not int:
        raise UnreadableRecord(Message('This is not a game record: its header has no line "schema: 1".'))
    if found > SCHEMA:
        said = Message("The record has schema {found}; this program reads up to {schema}. A newer one can read it.",
                       found=found, schema=SCHEMA)  # fmt: skip
        raise UnreadableRecord(said)
    begins = len(raw.header) + 2  # the header has one line per entry, and an empty one ends it
    for older in range(found, SCHEMA):
        if older not in migrations:
            said = Message("The record has schema {found}, which this program no longer reads.", found=found)
            raise UnreadableRecord(said)
        raw = migrations[older](raw)
    return _understand(raw, begins)


def _unfit_text(code: str) -> Message:
    return Message("it contains {code}: {not_allowed}.", code=code, not_allowed=NOT_ALLOWED)


def _unfit(line: str) -> str:
    """Return the code of a character that no line may contain, empty if there is none; tabs are allowed."""
    return unfit(line.replace("\t", " "))


def _take_apart(text: str) -> Raw:
    # Not splitlines: names may contain characters that it treats as line breaks.
    lines = text.replace("\r\n", "\n").split("\n")
    header: dict[str, Json] = {}
    for number, line in enumerate(lines, start=1):
        if code := _unfit(line):
            raise UnreadableRecord(_unfit_text(code), number)
    for number, line in enumerate(lines):
        if not line.strip():
            return Raw(header, tuple(lines[number + 1 :]))
        key, colon, value = line.partition(": ")
        if not colon or not key.isidentifier():
            said = Message(
                "{line} is not a line of a header: it should be a key, a colon and a value.", line=repr(line[:40])
            )
            raise UnreadableRecord(said, number + 1)
        if key in header:
            raise UnreadableRecord(Message("the header names {key} twice.", key=key[:40]), number + 1)
        try:
            header[key] = json.loads(value)
        except (ValueError, RecursionError):
            said = Message("the value of {key} is not JSON.", key=key[:40])
            raise UnreadableRecord(said, number + 1) from None
        if code := unfit(header[key]):
            raise UnreadableRecord(_unfit_text(code), number + 1)
    return Raw(header, ())


def _understand(raw: Raw, begins: int) -> Record:
    header = raw.header
    name, rules, seats = header.get("game"), header.get("rules"), header.get("seats")
    options, view = header.get("options"), header.get("view")
    if not isinstance(name, str) or not isinstance(rules, str):
        raise UnreadableRecord(Message("The header must name the game and the version of its rules as texts."))
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise UnreadableRecord(Message("The header must name the seats: a list of texts."))
    if not isinstance(options, dict):
        raise UnreadableRecord(Message("The header must hold the options: an object."))
    if view is not None and view != SPECTATOR and (type(view) is not int or not 0 <= view < len(seats)):
        raise UnreadableRecord(Message('The view must be a seat from 0 or "{spectator}".', spectator=SPECTATOR))
    lines = tuple(_line(text, at) for at, text in enumerate(raw.lines, begins) if text.strip())
    return Record(name, rules, tuple(seats), options, header.get("edition"), header.get("start"), view, lines)


def _line(text: str, at: int) -> Line:
    if text.startswith("="):
        return Line("check", text[1:].strip(), at)
    if text.startswith("#"):
        return Line("comment", text[1:].removeprefix(" "), at)
    return Line("action", text.strip(), at)
