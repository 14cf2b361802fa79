"""The process in which a camera's library runs: it opens the requested camera and answers until nobody asks.

``python -m tabletop.hardware.cameras.camera_child N``: N is the socket to the table.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pickle  # between two processes of ours; no stranger writes such a letter
import select
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.hardware.errors import CameraLost

if TYPE_CHECKING:
    from tabletop.hardware.cameras.camera import Camera
    from tabletop.vision.frame import Frame

MAX_MESSAGE_BYTES = 1 << 16
"""Between the two processes; pictures are not in their messages."""
OOM_SCORE_ADJ = 500
"""How readily the process ends when memory runs out, of 1000: after a photograph's, long before the table's."""


def end_with(stdin: int) -> None:
    """End as soon as the other end of ``stdin`` is closed, even if a library hangs: the kernel sends the signal."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(stdin, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(stdin, fcntl.F_SETFL, fcntl.fcntl(stdin, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([stdin], [], [], 0)[0]:
        os._exit(0)  # it was closed before


def main() -> None:
    """Open the camera and answer until the table closes the line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the table ends this process through it
    end_with(0)
    os.dup2(2, 1)  # what a library prints is for the log
    with contextlib.suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE_ADJ))
    with socket.socket(fileno=int(sys.argv[1])) as line, contextlib.suppress(BrokenPipeError, ConnectionResetError):
        camera = _opened(line)
        if camera is None:
            return
        try:
            while letter := line.recv(MAX_MESSAGE_BYTES):
                _answer(line, camera, *pickle.loads(letter))  # noqa: S301
        finally:
            camera.close()


def _opened(line: socket.socket) -> Camera | None:
    """Open the camera that the first letter asks for; return None if it is lost."""
    letter = line.recv(MAX_MESSAGE_BYTES)
    if not letter:
        return None
    try:
        camera: Camera = pickle.loads(letter)()  # noqa: S301
    except CameraLost as lost:
        line.send(pickle.dumps(lost))
        return None
    line.send(pickle.dumps(camera.about))
    return camera


def _answer(line: socket.socket, camera: Camera, after: float, timeout: float) -> None:
    """Send a picture, or why there is none."""
    try:
        frame = camera.capture(after, timeout)
    except CameraLost as lost:
        line.send(pickle.dumps(lost))
        return
    memory = _filled(frame)
    try:
        told = frame.grey.shape, frame.small.shape, frame.time, frame.number
        socket.send_fds(line, [pickle.dumps(told)], [memory])
    finally:
        os.close(memory)


def _filled(frame: Frame) -> int:
    """Return memory that holds both pictures of a frame, one behind the other."""
    memory = os.memfd_create("frame")
    pictures: list[Any] = [frame.grey, frame.small]
    left = [memoryview(one).cast("B") for one in pictures]
    while left:
        written = os.writev(memory, left)
        while left and written >= len(left[0]):
            written -= len(left.pop(0))
        if left:
            left[0] = left[0][written:]
    return memory


if __name__ == "__main__":
    main()
