"""Our camera on the real picamera2 and libcamera: opened, read, lost and opened again, with nothing left over.

Run in a Debian 13 system by ``./play hil``.  Ends with status 1 and a sentence if something is wrong.
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
"""The only size that the virtual camera has, px; requests for small pictures are silently adjusted to it."""
PATIENCE_S = 60.0
"""Seconds that a picture may take on a busy machine."""
HANG_S = 0.2
"""Seconds after which a stopped library counts as hanging, grace included."""
WAYS = {signal.SIGSEGV: "SIGSEGV", signal.SIGSTOP: "did not answer", signal.SIGKILL: "SIGKILL"}
"""Ways to lose the camera (a crash, a hang, a kill for lack of memory) and what the error must say."""


def main() -> int:
    """Open, read and lose the camera many times, then print the times and check that nothing is left over."""
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
    """Capture a picture taken after this moment; return the seconds it took."""
    after = time.monotonic()
    frame = camera.capture(after, PATIENCE_S)
    took = time.monotonic() - after
    expect(after <= frame.time <= time.monotonic(), "it was not exposed after it was asked for")
    judge(frame)
    return took


def judge(frame: Frame) -> None:
    """Check that a picture has its size and shows something."""
    expect((frame.grey.shape, frame.small.shape) == (SIZE, SIZE), f"it is {frame.grey.shape}, {frame.small.shape}")
    expect(float(frame.grey.std()) > 10, "it shows nothing")


def lose(camera: CameraProcess, way: signal.Signals) -> None:
    """Let the camera's process crash, hang or be killed: CameraLost has to say which."""
    os.kill(camera.process, way)
    try:
        camera.capture(0.0, HANG_S)
    except CameraLost as lost:
        expect(WAYS[way] in str(lost), f"{way.name} is reported as: {lost}")
    else:
        expect(False, f"after {way.name} there was a picture")


def holding() -> tuple[int, int, int]:
    """Return how many descriptors, shared pictures and child processes this process has."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return len(os.listdir("/proc/self/fd")), Path("/proc/self/maps").read_text().count("memfd:"), len(children)


def expect(true: bool, what: str) -> None:
    """End the program with a sentence unless ``true``."""
    if not true:
        sys.exit(f"!!! real picamera2 and libcamera: {what}")


if __name__ == "__main__":
    sys.exit(main())
