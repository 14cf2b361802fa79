"""Chance that is as equal as possible for games that take different courses: every stack is shuffled beforehand."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any


class Shuffles(random.Random):
    """A random generator that always draws the piece that a shuffle put first among those offered.

    Each piece has its own random place and gets a new one when it is drawn: so every draw is uniform, independent of
    earlier draws, and does not depend on how many draws there were before.
    """

    def __init__(self, seed: float | int | str, kept: dict[tuple[Any, int], bytes] | None = None) -> None:
        super().__init__(0)  # nothing is drawn from it
        self._seed = seed
        self._kept: dict[tuple[Any, int], bytes] = {} if kept is None else kept
        self._places = _ShuffledPlaces(self._renew)
        self._drawn: dict[Any, int] = {}

    def again(self) -> Shuffles:
        """Return the same chance from its beginning; the copies share the places computed so far."""
        return Shuffles(self._seed, self._kept)

    def choice(self, seq: Any) -> Any:
        """Return the item that the shuffle put first, and shuffle it in again."""
        first = min(seq, key=self._places.__getitem__)
        self._renew(first)
        return first

    def sample(self, population: Sequence[Any], k: int, **_: Any) -> list[Any]:
        """Return the first ``k`` items, and shuffle them in again."""
        first = sorted(population, key=self._places.__getitem__)[:k]
        for one in first:
            self._renew(one)
        return first

    def _renew(self, item: Any) -> bytes:
        """Give an item its next place, which depends only on the seed, the item and how often it was drawn."""
        number = self._drawn[item] = self._drawn.get(item, -1) + 1
        place = self._kept.get((item, number))
        if place is None:
            place = blake2b(f"{self._seed} {item} {number}".encode(), digest_size=8).digest()
            self._kept[item, number] = place
        self._places[item] = place
        return place


class _ShuffledPlaces(dict[Any, bytes]):
    """The place of each item, assigned when it is first asked for."""

    def __init__(self, give: Callable[[Any], bytes]) -> None:
        super().__init__()
        self._give = give

    def __missing__(self, item: Any) -> bytes:
        return self._give(item)
