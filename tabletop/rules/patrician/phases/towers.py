"""Towers: who holds one, and what a city's two towers are worth.

A tower is a tuple of the seats that own its floors, from the ground up.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tabletop.rules.patrician.components import SITES, City

Tower: TypeAlias = tuple[int, ...]


class Award(NamedTuple):
    """One token of a city: its tower, the seat that gets it, and its points."""

    city: str
    site: str
    seat: int
    points: int
    ruling: bool
    """True if both towers are equally high and by this project's ruling the higher token goes to site A."""


def full(city: City, first: Tower, second: Tower) -> bool:
    """Return whether a city with these towers has all the floors it takes."""
    return len(first) + len(second) == city.capacity


def holder(tower: Tower) -> int:
    """Return the seat with the most floors in a non-empty tower; of tied seats the one with the highest floor."""
    counts = {seat: tower.count(seat) for seat in tower}
    most = max(counts.values())
    return next(seat for seat in reversed(tower) if counts[seat] == most)


def awards(city: City, first: Tower, second: Tower) -> tuple[Award, ...]:
    """Return the tokens for the towers on site A and B as they stand; an empty site gives none."""
    ranking = list(zip(SITES, (first, second), strict=True))
    if len(second) > len(first):
        ranking.reverse()
    equal = len(first) == len(second)
    return tuple(
        Award(city.id, site, holder(tower), points, equal)
        for (site, tower), points in zip(ranking, city.tokens, strict=True)
        if tower
    )
