"""An event: an accepted fact of a match, as the journal stores it; and a fact that is about to become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Fact(NamedTuple):
    """What is to be recorded: an event before it has a number and a hash."""

    kind: str
    data: Mapping[str, Any]
    seat: int | None
    source: str
    time: float


@dataclass(frozen=True, slots=True)
class Event:
    """An accepted fact of a match, as the journal keeps it.

    ``seat`` decided (None: chance or the table); ``source`` is ``camera``, ``button``, ``page``, ``host``, ``photo`` (a
    seat's photograph), ``host-photo``, ``draw`` or ``table``; ``time`` is Unix seconds; ``hash`` chains it to the event
    before.  ``kind`` and its ``data``:

    * ``start``: how the match began; ``action``: the action's protocol form
    * ``position``: the table won over the record: ``{"position": …, "moved": {piece: place}}``
    * ``undo``: ``{"to": number}``, the last event that still counts
    * ``pause``, ``resume``; ``end``: the game was ended before its time
    * ``deputy``: ``{"seats": […]}``, the seats that the host plays for from now on
    * ``names``: ``{"names": […]}``, what the seats are called from now on
    * ``note``: ``{"what": …}``, something that everybody is to know: ``backup``; ``shown``: a photograph showed that
      pieces lie where the record has them; ``secret-refused``: the host said of pieces in secret places where they lie;
      ``hint``: the seat asked what a bot would do
    * ``score``: what photographs of the final table show: ``{"seats": […], "doubts": […], "said": […]}``, see
      :mod:`tabletop.match.photo_score`
    """

    number: int
    kind: str
    data: Mapping[str, Any]
    seat: int | None
    source: str
    time: float
    hash: str
