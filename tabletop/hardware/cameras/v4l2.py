"""USB cameras and every other V4L2 device, through OpenCV.

The driver keeps a queue of pictures, so a plain ``read()`` may return an old one; and it blocks for ten seconds if the
camera stalls.  So a thread takes every picture off the queue (which costs next to nothing, because only requested ones
are decoded), and a caller waits for the thread, not for the driver.

A camera that gives JPEG is asked for it undecoded: a still table is watched in pictures of an eighth of the size, which
cost half, and the full picture is decoded only if something has to be read.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakSet

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.hardware.cameras import present
from tabletop.hardware.cameras.camera import SMALL_WIDTH_PX, not_there, shrink
from tabletop.hardware.errors import CameraLost
from tabletop.messages import EMPTY
from tabletop.vision.frame import Frame

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
DEFAULT_SIZE_PX = (3840, 2160)
"""The size that is requested by default; a driver gives the nearest size it has."""
JPEG_REDUCTIONS = {
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}
"""The factors by which a JPEG can be reduced while it is decoded."""
MAX_STAMP_AGE_S = 60.0
"""The greatest age of a time stamp; an older one is not from the monotonic clock."""
DRIVER_TIMEOUT_S = 12.0
"""The time after which a driver without a picture has returned to its caller: ten seconds, and a little."""

_leaving: WeakSet[threading.Thread] = WeakSet()
"""The threads of cameras that were closed."""


@atexit.register
def wait_for_drivers() -> None:
    """Wait at exit until no thread of a closed camera is in a driver any more, as long as a driver may hold it.

    A thread that returned into an interpreter that is shutting down would abort the process.
    """
    for thread in [*_leaving]:
        thread.join(DRIVER_TIMEOUT_S)


class V4l2Camera:
    """One V4L2 device, read by a thread of its own.

    ``jpeg`` is the width of its pictures, px, if ``capture`` returns them as JPEG; else 0.
    """

    def __init__(self, device: int | str, capture: Any, clock: Callable[[], float], *, jpeg: int = 0) -> None:
        self._device, self._capture, self._clock = device, capture, clock
        self._jpeg = jpeg
        self._changed = threading.Condition()
        self._wanted: float | None = None
        self._frame: Frame | None = None
        self._failed = self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"camera {device}", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, device: int | str, clock: Callable[[], float], size: tuple[int, int] = DEFAULT_SIZE_PX) -> V4l2Camera:
        """Open a device by number or path, MJPEG at the nearest size it has.  Raises CameraLost."""
        # A lost camera is opened again and again, and the library would print two lines each time.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            name, path = f"opencv:{device}", Path(f"/dev/video{device}" if isinstance(device, int) else device)
            fix = EMPTY if path.exists() else present.advice()
            lost = CameraLost(name, "The camera {camera} was not found, or another program is using it.", fix)
            raise not_there(name, [path], lost)
        capture.set(cv2.CAP_PROP_FOURCC, MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        gives_jpeg = capture.get(cv2.CAP_PROP_FOURCC) == MJPG and capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        width = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)) if gives_jpeg else 0
        return cls(device, capture, clock, jpeg=width)

    @property
    def name(self) -> str:
        """``opencv:`` and the device."""
        return f"opencv:{self._device}"

    @property
    def about(self) -> str:
        """The device; through OpenCV, V4L2 reports nothing more."""
        return self.name

    def capture(self, after: float, timeout: float) -> Frame:
        """Return the first picture stamped later than ``after``."""
        with self._changed:
            self._ask(after)
            self._changed.wait_for(self._answered, timeout)
            frame = self._frame
            self._ask(None)
        if frame is None:
            if self._failed:
                raise CameraLost(self.name, "The camera {camera} was unplugged.")
            raise CameraLost(self.name, "The camera {camera} gave no picture for {time} s.", time=f"{timeout:g}")
        return frame

    def _ask(self, after: float | None) -> None:
        self._wanted, self._frame = after, None

    def _answered(self) -> bool:
        return self._frame is not None or self._failed

    def close(self, patience: float = 2.0) -> None:
        """End the thread; one that hangs in the driver releases the device as soon as the driver returns.

        ``patience``: seconds to wait for it.
        """
        self._stopping = True
        _leaving.add(self._thread)
        self._thread.join(patience)

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
        """Return when the picture was taken: the driver's monotonic stamp, or else when waiting for it began."""
        stamp = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        return stamp if 0 <= self._clock() - stamp < MAX_STAMP_AGE_S else begun

    def _serve(self, number: int, stamp: float) -> None:
        with self._changed:
            wanted = self._wanted
        if wanted is None or stamp <= wanted:
            return
        read, picture = self._capture.retrieve()
        if not read:
            return
        data = np.asarray(picture, np.uint8)
        try:
            frame = self._undecoded(data.copy(), number, stamp) if self._jpeg else _decoded(data, number, stamp)
        except CameraLost:
            return  # a torn picture does not mean a lost camera: wait for the next
        with self._changed:
            # While it was decoded, somebody may have asked for a later one.
            if self._wanted is not None and stamp > self._wanted:
                self._frame = frame
                self._changed.notify_all()

    def _undecoded(self, data: NDArray[np.uint8], number: int, stamp: float) -> Frame:
        """Return a JPEG picture as a frame; raises CameraLost if it is damaged."""
        reduced = max((factor for factor in JPEG_REDUCTIONS if self._jpeg >= factor * SMALL_WIDTH_PX), default=0)
        small = shrink(self._decode(data, JPEG_REDUCTIONS.get(reduced, cv2.IMREAD_GRAYSCALE)))
        return Frame(
            lambda: self._decode(data, cv2.IMREAD_GRAYSCALE),
            small,
            stamp,
            number,
            lambda: self._decode(data, cv2.IMREAD_COLOR),
        )

    def _decode(self, data: NDArray[np.uint8], how: int) -> NDArray[np.uint8]:
        picture = cv2.imdecode(data, how) if data.size else None
        if picture is None:
            raise CameraLost(self.name, "The camera {camera} gave a damaged picture.")
        return np.asarray(picture, np.uint8)


def _decoded(colour: NDArray[np.uint8], number: int, stamp: float) -> Frame:
    grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    return Frame(grey, shrink(grey), stamp, number, colour)
