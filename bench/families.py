"""Compares our reader with other readers and other markers, from large tags to tiny ones.

``python -m bench.families`` measures a small table; ``--full`` every side, light, cover, tilt and number of pictures on
every renderer, with enough tables per cell for a thousand tags.  That takes days: results are kept in
``bench/results/families.jsonl``, and a run resumes where the last one ended.  Progress is on stderr.

The same pieces lie at the same places, once with our tags and once with 36h11 markers of the same printed side, quiet
zone included.  If there are five pictures, the others get their mean.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np

from bench.painting import Lying
from bench.reading import GAME, LaidTable, Row, detector, is_right, off, read_tags
from bench.renderers import RENDERERS, to_measure
from bench.rivals import Reader, marker_readers, markers, on_our_grid, qr_readers
from tabletop.vision.detect.detector import Detector
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.kit import Kit
from tabletop.vision.tags.patterns import Pattern
from tabletop.vision.tags.payloads import is_marker

SENSOR = "1080p"
SIDES = (20.0, 15.0, 12.0, 10.0, 8.0)
LIGHTS = ("clean", "moderate", "hard")
COVERS = (None, (0.05, 0.25), (0.25, 0.4))
TILTS = (0.0, 30.0, 50.0)
PICTURES = (1, 5)
TAGS = 60
ENOUGH = 1000
"""The number of tags in a cell from which S99 is printed without a mark."""
NEARLY_ALL = 0.99
FIRST_SEED = 9301
KEPT = Path(__file__).parent / "results" / "families.jsonl"
"""The file of results, a line for each table."""
OURS_KEPT = KEPT.with_name("families-ours.jsonl")
"""The same for tables that only our reader was given."""


@dataclass(frozen=True)
class Cell:
    """One line of the table."""

    renderer: str
    light: str
    cover: tuple[float, float] | None
    tilt: float
    pictures: int
    side: float

    @property
    def row(self) -> Row:
        """The camera and the tags that are pictured."""
        return Row(SENSOR, self.side, self.cover, self.pictures, tilt=self.tilt)

    @property
    def conditions(self) -> str:
        """All conditions except the side, as the table prints them."""
        return f"{self.renderer} | {self.light} | {_covered(self.cover)} | {self.tilt:.0f}° | {self.pictures}"


def _covered(cover: tuple[float, float] | None) -> str:
    return f"{100 * cover[0]:.0f}–{100 * cover[1]:.0f} %" if cover else "–"


class Seen(NamedTuple):
    """The result of one reader for one table; ``off`` and ``turned`` are median errors of the tags read, mm and °."""

    tags: int
    read: int
    false: int
    ms: float
    off: float
    turned: float


Measure: TypeAlias = Callable[[Cell, int], dict[str, Seen]]
"""Returns column → the result of its reader for one table of a cell with this seed."""


def small() -> list[Cell]:
    """Return the cells of the small table."""
    return [Cell("raw", "moderate", None, 0.0, pictures, side) for side, pictures in product(SIDES, PICTURES)]


def full() -> list[Cell]:
    """Return all cells."""
    # Cells with one and with five pictures of the same table follow each other, so the table is rendered once.
    every = product(RENDERERS, LIGHTS, COVERS, TILTS, SIDES, PICTURES)
    return [
        Cell(renderer, light, cover, tilt, pictures, side) for renderer, light, cover, tilt, side, pictures in every
    ]


def measured_ours(cell: Cell, seed: int) -> dict[str, Seen]:
    """Return column → the result of our reader for one table with our tags."""
    return {"tabletop, QR": _ours(detector(cell.side), *_pictured(cell, "QR", seed))}


def measured(cell: Cell, seed: int) -> dict[str, Seen]:
    """Return column → the result of each reader for one table."""
    found = measured_ours(cell, seed)
    found["tabletop, 36h11"] = _ours(_marker_detector(cell.side), *_pictured(cell, "36h11 on our grid", seed))
    for kind, readers in (("QR", qr_readers()), ("36h11", marker_readers())):
        pictures, lying = _pictured(cell, kind, seed)
        together, plane = _together(pictures), detector(cell.side).found_plane(pictures[0])
        found |= {name: _rival(reader, together, lying, plane) for name, reader in readers.items()}
    return found


def _pictured(cell: Cell, kind: str, seed: int) -> tuple[list[Grey], list[Lying]]:
    """Return the pictures of a cell; the same table serves cells of any number of pictures."""
    laid = _laid(replace(cell, pictures=1), kind, seed)
    return laid.pictures(cell.pictures), laid.lying


@lru_cache(maxsize=3)
def _laid(cell: Cell, kind: str, seed: int) -> LaidTable:
    codes = {"QR": None, "36h11": markers(), "36h11 on our grid": on_our_grid(markers())}[kind]
    return LaidTable(cell.row, cell.light, seed, RENDERERS[cell.renderer], codes)


@cache
def _marker_detector(side: float) -> Detector:
    """Return our reader for 36h11 markers, drawn on our own modules, and the usual markers of zones."""
    kit = Kit(GAME)
    patterns: dict[str, Pattern] = {name: pattern for name, pattern in kit.patterns.items() if is_marker(name)}
    patterns |= on_our_grid(markers())
    return Detector(patterns, {name: kit.sides[name] if is_marker(name) else side for name in patterns})


def _ours(ours: Detector, pictures: Sequence[Grey], lying: Sequence[Lying]) -> Seen:
    known = ours.found_plane(pictures[0])
    begun = time.process_time()
    read, plane = read_tags(ours, pictures, known)
    return _judged(read, lying, pictures[0].shape, plane, time.process_time() - begun)


def _rival(reader: Reader, picture: Grey, lying: Sequence[Lying], plane: Plane | None = None) -> Seen:
    begun = time.process_time()
    read = {name: corners for name, corners in reader(picture).items() if not is_marker(name)}
    return _judged(read, lying, picture.shape, plane, time.process_time() - begun)


def _judged(
    read: Mapping[str, np.ndarray],
    lying: Iterable[Lying],
    shape: tuple[int, ...],
    plane: Plane | None,
    seconds: float,
) -> Seen:
    """Return the result for the tags that lie wholly in the picture."""
    high, wide = shape[:2]
    there = {tag.payload: tag for tag in lying if not is_marker(tag.payload)}
    whole = {
        name
        for name, one in there.items()
        if (one.corners > 2).all() and (one.corners < np.array((wide, high)) - 3).all()
    }
    right = {name for name, corners in read.items() if is_right(corners, there.get(name))}
    apart = [off(plane, read[name], there[name]) for name in right & whole] if plane is not None else []
    middle = np.median(apart, axis=0).tolist() if apart else (float("nan"),) * 2
    return Seen(len(whole), len(right & whole), len(read.keys() - right), 1000 * seconds, *middle)


def _together(pictures: Sequence[Grey]) -> Grey:
    return np.asarray(np.mean(np.stack(pictures), axis=0).round(), dtype=np.uint8) if len(pictures) > 1 else pictures[0]


def kept(path: Path) -> dict[tuple[Cell, int], dict[str, Seen]]:
    """Return the stored results by cell and seed; a line that was cut off is measured again."""
    kept_before = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        cover = tuple(record["cell"].pop("cover") or ()) or None
        kept_before[Cell(**record["cell"], cover=cover), record["seed"]] = {
            name: Seen(*tally) for name, tally in record["seen"].items()
        }
    return kept_before


def run(cells: Sequence[Cell], seeds: Sequence[int], path: Path, measure: Measure) -> dict[Cell, dict[str, list[Seen]]]:
    """Measure and store what is not stored yet, and return all results by cell and column."""
    known = kept(path)
    wanted = [(cell, seed) for seed in seeds for cell in cells]
    left = [each for each in wanted if each not in known]
    with path.open("a", encoding="utf-8") as file:
        for number, (cell, seed) in enumerate(left, start=1):
            print(f"{number} of {len(left)}: {cell.conditions} | {cell.side:.0f} mm, table {seed}", file=sys.stderr)
            known[cell, seed] = measure(cell, seed)
            print(json.dumps({"cell": asdict(cell), "seed": seed, "seen": known[cell, seed]}), file=file, flush=True)
    found: dict[Cell, dict[str, list[Seen]]] = {cell: {} for cell in cells}
    for cell, seed in wanted:
        for name, seen in known[cell, seed].items():
            found[cell].setdefault(name, []).append(seen)
    return found


def lines(found: Mapping[Cell, Mapping[str, Sequence[Seen]]]) -> Iterator[str]:
    """Iterate over the lines of the tables as Markdown: shares read, S99, then false names, places and time."""
    columns = [*dict.fromkeys(name for seen in found.values() for name in seen)]
    head = "| renderer | light | covered | tilt | pictures |"
    yield f"{head} side | tags | {' | '.join(columns)} |"
    yield "|---|---|---|---|---|---|---|" + "---|" * len(columns)
    for cell, seen in found.items():
        tags = sum(tally.tags for tally in seen[columns[0]])
        shares = " | ".join(f"{100 * _share(seen[name]):.1f}" for name in columns)
        yield f"| {cell.conditions} | {cell.side:.0f} mm | {tags} | {shares} |"
    yield f"\nS99, the smallest size at which 99 % are read (~: fewer than {ENOUGH} tags per cell)\n"
    yield f"{head} {' | '.join(columns)} |"
    yield "|---|---|---|---|---|" + "---|" * len(columns)
    for conditions in dict.fromkeys(cell.conditions for cell in found):
        some = {cell.side: seen for cell, seen in found.items() if cell.conditions == conditions}
        yield f"| {conditions} | {' | '.join(_smallest(some, name) for name in columns)} |"
    yield "\n| reader | tags read | false | per 100,000 tags | mm | ° | ms per tag |\n|---|---|---|---|---|---|---|"
    for name in columns:
        every = [tally for seen in found.values() for tally in seen.get(name, ())]
        tags, read = sum(tally.tags for tally in every), sum(tally.read for tally in every)
        false = sum(tally.false for tally in every)
        read_at_all = [tally for tally in every if tally.read] or [Seen(0, 0, 0, 0.0, np.nan, np.nan)]
        mm, degrees = (
            np.median([tally.off for tally in read_at_all]),
            np.median([tally.turned for tally in read_at_all]),
        )
        ms = sum(tally.ms for tally in every) / max(read, 1)
        rate = 1e5 * false / max(tags, 1)
        yield f"| {name} | {read} of {tags} | {false} | {rate:.0f} | {mm:.2f} | {degrees:.2f} | {ms:.1f} |"


def _share(seen: Iterable[Seen]) -> float:
    every = list(seen)
    return sum(tally.read for tally in every) / max(1, sum(tally.tags for tally in every))


def _smallest(seen: Mapping[float, Mapping[str, Sequence[Seen]]], name: str) -> str:
    """Return the smallest side from which upwards nearly all tags are read."""
    best = None
    for side in sorted(seen, reverse=True):
        if _share(seen[side][name]) < NEARLY_ALL:
            break
        best = side
    if best is None:
        return f"> {max(seen):.0f}"
    return f"{best:.0f}" + ("" if sum(tally.tags for tally in seen[best][name]) >= ENOUGH else " ~")


def chosen(asked: argparse.Namespace) -> list[Cell]:
    """Return the requested cells: of every condition all values, or those that were named."""
    named = [asked.renderer, asked.light, asked.side, asked.cover, asked.tilt, asked.pictures]
    if not asked.full and not any(named):
        return small()
    renderers = to_measure(asked.renderer)
    covers = [COVERS[number] for number in asked.cover or ()] or (COVERS if asked.full else COVERS[:1])
    return [
        cell
        for cell in full()
        if cell.cover in covers
        and cell.tilt in (asked.tilt or (TILTS if asked.full else TILTS[:1]))
        and cell.renderer in renderers
        and cell.light in (asked.light or LIGHTS)
        and cell.side in (asked.side or SIDES)
        and cell.pictures in (asked.pictures or PICTURES)
    ]


def main() -> None:
    """Measure the requested cells and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="every cell, a thousand tags each")
    parser.add_argument("--tables", type=int, help=f"tables a cell, {TAGS} tags each (1, with --full 17)")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help=f"seed of the first table ({FIRST_SEED})")
    only = "only this one; may be given again"
    parser.add_argument("--renderer", choices=RENDERERS, action="append", help=only)
    parser.add_argument("--light", choices=LIGHTS, action="append", help=only)
    parser.add_argument("--side", type=float, choices=SIDES, action="append", help=only)
    parser.add_argument("--tilt", type=float, choices=TILTS, action="append", help=only)
    parser.add_argument("--pictures", type=int, choices=PICTURES, action="append", help=only)
    covers = "; ".join(f"{number}: {_covered(cover)}" for number, cover in enumerate(COVERS))
    parser.add_argument(
        "--cover", type=int, choices=range(len(COVERS)), action="append", help=covers.replace("%", "%%")
    )
    parser.add_argument("--ours", action="store_true", help="only our reader, on our own tags")
    parser.add_argument("--out", type=Path, help="where it is kept (bench/results/families.jsonl; families-ours.jsonl)")
    asked = parser.parse_args()
    measure, kept_in = (measured_ours, OURS_KEPT) if asked.ours else (measured, KEPT)
    cv2.setNumThreads(1)
    tables = asked.tables or (-(-ENOUGH // TAGS) if asked.full else 1)
    print("STag is not compared: its package reads markers and brings none to print.")
    seeds = range(asked.first, asked.first + tables)
    for line in lines(run(chosen(asked), seeds, asked.out or kept_in, measure)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
