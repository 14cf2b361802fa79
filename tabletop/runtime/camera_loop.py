"""The way of the frames: camera → eyes → the referee's desk, in a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from tabletop.hardware.errors import CameraLost
from tabletop.hardware.log_once import LogOnce
from tabletop.vision.frame import Frame
from tabletop.vision.scene import Scene

log = logging.getLogger(__name__)

TIMEOUT = 2.0
"""Seconds that a frame may take before the camera counts as lost."""
PATIENCE = 20.0
"""Seconds that a look under way may take to end: Python must not be torn down under a library that computes."""
CALM = 3.0
"""A table that has stood still for so many seconds is looked at half as often."""
LONGEST_REST = 1.0
"""Seconds: a whole table is read seldom and takes a slow machine long; nobody should wait for its rest besides."""


class Frames(Protocol):
    """What the watch needs of a camera; it raises CameraLost while there is none."""

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a frame exposed after ``after``, monotonic seconds."""

    def close(self) -> None:
        """Give the camera back."""


class SceneSink(Protocol):
    """What the watch needs of the referee's desk."""

    @property
    def confirm_from(self) -> float | None:
        """The time of an OK that waits for a scene seen after it."""

    def see(self, scene: Scene) -> None:
        """Take a still scene."""


class FrameTracker(Protocol):
    """What the watch needs of the eyes."""

    @property
    def standing(self) -> Scene | None:
        """The scene as it stood in the last frame."""

    def look(self, frame: Frame) -> Scene | None:
        """Take a frame."""


class CameraLoop:
    """Takes ``rate`` frames a second and shows the referee every still scene that is new, or that answers an OK.

    A table where nothing happens is looked at half as often, and after a frame that took long to understand the eyes
    rest: they take at most ``share`` of one core.  The next frame is always the newest, so nothing piles up.

    ``camera`` is supervised: it raises CameraLost while there is none and tells its state by itself.  ``last`` is the
    newest frame, for people to look at.
    """

    def __init__(
        self,
        camera: Frames,
        eyes: FrameTracker,
        desk: SceneSink,
        clock: Callable[[], float],
        rate: float = 5.0,
        share: float = 0.4,
    ) -> None:
        self.last: Frame | None = None
        self._camera, self._eyes, self._desk, self._clock = camera, eyes, desk, clock
        self._pause, self._share = 1 / rate, share
        self._spent = 0.0
        self._moved = clock()
        self._complaint = LogOnce(log, "a frame could not be read")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def look_with(self, eyes: FrameTracker) -> None:
        """Go on with other eyes: another match is played here."""
        self._eyes = eyes

    def stop(self) -> None:
        """Stop looking and give the camera back."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)
        self._camera.close()

    def turn(self) -> None:
        """Take one frame and hand on what is seen.  Raises CameraLost where there is none."""
        frame = self._camera.capture(self._clock(), TIMEOUT)
        self.last = frame
        begun = self._clock()
        scene = self._eyes.look(frame)
        self._spent = self._clock() - begun
        standing = self._eyes.standing
        if scene is None and standing is not None and not standing.seeking and self._desk.confirm_from is not None:
            scene = standing
        if scene is not None:
            self._desk.see(scene)
        if scene is not None or standing is None:
            self._moved = frame.time

    @property
    def pause(self) -> float:
        """Seconds from one frame to the next, as things are."""
        usual = self._pause * (2 if self._clock() - self._moved > CALM else 1)
        return max(usual, min(self._spent / self._share, LONGEST_REST))

    def _run(self) -> None:
        due = self._clock()
        while not self._stop.is_set():
            try:
                self.turn()
                self._complaint.over()
            except CameraLost:
                self._stop.wait(self._pause)
            except Exception as error:
                # A frame that cannot be understood must not end the evening's sight.
                self._complaint.tell(error)
            due = max(due + self.pause, self._clock())
            self._stop.wait(max(0.0, due - self._clock()))
