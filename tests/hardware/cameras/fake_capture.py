"""A stand-in for what OpenCV shows of a V4L2 device."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np


def picture(level: int) -> Any:
    return np.full((90, 160, 3), level, np.uint8)


class FakeCapture:
    """A V4L2 device as OpenCV shows it: returns the pictures fed by the test, and blocks while there are none."""

    def __init__(self, show: Callable[[int], Any] = picture) -> None:
        self.show = show
        self.more = threading.Semaphore(0)
        self.stamps: list[float] = []
        self.current = 0.0
        self.decoded = 0
        self.unplugged = False
        self.released = threading.Event()

    def feed(self, stamp: float) -> None:
        self.stamps.append(stamp)
        self.more.release()

    def unplug(self) -> None:
        self.unplugged = True
        self.more.release()

    def grab(self) -> bool:
        self.more.acquire()
        if self.unplugged:
            return False
        self.current = self.stamps.pop(0)
        return True

    def get(self, prop: int) -> float:
        return self.current * 1000

    def retrieve(self) -> tuple[bool, Any]:
        self.decoded += 1
        return True, self.show(int(self.current) % 256)

    def release(self) -> None:
        self.released.set()
