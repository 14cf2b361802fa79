"""Guesses which cards lie covered in the piles of Patrician, for a seat that did not watch the game.

Each crest played in a city is one floor there, and a move stays within its city: so the crests on the cards played for
a city are as many as the floors that stand there.  Each set of covered cards that fits is drawn with equal probability.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

from tabletop.bots.seen import named
from tabletop.rules.game import View
from tabletop.rules.patrician.components import CITIES, CITY_OF, cards


class _Town(NamedTuple):
    """The unknown cards of one city, with one crest and with two, and how many of their crests lie covered."""

    single: Sequence[str]
    double: Sequence[str]
    crests: int

    def ways(self) -> Mapping[int, tuple[int, int]]:
        """Return number of covered cards → how many of them are double, and how many sets of cards that allows."""
        counts = {}
        for doubles in range(len(self.double) + 1):
            singles = self.crests - 2 * doubles
            if 0 <= singles <= len(self.single):
                counts[singles + doubles] = (doubles, comb(len(self.single), singles) * comb(len(self.double), doubles))
        return counts


def covered(view: View, known: Mapping[str, Sequence[str]], rng: random.Random) -> Mapping[str, Sequence[str]] | None:
    """Return place → guesses for the unknown cards of each pile (``seats.1.played``), or None if no cards fit.

    ``known`` are the cards that are known to lie in a place.
    """
    piles = {
        place: seat["played"] - len(known.get(place, ()))
        for number, seat in enumerate(view["seats"])
        if isinstance(seat["played"], int) and (place := f"seats.{number}.played")
    }
    towns, left = _towns(view, known), sum(piles.values())
    drawn: list[str] = []
    counts = tuple(tuple((number, ways) for number, (_, ways) in town.ways().items()) for town in towns)
    if not _sets(counts, left):
        return None
    for at, town in enumerate(towns):
        options = [number for number, _ in counts[at]]
        weights = [ways * _sets(counts[at + 1 :], left - number) for number, ways in counts[at]]
        (number,) = rng.choices(options, weights)
        doubles, _ = town.ways()[number]
        drawn += rng.sample(town.double, doubles) + rng.sample(town.single, number - doubles)
        left -= number
    rng.shuffle(drawn)
    dealt = {}
    for place, number in piles.items():
        dealt[place], drawn = drawn[:number], drawn[number:]
    return dealt


@lru_cache(maxsize=4096)
def _sets(counts: tuple[tuple[tuple[int, int], ...], ...], number: int) -> int:
    """Return how many sets of ``number`` cards there are, given each city's (number of cards, number of sets) pairs."""
    if not counts or number < 0:
        return int(not counts and number == 0)
    return sum([ways * _sets(counts[1:], number - here) for here, ways in counts[0]])


def _towns(view: View, known: Mapping[str, Sequence[str]]) -> list[_Town]:
    """Return each city with its unknown cards."""
    faces: Mapping[str, Any] = view["edition"]["cards"]
    there = named({key: value for key, value in view.items() if key != "edition"}).union(*known.values())
    laid = [card for at, seat in enumerate(view["seats"]) for card in _pile(seat["played"], known, at)]
    pending = view.get("pending")
    towns = []
    for number, city in enumerate(CITIES):
        if city.id not in view["cities"]:
            continue
        towers = view["cities"][city.id]
        crests = len(towers["A"]) + len(towers["B"])
        crests += pending["floors"] if pending and CITY_OF[pending["card"]] == number else 0
        crests -= sum(faces[card]["crests"] for card in laid if CITY_OF[card] == number)
        unknown = [card for card in cards(len(view["seats"])) if CITY_OF[card] == number and card not in there]
        single = [card for card in unknown if faces[card]["crests"] == 1]
        towns.append(_Town(single, [card for card in unknown if card not in single], crests))
    return towns


def _pile(played: Any, known: Mapping[str, Sequence[str]], seat: int) -> Sequence[str]:
    return known.get(f"seats.{seat}.played", ()) if isinstance(played, int) else played
