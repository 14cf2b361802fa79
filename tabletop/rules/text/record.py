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

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, Illegal, Json, Position
from tabletop.rules.secrecy import is_secret
from tabletop.rules.text import redaction
from tabletop.rules.validate import NOT_ALLOWED, unfit

SCHEMA = 1
"""The schema of the text that is written; older ones are read through MIGRATIONS."""
MAX_RECORD_LENGTH = 5_000_000
"""The longest record that is read, in characters; a game takes some ten thousand."""
MAX_RECORD_BYTES = 4 * MAX_RECORD_LENGTH + 1
"""The most bytes to read of a file: more than the longest record in UTF-8, so that a longer one shows."""
SPECTATOR = "spectator"
"""The ``view`` of the record that anybody may see."""


class RecordError(ValueError):
    """A record that cannot be used; ``line`` is where, from 1, or None for the whole."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else Message("Line {line}: {what}", line=line, what=message))
        self.line = line


class UnreadableRecord(RecordError):
    """Text that is not a record, or not one that this program reads."""


class Mismatch(RecordError):
    """A record that can be read but is wrong: an action is not legal, or a check does not match the position."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line below the header: an ``action``, a ``check`` or a ``comment``; an action as short notation."""

    kind: str
    text: str
    at: int = field(default=0, compare=False)
    """Its line number in the file that it was read from, for error messages; 0 if there is no file."""


class Record(NamedTuple):
    """One game, complete or not.  ``parse_record(format_record(record)) == record``.

    ``start`` is the first position as data if the game did not begin with ``new``; ``view`` is the viewer whose own
    record it is: a seat from 0, SPECTATOR, or None for the whole record.
    """

    game: str
    rules: str
    seats: tuple[str, ...]
    options: Mapping[str, Json]
    edition: Json
    start: Json
    view: int | str | None
    lines: tuple[Line, ...]


class Raw(NamedTuple):
    """A record's text split into header and lines, not yet interpreted; a migration turns it into the next schema."""

    header: dict[str, Json]
    lines: tuple[str, ...]


MIGRATIONS: Mapping[int, Callable[[Raw], Raw]] = {}
"""Schema → the pure function that turns a record of it into the next schema."""


class ReplayedLine(NamedTuple):
    """One replayed line: its number among the record's lines, the line, its action and the position it led to.

    In a seat's own record the position is one of those that the seat cannot distinguish; the seat's view is exact.
    """

    number: int
    line: Line
    action: Action
    position: Position


# Making


def make(first: Position, actions: Iterable[Action]) -> Record:
    """Return the whole record of a game that began with this position.

    Raises Illegal if an action is not legal.
    """
    game, data = first.game, first.to_json()
    options, edition = data.get("options", {}), data.get("edition")
    start = None if is_new(first) else data
    lines, position = [], first
    for action in actions:
        following = position.after(action)
        lines.append(Line("action", game.format(action)))
        if _ends_turn(position, following):
            lines.append(Line("check", check(following.to_json())))
        position = following
    if not lines or lines[-1].kind != "check":
        lines.append(Line("check", check(position.to_json())))
    names = tuple(first.names)
    return Record(game.name, game.version, names, options, edition, start, None, tuple(lines))


def seen_by(record: Record, seat: int | None, game: Game | None = None) -> Record:
    """Return the record as one seat may know it (None: a spectator), from the whole one.

    Raises UnreadableRecord if the record begins from a position: that would reveal what is hidden in it.
    """
    if record.view is not None:
        raise UnreadableRecord(Message("A seat's own record can only be made from a full record."))
    if record.start is not None:
        text = Message(
            "A record that begins from a position cannot become a seat's own record: the position reveals everything."
        )
        raise UnreadableRecord(text)
    position = _begin(record, game)
    lines = []
    for line in record.lines:
        if line.kind == "action":
            action = position.game.parse(line.text)
            following = position.after(action)
            hidden = is_secret(position, action, following, seat)
            lines.append(Line("action", redaction.outline(position.game, action)) if hidden else line)
            position = following
        else:
            lines.append(Line("check", check(position.view(seat))) if line.kind == "check" else line)
    return record._replace(view=SPECTATOR if seat is None else seat, lines=tuple(lines))


def write(first: Position, actions: Iterable[Action]) -> str:
    """Return the text of the whole record of a game that began with this position."""
    return format_record(make(first, actions))


def check(data: Json) -> str:
    """Return the short hash of a position's data, the same for the same data whatever the order of its keys."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def is_new(position: Position) -> bool:
    """Return whether a position is what a new game with its seats, options and edition begins with."""
    data = position.to_json()
    try:
        return position.game.new(position.names, data.get("options", {}), data.get("edition")) == position
    except Illegal:
        return False


def _ends_turn(before: Position, after: Position) -> bool:
    return after.over or (after.active != before.active and after.decider is not None)


# Text


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


# Replaying


def replay(record: Record, game: Game | None = None) -> Iterator[ReplayedLine]:
    """Replay the record action by action, verifying every check; give ``game`` if the registry does not know it.

    Raises UnreadableRecord (no such game, other rules), Mismatch (an action that is not legal, a check that differs).
    """
    position = _begin(record, game)
    actions = _actions(position, record)
    for number, line in enumerate(record.lines, start=1):
        if line.kind == "action":
            action = next(actions)
            try:
                action = action if action is not None else position.game.parse(line.text)
                position = position.after(action)
            except Illegal as refusal:
                said = Message("{line} cannot be done there. {why}", line=repr(line.text[:80]), why=refusal.message)
                raise Mismatch(said, line.at or number) from refusal
            yield ReplayedLine(number, line, action, position)
        elif line.kind == "check" and line.text != (own := check(shown_data(record, position))):
            said = Message("the check says {check}, but the position is {own}: a line is wrong.",
                           check=line.text[:20], own=own)  # fmt: skip
            raise Mismatch(said, line.at or number)


def first_position(record: Record) -> Position:
    """Return the position with which the record begins.  Raises UnreadableRecord."""
    return _begin(record, None)


def course(record: Record) -> tuple[list[Position], list[Action]]:
    """Return the positions of a record from its beginning, and the actions between them.

    Raises what :func:`replay` does.
    """
    positions, actions = [first_position(record)], []
    for step in replay(record):
        positions.append(step.position)
        actions.append(step.action)
    return positions, actions


def shown_data(record: Record, position: Position) -> Json:
    """Return the data that the record shows of a position: all of it, or the view of the seat whose record it is."""
    if record.view is None:
        return position.to_json()
    return position.view(record.view if isinstance(record.view, int) else None)


def _begin(record: Record, game: Game | None) -> Position:
    try:
        game = game or registry.game(record.game)
        if game.version != record.rules:
            said = Message("The record was played by version {old} of the rules of {title}; this program plays {new}.",
                           old=record.rules[:20], title=game.title, new=game.version)  # fmt: skip
            raise UnreadableRecord(said)
        if record.start is None:
            return game.new(record.seats, record.options, record.edition)
        first = game.load(record.start)
    except Illegal as refusal:
        raise UnreadableRecord(Message("The record cannot begin. {why}", why=refusal.message)) from refusal
    if not _agrees(record, first):
        raise UnreadableRecord(
            Message(
                "The header and the position with which the record begins do not agree on seats, options or edition."
            )
        )
    return first


def _agrees(record: Record, first: Position) -> bool:
    """Return whether the seats, options and edition of the header match the first position."""
    data = first.to_json()
    options = data.get("options", {})
    told = options | record.options == options and record.edition in (None, data.get("edition"))
    return told and tuple(first.names) == record.seats


def _actions(first: Position, record: Record) -> Iterator[Action | None]:
    """Yield the action of each action line; None if the line is still to be parsed, or cannot be filled in."""
    texts = [line.text for line in record.lines if line.kind == "action"]
    if record.view is not None:
        try:
            yield from redaction.fill(first, texts)
        except Illegal as refusal:
            raise Mismatch(Message("The secret actions cannot be filled in. {why}", why=refusal.message)) from refusal
    while True:
        yield None
