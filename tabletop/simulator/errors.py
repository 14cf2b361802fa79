"""The errors of the simulated table."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class SimulatorError(Exception):
    """The base of the simulator's errors; ``str`` is a sentence for people.

    Its attributes are the arguments that it was made from, in order, so that it can be pickled between processes.
    """

    def __reduce__(self) -> tuple[type[SimulatorError], tuple[Any, ...]]:
        return type(self), tuple(vars(self).values()) or self.args


class TableFull(SimulatorError, RuntimeError):
    """No free place was found in ``zone`` for ``piece``."""

    def __init__(self, zone: str, piece: str) -> None:
        super().__init__(f"There is no room left in zone “{zone}” for {piece}: take something away first.")
        self.zone = zone
        self.piece = piece


class TableUnseen(SimulatorError, RuntimeError):
    """The simulated camera sees no marker, so nothing on the table can be located."""


class NoSuchPiece(SimulatorError, KeyError):
    """``piece`` is not at this table, or not where it was expected."""

    def __init__(self, piece: str, why: str) -> None:
        super().__init__(piece)
        self.piece = piece
        self.why = why

    def __str__(self) -> str:
        return f"“{self.piece}” {self.why}."


class BadScenario(SimulatorError, ValueError):
    """A scenario's text cannot be understood; ``line`` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"Line {line}: {why}")
        self.line = line
        self.why = why


class BadRecord(SimulatorError, ValueError):
    """A recorded game cannot be played again; ``path`` is its file."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"“{path}” cannot be played again: {why.rstrip('.')}.")
        self.path = path
        self.why = why
