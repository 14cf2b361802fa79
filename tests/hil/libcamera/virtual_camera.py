"""libcamera's virtual camera, opened like a Pi's: only what it lacks of one is faked, the rest of picamera2 is real.

It has no raw stream, which picamera2 asks every camera for; it fills pictures of two planes, where a Pi's have one;
and the library for screens (kms++) is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from tabletop.hardware.cameras.picamera import PiCamera


class Formats:
    """The names of the pixel formats of screens."""

    def __getattr__(self, name: str) -> str:
        return name


def opened() -> PiCamera:
    """Return the virtual camera, opened with our adapter."""
    if "pykms" not in sys.modules:
        _make_up()
    return PiCamera.open()


def _make_up() -> None:
    screens: Any = ModuleType("pykms")
    screens.PixelFormat = Formats()
    sys.modules["pykms"] = screens
    import libcamera  # type: ignore[import-not-found,unused-ignore]

    configured, buffer, roles = libcamera.Camera.generate_configuration, libcamera.FrameBuffer, libcamera.StreamRole

    def without_raw(camera: Any, wanted: Sequence[Any]) -> Any:
        return configured(camera, [roles.VideoRecording if one == roles.Raw else one for one in wanted])

    class TwoPlanes:
        """A buffer whose colours are in a plane of their own."""

        Plane = buffer.Plane

        def __new__(cls, planes: Sequence[Any]) -> Any:
            (grey,) = planes
            colours = buffer.Plane()
            whole, grey.length = grey.length, grey.length * 2 // 3
            colours.fd, colours.offset, colours.length = grey.fd, grey.length, whole - grey.length
            return buffer([grey, colours])

    libcamera.Camera.generate_configuration, libcamera.FrameBuffer = without_raw, TwoPlanes
