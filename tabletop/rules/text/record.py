"""What a record of a game is: a header, and lines with actions, checks and comments.

Its text is written and read by :mod:`tabletop.rules.text.record_text`; :mod:`tabletop.rules.text.recorder` makes one
from a game's actions, and :mod:`tabletop.rules.text.replay` plays it again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.messages import Message
from tabletop.rules.game import Json

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


def check(data: Json) -> str:
    """Return the short hash of a position's data, the same for the same data whatever the order of its keys."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:8]
