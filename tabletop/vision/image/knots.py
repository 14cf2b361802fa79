"""Interpolates a mapping that is computed only at the knots of a coarse grid for every px between them."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from tabletop.vision.frame import Floats

KNOT_STEP_PX = 8
"""Distance between knots, px: in between, a mapping from the table to a picture is nearly linear."""
BAND_ROWS = 32 * KNOT_STEP_PX
"""Number of rows of px that are interpolated at a time."""


def interpolated(knots: Floats, start: int, size: tuple[int, int]) -> Floats:
    """Return values given at knots, (rows, columns) or (rows, columns, 2), interpolated linearly for ``size`` px.

    ``size``: rows and columns.  The first px is the one ``start`` px to the right of and below the px at which the
    interpolation begins, which is half a step before the first knot.
    """
    fine = cv2.resize(knots, None, fx=KNOT_STEP_PX, fy=KNOT_STEP_PX, interpolation=cv2.INTER_LINEAR)
    rows, columns = size
    return fine[start : start + rows, start : start + columns].astype(np.float32, copy=False)


def interpolated_bands(knots: Floats, start: int, size: tuple[int, int]) -> Iterator[tuple[slice, Floats]]:
    """Iterate over bands of rows with their values as ``interpolated`` returns them.

    All rows of a whole table at once would take more memory than the picture.
    """
    rows, columns = size
    for top in range(0, rows, BAND_ROWS):
        first, count = top // KNOT_STEP_PX, min(BAND_ROWS, rows - top)
        end = first - (-(count + 2 * start) // KNOT_STEP_PX)
        yield slice(top, top + count), interpolated(knots[first:end], start, (count, columns))
