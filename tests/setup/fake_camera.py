"""A camera for tests of the setup, which shows an empty table or is lost."""

from __future__ import annotations

import numpy as np

from tabletop.hardware.errors import CameraLost
from tabletop.vision.frame import Frame


class FakeCamera:
    """A camera that shows an empty table, or is lost."""

    name = about = "eye"

    def __init__(self) -> None:
        self.closed = self.lost = False

    def capture(self, after: float, timeout: float) -> Frame:
        if self.lost:
            raise CameraLost("eye", "The camera {camera} gave no picture.")
        grey = np.full((120, 160), 128, np.uint8)
        return Frame(grey, grey, after, 1)

    def close(self) -> None:
        self.closed = True
