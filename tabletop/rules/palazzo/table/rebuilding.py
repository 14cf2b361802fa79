"""Recognises a rebuild: which single tile was moved between two states of a seat's palazzi."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Column = tuple[str, ...]


class Rebuilding(NamedTuple):
    """A tile that was moved: ``lift`` (it stands alone now), ``insert`` (into the palazzo of ``onto``) or ``scrap``."""

    kind: str
    tile: str
    onto: str = ""


def moved_tile(before: Sequence[Column], after: Iterable[Column]) -> Rebuilding | None:
    """Return the one tile whose removal makes both states equal, and what was done with it.

    If two tiles explain it equally well (a palazzo of two taken apart, two lone tiles joined), a lone one is named, so
    that a legal reading is found if there is one.  None if nothing, or more than one tile, was moved.
    """
    shown = list(after)
    if Counter(before) == Counter(shown):
        return None
    alone = {column[0] for column in before if len(column) == 1}
    tiles = sorted((tile for column in before for tile in column), key=lambda tile: (tile not in alone, tile))
    for tile in tiles:
        if _without(before, tile) == _without(shown, tile):
            return _what_was_done(tile, shown)
    return None


def _what_was_done(tile: str, after: Sequence[Column]) -> Rebuilding:
    column = next((column for column in after if tile in column), None)
    if column is None:
        return Rebuilding("scrap", tile)
    if column == (tile,):
        return Rebuilding("lift", tile)
    return Rebuilding("insert", tile, next(other for other in column if other != tile))


def _without(columns: Iterable[Column], tile: str) -> Counter[Column]:
    rests = (tuple(other for other in column if other != tile) for column in columns)
    return Counter(rest for rest in rests if rest)
