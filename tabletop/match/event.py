"""An event: an accepted fact of a match, as the journal stores it; and a fact that is about to become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class EventKind(StrEnum):
    """The kind of an event, in the words of the journal, and what its ``data`` contain."""

    START = "start"
    """How the match began: see :func:`tabletop.match.match.start_data`."""
    ACTION = "action"
    """What a seat or chance did: the action's protocol form."""
    POSITION = "position"
    """The table won over the record: ``{"position": …, "moved": {piece: place}}``."""
    UNDO = "undo"
    """A return to an event, the last one that still counts: ``{"to": number}``."""
    PAUSE = "pause"
    """Nobody can act until the game resumes: ``{}``."""
    RESUME = "resume"
    """The game resumes: ``{}``."""
    END = "end"
    """The game was ended before its time: ``{}``."""
    DEPUTY = "deputy"
    """The seats that the host plays for from now on: ``{"seats": […]}``."""
    NAMES = "names"
    """The names of the seats from now on: ``{"names": […]}``."""
    NOTE = "note"
    """Something that everybody is told: ``{"what": …}``.

    ``backup``: the host saved a backup; ``shown``: a photograph showed that pieces lie where the record has them;
    ``secret-refused``: the host tried to correct pieces in secret places; ``hint``: the seat asked what a bot would do.
    """
    SCORE = "score"
    """What photographs of the final table show: ``{"seats": […], "doubts": […], "said": […], "notes": […]}``.

    See :mod:`tabletop.match.photo_score`.
    """


class Source(StrEnum):
    """Where an event comes from, in the words of the journal."""

    CAMERA = "camera"
    BUTTON = "button"
    PAGE = "page"
    HOST = "host"
    PHOTO = "photo"
    """A seat's photograph."""
    HOST_PHOTO = "host-photo"
    """The host's photograph."""
    DRAW = "draw"
    """A chance outcome that the program drew."""
    TABLE = "table"
    """The table itself: how the match began, or an undo by pieces that were put back."""


ASIDE_KINDS = frozenset({EventKind.DEPUTY, EventKind.NAMES, EventKind.NOTE, EventKind.SCORE})
"""The kinds of event beside the game: after one, misplaced pieces and open questions stay as they were."""


class Fact(NamedTuple):
    """A fact to be recorded: an event before it has a number and a hash."""

    kind: EventKind
    data: Mapping[str, Any]
    seat: int | None
    source: Source
    time: float


@dataclass(frozen=True, slots=True)
class Event:
    """An accepted fact of a match, as the journal keeps it.

    ``seat`` decided (None: chance or the table); ``time`` is Unix seconds; ``hash`` chains it to the event before.
    ``kind`` is an :class:`EventKind`; a match refuses any other word in a file.  ``source`` is a :class:`Source`, or
    any other word in a file that another program wrote.
    """

    number: int
    kind: str
    data: Mapping[str, Any]
    seat: int | None
    source: str
    time: float
    hash: str
