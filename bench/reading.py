"""How well tags are read compared with decoders alone, on frames of camera models with different physics.

``python -m bench.reading`` prints the quick tables of each renderer (``--renderer`` for one of them); ``--full`` every
camera; ``--photos WHERE`` adds other people's photographs.  Above each table stands which thresholds were set on its
renderer.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from bench.grounds import ON_PHOTOGRAPHS, grounds_of, photograph
from bench.painting import SENSORS, Lying, painted
from bench.photographs import compared
from bench.public_sets import WHERE, folder_of
from bench.renderers import RENDERERS, Renderer, to_measure
from bench.renderers.grey_levels import LEVELS
from bench.rivals import Reader, qr_readers
from tabletop.rules import registry
from tabletop.vision.detect.detector import Detector
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.glare import is_glare
from tabletop.vision.kit import Kit
from tabletop.vision.live.reread.stacking import PictureStack
from tabletop.vision.tags.catalogue import TAG_MM
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES, Pattern
from tabletop.vision.tags.payloads import is_marker

FIRST_SEED = 9001
COVERED = (0.05, 0.25)
GAME = registry.game("palazzo")


@dataclass(frozen=True)
class Row:
    """One line of the table: a camera, the pieces' tags, and how many pictures of one still table are added up."""

    sensor: str
    side: float = 20.0
    cover: tuple[float, float] | None = None
    shots: int = 1
    levels: tuple[str, ...] = tuple(LEVELS)
    tilt: float = 10.0

    @property
    def name(self) -> str:
        """The row's name, as the table prints it."""
        covered = f", {100 * self.cover[0]:.0f}-{100 * self.cover[1]:.0f} % covered" if self.cover else ""
        return f"{self.sensor}, {self.side:.0f} mm{covered}" + (f", {self.shots} pictures" if self.shots > 1 else "")


SMALL = (
    Row("1080p", 15.0),
    Row("1080p", shots=5, levels=("hard",)),
    Row("1080p", 15.0, shots=5, levels=("hard",)),
    Row("1080p", 12.0, shots=5, levels=("moderate",)),
    Row("1080p", 10.0, shots=5, levels=("moderate",)),
    Row("1080p", cover=COVERED),
)
QUICK = (Row("1080p"), *SMALL)
FULL = (Row("1080p"), Row("2304"), Row("4608"), Row("4056"), *SMALL, Row("4608", cover=COVERED))


@dataclass
class Tally:
    """The counts of one line of the table."""

    total: int = 0
    false: int = 0
    glared: int = 0
    hits: dict[str, int] = field(default_factory=dict)
    apart: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)


@cache
def detector(side: float) -> Detector:
    """Return the reader of a table whose pieces have tags of that side, mm."""
    kit = Kit(GAME, scale=side / TAG_MM)
    return Detector(kit.patterns, kit.sides)


class LaidTable:
    """One still table before a camera; its pictures (noise and tremor differ, light does not) are taken when needed.

    ``lying`` is where all tags lie.  ``codes``: the codes on the pieces instead of our own tags, by name; ``grounds``:
    photographs, one of which is the ground of the table.
    """

    def __init__(
        self,
        row: Row,
        level: str,
        seed: int,
        renderer: Renderer = RENDERERS["grey"],
        codes: Mapping[str, Pattern] | None = None,
        grounds: Sequence[Path] = (),
    ) -> None:
        patterns, rng = dict(Kit(GAME).patterns), np.random.default_rng(seed)
        pieces = [*codes] if codes is not None else [payload for payload in patterns if not is_marker(payload)]
        marks = [payload for payload in patterns if is_marker(payload)]
        patterns |= codes or {}
        some = [str(payload) for payload in rng.permutation(pieces)[:60]]
        chosen = [str(payload) for payload in rng.permutation(marks)[:8]]
        self._camera = renderer.camera(SENSORS[row.sensor], row.tilt)
        ground = photograph(grounds, seed) if grounds else None
        self._painter, self.lying = painted(
            rng, patterns, some, chosen, self._camera, row.side, row.cover, ground=ground
        )
        self._level, self._seed = renderer.levels[level], seed
        self._taken: list[Grey] = []

    def pictures(self, count: int) -> list[Grey]:
        """Return the first ``count`` pictures."""
        for shot in range(len(self._taken), count):
            differs, shared = np.random.default_rng((self._seed, shot)), np.random.default_rng((self._seed, 99))
            self._taken.append(self._camera.see(self._painter, self._level, differs, shared))
        return self._taken[:count]


def shots(
    row: Row, level: str, seed: int, renderer: Renderer = RENDERERS["grey"], grounds: Sequence[Path] = ()
) -> tuple[list[Grey], list[Lying]]:
    """Return pictures of one still table, and where all tags lie."""
    table = LaidTable(row, level, seed, renderer, grounds=grounds)
    return table.pictures(row.shots), table.lying


def measure(
    row: Row,
    level: str,
    seeds: Sequence[int],
    others: Mapping[str, Reader],
    renderer: Renderer = RENDERERS["grey"],
    grounds: Sequence[Path] = (),
) -> Tally:
    """Return how many of the wholly visible tags each reader read, and how exactly they were placed."""
    tally, ours = Tally(hits=dict.fromkeys(["tabletop", *others], 0)), detector(row.side)
    for seed in seeds:
        pictures, lying = shots(row, level, seed, renderer, grounds)
        wanted = {tag.payload: tag for tag in lying if not is_marker(tag.payload)}
        tally.total += len(wanted)
        read, plane = read_tags(ours, pictures)
        right = {payload for payload, corners in read.items() if is_right(corners, wanted.get(payload))}
        tally.hits["tabletop"] += len(right)
        tally.false += len(read) - len(right)
        tally.glared += sum(_is_glared(pictures[0], wanted[payload]) for payload in wanted.keys() - right)
        if plane is not None:
            for payload in right:
                apart, turned = off(plane, read[payload], wanted[payload])
                tally.apart.append(apart)
                tally.turned.append(turned)
        for name, decode in others.items():
            tally.hits[name] += len(decode(pictures[0]).keys() & wanted.keys())
    return tally


def read_tags(
    ours: Detector, pictures: Sequence[Grey], plane: Plane | None = None
) -> tuple[dict[str, np.ndarray], Plane | None]:
    """Return the corners (px) of the pieces' tags by payload, read from the first or from the sum of all pictures.

    ``plane``: an initial plane, if known.
    """
    if plane is None or len(pictures) == 1:
        reading = ours.detect(pictures[0], plane, hidden=True)
        plane = reading.plane
    if len(pictures) > 1 and plane is not None:
        evidence = PictureStack()
        for picture in pictures:
            evidence.add(picture, (0, 0, picture.shape[1], picture.shape[0]))
        reading = ours.detect(evidence.picture(), plane, hidden=True)
    tags = {each.payload: np.array(each.corners) for each in reading.sightings if not is_marker(each.payload)}
    return tags, reading.plane


def is_right(corners: np.ndarray, lying: Lying | None) -> bool:
    """Return whether a tag was read within a quarter of its side of where it lies."""
    if lying is None:
        return False
    side = float(np.linalg.norm(lying.corners[1] - lying.corners[0]))
    return bool(np.linalg.norm(corners.mean(axis=0) - lying.corners.mean(axis=0)) < side / 4)


def _is_glared(grey: Grey, lying: Lying) -> bool:
    """Return whether saturated glare covers part of a tag, quiet zone included."""
    middle = lying.corners.mean(axis=0)
    mask = np.zeros(grey.shape, np.uint8)
    whole = middle + (lying.corners - middle) * TAG_MODULES / CODE_MODULES
    cv2.fillConvexPoly(mask, np.round(whole).astype(np.int32), 1)
    return is_glare(grey[mask > 0])


def off(plane: Plane, corners: np.ndarray, lying: Lying) -> tuple[float, float]:
    """Return the errors of a tag's place, mm, and turn, degrees, on the fitted plane."""
    found, real = plane.to_mm(corners), plane.to_mm(lying.corners)
    ways = [np.arctan2(*(square[1] - square[0] + square[2] - square[3])[::-1]) for square in (found, real)]
    turned = np.degrees(ways[0] - ways[1])
    return float(np.linalg.norm((found - real).mean(axis=0))), float(abs((turned + 180) % 360 - 180))


def lines(rows: Sequence[Row], seeds: Sequence[int], name: str, grounds: Sequence[Path] = ()) -> Iterator[str]:
    """Iterate over the lines of one renderer's table as Markdown."""
    others, renderer = qr_readers(), RENDERERS[name]
    readers = " | ".join(["tabletop", *others])
    yield f"\nRenderer {name}; set on it: {renderer.set_here}\n"
    yield f"| camera, tags | light | tags | {readers} | false | erased by glare | mm median | ° p95 |"
    yield "|---|---|" + "---|" * (len(others) + 6)
    for row in rows:
        for level in row.levels:
            tally = measure(row, level, seeds, others, renderer, grounds)
            shares = " | ".join(f"{100 * count / tally.total:.1f}" for count in tally.hits.values())
            apart = f"{np.median(tally.apart):.2f} | {np.quantile(tally.turned, 0.95):.2f}" if tally.apart else "- | -"
            yield (f"| {row.name} | {level} | {tally.total} | {shares} | {tally.false} | {tally.glared} | {apart} |")


def main() -> None:
    """Measure the requested rows and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="every camera")
    parser.add_argument("--renderer", choices=RENDERERS, action="append", help="only this one; may be given again")
    parser.add_argument("--row", action="append", default=[], help="only rows whose name is this; may be given again")
    parser.add_argument("--light", choices=LEVELS, action="append", help="only this one; may be given again")
    parser.add_argument("--seeds", type=int, default=1, help="tables a line, sixty tags each")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help=f"seed of the first one ({FIRST_SEED})")
    parser.add_argument("--photos", metavar="WHERE", help=f"other people's photographs to read as well: {WHERE}")
    parser.add_argument("--grounds", metavar="WHERE", help=ON_PHOTOGRAPHS)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    under = grounds_of(asked.grounds) if asked.grounds is not None else []
    rows = [
        replace(row, levels=tuple(level for level in row.levels if not asked.light or level in asked.light))
        for row in (FULL if asked.full else QUICK)
        if not asked.row or row.name in asked.row
    ]
    for name in to_measure(asked.renderer):
        for line in lines(rows, range(asked.first, asked.first + asked.seeds), name, under):
            print(line, flush=True)
    if asked.photos is not None:
        print(*compared(folder_of(asked.photos)), sep="\n", flush=True)


if __name__ == "__main__":
    main()
