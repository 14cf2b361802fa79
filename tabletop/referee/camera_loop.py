"""The camera loop: camera → tracker → referee, one frame per turn, in its own thread or turn by turn.

It is part of this package because real tables and simulated games both run it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from tabletop.hardware.errors import CameraLost
from tabletop.hardware.log_once import LogOnce
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.vision.frame import Frame
from tabletop.vision.scene import Scene

if TYPE_CHECKING:
    from tabletop.vision.live.tracker import TableTracker  # importing it loads OpenCV

log = logging.getLogger(__name__)

FRAME_TIMEOUT_S = 2.0
"""After this time without a frame the camera counts as lost."""
JOIN_TIMEOUT_S = 20.0
"""How long to wait for the last frame to be read: Python must not shut down while a library is still computing."""
CALM_AFTER_S = 3.0
"""A table that has stood still for this many seconds is looked at half as often."""
MAX_REST_S = 1.0
"""The longest rest after a frame: a whole table is rarely read and takes a slow machine long, and nobody should have
to wait as long again afterwards."""


class Frames(Protocol):
    """The part of a camera that the loop uses; ``capture`` raises CameraLost while there is no camera."""

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a frame exposed after ``after``, monotonic seconds."""

    def close(self) -> None:
        """Give the camera back."""


class CameraLoop:
    """Takes ``rate`` frames a second and shows the referee every still scene that is new, or that answers an OK.

    A table where nothing happens is looked at half as often.  After a frame that took long to read the loop rests, so
    that reading takes about ``share`` of one core.  The next frame is always the newest, so nothing piles up.
    A simulated game, which has no time of its own, calls :meth:`turn` for each frame and never starts the thread.

    ``camera`` is supervised: it raises CameraLost while there is none and reports its own state.  ``last`` is the
    newest frame, for people to look at.
    """

    def __init__(
        self,
        camera: Frames,
        tracker: TableTracker,
        referee: Referee | Mailbox,
        clock: Callable[[], float],
        rate: float = 5.0,
        share: float = 0.4,
    ) -> None:
        self.last: Frame | None = None
        self._camera, self._tracker, self._referee, self._clock = camera, tracker, referee, clock
        self._pause, self._share = 1 / rate, share
        self._exchange = threading.Lock()
        self._spent = 0.0
        self._moved = clock()
        self._log_once = LogOnce(log, "a frame could not be read")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera loop", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def look_with(self, tracker: TableTracker) -> None:
        """Switch to the tracker of another match, and drop the scene that the old one is still reading.

        That scene is from the last match: its pieces would count in the next one.
        """
        with self._exchange:
            self._tracker = tracker

    def stop(self) -> None:
        """Stop looking and give the camera back."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(JOIN_TIMEOUT_S)
        self._camera.close()

    @property
    def settled(self) -> bool:
        """True if the table stood still in the last frame and no OK waits for an answer."""
        return self._tracker.standing is not None and self._referee.snapshot.confirm_from is None

    def turn(self) -> bool:
        """Take one frame; return whether the referee was shown a scene.  Raises CameraLost if there is no frame."""
        tracker = self._tracker
        frame = self._camera.capture(self._clock(), FRAME_TIMEOUT_S)
        self.last = frame
        begun = self._clock()
        scene = tracker.look(frame)
        self._spent = self._clock() - begun
        standing = tracker.standing
        if scene is None and self._is_awaited(standing):
            scene = standing
        with self._exchange:
            if tracker is not self._tracker:
                return False
            if scene is not None:
                self._referee.see(scene)
        if scene is not None or standing is None:
            self._moved = frame.time
        return scene is not None

    def _is_awaited(self, standing: Scene | None) -> bool:
        """Return whether the referee waits for this scene: an OK does, or its last scene was not yet read to the end.

        A scene that is itself still being read does not end the wait.
        """
        known = self._referee.snapshot
        waits = known.confirm_from is not None or (known.scene is not None and known.scene.seeking)
        return waits and standing is not None and not standing.seeking

    @property
    def pause(self) -> float:
        """The current interval between two frames, in seconds."""
        usual = self._pause * (2 if self._clock() - self._moved > CALM_AFTER_S else 1)
        return max(usual, min(self._spent / self._share, MAX_REST_S))

    def _run(self) -> None:
        due = self._clock()
        while not self._stop.is_set():
            try:
                self.turn()
                self._log_once.reset()
            except CameraLost:
                self._stop.wait(self._pause)
            except Exception as error:
                # One frame that cannot be read must not leave the table blind for the rest of the game.
                self._log_once.log(error)
            due = max(due + self.pause, self._clock())
            self._stop.wait(max(0.0, due - self._clock()))
