"""Opens a camera by its name; a camera's libraries are imported only when it is opened."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.errors import CameraUnknown
from tabletop.messages import Message

CAMERA_KINDS = "picamera2, opencv:DEVICE (opencv:0, opencv:/dev/v4l/by-id/NAME) or images:FOLDER"


def opener(
    spec: str, clock: Callable[[], float], *, mains: int = 50, size: tuple[int, int] | None = None
) -> Callable[[], Camera]:
    """Return a function that opens the camera that ``--camera`` names; the libraries are imported when it is called.

    ``mains`` is the frequency of the local mains in Hz: artificial light flickers at twice that frequency.  ``size`` is
    that of the pictures, px, None for the largest; pictures of a folder keep their own.  Raises :class:`CameraUnknown`
    for a name that means no camera; the function that is returned raises CameraLost.
    """
    if spec == "picamera2":

        def open_pi() -> Camera:
            from tabletop.hardware.cameras.camera_process import CameraProcess
            from tabletop.hardware.cameras.picamera import CAMERA_NAME, PiCamera

            return CameraProcess.open(partial(PiCamera.open, mains, size), CAMERA_NAME)

        return open_pi
    kind, _, rest = spec.partition(":")
    if kind == "opencv" and rest:

        def open_v4l2() -> Camera:
            from tabletop.hardware.cameras.v4l2 import DEFAULT_SIZE_PX, V4l2Camera

            return V4l2Camera.open(int(rest) if re.fullmatch(r"\d+", rest) else rest, clock, size or DEFAULT_SIZE_PX)

        return open_v4l2
    if kind == "images" and rest:

        def open_folder() -> Camera:
            from tabletop.hardware.cameras.folder import FolderCamera

            return FolderCamera(Path(rest), clock)

        return open_folder
    raise CameraUnknown(Message("There is no camera “{name}”; choose {kinds}.", name=spec, kinds=CAMERA_KINDS))
