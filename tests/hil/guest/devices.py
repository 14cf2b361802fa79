"""Hands for the kernel's simulated devices: pull a line of the GPIO chip, read it, feed the loopback camera."""

from __future__ import annotations

import fcntl
import os
import struct
import threading
import time
from pathlib import Path

import cv2
import numpy as np

CONFIG = Path("/sys/kernel/config/gpio-sim/pi")
CAMERA = "/dev/video60"
SIZE = (1280, 720)
VIDIOC_S_FMT = 0xC0D05605
V4L2_BUF_TYPE_VIDEO_OUTPUT, V4L2_FIELD_NONE, V4L2_COLORSPACE_SRGB = 2, 1, 8


def line(pin: int) -> Path:
    """Return the folder of a line in sysfs."""
    device, chip = (CONFIG / "dev_name").read_text().strip(), (CONFIG / "bank0/chip_name").read_text().strip()
    return Path("/sys/devices/platform") / device / chip / f"sim_gpio{pin}"


def pull(pin: int, *, up: bool) -> None:
    """Do what a contact does: connect the line to ground, or leave it to the resistor."""
    (line(pin) / "pull").write_text("pull-up" if up else "pull-down")


def level(pin: int) -> bool:
    """Return what the line is driven to."""
    return (line(pin) / "value").read_text().strip() == "1"


def eventually(what: object, seconds: float = 20.0) -> bool:
    """Wait until a callable is true; emulation is slow, so limits are generous and no test measures by them."""
    assert callable(what)
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


class Feed:
    """A camera: writes pictures of one grey value into the loopback device until it is told to stop."""

    def __init__(self, value: int, period: float = 0.1) -> None:
        self.value, self._period = value, period
        self._device = os.open(CAMERA, os.O_RDWR)
        width, height = SIZE
        form = bytearray(208)
        struct.pack_into("<I", form, 0, V4L2_BUF_TYPE_VIDEO_OUTPUT)
        yuyv = struct.unpack("<I", b"YUYV")[0]
        struct.pack_into("<8I", form, 8, width, height, yuyv, V4L2_FIELD_NONE, width * 2, width * height * 2,
                         V4L2_COLORSPACE_SRGB, 0)  # fmt: skip
        fcntl.ioctl(self._device, VIDIOC_S_FMT, form)
        self._write()
        self._paused, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _write(self) -> None:
        picture = np.full((SIZE[1], SIZE[0], 3), self.value, np.uint8)
        os.write(self._device, cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_YUYV).tobytes())

    def _run(self) -> None:
        while not self._ended.wait(self._period):
            if not self._paused.is_set():
                self._write()

    def stall(self) -> None:
        """Keep the device open and write nothing."""
        self._paused.set()

    def go_on(self) -> None:
        """Write again."""
        self._paused.clear()

    def stop(self) -> None:
        """Unplug the camera."""
        self._ended.set()
        self._thread.join()
        os.close(self._device)
