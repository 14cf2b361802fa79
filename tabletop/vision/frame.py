"""One picture from a camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
"""A grey picture, shape (height, width)."""
Colour = NDArray[np.uint8]
"""A colour picture, shape (height, width, 3), channels blue, green, red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture at full resolution with its small companion, both of the same instant.

    Attributes:
        grey: the full picture, (height, width).
        small: the same view, smaller (about 640 px wide), for stillness and change.
        time: seconds on the monotonic clock at which it was exposed.
        number: counts up; a gap means frames were left out.
        colour: the full picture in colour where the camera gives one; only for people to look at.
    """

    grey: Grey
    small: Grey
    time: float
    number: int
    colour: Colour | None = None
