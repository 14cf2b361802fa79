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
"""Numbers of single precision, such as those that a picture is worked on with, of any shape."""
BURNT_GREY = 250
"""Grey level from which on nothing can be distinguished any more."""


class Frame:
    """A picture at full resolution with its small companion, both of the same instant.

    The full picture may be given as a function: it is then made when somebody asks for it, which on a still table is
    seldom, and raises what that function raises.

    Attributes:
        small: the same view, smaller (about 640 px wide), for stillness and change.
        time: seconds on the monotonic clock at which it was exposed.
        number: counts up; a gap means frames were left out.
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
        """The full picture in colour where the camera gives one; only for people to look at."""
        colour = self._colour
        if callable(colour):
            colour = self._colour = colour()
        return colour
