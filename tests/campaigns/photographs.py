"""Photographs of tables that the program's own simulator could not have made, read by ``tabletop read`` alone.

``python -m tests.campaigns.photographs OUT [--tags 60] [--size 20] [--markers 4 0] [--seed 1]`` lays tags on tiles of
any colour, 0.3 to 5 mm thick, a little tilted, some touching, beside foreign codes and tiles that are turned
over, on wood, cloth, felt and printed mats, photographs them (:mod:`tests.campaigns.photographer`) into OUT, and prints
what was read.  A tag read under a wrong name is printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from tests.campaigns.photographer import LIGHTS, LINEAR, Camera, developed, standing

Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]

TABLE = (900.0, 700.0)
TILE = (36.0, 28.0)
ROUND = 300.0
"""Width of the ground shown around the table, mm."""
FINE = 8
"""px per mm of what is printed."""
CAMERAS = {"1080p": (1920, 1080), "2304": (2304, 1296), "4608": (4608, 2592), "4056": (4056, 3040)}
ASLANT = {"clean": 0.03, "moderate": 0.12, "hard": 0.16}
STRANGERS, TURNED_OVER = 4, 3
LETTERS = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A flat piece on the table: picture, middle (mm), turn (radians), thickness (mm), tilt, and its tag's name."""

    picture: Bytes
    size: tuple[float, float]
    middle: tuple[float, float]
    turn: float
    thick: float
    tilt: tuple[float, float]
    name: str = ""
    side: float = 0.0
    """Side of the tag's code without its quiet zone, mm."""

    def on_table(self, points: Array) -> Array:
        """Return points (…, 2) of the piece, mm from its middle, as points of the world (…, 3)."""
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        flat = points @ np.array([[cos, sin], [-sin, cos]]) + self.middle
        return np.concatenate([flat, (self.thick + points @ np.array(self.tilt))[..., None]], axis=-1)

    def outline(self, more: float = 0.0) -> Array:
        half = np.array(self.size) / 2 + more / 2
        return self.on_table(half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))

    def code(self) -> Array:
        return self.on_table(self.side / 2 * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]))


def ground(rng: np.random.Generator, width: float, height: float, res: int) -> Bytes:
    """Return a picture of wood, a checked cloth, felt or a printed mat, ``res`` px per mm."""
    size = (round(height * res), round(width * res))
    kind = rng.integers(4)
    if kind == 0:
        grain = np.sum([_cloud(rng, size, 300 / k * res, 8 / k * res) / k for k in (1, 2, 4, 8)], axis=0)
        light = rng.uniform(0.4, 1.3) * np.array((70, 120, 170)) * (1 + 0.15 * grain[..., None])
    elif kind == 1:
        y, x = np.indices(size) // round(rng.uniform(8, 24) * res)
        light = 245 - (245 - rng.uniform(20, 190, 3)) * ((x % 2 + y % 2) / 2)[..., None]
    elif kind == 2:
        light = rng.uniform(20, 120, 3) * (1 + 0.12 * rng.standard_normal((*size, 1)))
    else:
        # Each colour by itself, because a whole table takes much memory as floats.
        clouds = (sum(_cloud(rng, size, 60 / k * res, 60 / k * res) / k for k in (1, 2, 4, 8)) for _ in range(3))
        return np.stack([_bytes(np.asarray(110 + 30 * each)) for each in clouds], axis=-1)
    return _bytes(light)


def _bytes(light: Array) -> Bytes:
    return np.asarray(np.clip(light, 0, 255, out=light), dtype=np.uint8)


def _cloud(rng: np.random.Generator, size: tuple[int, int], wide: float, high: float) -> Array:
    few = rng.normal(size=(int(size[0] / high) + 4, int(size[1] / wide) + 4))
    return np.asarray(cv2.resize(few, size[::-1], interpolation=cv2.INTER_CUBIC), dtype=np.float64)


def laid(rng: np.random.Generator, prints: dict[str, Bytes], count: int, markers: int, side: float) -> list[Piece]:
    """Return pieces that do not overlap; ``prints`` are tags with their quiet zone, by name."""
    corners = [(60, 60), (840, 640), (840, 60), (60, 640)][:markers]
    marks = rng.permutation([name for name in prints if name.startswith("TT:")])[:markers]
    names = rng.permutation([name for name in prints if not name.startswith("TT:")])[:count]
    printed = rng.uniform(0.96, 1.03)
    taken = np.zeros((round(TABLE[1]), round(TABLE[0])), np.uint8)
    pieces = []
    for name, (x, y) in zip(marks, corners, strict=True):
        middle = (x + rng.uniform(-15, 15), y + rng.uniform(-15, 15))
        pieces.append(_bare(rng, prints[name], 40.0 * printed, middle, name))
        _free(taken, pieces[-1], 1)
    for name in [*names, *["a stranger"] * STRANGERS, *[""] * TURNED_OVER]:
        for _ in range(300):
            middle = (rng.uniform(25, TABLE[0] - 25), rng.uniform(25, TABLE[1] - 25))
            stranger = name == "a stranger"
            tag = _stranger(rng) if stranger else prints.get(name)
            size = side * printed
            known = "" if stranger else str(name)
            if tag is not None and rng.random() < 0.3:
                piece = _bare(rng, tag, size, middle, known)
            else:
                piece = _tile(rng, tag, size, middle, known)
            if _free(taken, piece, -0.5 if rng.random() < 0.4 else 2.0):
                pieces.append(piece)
                break
    return pieces


def _bare(rng: np.random.Generator, tag: Bytes, side: float, middle: tuple[float, float], name: str) -> Piece:
    return Piece(_coloured(tag, side), (side, side), middle, _turn(rng), 0.3, (0, 0), name, side * 21 / 25)


def _tile(rng: np.random.Generator, tag: Bytes | None, side: float, middle: tuple[float, float], name: str) -> Piece:
    width, height = max(TILE[0], side + 4), max(TILE[1], side + 4)
    face = ground(rng, width, height, FINE)
    if tag is not None:
        sticker = _coloured(tag, side)
        top, left = ((outer - inner) // 2 for outer, inner in zip(face.shape, sticker.shape[:2], strict=False))
        face[top : top + sticker.shape[0], left : left + sticker.shape[1]] = sticker
    tilt = (abs(rng.normal()) * 0.006, abs(rng.normal()) * 0.006)
    return Piece(face, (width, height), middle, _turn(rng), rng.uniform(0.3, 5), tilt, name, side * 21 / 25)


def _turn(rng: np.random.Generator) -> float:
    return rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2 + rng.normal() * 0.06


def _coloured(tag: Bytes, side: float) -> Bytes:
    size = round(side * FINE)
    colour = cv2.cvtColor(cv2.resize(tag, (size, size), interpolation=cv2.INTER_AREA), cv2.COLOR_GRAY2BGR)
    return np.asarray(colour, dtype=np.uint8)


def _stranger(rng: np.random.Generator) -> Bytes:
    text = "".join(rng.choice(LETTERS, rng.integers(6, 16)))
    modules = np.array([[*row] for row in segno.make(text, version=1, micro=False, boost_error=False).matrix])
    return np.kron(np.pad(1 - modules, 2, constant_values=1) * 255, np.ones((8, 8))).astype(np.uint8)


def _free(taken: Bytes, piece: Piece, apart: float) -> bool:
    """Occupy a piece's place; return whether it was free and lies on the table."""
    outline = piece.outline(apart)[:, :2]
    if outline.min() < 4 or (outline > np.array(TABLE) - 4).any():
        return False
    mask = np.zeros_like(taken)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
    free = not (mask & taken).any()
    if free:
        taken |= mask
    return free


def seen(camera: Camera, pieces: list[Piece], under: Bytes, res: int, finer: int) -> NDArray[np.float32]:
    """Return the light that falls on each pixel of a camera, from ``finer`` rays along each of its sides."""
    y, x = (np.indices((camera.height * finer, camera.width * finer)) + 0.5) / finer - 0.5
    drops = camera.drops(x, y).astype(np.float32)
    place = camera.place.astype(np.float32)
    at = ((place[:2] + place[2] * drops + ROUND) * res - 0.5).astype(np.float32)
    light = LINEAR[cv2.remap(under, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)]
    for piece in pieces:
        foot = piece.outline() * (1, 1, 0) + (0.5 * piece.thick, 0.3 * piece.thick, 0)
        hull = cv2.convexHull((camera.px(np.concatenate([piece.outline(), foot])) * finer).astype(np.float32))[:, 0]
        left, top = np.clip(np.floor(hull.min(axis=0)).astype(int) - 2, 0, None)
        right, bottom = np.ceil(hull.max(axis=0)).astype(int) + 3
        part = (slice(top, bottom), slice(left, right))
        shadow = np.zeros(light[part].shape[:2], np.float32)
        cv2.fillConvexPoly(shadow, np.round(hull - (left, top)).astype(np.int32), 0.6)
        light[part] *= (1 - shadow)[..., None]
        high = np.float32(piece.thick)
        for _ in range(3):
            on = place[:2] + (place[2] - high)[..., None] * drops[part] - np.array(piece.middle, np.float32)
            cos, sin = np.cos(piece.turn), np.sin(piece.turn)
            own = (on @ np.array([[cos, -sin], [sin, cos]])).astype(np.float32)
            high = piece.thick + own @ np.array(piece.tilt, np.float32)
        fine = ((own + np.array(piece.size, np.float32) / 2) * FINE - 0.5).astype(np.float32)
        colour = LINEAR[cv2.remap(piece.picture, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR)]
        inside = (np.abs(own) < np.array(piece.size) / 2).all(axis=-1)
        light[part][inside] = colour[inside]
    if finer > 1:
        light = cv2.resize(light, (camera.width, camera.height), interpolation=cv2.INTER_AREA)
    return np.asarray(light, dtype=np.float32)


def judged(line: dict[str, Any], camera: Camera, pieces: list[Piece]) -> tuple[int, list[str], list[float]]:
    """Return how many tags were read, those read under a wrong name, and how far off the tags' middles are, mm."""
    true = {piece.name.partition(":")[2].lower(): camera.px(piece.code()) for piece in pieces if piece.name}
    off, wrong = [], []
    for tag in line["tags"]:
        corners = true.get(tag["id"].lower())
        side = 0.0 if corners is None else float(np.linalg.norm(corners[1] - corners[0]))
        far = (
            np.inf if corners is None else float(np.hypot(*(np.mean(tag["corners"], axis=0) - corners.mean(axis=0)).T))
        )
        if far > side / 2 or tag["set"]:
            wrong.append(f"{tag['id']} at {np.mean(tag['corners'], axis=0).round()}")
        else:
            mm = next(piece.side for piece in pieces if piece.name.partition(":")[2].lower() == tag["id"].lower())
            off.append(far / side * mm)
    return len(off), wrong, off


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tags", type=int, default=60)
    parser.add_argument("--size", type=float, default=20.0)
    parser.add_argument("--markers", type=int, nargs="*", default=[4, 0])
    parser.add_argument("--cameras", nargs="*", default=[*CAMERAS], choices=CAMERAS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    tabletop = [sys.executable, "-m", "tabletop"]
    subprocess.run([*tabletop, "tags", "--game", "palazzo", "--png", str(asked.out / "tags")], check=True)
    listed = json.loads(subprocess.check_output([*tabletop, "tags", "--game", "palazzo", "--list", "--json"]))
    prints = {
        each["payload"]: np.asarray(
            cv2.imread(str(asked.out / "tags" / f"{each['id']}.png"), cv2.IMREAD_GRAYSCALE), dtype=np.uint8
        )
        for each in listed
    }
    faults = 0
    print("| camera | light | markers | read | off, mm (median) | ms | wrong |\n|---|---|---|---|---|---|---|")
    for name in asked.cameras:
        for kind, light in LIGHTS.items():
            for markers in asked.markers:
                rng = np.random.default_rng([asked.seed, len(kind), markers, *CAMERAS[name]])
                camera = standing(rng, CAMERAS[name], TABLE, rng.uniform(0, ASLANT[kind]))
                pieces = laid(rng, prints, asked.tags, markers, asked.size)
                under = ground(rng, TABLE[0] + 2 * ROUND, TABLE[1] + 2 * ROUND, 4)
                scene = seen(camera, pieces, under, 4, 2 if camera.width < 3000 else 1)
                path = asked.out / f"{name}-{kind}-{markers}.jpg"
                cv2.imwrite(str(path), developed(scene, light, rng), [cv2.IMWRITE_JPEG_QUALITY, light.quality])
                line = json.loads(
                    subprocess.run([*tabletop, "read", str(path)], capture_output=True, check=False).stdout
                )
                count, wrong, off = judged(line, camera, pieces)
                faults += len(wrong)
                there = sum(bool(piece.name) for piece in pieces)
                median = f"{np.median(off):.2f}" if off else "–"
                print(f"| {name} | {kind} | {markers} | {count} of {there} | {median} | {line['ms']:.0f} | {wrong} |")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
