"""Draws a photograph with what was read in it: each tag outlined and named, each doubt marked with its number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from tabletop.rules.game import Game
from tabletop.vision.geometry.plane import Array
from tabletop.vision.image.load import Picture
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.report.canvas import Rgb
from tabletop.vision.report.photo_crop import PhotoCrop, box_around, crop
from tabletop.vision.scene import Point, Unreadable
from tabletop.vision.tags import payloads

PIECE_COLOUR: Rgb = (0, 125, 92)
MARKER_COLOUR: Rgb = (0, 96, 160)
SHOWN_SIDE_PX = 1600
"""Longer side of the drawing, px."""
MARGIN_SIDES = 1.4
"""Margin around everything that was read, in sides of a tag."""
NAME_HEIGHT_SIDES = 0.36
"""Size of a name's letters, as a fraction of its tag's side."""


def marked(
    picture: Picture, reading: PhotoReading, game: Game, doubts: Sequence[Unreadable], *, markers: bool = True
) -> Image.Image:
    """Return the part of the picture in which anything was read, with everything drawn in.

    ``picture`` may be smaller than the one that ``reading`` was read from.  Equal sentences have one number, from 1, in
    order of appearance.  Without ``markers`` the part is chosen only to contain the pieces and doubts.
    """
    height, width = reading.plane.shape if reading.plane is not None else picture.grey.shape
    view = crop(picture, _box(reading, doubts, (width, height), markers), SHOWN_SIDE_PX, picture.size[0] / width)
    for sighting in reading.sightings:
        piece = payloads.piece_of(game, sighting.payload)
        zone = (payloads.marker_of(sighting.payload) or "").removeprefix(f"{payloads.MARKER}:")
        if view.shows(np.array(sighting.corners).mean(axis=0)):
            _named(view, sighting.corners, piece or zone, PIECE_COLOUR if piece else MARKER_COLOUR)
    numbers = {
        message: number for number, message in enumerate(dict.fromkeys(doubt.message for doubt in doubts), start=1)
    }
    for doubt in doubts:
        if doubt.corners:
            view.doubt(np.array(doubt.corners), numbers[doubt.message])
    return view.canvas.image


def _named(view: PhotoCrop, corners: Sequence[Point], name: str, colour: Rgb) -> None:
    places = view.places(np.array(corners))
    view.canvas.outline(places, colour, 4)
    middle: Array = np.array(places).mean(axis=0)
    side = float(np.linalg.norm(np.subtract(places[1], places[0])))
    view.canvas.label((float(middle[0]), float(middle[1])), name, colour, NAME_HEIGHT_SIDES * side)


def _box(
    reading: PhotoReading, doubts: Sequence[Unreadable], size: tuple[int, int], markers: bool
) -> tuple[int, int, int, int]:
    """Return the part of the picture that contains everything that was read or is doubtful."""
    shown = [sighting for sighting in reading.sightings if markers or payloads.marker_of(sighting.payload) is None]
    outlines = [*(sighting.corners for sighting in shown), *(doubt.corners for doubt in doubts)]
    placed = [np.array(corners) for corners in outlines if corners]
    if not placed:
        return 0, 0, *size
    side = float(np.median([np.linalg.norm(corners[1] - corners[0]) for corners in placed]))
    spots = np.concatenate(placed)
    return box_around(np.concatenate([spots - MARGIN_SIDES * side, spots + MARGIN_SIDES * side]), size)
