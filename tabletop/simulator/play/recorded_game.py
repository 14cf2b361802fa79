"""A recorded game that is played again at a simulated table: people and chance do what the record says."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from tabletop.files import text
from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Layout
from tabletop.rules.text.record import RecordError
from tabletop.rules.text.record_text import parse_record
from tabletop.rules.text.replay import course
from tabletop.simulator.errors import BadRecord

_Moment: TypeAlias = tuple[Layout, str, int | None]


class RecordedGame:
    """A whole recorded game: ``choose`` returns what a seat or chance did next.

    Raises BadRecord for a file that is not the record of a whole game with default options.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            record = parse_record(text.read(path))
            positions, actions = course(record)
            first, last = positions[0], positions[-1]
            whole = record.view is None and first == first.game.new(record.seats)
        except (OSError, ValueError, RecordError) as error:
            raise BadRecord(path, str(error)) from error
        if not whole:
            raise BadRecord(path, "it is not the record of a whole game with the usual options")
        if not last.over:
            raise BadRecord(path, "the game that it records was not played to its end")
        self._next: dict[_Moment, Action] = dict(zip(map(_moment, positions), actions, strict=False))
        self.game, self.names = first.game.name, tuple(first.names)

    def choose(self, position: Position) -> Action:
        """Return the action that was recorded in a position in which everything lay like this.

        Pieces laid in one movement have no order, so positions that differ in nothing else count as the same.
        Raises BadRecord if the game has taken another course.
        """
        try:
            return self._next[_moment(position)]
        except KeyError:
            raise BadRecord(self._path, "the game has taken another course than the one it records") from None


def _moment(position: Position) -> _Moment:
    return position.layout(), position.phase, position.decider
