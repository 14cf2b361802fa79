"""Final tables with zone cards, bare or with things over tiles: is each seat right or marked as doubtful?

``python -m tests.campaigns.final_tables [--cases 100] [--of bare things fingers crossed twice] [--seed 1] [--out DIR]``
lays the palazzi of two to four seats on their cards, on wood, cloth, felt or a printed mat, and photographs them
(:mod:`tests.campaigns.photographer`).  ``--grounds WHERE`` lays them on photographs instead, from a folder or a
public set (:mod:`bench.grounds`).  ``bare``: nothing is hidden.  ``things``: a cup, a sheet of paper, a hand, a
sleeve, a telephone or a tile turned over hides a tag or more, or all tiles of a seat are turned over.  ``fingers``: two
pictures, with a finger over a different tile in each.  ``crossed``: two pictures, with something over the same tile in
both.  ``twice``: two pictures, with the same tiles turned over in both.  Each case is printed with its verdict and its
processor time; the exit status is 1 if one was silently wrong.  ``--out`` keeps the pictures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from bench.grounds import ON_PHOTOGRAPHS, filling, grounds_of
from tabletop.rules.palazzo import GAME
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import PhotoReading, read_photo
from tabletop.vision.score.palazzo import PalazzoTally
from tabletop.vision.score.score import Score, score
from tabletop.vision.tags import patterns, payloads
from tests.campaigns.covered import colours, covered, hidden
from tests.campaigns.photographer import LIGHTS, developed, standing
from tests.campaigns.photographs import FINE, ROUND, TILE, Array, Bytes, Piece, ground, seen

SIZE = (2592, 1944)
AREA = (900.0, 620.0)
"""Width and height of the part of the table that is certain to be in the picture, mm."""
MARKS = ((46.0, 560.0, 0.0), (854.0, 60.0, np.pi), (500.0, 560.0, 0.0), (400.0, 60.0, np.pi))
"""x and y (mm) and turn (radians) of each seat's marker."""
CARD = (-24.0, -152.0, 250.0, 27.0)
"""Left, top, right, bottom of a printed card, mm from the middle of its marker; the seat's area extends right."""
HIDDEN = 0.35
"""Covered share of a tag from which it may stay unread."""
TURNED = ("turned over", "all turned over")
LAID = ("cup", "paper", "hand", "sleeve", "telephone")
THINGS = (*LAID, *TURNED)
WAYS = ("bare", "things", "fingers", "crossed", "twice")


@dataclass(frozen=True, slots=True)
class FinalTable:
    """A laid table: its ground, all pieces, and what each seat has built."""

    under: Bytes
    pieces: list[Piece]
    built: dict[int, list[tuple[str, ...]]]

    def tiles_of(self, seat: int) -> list[Piece]:
        names = {payloads.payload_of(GAME, tile) for column in self.built[seat] for tile in column}
        return [piece for piece in self.pieces if piece.name in names]


class Case(NamedTuple):
    """Pictures of a table, the payloads of the tags that none of them shows, and a description of what covers tiles."""

    pictures: list[Bytes]
    table: FinalTable
    under: set[str]
    what: str


def laid_out(rng: np.random.Generator, photos: Sequence[Path] = ()) -> FinalTable:
    """Return a table on which two to four seats have built lawfully, with cards or with their markers alone.

    Its ground is one of the photographs, if any are given.
    """
    left = [str(tile) for tile in rng.permutation([tile for tile in GAME.pieces if tile[0] in "BSM" and "." in tile])]
    pieces: list[Piece] = []
    built: dict[int, list[tuple[str, ...]]] = {}
    cards = rng.random() < 0.7
    for seat in range(int(rng.integers(2, 5))):
        x, y, turn = MARKS[seat]
        place, turn = np.array((x, y)) + rng.normal(0, 3, 2), turn + rng.normal(0, 0.03)
        pieces.append(_card(place, turn, f"TT:SEAT{seat + 1}", CARD if cards else (-22.0, -22.0, 22.0, 22.0)))
        built[seat], foot = [], 56.0
        for _ in range(int(rng.integers(2, 5))):
            # Once many palazzi are built, a floor may have run out.
            there = sorted({int(tile[1]) for tile in left})
            floors = np.sort(rng.choice(there, min(len(there), int(rng.integers(1, 5))), replace=False))
            column = [next(tile for tile in left if tile[1] == str(floor)) for floor in floors]
            left = [tile for tile in left if tile not in column]
            built[seat].append(tuple(column))
            for floor, tile in enumerate(column):
                local = np.array((foot + rng.normal(0, 0.8), 4 - 28.6 * floor + rng.normal(0, 0.3)))
                pieces.append(_tile(rng, tile, place + _turned(local, turn), turn + rng.normal(0, 0.03)))
            foot += TILE[0] + rng.uniform(3, 40)
    width, height = AREA[0] + 2 * ROUND, AREA[1] + 2 * ROUND
    if photos:
        photo = colours(photos[int(rng.integers(len(photos)))])
        return FinalTable(filling(photo, (round(4 * height), round(4 * width))), pieces, built)
    return FinalTable(ground(rng, width, height, 4), pieces, built)


def _turned(points: Array, turn: float) -> Array:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def _card(place: Array, turn: float, marker: str, part: tuple[float, float, float, float]) -> Piece:
    """Return a seat's card as it is printed: its marker, the outline of its area, and lettering."""
    left, top, right, bottom = part
    face = np.full((round((bottom - top) * FINE), round((right - left) * FINE), 3), 255, np.uint8)

    def px(x: float, y: float) -> tuple[int, int]:
        return round((x - left) * FINE), round((y - top) * FINE)

    cv2.rectangle(face, px(24, -150), px(400, 24), (150, 150, 150), 4)
    cv2.putText(face, marker[3:], px(28, -140), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (120, 120, 120), 5)
    side = 40 * FINE
    sticker = cv2.resize(patterns.draw(patterns.pattern(marker), 8), (side, side), interpolation=cv2.INTER_AREA)
    x, y = px(-20, -20)
    face[y : y + side, x : x + side] = sticker[..., None]
    middle = place + _turned(np.array(((left + right) / 2, (top + bottom) / 2)), turn)
    return Piece(face, (right - left, bottom - top), (float(middle[0]), float(middle[1])), turn, 0.2, (0, 0), "", 0.0)


def _tile(rng: np.random.Generator, tile: str, place: Array, turn: float) -> Piece:
    face, side = ground(rng, *TILE, FINE), round(20 * FINE)
    payload = payloads.payload_of(GAME, tile)
    small = cv2.resize(patterns.draw(patterns.pattern(payload), 8), (side, side), interpolation=cv2.INTER_AREA)
    top, left = (face.shape[0] - side) // 2, (face.shape[1] - side) // 2
    face[top : top + side, left : left + side] = small[..., None]
    return Piece(face, TILE, (float(place[0]), float(place[1])), turn, 2.2, (0, 0), payload, 20 * 21 / 25)


def turned_over(rng: np.random.Generator, table: FinalTable, tiles: Sequence[Piece]) -> FinalTable:
    """Return the table with some tiles face down."""
    back = np.full((round(TILE[1] * FINE), round(TILE[0] * FINE), 3), rng.uniform(30, 220, 3), np.uint8)
    names = {piece.name for piece in tiles}
    return replace(
        table,
        pieces=[replace(one, picture=back, name="") if one.name in names else one for one in table.pieces],
    )


def photographed(
    rng: np.random.Generator, table: FinalTable, thing: str = "", over: Piece | None = None
) -> tuple[Bytes, set[str]]:
    """Return a photograph of a table with a thing over one piece, and the payloads of the tags that it hides."""
    camera = standing(rng, SIZE, AREA, rng.uniform(0, 0.6))
    light = seen(camera, table.pieces, table.under, 4, 1)
    under: set[str] = set()
    if over is not None and thing:
        mask = covered(rng, light, camera, thing, np.array(over.middle))
        under = {piece.name for piece in table.pieces if piece.name and hidden(camera, piece, mask) > HIDDEN}
    kind = LIGHTS[str(rng.choice(["clean", "moderate", "moderate", "hard"]))]
    picture = developed(light, kind, rng)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, kind.quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), under


def read(picture: Bytes) -> PhotoReading:
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return read_photo(Picture("", grey, picture), Kit(GAME), tally=PalazzoTally())


def verdict(found: Score, case: Case) -> str:
    """Return the verdict on a score, compared with what was built and with the tags that were hidden."""
    silent = []
    right = True
    for seat, built in case.table.built.items():
        told = next((one for one in found.seats if one.seat == seat), None)
        here = sorted(group.tiles for group in told.palazzi) if told is not None else []
        right = right and here == sorted(built)
        hides = any(payloads.payload_of(GAME, tile) in case.under for column in built for tile in column)
        if told is not None and told.sure and (here != sorted(built) or hides):
            silent.append(f"seat {seat + 1} sure of {told.points}")
    if found.sound and not right:
        return "SOUND AND WRONG"
    if silent and (case.under or not right):
        return "UNTOLD AT THE SEAT: " + ", ".join(silent)
    return ("right" if right else "told") + ("" if found.sound else ", in doubt")


def photographed_case(rng: np.random.Generator, way: str, photos: Sequence[Path] = ()) -> Case:
    """Return a table and its pictures, of the kind named by ``way``."""
    table = laid_out(rng, photos)
    seat = int(rng.integers(len(table.built)))
    target = table.tiles_of(seat)[int(rng.integers(len(table.tiles_of(seat))))]
    if way == "bare":
        return Case([photographed(rng, table)[0]], table, set(), "bare")
    if way == "fingers":
        others = [piece for piece in table.pieces if piece.name and piece.name != target.name]
        two = (target, others[int(rng.integers(len(others)))])
        return _twice(table, [photographed(rng, table, "finger", one) for one in two], way)
    if way == "crossed":
        laid = [str(thing) for thing in rng.choice(("finger", *LAID), 2)]
        return _twice(table, [photographed(rng, table, thing, target) for thing in laid], " and ".join(laid))
    thing = str(rng.choice(TURNED if way == "twice" else THINGS))
    if thing in TURNED:
        some = table.tiles_of(seat) if thing.startswith("all") else [target]
        lying = turned_over(rng, table, some)
        shots = [photographed(rng, lying) for _ in range(2 if way == "twice" else 1)]
        return Case([shot[0] for shot in shots], table, {one.name for one in some}, f"{thing} over {len(some)}")
    picture, under = photographed(rng, table, thing, target)
    return Case([picture], table, under, f"{thing} over {len(under)}")


def _twice(table: FinalTable, shots: Sequence[tuple[Bytes, set[str]]], what: str) -> Case:
    """Return a case of two pictures, described by how many tags both hide.

    A cover that leaves a tag readable in both pictures hides nothing else.
    """
    return Case([shot[0] for shot in shots], table, set(), f"{what} over {len(shots[0][1] & shots[1][1])}")


def options(about: str | None, ways: Iterable[str], cases: int) -> argparse.ArgumentParser:
    """Return a parser with the options common to all campaigns of final tables."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--of", nargs="+", default=[*ways], choices=[*ways])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    return parser


def run(
    asked: argparse.Namespace,
    make: Callable[[str, int], Case],
    judge: Callable[[Score, Case], str] = verdict,
    wrong: tuple[str, ...] = ("SOUND",),
) -> int:
    """Make, score and print the requested cases; return the exit status.

    ``make`` returns a case from its kind and number.  A verdict that begins with a ``wrong`` word is a silent error.
    """
    counts: dict[str, Counter[str]] = {way: Counter() for way in asked.of}
    for way, number in product(asked.of, range(asked.first, asked.first + asked.cases)):
        case = make(way, number)
        if asked.out is not None:
            asked.out.mkdir(parents=True, exist_ok=True)
            for at, picture in enumerate(case.pictures):
                cv2.imwrite(str(asked.out / f"{way.replace(' ', '-')}-{number}-{at}.jpg"), picture)
        start = time.process_time()
        found = score([read(picture) for picture in case.pictures], GAME, PalazzoTally())
        said, took = judge(found, case), time.process_time() - start
        counts[way][said.partition(":")[0]] += 1
        reasons = dict(Counter(f"{unread.reason} in {at + 1}" for at, unread in found.unread))
        print(f"{way} {number}: {case.what}: {said} {reasons} {took:.1f} s", flush=True)
    for way, each in counts.items():
        print(f"{way}: {', '.join(f'{count} {said}' for said, count in sorted(each.items()))}")
    return 1 if any(said.startswith(wrong) for each in counts.values() for said in each) else 0


def main() -> int:
    parser = options(__doc__, WAYS, 100)
    parser.add_argument("--grounds", metavar="WHERE", help=ON_PHOTOGRAPHS)
    asked = parser.parse_args()
    photos = grounds_of(asked.grounds) if asked.grounds is not None else []

    def make(way: str, number: int) -> Case:
        return photographed_case(np.random.default_rng([asked.seed, number, len(way)]), way, photos)

    return run(asked, make)


if __name__ == "__main__":
    sys.exit(main())
