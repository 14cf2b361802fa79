"""One picture from a camera."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
"""A grey picture, shape (height, width)."""
Colour = NDArray[np.uint8]
"""A colour picture, shape (height, width, 3), channels blue, green, red."""
Floats = NDArray[np.float32]
"""An array of single precision, of any shape, such as a picture in processing."""
BURNT_GREY = 250
"""Grey level from which a px counts as overexposed."""


class Frame:
    """A picture at full resolution and a small version of it, both of the same instant.

    The full picture may be given as a function, which is called when the picture is first needed: on a still table that
    is seldom.  Exceptions of the function are passed on.

    Attributes:
        small: the same view, smaller (about 640 px wide), to detect motion and change.
        time: seconds on the monotonic clock at which it was exposed.
        number: counts up; a gap means that frames were dropped.
    """

    __slots__ = ("_colour", "_grey", "number", "small", "time")

    def __init__(
        self,
        grey: Grey | Callable[[], Grey],
        small: Grey,
        time: float,
        number: int,
        colour: Colour | Callable[[], Colour] | None = None,
    ) -> None:
        self._grey, self._colour = grey, colour
        self.small, self.time, self.number = small, time, number

    @property
    def grey(self) -> Grey:
        """The full picture, (height, width)."""
        grey = self._grey  # another thread may make it meanwhile
        if callable(grey):
            grey = self._grey = grey()
        return grey

    @property
    def colour(self) -> Colour | None:
        """The full picture in colour if the camera provides one; only for people to look at."""
        colour = self._colour
        if callable(colour):
            colour = self._colour = colour()
        return colour
