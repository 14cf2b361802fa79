"""The process in which a camera's library runs: it opens the requested camera and answers requests for pictures."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

from tabletop.hardware.errors import CameraLost
from tabletop.processes.answering import open_connection

if TYPE_CHECKING:
    from tabletop.hardware.cameras.camera import Camera
    from tabletop.processes.connection import Connection
    from tabletop.vision.frame import Frame

OOM_SCORE_ADJ = 500
"""How readily the kernel kills the process if memory runs out, 0 … 1000: after a photograph's, before the table's."""


def main() -> None:
    """Open the camera and answer until the table closes the connection."""
    connection = open_connection(oom_score_adj=OOM_SCORE_ADJ)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        camera = _opened(connection)
        if camera is None:
            return
        try:
            while True:
                (after, timeout), _ = connection.receive()
                _answer(connection, camera, after, timeout)
        finally:
            camera.close()


def _opened(connection: Connection) -> Camera | None:
    """Open the camera that the first message asks for; return None if it is lost."""
    open_camera, _ = connection.receive()
    try:
        camera: Camera = open_camera()
    except CameraLost as lost:
        connection.send(lost)
        return None
    connection.send(camera.about)
    return camera


def _answer(connection: Connection, camera: Camera, after: float, timeout: float) -> None:
    """Send a picture, or the error that says why there is none."""
    try:
        frame = camera.capture(after, timeout)
    except CameraLost as lost:
        connection.send(lost)
        return
    memory = _filled(frame)
    try:
        connection.send((frame.grey.shape, frame.small.shape, frame.time, frame.number), file=memory)
    finally:
        os.close(memory)


def _filled(frame: Frame) -> int:
    """Return anonymous memory (memfd) with both pictures of a frame, one after the other."""
    memory = os.memfd_create("frame")
    pictures: list[Any] = [frame.grey, frame.small]
    left = [memoryview(picture).cast("B") for picture in pictures]
    while left:
        written = os.writev(memory, left)
        while left and written >= len(left[0]):
            written -= len(left.pop(0))
        if left:
            left[0] = left[0][written:]
    return memory


if __name__ == "__main__":
    main()
