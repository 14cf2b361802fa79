"""Real picamera2 and libcamera under our camera: opened, looked through, lost and opened again, with nothing left over.

Run in a Debian 13 system by ``./play hil``.  Ends with status 1 and a sentence if something is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import sys
import time
from pathlib import Path

import virtual_camera

from tabletop.hardware.cameras.camera_process import CameraProcess
from tabletop.hardware.errors import CameraLost
from tabletop.vision.frame import Frame

SIZE = (648, 1152)
"""The one size that the virtual camera has: the small pictures are adjusted to it, without a word."""
PATIENCE_S = 60.0
"""Seconds that a picture may take on a busy machine."""
HANG_S = 0.2
"""Seconds after which a library that was stopped counts as hanging, and the grace that goes with it."""
WAYS = {signal.SIGSEGV: "SIGSEGV", signal.SIGSTOP: "did not answer", signal.SIGKILL: "SIGKILL"}
"""How it is lost: a crash, a hang, memory that ran out; and what is said of it."""


def main() -> int:
    """Open, look, lose, count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--openings", type=int, default=100)
    parser.add_argument("--captures", type=int, default=1000)
    parser.add_argument("--losses", type=int, default=20)
    asked = parser.parse_args()
    opening: list[float] = []
    looking: list[float] = []
    held: set[tuple[int, int, int]] = set()
    lost = pictures = 0
    for number in range(asked.openings):
        begun = time.monotonic()
        camera = CameraProcess.open(virtual_camera.opened, "picamera2", PATIENCE_S)
        opening.append(time.monotonic() - begun)
        expect(camera.about == "imx708 (fixed focus)", f"it is {camera.about}")
        looking.append(look(camera))
        for _ in range(asked.captures // asked.openings - 1):
            judge(camera.capture(0.0, PATIENCE_S))
            pictures += 1
        if number % (asked.openings // asked.losses) == 0:
            lose(camera, [*WAYS][lost % len(WAYS)])
            lost += 1
        camera.close()
        held.add(holding())
    expect(len(held) == 1, f"(descriptors, pictures, processes) did not stay the same: {sorted(held)}")
    print(
        f"real picamera2 and libcamera: {len(opening)} openings ({statistics.median(opening):.1f} s), "
        f"{pictures + len(looking)} pictures ({statistics.median(looking) * 1000:.0f} ms for one that begins after it "
        f"was asked for), {lost} losses, nothing left over"
    )
    return 0


def look(camera: CameraProcess) -> float:
    """Take a picture that begins after this moment; return the seconds it took."""
    after = time.monotonic()
    frame = camera.capture(after, PATIENCE_S)
    took = time.monotonic() - after
    expect(after <= frame.time <= time.monotonic(), "it was not exposed after it was asked for")
    judge(frame)
    return took


def judge(frame: Frame) -> None:
    """See that a picture is whole."""
    expect((frame.grey.shape, frame.small.shape) == (SIZE, SIZE), f"it is {frame.grey.shape}, {frame.small.shape}")
    expect(float(frame.grey.std()) > 10, "it shows nothing")


def lose(camera: CameraProcess, way: signal.Signals) -> None:
    """Let the process crash, hang or be killed: that is a lost camera, and said so."""
    os.kill(camera.process, way)
    try:
        camera.capture(0.0, HANG_S)
    except CameraLost as lost:
        expect(WAYS[way] in str(lost), f"{way.name} is reported as: {lost}")
    else:
        expect(False, f"after {way.name} there was a picture")


def holding() -> tuple[int, int, int]:
    """Return how many descriptors, pictures and processes this process has."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return len(os.listdir("/proc/self/fd")), Path("/proc/self/maps").read_text().count("memfd:"), len(children)


def expect(true: bool, what: str) -> None:
    """End with a sentence where something is not as it should be."""
    if not true:
        sys.exit(f"!!! real picamera2 and libcamera: {what}")


if __name__ == "__main__":
    sys.exit(main())
