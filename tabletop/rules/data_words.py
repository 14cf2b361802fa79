"""The strings in JSON data: names of pieces, keys and any other text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def words(data: Any) -> Iterator[str]:
    """Iterate over every string in the data, keys included."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | tuple):
        for value in data:
            yield from words(value)
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield key
            yield from words(value)
