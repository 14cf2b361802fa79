"""A camera in a process of its own, which can be killed: what its library does there costs a picture, never the table.

Each picture is a piece of memory without a name (memfd) that the process fills and sends over; it lives until the last
of both forgets it.  So there is nothing that a process that was killed could leave behind.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.errors import CameraLost
from tabletop.processes.child import Child
from tabletop.vision.frame import Frame, Grey

OPEN_TIMEOUT_S = 45.0
"""Meanwhile the library is loaded; exposure, white balance and focus settle."""
CAPTURE_GRACE_S = 1.0
"""The process hangs if it has still not answered this long after a picture's time-out."""
CLOSE_TIMEOUT_S = 5.0
"""A process that takes longer to give the camera back is killed."""
COMMAND = (sys.executable, "-m", "tabletop.hardware.cameras.camera_child")


class CameraProcess:
    """A camera that is open in another process; any :class:`~tabletop.hardware.cameras.camera.Camera` of grey pictures.

    ``name`` is what messages call it before it has said so itself.
    """

    def __init__(self, name: str, command: tuple[str, ...] = COMMAND) -> None:
        self.name, self.about = name, name
        self._child = Child(command)

    @classmethod
    def open(cls, open_camera: Callable[[], Camera], name: str, opening: float = OPEN_TIMEOUT_S) -> CameraProcess:
        """Start a process and open the camera there, within ``opening`` seconds.  Raises CameraLost.

        ``open_camera`` is sent over: a function of a module, or a partial of one.
        """
        camera = cls(name)
        try:
            camera.about, _ = camera._ask(open_camera, opening)
        except BaseException:
            camera.close(0.0)
            raise
        return camera

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._child.pid

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a picture whose exposure began after ``after``; it lies in memory that both processes see."""
        ((height, width), (small_height, small_width), begun, number), memory = self._ask(
            (after, timeout), timeout + CAPTURE_GRACE_S
        )
        try:
            held = np.frombuffer(mmap.mmap(memory, height * width + small_height * small_width), np.uint8)
        finally:
            os.close(memory)
        full: Grey = held[: height * width].reshape(height, width)
        return Frame(full, held[height * width :].reshape(small_height, small_width), begun, number)

    def close(self, patience: float = CLOSE_TIMEOUT_S) -> None:
        """Give the camera back; a process that has not done so within ``patience`` seconds is killed."""
        self._child.end(patience)

    def _ask(self, question: object, seconds: float) -> tuple[Any, int]:
        """Return the answer, and the memory that came with it (-1: none).

        Raises CameraLost; a process that hangs is killed.
        """
        try:
            answer, memory = self._child.ask(question, seconds)
        except TimeoutError:
            raise CameraLost(
                self.name, "The library of {camera} did not answer for {time} s; its process was ended.",
                time=f"{seconds:g}",
            ) from None  # fmt: skip
        except (EOFError, OSError):
            raise self._ended() from None
        if isinstance(answer, CameraLost):
            raise answer
        return answer, memory

    def _ended(self) -> CameraLost:
        """Return how a process that is gone ended."""
        status = self._child.end(CLOSE_TIMEOUT_S)
        why = signal.Signals(-status).name if status < 0 else str(status)
        return CameraLost(self.name, "The library of {camera} ended by itself ({why}).", why=why)
