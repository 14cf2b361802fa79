"""A camera for a process of its own whose pictures are plain bytes: it starts quickly and misbehaves on demand."""

from __future__ import annotations

import os
import signal
import time
from types import SimpleNamespace
from typing import Any

from tabletop.hardware.errors import CameraLost

WIDTH, HEIGHT = 64, 36
HANGS, CRASHES, LOST, RAISES = -1.0, -2.0, -3.0, -4.0
"""Values of ``after`` with which a capture makes the camera misbehave."""
FOREVER = 3600.0


def picture(width: int, height: int, level: int) -> Any:
    return memoryview(bytes((level,)) * (width * height)).cast("B", (height, width))


class PlainCamera:
    """A camera whose pictures have their number as grey value; the small ones are a quarter as wide."""

    name, about = "plain", "a camera of bytes"

    def __init__(self, size: tuple[int, int] = (WIDTH, HEIGHT), *, closes: bool = True) -> None:
        self._size, self._closes, self._number = size, closes, 0

    def capture(self, after: float, timeout: float) -> Any:
        if after == HANGS:
            time.sleep(FOREVER)
        if after == CRASHES:
            os.kill(os.getpid(), signal.SIGSEGV)
        if after == LOST:
            raise CameraLost(self.name, "The camera {camera} gave no picture for {time} s.", time=timeout)
        if after == RAISES:
            raise RuntimeError("a mistake")
        self._number += 1
        width, height = self._size
        small = picture(width // 4, height // 4, self._number % 256)
        return SimpleNamespace(
            grey=picture(width, height, self._number % 256), small=small, time=after, number=self._number
        )

    def close(self) -> None:
        if not self._closes:
            time.sleep(FOREVER)


def large() -> PlainCamera:
    return PlainCamera((4608, 2592))


def stubborn() -> PlainCamera:
    """Return a camera whose driver hangs when it is closed."""
    return PlainCamera(closes=False)


def absent() -> PlainCamera:
    raise CameraLost("plain", "The camera {camera} is not there: {why}.", why="the ribbon")


def crashing() -> PlainCamera:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def hanging() -> PlainCamera:
    time.sleep(FOREVER)
    raise AssertionError
