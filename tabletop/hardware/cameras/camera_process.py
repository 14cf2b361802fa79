"""A camera in a separate process that can be killed: if its library hangs or crashes, only a picture is lost.

Each picture is a piece of anonymous memory (memfd) that the process fills and sends over; it lives until both processes
have released it, so a process that is killed leaves nothing behind.
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
"""How long the library may take to load, and exposure, white balance and focus to settle."""
CAPTURE_GRACE_S = 1.0
"""How long after a picture's time-out a process without an answer counts as hanging."""
CLOSE_TIMEOUT_S = 5.0
"""How long a process may take to release the camera before it is killed."""
COMMAND = (sys.executable, "-m", "tabletop.hardware.cameras.camera_child")


class CameraProcess:
    """A camera that is open in another process: any :class:`~tabletop.hardware.cameras.camera.Camera` of grey pictures.

    ``name`` is its name in messages.
    """

    def __init__(self, name: str, command: tuple[str, ...] = COMMAND) -> None:
        self.name, self.about = name, name
        self._child = Child(command)

    @classmethod
    def open(cls, open_camera: Callable[[], Camera], name: str, opening: float = OPEN_TIMEOUT_S) -> CameraProcess:
        """Start a process and open the camera there, within ``opening`` seconds.  Raises CameraLost.

        ``open_camera`` is pickled and sent over: it must be a module's function, or a partial of one.
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
        """The process ID."""
        return self._child.pid

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a picture whose exposure began after ``after``; it is in memory that both processes share."""
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
        """Release the camera; a process that has not done so within ``patience`` seconds is killed."""
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
        """Return the error that says how a process ended that is gone."""
        status = self._child.end(CLOSE_TIMEOUT_S)
        why = signal.Signals(-status).name if status < 0 else str(status)
        return CameraLost(self.name, "The library of {camera} ended by itself ({why}).", why=why)
