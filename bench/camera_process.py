"""The cost of a camera in a separate process, in milliseconds per picture, compared with one in the same process.

``python -m bench.camera_process`` prints one line for each size of picture.  The camera has every picture ready, so
only the transfer from one process to the other is measured; the processor time of both is counted.
"""

from __future__ import annotations

import os
import statistics
import time
from functools import partial
from pathlib import Path

import numpy as np

from tabletop.hardware.cameras.camera import Camera, shrink
from tabletop.hardware.cameras.camera_process import CameraProcess
from tabletop.vision.frame import Frame

SIZES = ((1920, 1080), (2304, 1296), (4608, 2592))
ROUNDS = 40


class ReadyCamera:
    """A camera that copies one picture out of its buffer at each request, as the Pi's camera does."""

    name = about = "ready"

    def __init__(self, width: int, height: int) -> None:
        self._buffer = np.random.default_rng(1).integers(0, 255, (height, width + 64), np.uint8)
        self._width, self._number = width, 0
        self._small = shrink(self._buffer[:, :width])

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a copy of the picture."""
        self._number += 1
        return Frame(np.ascontiguousarray(self._buffer[:, : self._width]), self._small.copy(), after, self._number)

    def close(self) -> None:
        """Do nothing."""


def spent(process: str) -> float:
    """Return the seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(camera: Camera, processes: list[str]) -> tuple[float, float]:
    """Return the median wall time and the mean processor time of one picture that is read once, ms."""
    camera.capture(0.0, 10.0)
    took, before = [], sum(map(spent, processes))
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        camera.capture(0.0, 10.0).grey.sum()
        took.append((time.perf_counter() - begun) * 1000)
    return statistics.median(took), (sum(map(spent, processes)) - before) / ROUNDS * 1000


def main() -> None:
    """Print the table."""
    print("picture        here: wall, processor    its own process: wall, processor   (ms per picture)")
    for size in SIZES:
        here = measure(ReadyCamera(*size), ["self"])
        apart = CameraProcess.open(partial(ReadyCamera, *size), "ready")
        there = measure(apart, ["self", str(apart.process)])
        apart.close()
        print(
            f"{size[0]:>5} × {size[1]:<5} {here[0]:14.1f} {here[1]:8.1f} {there[0]:24.1f} {there[1]:8.1f}", flush=True
        )


if __name__ == "__main__":
    from bench.camera_process import main as run  # the child process must find the camera by the name of its module

    run()
