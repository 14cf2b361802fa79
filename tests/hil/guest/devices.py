"""The kernel's simulated devices: pull a line of the GPIO chip, read one, feed the loopback camera."""

from __future__ import annotations

import fcntl
import os
import struct
import threading
import time
from functools import cache
from pathlib import Path

import cv2
import numpy as np

CONFIG = Path("/sys/kernel/config/gpio-sim/pi")
CAMERA = "/dev/video60"
SIZE = (1280, 720)
"""Width and height of the device's pictures and of the scenario's, px."""
PATIENCE = 240.0
"""Seconds after which anything counts as never coming; generous, because nothing is measured by it."""
VIDIOC_S_FMT = 0xC0D05605
V4L2_BUF_TYPE_VIDEO_OUTPUT, V4L2_FIELD_NONE, V4L2_COLORSPACE_SRGB = 2, 1, 8


def line(pin: int) -> Path:
    """Return the sysfs folder of a line."""
    device, chip = (CONFIG / "dev_name").read_text().strip(), (CONFIG / "bank0/chip_name").read_text().strip()
    return Path("/sys/devices/platform") / device / chip / f"sim_gpio{pin}"


@cache
def _opened(pin: int, name: str, how: int) -> int:
    """Return the descriptor of a line's file, opened only once: that takes an emulated processor a millisecond."""
    return os.open(line(pin) / name, how)


def pull(pin: int, *, up: bool) -> None:
    """Act as a contact: leave the line to its pull-up resistor (``up``), or connect it to ground."""
    os.pwrite(_opened(pin, "pull", os.O_WRONLY), b"pull-up" if up else b"pull-down", 0)


def level(pin: int) -> bool:
    """Return whether the line is driven high."""
    return os.pread(_opened(pin, "value", os.O_RDONLY), 8, 0).strip() == b"1"


def eventually(what: object, seconds: float = PATIENCE, pause: float = 0.005) -> bool:
    """Wait until a callable is true; return whether it was in time, which is generous because emulation is slow."""
    assert callable(what)
    begun = now = time.monotonic()
    while not what():
        looked, now = now, time.monotonic()
        if now > begun + seconds:
            return False
        # Looking takes time from the guest: at most half of it.
        time.sleep(max(pause, now - looked))
        now = time.monotonic()
    return True


def grey(level: int) -> bytes:
    """Return a picture of one grey value in the YUYV format."""
    picture = np.full((SIZE[1], SIZE[0], 3), level, np.uint8)
    return cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_YUYV).tobytes()


class Feed:
    """A camera that writes its picture into the loopback device again and again until it is stopped.

    ``form`` is the driver's name of the pixel format: ``YUYV``, or ``MJPG`` for JPEG files.
    """

    def __init__(self, picture: bytes, form: str = "YUYV", period: float = 0.2) -> None:
        self._picture, self._period = picture, period
        self._device = os.open(CAMERA, os.O_RDWR)
        width, height = SIZE
        wanted = bytearray(208)
        struct.pack_into("<I", wanted, 0, V4L2_BUF_TYPE_VIDEO_OUTPUT)
        (code,) = struct.unpack("<I", form.encode())
        struct.pack_into("<8I", wanted, 8, width, height, code, V4L2_FIELD_NONE, width * 2, width * height * 2,
                         V4L2_COLORSPACE_SRGB, 0)  # fmt: skip
        fcntl.ioctl(self._device, VIDIOC_S_FMT, wanted)
        os.write(self._device, picture)
        self._written = picture
        self._paused, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(self._period):
            if not self._paused.is_set():
                picture = self._picture
                os.write(self._device, picture)
                self._written = picture

    def show(self, picture: bytes) -> None:
        """Show another picture from now on; return once the device has it."""
        self._picture = picture
        assert eventually(lambda: self._written is picture)

    def stall(self) -> None:
        """Keep the device open but write no further picture."""
        self._paused.set()

    def go_on(self) -> None:
        """Write pictures again."""
        self._paused.clear()

    def stop(self) -> None:
        """Unplug the camera."""
        self._ended.set()
        self._thread.join()
        os.close(self._device)
