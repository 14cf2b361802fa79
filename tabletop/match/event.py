"""An event: an accepted fact of a match, as the journal stores it; and a fact that is about to become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class EventKind(StrEnum):
    """What an event is about, in the words of the journal, and what its ``data`` hold."""

    START = "start"
    """How the match began: see :func:`tabletop.match.match.start_data`."""
    ACTION = "action"
    """What a seat or chance did: the action's protocol form."""
    POSITION = "position"
    """The table won over the record: ``{"position": …, "moved": {piece: place}}``."""
    UNDO = "undo"
    """Back to an event, the last that still counts: ``{"to": number}``."""
    PAUSE = "pause"
    """Nobody can act until the game resumes: ``{}``."""
    RESUME = "resume"
    """The game resumes: ``{}``."""
    END = "end"
    """The game was ended before its time: ``{}``."""
    DEPUTY = "deputy"
    """The seats that the host plays for from now on: ``{"seats": […]}``."""
    NAMES = "names"
    """What the seats are called from now on: ``{"names": […]}``."""
    NOTE = "note"
    """Something that everybody is to know: ``{"what": …}``.

    ``backup``; ``shown``: a photograph showed that pieces lie where the record has them; ``secret-refused``: the host
    said of pieces in secret places where they lie; ``hint``: the seat asked what a bot would do.
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
    """A photograph of the host's."""
    DRAW = "draw"
    """Chance that the program drew."""
    TABLE = "table"
    """The table itself: how the match began, or an undo by pieces that were put back."""


ASIDE_KINDS = frozenset({EventKind.DEPUTY, EventKind.NAMES, EventKind.NOTE, EventKind.SCORE})
"""The kinds of event beside the game: after one, all that lies wrongly or was asked stands as before."""


class Fact(NamedTuple):
    """What is to be recorded: an event before it has a number and a hash."""

    kind: EventKind
    data: Mapping[str, Any]
    seat: int | None
    source: Source
    time: float


@dataclass(frozen=True, slots=True)
class Event:
    """An accepted fact of a match, as the journal keeps it.

    ``seat`` decided (None: chance or the table); ``time`` is Unix seconds; ``hash`` chains it to the event before.
    ``kind`` is an :class:`EventKind`; a match refuses any other word that a file may hold.  ``source`` is an
    :class:`Source`, or another word in a file that another program wrote.
    """

    number: int
    kind: str
    data: Mapping[str, Any]
    seat: int | None
    source: str
    time: float
    hash: str
