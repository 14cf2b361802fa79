"""Make the pictures of ``docs/reading.md``: how a hard table is read, and close-ups of tags that could not be read.

    .venv/bin/python -m tools.pictures.make_reading_pictures

The tables are those of ``bench.reading``, with the same seeds.
"""

from __future__ import annotations

from math import dist
from pathlib import Path

import cv2
import numpy as np

from bench.painting import Lying
from bench.reading import COVERED, FIRST_SEED, Row, detector, shots
from bench.renderers.grey_levels import LEVELS
from tabletop.vision.detect.detection import Detection
from tabletop.vision.frame import Grey
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES
from tabletop.vision.tags.payloads import is_marker

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
READ, MISSED = (90, 170, 60), (40, 60, 220)
CELL = 150
ACROSS_SHEET = 8


def main() -> None:
    """Write both pictures."""
    row = Row("1080p", 15.0)
    (grey,), lying = shots(row, "hard", FIRST_SEED)
    reading = detector(row.side).detect(grey)
    hard = _outlined(grey, lying, reading)[330:870, 480:1440]
    cv2.imwrite(str(PICTURES / "reading-hard.jpg"), hard, [cv2.IMWRITE_JPEG_QUALITY, 82])
    cells = [_cell(grey, tag, _reason_at(tag, reading)) for tag in _missed(lying, reading)]
    for level in LEVELS:
        row = Row("1080p", cover=COVERED)
        (grey,), lying = shots(row, level, FIRST_SEED)
        reading = detector(row.side).detect(grey)
        cells += [_cell(grey, tag, _reason_at(tag, reading)) for tag in _missed(lying, reading)]
    cv2.imwrite(str(PICTURES / "reading-fails.png"), _sheet(cells[: 3 * ACROSS_SHEET]))


def _missed(lying: list[Lying], reading: Detection) -> list[Lying]:
    read = {sighting.payload for sighting in reading.sightings}
    return [tag for tag in lying if not is_marker(tag.payload) and tag.payload not in read]


def _reason_at(tag: Lying, reading: Detection) -> str:
    """Return the reason that was reported for the tag's place, if any."""
    if reading.plane is None:
        return "no plane"
    x, y = reading.plane.to_mm(tag.corners).mean(axis=0)
    near = [each.reason for each in reading.unreadable if dist(each.place, (x, y)) < tag.side / 2]
    return near[0] if near else "not noticed"


def _outlined(grey: Grey, lying: list[Lying], reading: Detection) -> np.ndarray:
    picture = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    read = {sighting.payload for sighting in reading.sightings}
    for tag in lying:
        colour = READ if tag.payload in read else MISSED
        middle = tag.corners.mean(axis=0)
        whole = middle + (tag.corners - middle) * TAG_MODULES / CODE_MODULES
        cv2.polylines(picture, [np.round(whole).astype(np.int32)], True, colour, 1, cv2.LINE_AA)
    return picture


def _cell(grey: Grey, tag: Lying, reason: str) -> np.ndarray:
    """Return a tag close up, with what was reported beneath."""
    middle = tag.corners.mean(axis=0)
    reach = float(np.abs(tag.corners - middle).max()) * 1.6
    near = cv2.getRectSubPix(grey, (round(2 * reach), round(2 * reach)), (float(middle[0]), float(middle[1])))
    cell = np.full((CELL + 22, CELL + 6), 255, np.uint8)
    cell[3 : CELL - 3, 6:CELL] = cv2.resize(near, (CELL - 6, CELL - 6), interpolation=cv2.INTER_NEAREST)
    cover = f", {100 * tag.covered:.0f} % covered" if tag.covered else ""
    cv2.putText(cell, f"{reason}{cover}", (6, CELL + 13), cv2.FONT_HERSHEY_SIMPLEX, 0.36, 0, 1, cv2.LINE_AA)
    return cell


def _sheet(cells: list[np.ndarray]) -> np.ndarray:
    empty = np.full_like(cells[0], 255)
    cells = cells + [empty] * (-len(cells) % ACROSS_SHEET)
    rows = [np.hstack(cells[start : start + ACROSS_SHEET]) for start in range(0, len(cells), ACROSS_SHEET)]
    return np.vstack(rows)


if __name__ == "__main__":
    main()
