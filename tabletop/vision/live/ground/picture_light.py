"""The light in a picture of the table relative to when the bare table was learned."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey

AnyFloats: TypeAlias = NDArray[np.floating]


class PictureLight:
    """The light in a small picture relative to when the table was learned: of each block, and the median of all.

    ``wrong``: how much the picture differs from the bare table in this light, once that was asked for.
    """

    def __init__(self, small: Grey, blocks: AnyFloats) -> None:
        self.small, self.blocks = small, blocks
        self.usual = np.float32(np.median(blocks))
        self.wrong: AnyFloats | None = None

    @cached_property
    def everywhere(self) -> AnyFloats:
        """The relative light at every px."""
        return cv2.resize(self.blocks, self.small.shape[::-1], interpolation=cv2.INTER_LINEAR).astype(np.float32)

    @cached_property
    def even(self) -> AnyFloats:
        """The picture, corrected for that light."""
        even: AnyFloats = self.small / self.everywhere
        return even
