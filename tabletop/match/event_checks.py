"""Checks of the data of events that leave the position as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.match.event import EventKind
from tabletop.match.photo_score import is_score
from tabletop.rules.validate import MAX_NAME_LENGTH


def _is_bare(data: Mapping[str, Any], _seats: int) -> bool:
    return not data


def _is_note(data: Mapping[str, Any], _seats: int) -> bool:
    return isinstance(data.get("what"), str)


def _is_deputy(data: Mapping[str, Any], seats: int) -> bool:
    chosen = data.get("seats")
    return isinstance(chosen, list) and all(type(seat) is int and 0 <= seat < seats for seat in chosen)


def _is_names(data: Mapping[str, Any], seats: int) -> bool:
    names = data.get("names")
    return (
        isinstance(names, list)
        and len(names) == seats
        and all(isinstance(name, str) and len(name) <= MAX_NAME_LENGTH for name in names)
    )


EVENT_CHECKS: Mapping[str, Callable[[Mapping[str, Any], int], bool]] = {
    EventKind.PAUSE: _is_bare,
    EventKind.RESUME: _is_bare,
    EventKind.END: _is_bare,
    EventKind.NOTE: _is_note,
    EventKind.DEPUTY: _is_deputy,
    EventKind.NAMES: _is_names,
    EventKind.SCORE: is_score,
}
"""Kind of event that leaves the position as it is → whether its data are valid for a number of seats."""
