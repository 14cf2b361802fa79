"""The devices of the setup: the panel is open while it is tried, the camera while it is aimed, none otherwise."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.errors import CameraLost, CameraUnknown, PinsError
from tabletop.hardware.log_once import LogOnce
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.loop import PanelLoop
from tabletop.hardware.panel.panel_file import Wiring
from tabletop.messages import said_by
from tabletop.setup.wizard import SetupWizard
from tabletop.vision.aim import assess
from tabletop.vision.aim.assessment import Aim
from tabletop.vision.frame import Frame
from tabletop.vision.kit import Kit
from tabletop.vision.report import live_overlay

log = logging.getLogger(__name__)

POLL_INTERVAL_S = 0.3
"""The time between two checks of what the wizard's step needs."""
FRAME_TIMEOUT_S = 5.0
"""How long to wait for a frame; a camera that was just opened is still settling."""
JOIN_TIMEOUT_S = 20.0
"""Extra time to finish a look: Python must not shut down while a library is still computing."""


class Devices:
    """Gives the wizard the devices that its step needs, in a thread of its own.

    ``open_factory`` makes the pins, ``open_camera`` opens the camera of that name; both may fail, and are tried again
    as long as the step needs them.
    """

    def __init__(
        self,
        wizard: SetupWizard,
        wiring: Wiring | None,
        open_factory: Callable[[], Any],
        open_camera: Callable[[str], Camera],
        clock: Callable[[], float],
        finger: Callable[[], None] | None = None,
    ) -> None:
        self._wizard, self._wiring, self._clock, self._finger = wizard, wiring, clock, finger
        self._open_factory, self._open_camera = open_factory, open_camera
        self._panel: PanelLoop | None = None
        self._camera: Camera | None = None
        self._source = ""
        self._seen: tuple[Frame, Aim] | None = None
        self._target: tuple[tuple[Kit, int], assess.AimTarget] | None = None
        self._turn = threading.RLock()
        self._log_once = LogOnce(log, "a device of the setup could not be used; it is tried again")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="devices", daemon=True)
        wizard.on_change(self._wake)

    def __enter__(self) -> Devices:
        self._thread.start()
        return self

    def __exit__(self, *trouble: object) -> None:
        self._stop.set()
        self._thread.join(FRAME_TIMEOUT_S + JOIN_TIMEOUT_S)
        self.close()

    def picture(self) -> bytes | None:
        """Return the camera's last picture as JPEG, with the tags that were read drawn in; None if there is none."""
        seen = self._seen
        if seen is None:
            return None
        return live_overlay.draw_aim(*seen)

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Release every device inside the block, so that others can use it."""
        with self._turn:
            self.close()
            yield

    def turn(self) -> None:
        """Open what the step needs, release what it does not, and look once."""
        with self._turn:
            self._serve(self._wizard.draft.step)

    def _serve(self, step: str) -> None:
        if step == "panel":
            self._hold_panel()
            if self._finger is not None:
                self._finger()
        else:
            self._drop_panel()
        if step == "camera":
            self._look()
        else:
            self._drop_camera()

    def close(self) -> None:
        """Release everything."""
        self._drop_panel()
        self._drop_camera()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.turn()
                self._log_once.reset()
            except Exception as error:
                # Whatever goes wrong with a device, the wizard and its other steps continue.
                self._log_once.log(error)
            self._stop.wait(POLL_INTERVAL_S)

    def _wake(self) -> None:
        panel = self._panel
        if panel is not None:
            panel.wake()

    def _hold_panel(self) -> None:
        if self._panel is not None or self._wiring is None or not self._wizard.draft.panel:
            return
        try:
            panel = Panel(self._wiring, self._open_factory(), self._clock)
        except PinsError as error:
            self._wizard.told = said_by(error)
            return
        with ExitStack() as failed:
            failed.callback(panel.close)
            loop = PanelLoop(panel, self._wizard.signals, self._wizard.press, _nothing, self._clock)
            loop.start()  # a system that is short of threads may refuse one
            failed.pop_all()
        self._panel = loop

    def _drop_panel(self) -> None:
        panel, self._panel = self._panel, None
        if panel is not None:
            panel.stop()

    def _look(self) -> None:
        draft = self._wizard.draft
        if self._source != draft.source:
            self._drop_camera()
        try:
            if self._camera is None:
                self._camera, self._source = self._open_camera(draft.source), draft.source
            frame = self._camera.capture(self._clock(), FRAME_TIMEOUT_S)
        except (CameraLost, CameraUnknown) as error:
            self._drop_camera()
            self._wizard.see(draft.source, None, said_by(error))
            return
        try:
            aim = assess.assess_frame(frame, self._wanted(draft.kit, len(draft.seats)))
        except ValueError as error:
            self._wizard.see(draft.source, None, said_by(error))
            return
        self._seen = (frame, aim)
        self._wizard.see(draft.source, aim)

    def _wanted(self, kit: Kit, seats: int) -> assess.AimTarget:
        """Return what to look for at that table, worked out once.  Raises ValueError for a game without a table."""
        if self._target is None or self._target[0] != (kit, seats):
            self._target = ((kit, seats), assess.aim_target(kit, seats))
        return self._target[1]

    def _drop_camera(self) -> None:
        camera, self._camera = self._camera, None
        self._seen = None
        if camera is not None:
            camera.close()


def _nothing(trouble: object) -> None:
    """Ignore a faulty button: people notice on the page that nothing happens when it is pressed."""
