"""USB cameras and every other V4L2 device, through OpenCV.

The driver keeps a queue of pictures, so what a plain ``read()`` returns may be old; and it blocks for ten seconds when
the camera stalls.  So a thread takes every picture off the queue (which costs next to nothing, because only those that
somebody asked for are decoded), and whoever asks waits for the thread, not for the driver.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from tabletop.hardware.camera import shrink
from tabletop.hardware.errors import CameraLost
from tabletop.vision.frame import Frame

WIDEST = (3840, 2160)
"""Asked for; a driver gives the nearest size it has."""
OLDEST_STAMP = 60.0
"""A time stamp that is older than this many seconds is no monotonic time."""


class V4l2Camera:
    """One V4L2 device, kept running by a thread of its own."""

    def __init__(self, device: int | str, capture: Any, clock: Callable[[], float]) -> None:
        self._device, self._capture, self._clock = device, capture, clock
        self._changed = threading.Condition()
        self._wanted: float | None = None
        self._frame: Frame | None = None
        self._failed = self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"camera {device}", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, device: int | str, clock: Callable[[], float]) -> V4l2Camera:
        """Open a device by number or path, MJPEG at its largest size.  Raises CameraLost."""
        capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraLost(f"opencv:{device}", "is not there, or another program uses it.")
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDEST[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WIDEST[1])
        return cls(device, capture, clock)

    @property
    def name(self) -> str:
        """``opencv:`` and the device."""
        return f"opencv:{self._device}"

    @property
    def about(self) -> str:
        """The device; V4L2 tells no more through OpenCV."""
        return self.name

    def capture(self, after: float, timeout: float) -> Frame:
        """Return the first picture stamped later than ``after``."""
        with self._changed:
            self._ask(after)
            self._changed.wait_for(self._answered, timeout)
            frame = self._frame
            self._ask(None)
        if frame is None:
            fact = "was unplugged." if self._failed else f"gave no picture for {timeout:g} s."
            raise CameraLost(self.name, fact)
        return frame

    def _ask(self, after: float | None) -> None:
        self._wanted, self._frame = after, None

    def _answered(self) -> bool:
        return self._frame is not None or self._failed

    def close(self) -> None:
        """End the thread; one that hangs in the driver gives the device back when the driver lets it go."""
        self._stopping = True
        self._thread.join(2)

    def _run(self) -> None:
        number = 0
        try:
            while not self._stopping:
                begun = self._clock()
                if not self._capture.grab():
                    break
                number += 1
                self._serve(number, self._stamp(begun))
        finally:
            self._capture.release()
            with self._changed:
                self._failed = True
                self._changed.notify_all()

    def _stamp(self, begun: float) -> float:
        """When the picture was taken: the driver's monotonic stamp, or else when waiting for it began."""
        stamp = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        return stamp if 0 <= self._clock() - stamp < OLDEST_STAMP else begun

    def _serve(self, number: int, stamp: float) -> None:
        with self._changed:
            wanted = self._wanted
        if wanted is None or stamp <= wanted:
            return
        read, picture = self._capture.retrieve()
        if not read:
            return
        colour = np.asarray(picture, np.uint8)
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
        frame = Frame(grey, shrink(grey), stamp, number, colour)
        with self._changed:
            self._frame = frame
            self._changed.notify_all()
