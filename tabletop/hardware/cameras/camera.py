"""Cameras behind one small interface: a picture exposed after a moment, or CameraLost; no hang, no old picture."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Protocol

from tabletop.hardware.errors import CameraLost, CameraUnknown
from tabletop.messages import Message
from tabletop.vision.frame import Frame, Grey

SMALL_WIDTH = 640
"""Width of the small companion picture, px."""
KINDS = "picamera2, opencv:DEVICE (opencv:0, opencv:/dev/video0) or images:FOLDER"


class Camera(Protocol):
    """One camera, open.  Used from one thread."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def about(self) -> str:
        """Which camera it really is and what it can, for the doctor's list."""

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a picture whose exposure began after ``after`` (monotonic seconds), within ``timeout`` seconds.

        Raises :class:`~tabletop.hardware.errors.CameraLost`; the camera is of no use then: close and reopen it.
        """

    def close(self) -> None:
        """Give the camera back; returns within seconds even if it hangs; may be called twice."""


def small_size(width: int, height: int) -> tuple[int, int]:
    """Return the size of the small companion: 640 px wide, even sides, never larger than the picture."""
    small = min(SMALL_WIDTH, width)
    return small - small % 2, max(2, round(height * small / width / 2) * 2)


def shrink(grey: Grey) -> Grey:
    """Return the small companion of a picture."""
    import cv2
    import numpy as np

    height, width = grey.shape
    small = cv2.resize(grey, small_size(width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def not_there(name: str, devices: Iterable[Path], lost: CameraLost) -> CameraLost:
    """Return that a camera is there but may not be used, if that is so with any of its devices; else ``lost``.

    A service may use only devices whose driver was there when it started; a user those of their groups.
    """
    for device in devices:
        try:
            os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
        except PermissionError as error:
            group = Message("{command}, then log in again.", command="sudo usermod -aG video $USER")
            late = Message("Its driver came after the table: restart the table (sudo systemctl restart tabletop).")
            fix = late if error.errno == errno.EPERM else group
            return CameraLost(
                name, "The camera {camera} is there, but this program is not permitted to use it ({device}).", fix,
                device=str(device),
            )  # fmt: skip
        except OSError:
            continue
    return lost


def opener(
    spec: str, clock: Callable[[], float], *, mains: int = 50, size: tuple[int, int] | None = None
) -> Callable[[], Camera]:
    """Return what opens the camera that ``--camera`` names; the libraries are imported when it is called.

    ``mains`` is the frequency of the local mains in Hz: artificial light flickers with twice of it.  ``size`` is that
    of the pictures, px, None the largest; a folder's have their own.  Raises :class:`CameraUnknown` for a name that
    means no camera; what the result raises is CameraLost.
    """
    if spec == "picamera2":

        def open_pi() -> Camera:
            from tabletop.hardware.cameras.camera_process import CameraProcess
            from tabletop.hardware.cameras.picamera import NAME, PiCamera

            return CameraProcess.open(partial(PiCamera.open, mains, size), NAME)

        return open_pi
    kind, _, rest = spec.partition(":")
    if kind == "opencv" and rest:

        def open_v4l2() -> Camera:
            from tabletop.hardware.cameras.v4l2 import WIDEST, V4l2Camera

            return V4l2Camera.open(int(rest) if re.fullmatch(r"\d+", rest) else rest, clock, size or WIDEST)

        return open_v4l2
    if kind == "images" and rest:

        def open_folder() -> Camera:
            from tabletop.hardware.cameras.folder import FolderCamera

            return FolderCamera(Path(rest), clock)

        return open_folder
    raise CameraUnknown(Message("There is no camera “{name}”; choose {kinds}.", name=spec, kinds=KINDS))
