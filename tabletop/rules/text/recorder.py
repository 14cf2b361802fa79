"""Making records: of a game from its actions, and of what one seat may know of it from the whole."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.messages import Message
from tabletop.rules.game import Action, Game, Illegal, Position
from tabletop.rules.secrecy import is_secret
from tabletop.rules.text import redaction
from tabletop.rules.text.record import SPECTATOR, Line, Record, UnreadableRecord, check
from tabletop.rules.text.record_text import format_record
from tabletop.rules.text.replay import first_position


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
    position = first_position(record, game)
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


def is_new(position: Position) -> bool:
    """Return whether a position is what a new game with its seats, options and edition begins with."""
    data = position.to_json()
    try:
        return position.game.new(position.names, data.get("options", {}), data.get("edition")) == position
    except Illegal:
        return False


def _ends_turn(before: Position, after: Position) -> bool:
    return after.over or (after.active != before.active and after.decider is not None)
