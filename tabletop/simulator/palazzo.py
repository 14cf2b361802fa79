"""Draws the faces of Palazzo's pieces for the simulated table: tiles of three materials, cards of three currencies."""

from __future__ import annotations

import random

import cv2
import numpy as np

from tabletop.rules.table import Size
from tabletop.simulator.camera.drawing import BLACK, PAPER, Ink, blank, darker, write
from tabletop.vision.frame import Colour

MATERIALS: dict[str, tuple[Ink, Ink]] = {
    "B": ((52, 72, 150), (88, 110, 176)),
    "S": ((120, 176, 210), (96, 146, 184)),
    "M": ((214, 216, 214), (182, 184, 188)),
    "E": ((96, 120, 70), (70, 96, 60)),
}
"""Inks of the face and the grain of brick, sandstone and marble tiles, and of end tiles."""
CURRENCIES: dict[str, Ink] = {"R": (62, 56, 184), "N": (58, 92, 128), "G": (72, 142, 76), "C": (120, 110, 96)}


def face(piece: str, kind: str, size: Size, rng: random.Random) -> Colour | None:
    """Return the face of a piece, None for a plain one."""
    if ":" in piece:  # a stray thing, named by its payload
        return None
    if kind in ("tile", "end") and piece[0] in MATERIALS:
        return _tile(piece, size, rng)
    return _card(piece, size) if kind in ("money", "start") and piece[0] in CURRENCIES else None


def _tile(piece: str, size: Size, rng: random.Random) -> Colour:
    face, grain = MATERIALS.get(piece[0], MATERIALS["E"])
    picture = blank(size.width, size.height, face)
    _grain(picture, piece[0], grain, rng)
    h, w = picture.shape[:2]
    cv2.rectangle(picture, (3, 3), (w - 4, h - 4), darker(face), 6, cv2.LINE_AA)
    if piece[0] == "E":
        write(picture, "END", (12, h // 2), 1.6, PAPER, 4)
        return picture
    floor, windows = int(piece[1]), int(piece[3])
    write(picture, str(floor), (16, 76), 2.6, BLACK, 6)
    for number in range(windows):
        y = 30 + number * 84
        cv2.rectangle(picture, (w - 62, y), (w - 22, y + 62), (70, 60, 50), -1, cv2.LINE_AA)
        cv2.rectangle(picture, (w - 56, y + 6), (w - 28, y + 56), (196, 184, 140), -1, cv2.LINE_AA)
        cv2.line(picture, (w - 42, y + 6), (w - 42, y + 56), (70, 60, 50), 4)
    return picture


def _grain(picture: Colour, material: str, ink: Ink, rng: random.Random) -> None:
    h, w = picture.shape[:2]
    if material == "B":
        for row, y in enumerate(range(0, h, 35)):
            cv2.line(picture, (0, y), (w, y), ink, 4)
            for x in range(20 * (row % 2), w, 70):
                cv2.line(picture, (x, y), (x, y + 35), ink, 4)
    elif material == "S":
        for _ in range(160):
            at = (rng.randrange(w), rng.randrange(h))
            cv2.circle(picture, at, rng.randrange(2, 6), ink, -1, cv2.LINE_AA)
    else:
        for _ in range(7):
            points = np.array([(x, rng.randrange(h)) for x in range(0, w + 60, 60)], np.int32)
            cv2.polylines(picture, [points], False, ink, 3, cv2.LINE_AA)


def _card(piece: str, size: Size) -> Colour:
    ink = CURRENCIES.get(piece[0], CURRENCIES["C"])
    picture = blank(size.width, size.height, PAPER)
    h, w = picture.shape[:2]
    cv2.rectangle(picture, (0, 0), (w, h), ink, 36)
    cv2.ellipse(
        picture, (w // 2, h - 210), (150, 120), 0, 0, 360, tuple(min(255, c + 60) for c in ink), -1, cv2.LINE_AA
    )
    for radius in range(30, 150, 24):
        cv2.ellipse(picture, (w // 2, h - 210), (radius, radius * 4 // 5), 0, 0, 360, ink, 5, cv2.LINE_AA)
    write(picture, piece[1], (w - 122, 128), 3.6, ink, 10)
    write(picture, piece[1], (w // 2 - 48, h - 170), 4.6, BLACK, 12)
    return picture
