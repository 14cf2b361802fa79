"""Palazzi partly under hands, sleeves, cups and paper on busy grounds: is each hidden tag reported, and no other?

``python -m tests.campaigns.covered [--cases 60] [--photos WHERE] [--seed 1] [--out DIR]`` lays the palazzi of one seat,
without any marker, on wood, cloth, felt, printed mats, coloured patches or the photographs in WHERE, covers
two in three, photographs them (:mod:`tests.campaigns.photographer`) and scores the picture.  This is harsher than life:
hands lie still, cups stand on tiles.  Each case is printed with its verdict; the exit status is 1 if one was silently
wrong.  ``--out`` keeps the pictures.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from bench.grounds import grounds_of
from bench.public_sets import WHERE
from tabletop.rules.palazzo import GAME
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import read_photo
from tabletop.vision.score.palazzo import PalazzoTally, judge
from tabletop.vision.score.score import Score, score
from tabletop.vision.tags import patterns, payloads
from tests.campaigns.photographer import LIGHTS, Camera, developed, standing
from tests.campaigns.photographs import FINE, ROUND, TILE, Array, Bytes, Piece, ground, seen

SIZE = (1920, 1440)
AREA = (330.0, 250.0)
"""Width and height of the part of the table that is certain to be in the picture, mm."""
GROUNDS = ("ground", "patches", "photograph")
COVERS = ("hand", "sleeve", "cup", "paper")
WIDE = {"hand": 30.0, "sleeve": 75.0, "cup": 62.0, "paper": 90.0, "telephone": 150.0, "finger": 17.0}
HIGH = {"hand": 25.0, "sleeve": 40.0, "cup": 30.0, "paper": 3.0, "telephone": 8.0, "finger": 12.0}
FAR = 200.0
"""How far an arm reaches into the picture, mm."""
SKIN = np.array(((0.10, 0.20, 0.42), (0.28, 0.42, 0.68), (0.03, 0.06, 0.14)))
LEAST_PX = 300
"""Least side of a photograph that is used as a ground, px: a smaller one has no detail as fine as a real table."""
HIDDEN = 0.35
"""Covered share of a tag from which it may stay unread."""

Mask = NDArray[np.bool_]


def built(rng: np.random.Generator) -> list[tuple[str, ...]]:
    """Return the tiles of two to four palazzi that the rules allow."""
    left = [str(tile) for tile in rng.permutation([tile for tile in GAME.pieces if tile[0] in "BSM" and "." in tile])]
    palazzi = []
    for _ in range(rng.integers(2, 5)):
        floors = np.sort(rng.choice(np.arange(1, 6), rng.integers(1, 6), replace=False))
        column = [next(tile for tile in left if tile[1] == str(floor)) for floor in floors]
        left = [tile for tile in left if tile not in column]
        palazzi.append(tuple(column))
    return palazzi


def stood(rng: np.random.Generator, palazzi: list[tuple[str, ...]]) -> list[Piece]:
    """Return the tiles of palazzi side by side, about as straight as a person lays them."""
    turn, pieces = rng.normal() * 0.06, []
    right, up = np.array((np.cos(turn), np.sin(turn))), np.array((np.sin(turn), -np.cos(turn)))
    foot = np.array((70.0, AREA[1] - 55))
    for tiles in palazzi:
        for floor, tile in enumerate(tiles):
            place = foot + right * rng.normal() + up * (floor * 28.6 + 0.3 * rng.normal())
            sticker = patterns.draw(patterns.pattern(payloads.payload_of(GAME, tile)), 8)
            side = round(20 * FINE)
            face = ground(rng, *TILE, FINE)
            top, left = (face.shape[0] - side) // 2, (face.shape[1] - side) // 2
            small = cv2.resize(sticker, (side, side), interpolation=cv2.INTER_AREA)
            face[top : top + side, left : left + side] = small[..., None]
            middle = (float(place[0]), float(place[1]))
            pieces.append(Piece(face, TILE, middle, turn + rng.normal() * 0.03, 2.2, (0, 0), tile, 20 * 21 / 25))
        foot = foot + right * (TILE[0] + rng.uniform(2, 14))
    return pieces


def table(rng: np.random.Generator, kind: str, photos: list[Path]) -> Bytes:
    """Return a picture of the ground under the tiles, 4 px per mm, with a margin around the table."""
    width, height = (side + 2 * ROUND for side in AREA)
    if kind == "photograph" and photos:
        photo = colours(photos[rng.integers(len(photos))])
        return np.asarray(
            cv2.resize(photo, (round(4 * width), round(4 * height)), interpolation=cv2.INTER_CUBIC), np.uint8
        )
    if kind == "patches":
        y, x = np.indices((round(height * 2), round(width * 2)))
        middles = rng.uniform(0, 1, (220, 2)) * (width * 2, height * 2)
        near = np.full(y.shape, np.inf)
        print_ = np.zeros((*y.shape, 3), np.uint8)
        for place in middles:
            off = (x - place[0]) ** 2 + (y - place[1]) ** 2
            print_[off < near] = rng.integers(20, 235, 3)
            near = np.minimum(near, off)
        return np.asarray(cv2.resize(print_, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST), np.uint8)
    return ground(rng, width, height, 4)


def colours(photo: Path) -> Bytes:
    """Return a photograph's pixels, channels in the order blue, green, red."""
    return np.asarray(Image.open(photo).convert("RGB"), np.uint8)[..., ::-1].copy()


def outlines(rng: np.random.Generator, kind: str, target: Array) -> list[Array]:
    """Return the outlines, mm, of a cover near a place: one convex polygon for each of its parts."""
    way = rng.uniform(0, 2 * np.pi)
    along, across = np.array((np.cos(way), np.sin(way))), np.array((-np.sin(way), np.cos(way)))
    target = target + rng.normal(0, 12, 2)
    if kind == "cup":
        ring = np.linspace(0, 2 * np.pi, 40)
        return [target + WIDE[kind] / 2 * np.stack([np.cos(ring), np.sin(ring)], axis=1)]
    if kind in ("paper", "telephone"):
        half = np.array((WIDE[kind], WIDE[kind] * rng.uniform(0.5, 1) if kind == "paper" else 72.0)) / 2
        return [target + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ np.stack([along, across])]
    if kind in ("sleeve", "finger"):
        ends = [target - along * (rng.uniform(20, 120) if kind == "sleeve" else 5), target + along * FAR]
        return [_band(ends[0], ends[1], across, WIDE[kind])]
    palm = target + along * 45
    fingers = [
        _band(
            palm + across * (18 * number), target - along * (35 - 9 * abs(number)) + across * (24 * number), across, 18
        )
        for number in (-1.5, -0.5, 0.5, 1.5)
    ]
    ring = np.linspace(0, 2 * np.pi, 30)
    hand = palm + np.cos(ring)[:, None] * 46 * along + np.sin(ring)[:, None] * 42 * across
    return [*fingers, hand, _band(palm, palm + along * FAR, across, 62)]


def _band(start: Array, end: Array, across: Array, wide: float) -> Array:
    return np.array(
        [start - across * wide / 2, start + across * wide / 2, end + across * wide / 2, end - across * wide / 2]
    )


def covered(rng: np.random.Generator, light: NDArray[np.float32], camera: Camera, kind: str, target: Array) -> Mask:
    """Paint a cover and its shadow into the light that falls on a camera's pixels; return the mask of the cover."""
    parts = outlines(rng, kind, target)

    def painted(high: float, aside: float) -> Bytes:
        mask = np.zeros(light.shape[:2], np.uint8)
        for part in parts:
            px = camera.px(np.column_stack([part + aside, np.full(len(part), high)]))
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round(px).astype(np.int32)), 255)
        return mask

    mask = painted(HIGH[kind], 0.0)
    shadow = cv2.GaussianBlur(painted(0.0, 0.5 * HIGH[kind]), (0, 0), 6).astype(np.float32) / 255
    light *= (1 - 0.5 * shadow)[..., None]
    colour = rng.choice(SKIN) if kind in ("hand", "finger") else rng.uniform(0.03, 0.75, 3)
    cloud = cv2.resize(rng.normal(1, 0.12, (24, 32)), light.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    rounded = np.clip(cv2.distanceTransform(mask, cv2.DIST_L2, 3) / 40, 0.55 if kind != "paper" else 1, 1)
    there = mask > 0
    light[there] = (colour * (cloud * rounded)[..., None])[there]
    if kind == "cup" and rng.random() < 0.5:
        # A pale rim around a cover that is as dark as its shadow.
        rim = there & (
            cv2.erode(mask, np.ones((3, 3), np.uint8), iterations=max(1, round(4 * camera.focal / 1e3))) == 0
        )
        light[rim] = np.float32(rng.uniform(0.5, 0.85))
    return np.asarray(there)


def hidden(camera: Camera, piece: Piece, cover: Mask) -> float:
    """Return the share of a piece's tag that a cover hides."""
    tag = np.zeros(cover.shape, np.uint8)
    cv2.fillConvexPoly(tag, np.round(camera.px(piece.code())).astype(np.int32), 1)
    return float(cover[tag > 0].mean()) if tag.any() else 1.0


def verdict(found: Score, palazzi: list[tuple[str, ...]]) -> str:
    """Return the verdict on a score, compared with what was built."""
    told = sorted(palazzo.tiles for seat in found.seats for palazzo in seat.palazzi)
    sure = bool(found.seats) and all(seat.sure for seat in found.seats) and not found.unread
    if told == sorted(palazzi):
        return "right" if sure else "right, in doubt"
    points = sum(seat.points for seat in found.seats)
    return "in doubt" if not sure else f"SILENT {points} for {sum(judge(each).points or 0 for each in palazzi)}"


def photographed(
    rng: np.random.Generator, ground_kind: str, light_kind: str, cover: str, photos: list[Path]
) -> tuple[Bytes, list[tuple[str, ...]], list[str]]:
    """Return a photograph, the palazzi in it, and the tiles whose tags the cover hides."""
    palazzi = built(rng)
    pieces = stood(rng, palazzi)
    camera = standing(rng, SIZE, AREA, rng.uniform(0, 0.7))
    light = seen(camera, pieces, table(rng, ground_kind, photos), 4, 1)
    under: list[str] = []
    if cover:
        mask = covered(rng, light, camera, cover, np.array(pieces[rng.integers(len(pieces))].middle))
        under = [piece.name for piece in pieces if hidden(camera, piece, mask) > HIDDEN]
    return developed(light, LIGHTS[light_kind], rng), palazzi, under


def understood(picture: Bytes) -> Score:
    """Return the score read from a photograph."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return score([read_photo(Picture("", grey, picture), Kit(GAME), tally=PalazzoTally())], GAME, PalazzoTally())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--photos", metavar="WHERE", help=f"photographs to lie on: {WHERE}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    photos = grounds_of(asked.photos) if asked.photos is not None else []
    photos = [path for path in photos if min(Image.open(path).size) >= LEAST_PX]
    grounds = GROUNDS if photos else GROUNDS[:2]
    counts: dict[str, Counter[str]] = {"nothing hidden": Counter(), "tags hidden": Counter()}
    for case in range(asked.cases):
        rng = np.random.default_rng([asked.seed, case])
        ground_kind, light_kind = grounds[case // 3 % len(grounds)], str(rng.choice([*LIGHTS]))
        cover = "" if case % 3 == 0 else COVERS[(2 * (case // 9) + case % 3) % len(COVERS)]
        picture, palazzi, under = photographed(rng, ground_kind, light_kind, cover, photos)
        if asked.out is not None:
            asked.out.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(asked.out / f"{case}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, LIGHTS[light_kind].quality])
        found = understood(picture)
        said = verdict(found, palazzi)
        counts["tags hidden" if under else "nothing hidden"][
            said.split()[0] if said.startswith("SILENT") else said
        ] += 1
        reasons = dict(Counter(unread.reason for _, unread in found.unread))
        over = f"{cover} over {' '.join(under) or 'no tag'}" if cover else "bare"
        print(f"{case}: {ground_kind}, {light_kind}, {over}: {said} {reasons}", flush=True)
    for what, each in counts.items():
        print(f"{what}: {', '.join(f'{count} {said}' for said, count in sorted(each.items()))}")
    return 1 if any("SILENT" in each for each in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
