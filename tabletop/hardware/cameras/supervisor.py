"""Keeps a camera open: reopens a lost one with growing pauses, and reports every change of its state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from tabletop.hardware.cameras.camera import Camera, CameraState
from tabletop.hardware.errors import CameraLost
from tabletop.vision.frame import Frame

MIN_BACKOFF_S, MAX_BACKOFF_S = 0.5, 30.0
"""The first and the longest pause before reopening, seconds; the pause doubles with every failure."""


class Supervisor:
    """Keeps one camera open as far as that is possible; meanwhile the game continues without it.

    ``open`` opens the camera or raises CameraLost; ``lost`` is why there is no picture, None while there is one;
    ``on_state`` is called with the new state whenever that changes.  Used from one thread; it never sleeps: between
    tries :meth:`capture` fails at once, and :attr:`pause` is the time until the next try.
    """

    def __init__(
        self, open: Callable[[], Camera], on_state: Callable[[CameraState], None], clock: Callable[[], float]
    ) -> None:
        self._open, self._on_state, self._clock = open, on_state, clock
        self._camera: Camera | None = None
        self._state: CameraState | None = None
        self._wait = MIN_BACKOFF_S
        self._due = clock()
        self.lost: CameraLost | None = CameraLost("", "The camera has not been opened yet.")

    @property
    def pause(self) -> float:
        """Seconds until the camera is tried again; 0 while it is open."""
        return 0.0 if self._camera is not None else max(0.0, self._due - self._clock())

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a picture like :meth:`Camera.capture`, reopening the camera first if it is time.

        Raises CameraLost, which says why there is none.
        """
        if self._camera is None and self.lost is not None and self._clock() < self._due:
            raise self.lost
        try:
            if self._camera is None:
                self._camera = self._open()
            frame = self._camera.capture(after, timeout)
        except CameraLost as lost:
            self._give_up(lost)
            raise
        except Exception as error:  # a driver's library may raise anything: that must not stop the table
            if self._camera is None:
                failed = CameraLost("", "The camera cannot be opened: {error}.", error=repr(error))
            else:
                failed = CameraLost(self._camera.name, "The camera {camera} failed: {error}.", error=repr(error))
            self._give_up(failed)
            raise failed from error
        self.lost = None
        self._wait = MIN_BACKOFF_S
        self._tell(CameraState.OK)
        return frame

    def close(self) -> None:
        """Release the camera."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def _give_up(self, lost: CameraLost) -> None:
        self.lost = lost
        with suppress(Exception):
            self.close()
        self._due = self._clock() + self._wait
        self._wait = min(self._wait * 2, MAX_BACKOFF_S)
        self._tell(CameraState.LOST)

    def _tell(self, state: CameraState) -> None:
        if state != self._state:
            self._state = state
            self._on_state(state)
