"""One small interface for cameras: ``capture`` returns a picture exposed after a given time or raises CameraLost.

It never hangs and never returns an older picture.
"""

from __future__ import annotations

import enum
import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from tabletop.hardware.errors import CameraLost
from tabletop.messages import Message
from tabletop.vision.frame import Frame, Grey

SMALL_WIDTH_PX = 640
"""The width of the small picture that comes with each frame."""


class CameraState(enum.StrEnum):
    """The state of a table's camera."""

    OK = "ok"
    LOST = "lost"
    NONE = "none"


class Camera(Protocol):
    """One open camera, used from one thread."""

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def about(self) -> str:
        """Which camera it really is and what it can do, for the doctor's list."""

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a picture whose exposure began after ``after`` (monotonic seconds), within ``timeout`` seconds.

        Raises :class:`~tabletop.hardware.errors.CameraLost`; the camera is then unusable: close and reopen it.
        """

    def close(self) -> None:
        """Release the camera; returns within seconds even if it hangs; may be called twice."""


def small_size(width: int, height: int) -> tuple[int, int]:
    """Return the size of the small picture: 640 px wide, even sides, never larger than the full picture."""
    small = min(SMALL_WIDTH_PX, width)
    return small - small % 2, max(2, round(height * small / width / 2) * 2)


def shrink(grey: Grey) -> Grey:
    """Return the small version of a picture."""
    import cv2
    import numpy as np

    height, width = grey.shape
    small = cv2.resize(grey, small_size(width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def not_there(name: str, devices: Iterable[Path], lost: CameraLost) -> CameraLost:
    """Return an error that says that permission is missing, if that is so for any of the devices; otherwise ``lost``.

    A service may use only devices whose driver was loaded when it started; a user only those of their groups.
    """
    for device in devices:
        try:
            os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
        except PermissionError as error:
            group = Message("{command}, then log in again.", command="sudo usermod -aG video $USER")
            late = Message(
                "Its driver was loaded after the table started: restart the table (sudo systemctl restart tabletop)."
            )
            fix = late if error.errno == errno.EPERM else group
            return CameraLost(
                name, "The camera {camera} is there, but this program is not permitted to use it ({device}).", fix,
                device=str(device),
            )  # fmt: skip
        except OSError:
            continue
    return lost
