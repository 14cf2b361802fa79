"""What was understood of a final table is drawn at its place in the photograph."""

from __future__ import annotations

import numpy as np

from tabletop.rules import registry
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.load import Picture
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.report.score_picture import SEAT_COLOURS, ScorePicture
from tabletop.vision.scene import ReadBy, Sighting
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.score import score

PX = 4
"""Pixels per mm."""


def test_structures_are_outlined_where_they_lie_though_their_tags_stick_in_a_corner() -> None:
    """The lines run along the outer edges of two dark structures, each 42 mm wide, side by side on a white table."""
    photo = np.full((200 * PX, 300 * PX, 3), 250, np.uint8)
    photo[79 * PX : 121 * PX, 79 * PX : 163 * PX] = 0
    tags = []
    for piece, x, y in (("TM1", 111, 89), ("TM2", 153, 89)):
        one, two, three, four = ((PX * (x + a), PX * (y + b)) for a, b in ((-8, -8), (8, -8), (8, 8), (-8, 8)))
        tags.append(Sighting(f"PP:{piece}", x, y, 0.0, (one, two, three, four), 1.0, ReadBy.ZXING))
    reading = PhotoReading(tuple(tags), Plane(np.diag((1 / PX, 1 / PX, 1.0)), 0.0, photo.shape[:2]))
    game, tally = registry.game("piecepack"), PiecepackTally(make="printed")
    [panel] = ScorePicture(
        Picture("", photo[..., 0], photo), reading, score([reading], game, tally), 0, game, tally
    ).panels()
    drawn = np.asarray(panel.convert("RGB")).astype(int)
    rows, columns = np.nonzero(drawn.max(axis=2) < 90)
    line = np.abs(drawn - SEAT_COLOURS[0]).sum(axis=2) < 60
    for row in (rows.min(), rows.max()):
        for column in (columns.min(), columns.max()):
            assert line[row - 8 : row + 9, column - 8 : column + 9].any()
