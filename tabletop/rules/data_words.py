"""The strings in JSON data: names of pieces, keys and any other text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def words(data: Any) -> list[str]:
    """Return every string in the data in its order, keys included."""
    found: list[str] = []
    _gather(data, found)
    return found


def _gather(data: Any, found: list[str]) -> None:
    """Append every string in the data: a generator would hand each one on through every level of the data."""
    if isinstance(data, str):
        found.append(data)
    elif isinstance(data, (list, tuple)):
        for value in data:
            _gather(value, found)
    elif isinstance(data, Mapping):
        for key, value in data.items():
            found.append(key)
            _gather(value, found)
