"""Draws printed things (tiles, cards, zone cards, stickers) in true proportions.

A :class:`PrintedThing` is linear reflectance on a grid of ``density`` px per mm.  Everything is drawn larger in
ordinary 8-bit colours and then averaged down, so that no edge is crisper than ink on paper.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules.game import Game
from tabletop.rules.registry import Layer
from tabletop.rules.table import Size, Zone
from tabletop.simulator.camera.lens import Floats
from tabletop.vision.frame import Colour

PX_PER_MM = 10
"""The resolution at which pieces are drawn before they are averaged down."""
MIN_FACE_MARGIN_MM = 5.0
"""A piece that is larger than its tag by less than this, both sides together, is drawn as white paper."""
MIN_FRAME_MARGIN_MM = 6.0
"""A face that is larger than its tag by more than this has a frame; on a smaller one the frame would touch the tag."""
MARKER_MM = 40.0
"""Side of a zone card's marker with its quiet zone."""
ZONE_EDGE_MM = 24.0
"""How far a zone card reaches from its marker's centre on the sides that have no area."""

Ink = tuple[int, int, int]
Modules = NDArray[np.bool_]
"""A tag's square of modules with its quiet zone, True for dark ones."""
Pattern = Callable[[str], Modules]
"""Payload → its modules."""

PAPER: Ink = (228, 236, 238)
BLACK: Ink = (34, 32, 32)
COLOURS: dict[str, Ink] = {
    "black": (46, 44, 44),
    "white": (222, 228, 230),
    "red": (52, 50, 186),
    "yellow": (70, 196, 226),
    "blue": (172, 96, 52),
}
"""The inks of the named colours of pieces."""
BACKS: dict[str, Ink] = {"tile": (92, 106, 122), "card": (128, 86, 60)}


class PrintedThing(NamedTuple):
    """A flat printed thing, its top towards smaller rows.

    ``reflects`` is linear reflectance (h, w, 3), ``covers`` the coverage, 1 on the thing and 0 beside it (h, w);
    ``width`` and ``height`` are in mm; ``gloss`` is how much of the lamp it mirrors, 0 … 1; ``round`` is True for a
    disc.
    """

    reflects: Floats
    covers: Floats
    density: float
    width: float
    height: float
    gloss: float
    round: bool = False


def finished(
    picture: Colour, size: tuple[float, float], density: float, gloss: float, round_mm: float = 1.0
) -> PrintedThing:
    """Return a picture as a print of ``size`` mm with corners of radius ``round_mm``: a disc at half its width."""
    width, height = round(size[0] * density), round(size[1] * density)
    mask = np.zeros(picture.shape[:2], np.uint8)
    scale = picture.shape[1] / size[0]
    _rounded(mask, 255, max(1, round(round_mm * scale)))
    covers = mask.astype(np.float32) / 255
    linear = picture.astype(np.float32)
    linear *= linear
    linear *= covers[..., None] / np.float32(255**2)
    return PrintedThing(
        cv2.resize(linear, (width, height), interpolation=cv2.INTER_AREA),  # type: ignore[arg-type]
        cv2.resize(covers, (width, height), interpolation=cv2.INTER_AREA),  # type: ignore[arg-type]
        density,
        *size,
        gloss,
        round_mm >= size[0] / 2,
    )


def _rounded(mask: Colour, value: int, radius: int) -> None:
    h, w = mask.shape[:2]
    cv2.rectangle(mask, (radius, 0), (w - 1 - radius, h - 1), value, -1)
    cv2.rectangle(mask, (0, radius), (w - 1, h - 1 - radius), value, -1)
    for x in (radius, w - 1 - radius):
        for y in (radius, h - 1 - radius):
            cv2.circle(mask, (x, y), radius, value, -1, cv2.LINE_AA)


class Artist:
    """Draws prints at one density.

    ``wear`` fades the stickers a little, each differently, depending on ``seed`` and the piece alone.
    """

    def __init__(self, pattern: Pattern, game: Game, density: float, wear: float, seed: int) -> None:
        self._pattern = pattern
        self._game = game
        self._own_face = face_of(game)
        self._density = density
        self._wear = wear
        self._seed = seed
        self._rng = random.Random(seed)

    def piece(self, piece: str, kind: str, size: Size, torn: float = 0.0) -> PrintedThing:
        """Return the face of a piece; ``torn`` is the share of its sticker that is gone.

        A stray thing, which is not a piece of the game, is named by its whole payload and has a plain face.
        """
        self._rng = random.Random(f"print {self._seed} {piece}")
        known = self._game.pieces.get(piece)
        picture = self._own_face(piece, kind, size, self._rng) if self._own_face is not None else None
        if picture is None:
            picture = self._face(piece, kind, known.like if known is not None else "", size)
        if size.tag:
            self._stick(picture, piece if known is None else f"{self._game.tag}:{piece.upper()}", size, torn)
        gloss = self._rng.uniform(0.25, 0.8) * (1.0 if size.height <= size.width else 0.8)
        corner = size.width / 2 if size.round else 1.0
        return finished(picture, (size.width, size.height), self._density, gloss, corner)

    def back(self, size: Size) -> PrintedThing:
        """Return the back of a tile or card of that size."""
        ink = BACKS["tile" if size.height <= size.width else "card"]
        picture = blank(size.width, size.height, ink)
        lighter = tuple(min(255, c + 40) for c in ink)
        height = int(size.height * PX_PER_MM)
        for at in range(-height, int(size.width * PX_PER_MM), 40):
            cv2.line(picture, (at, 0), (at + height, height), lighter, 3, cv2.LINE_AA)
        return finished(picture, (size.width, size.height), self._density, 0.5, size.width / 2 if size.round else 1.0)

    def zone_card(self, zones: Sequence[Zone]) -> tuple[PrintedThing, tuple[float, float]]:
        """Return the printed card of zones with one marker, and the marker's place from the card's top left, mm."""
        self._rng = random.Random(f"print {self._seed} {zones[0].name}")
        left, top = (min(-ZONE_EDGE_MM, *(zone.area[side] for zone in zones)) for side in (0, 1))
        right, bottom = (max(ZONE_EDGE_MM, *(zone.area[side] for zone in zones)) for side in (2, 3))
        coarse = max(4.0, self._density)
        picture = np.full((round((bottom - top) * coarse), round((right - left) * coarse), 3), PAPER, np.uint8)
        for zone in zones:
            corners = [(round((v - o) * coarse)) for v, o in zip(zone.area, (left, top, left, top), strict=True)]
            ends = (corners[0], corners[1]), (corners[2], corners[3])
            cv2.rectangle(picture, *ends, (176, 188, 190), round(0.6 * coarse))
            text_at = (corners[0] + round(3 * coarse), corners[3] - round(3 * coarse))
            scale, thick = coarse * 7 / 22, round(0.5 * coarse)
            room = corners[2] - text_at[0]
            wide = cv2.getTextSize(zone.title, cv2.FONT_HERSHEY_SIMPLEX, scale, max(1, thick))[0][0]
            write(picture, zone.title, text_at, scale * min(1.0, room / wide), (150, 158, 160), thick)
        sticker = self._modules(zones[0].marker, round(MARKER_MM * coarse))
        x, y = round((-left - MARKER_MM / 2) * coarse), round((-top - MARKER_MM / 2) * coarse)
        picture[y : y + len(sticker), x : x + len(sticker)] = sticker
        return finished(picture, (right - left, bottom - top), self._density, 0.25, 3), (-left, -top)

    def _face(self, piece: str, kind: str, like: str, size: Size) -> Colour:
        """Return a plain face with the piece's id, in a colour and grain that depend on its kind.

        A piece hardly larger than its tag is paper, with a bar of its colour beside the tag if there is room.
        """
        ink = COLOURS.get(like) or _own_colour(kind)
        if size.tag and min(size.width, size.height) < size.tag + MIN_FACE_MARGIN_MM:
            return _bar(piece, size, ink)
        picture = blank(size.width, size.height, ink)
        h, w = picture.shape[:2]
        for _ in range(9):
            points = np.array([(x, self._rng.randrange(h)) for x in range(0, w + 60, 60)], np.int32)
            cv2.polylines(picture, [points], False, darker(ink, 9), 2, cv2.LINE_AA)
        if min(size.width, size.height) > size.tag + MIN_FRAME_MARGIN_MM:
            cv2.rectangle(picture, (3, 3), (w - 4, h - 4), darker(ink), 5, cv2.LINE_AA)
        if size.tag and ":" not in piece:
            _label(picture, piece, size, PAPER if sum(ink) < 330 else BLACK)
        return picture

    def _stick(self, picture: Colour, payload: str, size: Size, torn: float) -> None:
        side = round(size.tag * PX_PER_MM)
        sticker = self._modules(payload, side)
        # People stick stickers a little off and a little crooked.
        x = (size.width / 2 + size.tag_x + self._rng.gauss(0, 0.25)) * PX_PER_MM
        y = (size.height / 2 + size.tag_y + self._rng.gauss(0, 0.25)) * PX_PER_MM
        turn = cv2.getRotationMatrix2D((side / 2 - 0.5, side / 2 - 0.5), self._rng.gauss(0, 0.6), 1)
        turn[:, 2] += np.array((x - side / 2, y - side / 2))
        mask = np.full((side, side), 255, np.uint8)
        if torn:
            edge = round(side * torn)
            cv2.fillPoly(mask, [np.array([(0, 0), (edge * 2, 0), (0, edge * 2)], np.int32)], 0)
        around = picture[max(0, int(y) - side) : int(y) + side, max(0, int(x) - side) : int(x) + side]
        turn[:, 2] -= np.array((max(0, int(x) - side), max(0, int(y) - side)))
        shape = (around.shape[1], around.shape[0])
        laid = cv2.warpAffine(sticker, turn, shape)
        there = cv2.warpAffine(mask, turn, shape)
        # Blended in integers, which is exact enough for the edges of stickers.
        around[:] = cv2.add(
            cv2.multiply(around, cv2.merge([255 - there] * 3), scale=1 / 255),
            cv2.multiply(laid, cv2.merge([there] * 3), scale=1 / 255),
        )

    def _modules(self, payload: str, side: int) -> Colour:
        dark = cv2.resize(self._pattern(payload).astype(np.float32), (side, side), interpolation=cv2.INTER_NEAREST)
        # Ink runs a little into the paper.
        dark = cv2.GaussianBlur(dark, (0, 0), side / 25 * 0.06)
        fade = self._wear * self._rng.random()
        ink = np.array(BLACK) * (1 - fade) + np.array(PAPER) * fade
        white = np.array((240, 242, 242)) - 40 * self._wear * self._rng.random()
        return (white * (1 - dark[..., None]) + ink * dark[..., None]).astype(np.uint8)


def blank(width: float, height: float, ink: Ink) -> Colour:
    """Return an empty picture of a face of that size in mm."""
    return np.full((round(height * PX_PER_MM), round(width * PX_PER_MM), 3), ink, np.uint8)


def write(picture: Colour, text: str, at: Sequence[int], scale: float, ink: Ink, thick: int) -> None:
    """Write a text on a picture."""
    cv2.putText(picture, text, (at[0], at[1]), cv2.FONT_HERSHEY_SIMPLEX, scale, ink, max(1, thick), cv2.LINE_AA)


def _bar(piece: str, size: Size, ink: Ink) -> Colour:
    """Return white paper with a coloured bar left of the tag, as wide as there is room, and the id on it."""
    picture = blank(size.width, size.height, PAPER)
    wide = round((size.width / 2 + size.tag_x - size.tag / 2) * PX_PER_MM)
    if wide > 3 * PX_PER_MM:
        cv2.rectangle(picture, (0, 0), (wide - PX_PER_MM // 2, picture.shape[0]), ink, -1)
        _label(picture, piece, size, PAPER if sum(ink) < 330 else BLACK)
    return picture


def _label(picture: Colour, text: str, size: Size, ink: Ink) -> None:
    """Write a piece's id beside its tag, as large as possible, so that similar cards can be told apart from afar."""
    h, w = picture.shape[:2]
    left, right = ((size.width / 2 + size.tag_x + side * size.tag / 2) * PX_PER_MM for side in (-1, 1))
    top, bottom = ((size.height / 2 + size.tag_y + side * size.tag / 2) * PX_PER_MM for side in (-1, 1))
    rooms = [(0, bottom, w, h), (0, 0, w, top), (0, 0, left, h), (right, 0, w, h)]

    def fitting(room: tuple[float, float, float, float]) -> float:
        (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1, 3)
        return min((room[2] - room[0]) * 0.8 / wide, (room[3] - room[1]) * 0.7 / high)

    room = max(rooms, key=fitting)
    scale = max(0.3, fitting(room))
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 3)
    at = round((room[0] + room[2] - wide) / 2), round((room[1] + room[3] + high) / 2)
    write(picture, text, at, scale, ink, max(2, round(scale * 3)))


def darker(ink: Ink, tenths: int = 6) -> Ink:
    """Return an ink with this many tenths of its brightness."""
    return (ink[0] * tenths // 10, ink[1] * tenths // 10, ink[2] * tenths // 10)


def _own_colour(name: str) -> Ink:
    rng = random.Random(f"colour of {name}")
    return (rng.randrange(90, 210), rng.randrange(90, 210), rng.randrange(90, 210))


Face: TypeAlias = Callable[[str, str, Size, random.Random], Colour | None]
"""Draws the face of a piece from its id, kind and size; returns None for a plain face."""
FACES: Layer[Face] = Layer("tabletop.games.simulator", "tabletop.simulator.{game}", "face", FunctionType)


def face_of(game: Game) -> Face | None:
    """Return the function that draws the game's faces, None if they are plain."""
    return FACES.part(game.name)
