"""Replaying records: every action is done again by the rules, and every check is verified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, Illegal, Json, Position
from tabletop.rules.text import redaction
from tabletop.rules.text.record import Line, Mismatch, Record, UnreadableRecord, check


class ReplayedLine(NamedTuple):
    """One replayed line: its number among the record's lines, the line, its action and the position it led to.

    In a seat's own record the position is one of those that the seat cannot distinguish; the seat's view is exact.
    """

    number: int
    line: Line
    action: Action
    position: Position


class Course(NamedTuple):
    """The course of a recorded game: its positions from the first on, and the actions between them."""

    positions: list[Position]
    actions: list[Action]


def replay(record: Record, game: Game | None = None) -> Iterator[ReplayedLine]:
    """Replay the record action by action, verifying every check; give ``game`` if the registry does not know it.

    Raises UnreadableRecord (no such game, other rules), Mismatch (an action that is not legal, a check that differs).
    """
    position = first_position(record, game)
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


def course(record: Record) -> Course:
    """Return the course of a recorded game.  Raises what :func:`replay` does."""
    steps = list(replay(record))
    return Course([first_position(record), *(step.position for step in steps)], [step.action for step in steps])


def shown_data(record: Record, position: Position) -> Json:
    """Return the data that the record shows of a position: all of it, or the view of the seat whose record it is."""
    if record.view is None:
        return position.to_json()
    return position.view(record.view if isinstance(record.view, int) else None)


def first_position(record: Record, game: Game | None = None) -> Position:
    """Return the position with which the record begins; give ``game`` if the registry does not know it.

    Raises UnreadableRecord.
    """
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
