"""The camera of a simulated table that is used by several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tabletop.config import SIMULATED_CAMERA
from tabletop.simulator.world import World
from tabletop.vision.frame import Frame


class SharedCamera:
    """The camera of a simulated table on which other threads move pieces; ``world`` returns the current world."""

    name = SIMULATED_CAMERA
    about = "a camera model above a simulated table"

    def __init__(self, world: Callable[[], World], lock: threading.RLock) -> None:
        self._world, self._lock = world, lock

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a frame of the table as it is."""
        with self._lock:
            return self._world().camera.capture(after, timeout)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
