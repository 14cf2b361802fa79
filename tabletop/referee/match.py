"""A match: the fold of its events.  A value; ``with_event`` gives the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.referee.errors import BadEvent
from tabletop.referee.state import Event
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, Illegal, Position

SCHEMA = 1
"""The version of the events' form; older ones stay readable."""


@dataclass(frozen=True, slots=True)
class Match:
    """The events that count and the position after each of them.

    ``steps`` holds one (event, position) pair for every event that was not taken back, the start first; ``last`` is
    the number of the newest event, taken back or not.
    """

    steps: tuple[tuple[Event, Position], ...]
    last: int

    @property
    def position(self) -> Position:
        """The position now."""
        return self.steps[-1][1]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that count, oldest first."""
        return tuple(event for event, _ in self.steps)

    def with_event(self, event: Event) -> Match:
        """Return the match after the event.  Raises BadEvent where it does not follow."""
        if event.number != self.last + 1:
            raise BadEvent(event.number, f"number {self.last + 1} was expected")
        match event.kind:
            case "action":
                return Match((*self.steps, (event, _after(self.position, event))), event.number)
            case "undo":
                return Match(self._kept(event), event.number)
            case "note" | "end":
                return Match((*self.steps, (event, self.position)), event.number)
        raise BadEvent(event.number, f"“{event.kind}” is no kind of event")

    def before(self, number: int) -> int:
        """Return the number of the counting event before event ``number`` (0 if it is the first)."""
        return max((event.number for event, _ in self.steps if event.number < number), default=0)

    def at(self, number: int) -> Position | None:
        """Return the position after event ``number``, None where it was taken back or never was."""
        return next((position for event, position in self.steps if event.number == number), None)

    def _kept(self, event: Event) -> tuple[tuple[Event, Position], ...]:
        to = event.data.get("to")
        kept = tuple(step for step in self.steps if step[0].number <= to) if isinstance(to, int) else ()
        if not kept or kept[-1][0].number != to:
            raise BadEvent(event.number, f"there is no event {to!r} to go back to")
        return kept


def start_data(position: Position, options: Mapping[str, Any], edition: Any = None) -> dict[str, Any]:
    """Return the data of the event that starts a match."""
    return {
        "schema": SCHEMA,
        "game": position.game.name,
        "rules": position.game.version,
        "seats": list(position.names),
        "options": dict(options),
        **({"edition": edition} if edition is not None else {}),
    }


def begin(event: Event) -> Match:
    """Return the match that a start event begins.  Raises BadEvent where it describes none."""
    data = event.data
    if event.kind != "start" or event.number != 1:
        raise BadEvent(event.number, "a match begins with its start")
    if data.get("schema") != SCHEMA:
        raise BadEvent(event.number, f"it was written in schema {data.get('schema')!r}, this is schema {SCHEMA}")
    try:
        position = registry.game(str(data["game"])).new(data["seats"], data["options"], data.get("edition"))
    except (KeyError, Illegal) as error:
        raise BadEvent(event.number, str(error)) from error
    return Match(((event, position),), 1)


def action_data(action: Action) -> dict[str, Any]:
    """Return the data of an action's event."""
    return dict(action.to_json())


def _after(position: Position, event: Event) -> Position:
    try:
        return position.after(position.game.action(dict(event.data)))
    except Illegal as error:
        raise BadEvent(event.number, error.message) from error
