"""Final tables in photographs that nobody should take but somebody will: is each score right or marked as doubtful?

``python -m tests.campaigns.odd_photographs [--cases 12] [--of burnt screen …] [--seed 1] [--out DIR]`` lays final
tables (:mod:`tests.campaigns.final_tables`) with nothing hidden. ``burnt``: paper is overexposed. ``screen``: a
photograph of a screen that shows the photograph. ``collage``: two tables in one picture. ``both sides``: one table
from two sides in one picture. ``panorama``: bent, with seams at which strips are lost, repeated or moved.
``preview``: the small picture that goes with a live photograph. ``wide``: at the edge of the view of a telephone's wide
lens. ``stacked``: the upper tiles of a palazzo lie over half of the tag below them. ``turned``: a tile of a palazzo is
turned by a quarter or upside down. Each case is printed with its verdict and its processor time; the exit status is 1
if one was silently wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from tabletop.rules.palazzo import GAME
from tabletop.vision.score.score import Score
from tabletop.vision.tags import payloads
from tests.campaigns.final_tables import AREA, SIZE, Case, FinalTable, laid_out, options, run, verdict
from tests.campaigns.photographer import LIGHTS, Camera, developed, standing, turned
from tests.campaigns.photographs import Bytes, seen

SEAM = 26
"""Most px by which a panorama's parts may be misplaced, about a third of a tile."""

PUSHED_MM = (11.0, 17.5)
"""How far the upper tiles of a palazzo are pushed down, mm; any further and they would hide more than half of a tag."""


def pictured(rng: np.random.Generator, table: FinalTable, camera: Camera | None = None, exposure: float = 1.0) -> Bytes:
    """Return a photograph of a table, its light multiplied by ``exposure``."""
    camera = camera or standing(rng, SIZE, AREA, rng.uniform(0, 0.5))
    kind = LIGHTS[str(rng.choice(["clean", "moderate"]))]
    light = seen(camera, table.pieces, table.under, 4, 1)
    return packed(developed(light * np.float32(exposure), kind, rng), kind.quality)


def packed(picture: Bytes, quality: int) -> Bytes:
    """Return a picture after JPEG compression."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def burnt(rng: np.random.Generator, table: FinalTable) -> Bytes:
    return pictured(rng, table, exposure=rng.uniform(1.3, 3.5))


def on_screen(rng: np.random.Generator, table: FinalTable) -> Bytes:
    """Return a photograph of a screen whose pixels are three coloured bars each: they make moiré in the picture."""
    shown = cv2.resize(pictured(rng, table), (1600, 1200), interpolation=cv2.INTER_AREA)
    bars = np.zeros((3600, 4800, 3), np.float32)
    big = (np.kron(shown.astype(np.float32) / 255, np.ones((3, 3, 1), np.float32))) ** 2.2
    for channel in range(3):
        bars[:, 2 - channel :: 3, channel] = big[:, 2 - channel :: 3, channel]
    bars[2::3] *= 0.5
    width, height = SIZE
    corners = np.array(((0, 0), (4800, 0), (4800, 3600), (0, 3600)), np.float32)
    inset = rng.uniform(0.01, 0.06, (4, 2)) * np.array(((1, 1), (-1, 1), (-1, -1), (1, -1)))
    goal = (np.array(((0, 0), (1, 0), (1, 1), (0, 1))) + inset) * np.array((2.0 * width, 2.0 * height))
    there = cv2.getPerspectiveTransform(corners, goal.astype(np.float32))
    fine = cv2.warpPerspective(bars, there, (2 * width, 2 * height), flags=cv2.INTER_LINEAR)
    light = cv2.resize(fine, SIZE, interpolation=cv2.INTER_AREA) * np.float32(rng.uniform(1.6, 2.4)) + np.float32(0.01)
    return packed(developed(np.asarray(light, np.float32), LIGHTS["clean"], rng), 88)


def side_by_side(rng: np.random.Generator, first: Bytes, second: Bytes) -> Bytes:
    """Return two pictures side by side or one above the other, as one picture of the usual size."""
    axis = int(rng.integers(2))
    both = np.concatenate((first, second), axis=axis)
    size = (SIZE[0], round(SIZE[0] * both.shape[0] / both.shape[1]))
    return packed(np.asarray(cv2.resize(both, size, interpolation=cv2.INTER_AREA), np.uint8), 90)


def both_sides(rng: np.random.Generator, table: FinalTable) -> Bytes:
    return side_by_side(rng, pictured(rng, table), pictured(rng, table))


def collage(rng: np.random.Generator, table: FinalTable) -> Bytes:
    return side_by_side(rng, pictured(rng, table), pictured(rng, laid_out(rng)))


def panorama(rng: np.random.Generator, table: FinalTable) -> Bytes:
    """Return a picture bent as on a cylinder, in parts that do not quite meet and differ in brightness."""
    picture = pictured(rng, table)
    height, width = picture.shape[:2]
    focal = width * rng.uniform(0.8, 1.6)
    reach = float(np.arctan(width / 2 / focal))
    y, x = np.indices((height, width), np.float32)
    angle = (x / width * 2 - 1) * reach
    bright = np.ones(width, np.float32)
    off = np.zeros((2, width), np.float32)
    for at in np.sort(rng.uniform(0.1, 0.9, int(rng.integers(1, 5)))) * width:
        past = np.clip((np.arange(width) - at) / rng.uniform(2, 30), 0, 1)
        off += past * rng.uniform(-SEAM, SEAM, (2, 1)).astype(np.float32) * np.array(((1.0,), (0.4,)), np.float32)
        bright *= 1 + past.astype(np.float32) * np.float32(rng.uniform(-0.12, 0.12))
    mapped_x = (np.tan(angle) * focal + width / 2 + off[0]).astype(np.float32)
    mapped_y = ((y - height / 2) / np.cos(angle) + height / 2 + off[1]).astype(np.float32)
    bent = cv2.remap(picture, mapped_x, mapped_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return packed(np.clip(bent * bright[:, None], 0, 255).astype(np.uint8), 88)


def preview(rng: np.random.Generator, table: FinalTable) -> Bytes:
    size = (int(rng.choice((320, 480, 640, 960, 1280))), 0)
    small = cv2.resize(pictured(rng, table), (size[0], size[0] * 3 // 4), interpolation=cv2.INTER_AREA)
    return packed(np.asarray(small, np.uint8), int(rng.integers(50, 86)))


def wide(rng: np.random.Generator, table: FinalTable) -> Bytes:
    """Return a picture from a wide lens that looks past the table, just high enough to see all of it."""
    width, height = SIZE
    way, aslant = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.5)
    turn = turned((np.cos(way), np.sin(way), 0), aslant) @ np.diag((1.0, 1.0, -1.0))
    middle = np.array((AREA[0] / 2, AREA[1] / 2))
    corners = np.array([(x, y, 0.0) for x in (0, AREA[0]) for y in (0, AREA[1])])
    focal, strength = width * rng.uniform(0.38, 0.5), rng.uniform(0, 0.3)
    high = 250.0
    while True:
        camera = Camera(width, height, focal, turn, np.array((*middle, high)), "fisheye", strength)
        px = camera.px(corners)
        if (px > 4).all() and (px < np.array(SIZE) - 4).all():
            return pictured(rng, table, camera)
        high *= 1.02


def tallest(table: FinalTable) -> list[str]:
    """Return the payloads of the palazzo with the most tiles, from the bottom up."""
    every = [column for columns in table.built.values() for column in columns]
    return [payloads.payload_of(GAME, tile) for tile in max(every, key=len)]


def stacked(rng: np.random.Generator, table: FinalTable) -> Bytes:
    column, down = tallest(table), np.array((0.0, rng.uniform(*PUSHED_MM)))
    upper = column[int(rng.integers(min(1, len(column) - 1), len(column))) :]
    pushed = {
        each.name: replace(each, middle=tuple(each.on_table(down)[:2].tolist()), thick=2 * each.thick)
        for each in table.pieces
        if each.name in upper
    }
    return pictured(rng, replace(table, pieces=[pushed.get(each.name, each) for each in table.pieces]))


def turned_tile(rng: np.random.Generator, table: FinalTable) -> Bytes:
    name, turn = str(rng.choice(tallest(table))), float(rng.choice((-1, 1, 2))) * np.pi / 2
    pieces = [replace(each, turn=each.turn + turn) if each.name == name else each for each in table.pieces]
    return pictured(rng, replace(table, pieces=pieces))


ODD: dict[str, Callable[[np.random.Generator, FinalTable], Bytes]] = {
    "burnt": burnt,
    "screen": on_screen,
    "collage": collage,
    "both sides": both_sides,
    "panorama": panorama,
    "preview": preview,
    "wide": wide,
    "stacked": stacked,
    "turned": turned_tile,
}


def judged(found: Score, case: Case) -> str:
    """Return the verdict on a case; a collage of two tables must not get a sound score."""
    return "SOUND AND WRONG" if case.what == "collage" and found.sound else verdict(found, case)


def main() -> int:
    asked = options(__doc__, ODD, 12).parse_args()

    def make(kind: str, number: int) -> Case:
        rng = np.random.default_rng([asked.seed, number, *kind.encode()])
        table = laid_out(rng)
        return Case([ODD[kind](rng, table)], table, set(), kind)

    return run(asked, make, judged, ("SOUND", "UNTOLD"))


if __name__ == "__main__":
    sys.exit(main())
