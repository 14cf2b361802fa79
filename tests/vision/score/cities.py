"""Cities of Patrician, with their towers and cards, in pictures of a final table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.patrician.components import CARDS, CITIES
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.report.score_files import tally_of
from tabletop.vision.scene import Sighting
from tabletop.vision.score.score import Score, score
from tabletop.vision.score.tally import StatedFacts
from tests.vision.score.pictures import lying, plane, reading


def city(name: str, first: tuple[str, ...], second: tuple[str, ...], x: int, y: int) -> Iterator[Sighting]:
    """Iterate over a city's marker and two towers of floors from the foot up."""
    capacity = next(one.capacity for one in CITIES if one.id == name)
    foot = 22 * (capacity - 1) - 20
    yield lying(f"TT:{name}", x, y, side=33.6)
    for left, tower in ((28, first), (60, second)):
        for floor, piece in enumerate(tower):
            yield lying(f"PA:{piece}", x + left + 15 + 3.5, y + foot - 11 - 22 * floor)


def cities(**towers: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[Sighting]:
    """Iterate over the cards of all cities except Pistoia, with towers on some of them, by city."""
    names = [one.id for one in CITIES[:-1]]
    for number, name in enumerate(names):
        yield from city(name, *towers.get(name, ((), ())), 60 + 120 * (number % 5), 60 + 200 * (number // 5))


def final(*sightings: Sighting) -> PhotoReading:
    return reading(*sightings, seen=plane(size=(800, 520)))


def full(**towers: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[Sighting]:
    """Iterate over the cards of all cities but Pistoia, full: site A white and black in turn, site B with one white."""
    black, white = (iter([f"{letter}{number:02}" for number in range(1, 40)]) for letter in "KW")
    for one in CITIES[:-1]:
        first = tuple(next(black if floor % 2 else white) for floor in range(one.capacity - 1))
        towers.setdefault(one.id, (first, (next(white),)))
    yield from cities(**towers)


def piles(*counts: int, but: Sequence[str] = ()) -> Iterator[Sighting]:
    """Iterate over a number of cards beside each seat's marker, of all but Pistoia's, with tags side by side."""
    cards = iter([card for card in CARDS if not card.startswith("PIS") and card not in but])
    for seat, count in enumerate(counts):
        x, y = 60 + 240 * seat, 430
        yield lying(f"TT:PILE{seat + 1}", x, y, side=33.6)
        for number, card in zip(range(count), cards, strict=False):
            yield lying(f"PA:{card}", x + 36 + 22 * (number % 8), y - 12 + 22 * (number // 8))


def five_piles(*, pistoia: bool = True) -> Iterator[Sighting]:
    """Iterate over eleven cards beside each of five seats' markers, or fewer if those without Pistoia run out."""
    cards = iter([card for card in CARDS if pistoia or not card.startswith("PIS")])
    for seat in range(5):
        x, y = 60 + 190 * seat, 430
        yield lying(f"TT:PILE{seat + 1}", x, y, side=33.6)
        for number, card in zip(range(11), cards, strict=False):
            yield lying(f"PA:{card}", x + 36 + 22 * (number % 6), y - 12 + 22 * (number // 6))


def patrician(*pictures: PhotoReading, stated: StatedFacts | None = None) -> Score:
    return score(pictures, PATRICIAN, tally_of(PATRICIAN, stated or StatedFacts()))
