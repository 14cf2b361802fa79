"""Palazzi: which tile may stand where, and what a palazzo is worth."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

from tabletop.rules.palazzo.components import FLOOR, TILES

Column: TypeAlias = tuple[str, ...]
"""A palazzo: its tiles, bottom up, floors strictly ascending."""


def has_floor(column: Column, tile: str) -> bool:
    """Return whether the palazzo already has the tile's floor: a floor never twice."""
    floor = FLOOR[tile]
    return floor in [FLOOR[other] for other in column]


def goes_on(column: Column, tile: str) -> bool:
    """Return whether the tile may be built on top: the palazzo's highest floor is lower."""
    return FLOOR[column[-1]] < FLOOR[tile]


def insert(column: Column, tile: str) -> Column:
    """Return the palazzo with the tile put where its floor belongs."""
    return tuple(sorted((*column, tile), key=FLOOR.__getitem__))


def ascends(column: Sequence[str]) -> bool:
    """Return whether the floors strictly ascend; gaps are fine."""
    return all(FLOOR[lower] < FLOOR[upper] for lower, upper in itertools.pairwise(column))


def points(column: Column) -> int:
    """Return the victory points of one palazzo."""
    height = len(column)
    if height < 3:
        return -5 if height == 1 else 0
    tiles = [TILES[tile] for tile in column]
    total = sum(tile.windows for tile in tiles) + 3 * (height - 3)
    if all(tile.material == tiles[0].material for tile in tiles):
        total += 6 if height == 5 else 3
    return total


def home(palazzi: tuple[Column, ...], tile: str) -> Column | None:
    """Return the palazzo in which the tile stands; None if it stands in none."""
    for column in palazzi:
        if tile in column:
            return column
    return None
