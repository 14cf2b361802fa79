"""Chance that is as equal as can be for games that take different courses: every stack is shuffled beforehand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any


class Shuffles(random.Random):
    """A generator by which the next piece that is drawn is the one that a shuffle put first among those there.

    Each piece has its own random place, and a new one when it has been drawn: so what comes is uniform among what may
    come, independent of what came, and does not depend on how often chance was asked before.
    """

    def __init__(self, seed: float | int | str) -> None:
        super().__init__(seed)
        self._seed = seed
        self._kept: dict[tuple[Any, int], bytes] = {}
        self._places: dict[Any, bytes] = {}
        self._drawn: dict[Any, int] = {}

    def again(self) -> Shuffles:
        """Return the same chance from its beginning; what one has worked out the others know."""
        same = Shuffles(self._seed)
        same._kept = self._kept
        return same

    def choice(self, seq: Any) -> Any:
        """Return what the shuffle put first, and shuffle it in again."""
        found = min(seq, key=self._place)
        self._renew(found)
        return found

    def sample(self, population: Sequence[Any], k: int, **_: Any) -> list[Any]:
        """Return the first ``k``, and shuffle them in again."""
        found = sorted(population, key=self._place)[:k]
        for one in found:
            self._renew(one)
        return found

    def _place(self, item: Any) -> bytes:
        found = self._places.get(item)
        return self._renew(item) if found is None else found

    def _renew(self, item: Any) -> bytes:
        """Give an item its next place, which follows from the seed, the item and how often it was drawn alone."""
        number = self._drawn[item] = self._drawn.get(item, -1) + 1
        place = self._kept.get((item, number))
        if place is None:
            place = blake2b(f"{self._seed} {item} {number}".encode(), digest_size=8).digest()
            self._kept[item, number] = place
        self._places[item] = place
        return place
