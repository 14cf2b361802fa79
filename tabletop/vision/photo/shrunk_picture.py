"""A picture that was read, kept in a small size to be compared with other pictures of the same table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.glare import WHITE_GREY
from tabletop.vision.image.rectify import overhead

KEPT_SIDE_PX = 1000
"""The longer side of a picture as it is kept, px."""


class ShrunkPicture(NamedTuple):
    """A shrunk picture with its plane.

    ``faces``: the outlines (n, 2) mm of the pieces that were read in it; ``cards``: those of the zones; ``white``: the
    grey level of paper.
    """

    colour: Colour
    plane: Plane
    faces: Sequence[Array] = ()
    cards: Sequence[Array] = ()
    white: float = WHITE_GREY

    @classmethod
    def of(
        cls,
        colour: Colour,
        plane: Plane,
        faces: Sequence[Array] = (),
        cards: Sequence[Array] = (),
        white: float = WHITE_GREY,
    ) -> ShrunkPicture:
        """Return a full-size picture, shrunk; ``plane``: that of the full size."""
        factor = min(1.0, KEPT_SIDE_PX / max(colour.shape))
        small = np.asarray(cv2.resize(colour, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        return cls(small, plane, faces, cards, white).seen_on(plane)

    def seen_on(self, plane: Plane) -> ShrunkPicture:
        """Return the picture with another plane, given for its full size."""
        height, width = self.colour.shape[:2]
        grown = np.diag((plane.shape[1] / width, plane.shape[0] / height, 1.0))
        return self._replace(plane=Plane(plane.matrix @ grown, plane.lens, (height, width)))

    def read_places(self, shape: tuple[int, int]) -> NDArray[np.uint8]:
        """Return the mask, 0 or 1, of the pieces and cards that were read, over the picture in rows and columns."""
        mask = np.zeros(shape, np.uint8)
        scale = np.array(shape[::-1]) / self.colour.shape[1::-1]
        for outline in (*self.faces, *self.cards):
            cv2.fillPoly(mask, [np.round(self.plane.to_px(outline) * scale).astype(np.int32)], 1)
        return mask

    def over(self, grid: SquareGrid) -> tuple[Floats, Mask]:
        """Return the colours of the squares of a grid, (rows, columns, 3), and the mask of those in the picture."""
        seen, sight = overhead(self.colour, self.plane, grid)
        return seen.astype(np.float32), sight
