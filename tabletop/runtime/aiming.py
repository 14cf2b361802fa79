"""Aiming the camera: an assessment of what it sees now, for the terminal and for the page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.files import atomic
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.cameras.supervisor import Supervisor
from tabletop.hardware.errors import CameraLost
from tabletop.messages import Message
from tabletop.vision.aim import assess
from tabletop.vision.aim.assessment import Aim
from tabletop.vision.errors import PictureError
from tabletop.vision.frame import Frame
from tabletop.vision.geometry.camera_pose import DEFAULT_FIELD_DEG
from tabletop.vision.kit import Kit
from tabletop.vision.report import live_overlay

MIN_LOOK_INTERVAL_S = 0.7
"""A look younger than this is shown again: a new one costs as much as reading the whole table."""
FRAME_TIMEOUT_S = 5.0
"""After this time without a frame the camera counts as lost."""
REDRAW_INTERVAL_S = 1.0
"""The time between two reports in the terminal."""


class AimError(RuntimeError):
    """The camera cannot be aimed; the text says why and what to do."""


class AimedFrame(NamedTuple):
    """One frame and its assessment."""

    frame: Frame
    aim: Aim


class Viewfinder:
    """Assesses the newest frame whenever somebody looks, and does nothing while nobody does.

    ``frame`` returns the newest frame, None while there is none; ``clock`` gives monotonic seconds; ``field`` is the
    camera's horizontal field of view in degrees.  Usable from any thread.  Raises AimError for a game without a table.
    """

    def __init__(
        self,
        kit: Kit,
        seats: int,
        frame: Callable[[], Frame | None],
        clock: Callable[[], float],
        field: float = DEFAULT_FIELD_DEG,
    ) -> None:
        try:
            self._target = assess.aim_target(kit, seats)
        except ValueError as error:
            raise AimError(str(error)) from None
        self._frame, self._clock, self._field = frame, clock, field
        self._turn = threading.Lock()
        self._kept: AimedFrame | None = None
        self._due = 0.0

    def look(self) -> AimedFrame | None:
        """Return the newest frame with its assessment, None while there is no frame."""
        with self._turn:
            frame, now = self._frame(), self._clock()
            if frame is None:
                self._kept = None
            elif self._kept is None or (frame is not self._kept.frame and now >= self._due):
                self._kept = AimedFrame(frame, assess.assess_frame(frame, self._target, self._field))
                self._due = self._clock() + MIN_LOOK_INTERVAL_S
            return self._kept

    def report(self) -> Mapping[str, Any] | None:
        """Return the assessment of the newest look as plain data, None while there is no frame."""
        look = self.look()
        return look.aim.to_json() if look is not None else None

    def picture(self) -> bytes | None:
        """Return the newest look as JPEG with zones and tags drawn in."""
        look = self.look()
        return live_overlay.draw_aim(look.frame, look.aim) if look is not None else None


class AimSession:
    """The camera while it is aimed: opened at the first turn, reopened after it was lost, its newest frame kept."""

    def __init__(self, open_camera: Callable[[], Camera], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._camera = Supervisor(open_camera, lambda _: None, clock)
        self._frame: Frame | None = None

    def newest(self) -> Frame | None:
        """Return the newest frame, None while there is none."""
        return self._frame

    def turn(self) -> None:
        """Take a frame.  Raises CameraLost if there is none."""
        self._frame = None
        self._frame = self._camera.capture(self._clock(), FRAME_TIMEOUT_S)

    def close(self) -> None:
        """Give the camera back."""
        self._camera.close()


def run(
    view: AimSession,
    finder: Viewfinder,
    say: Callable[[AimedFrame | str], None],
    wait: Callable[[float], None],
    *,
    once: bool = False,
    picture: Path | None = None,
) -> bool:
    """Look repeatedly (only once if ``once``) and report each look; return whether the camera is aimed well.

    Each look is drawn to the file ``picture`` if one is named.  Raises CameraLost if the one look fails, and
    PictureError if the file cannot be written.
    """
    try:
        while True:
            try:
                view.turn()
            except CameraLost as lost:
                if once:
                    raise
                say(str(lost))
            look = finder.look()
            if look is not None:
                say(look)
                if picture is not None:
                    _write(picture, live_overlay.draw_aim(look.frame, look.aim))
                if once:
                    return look.aim.ready
            wait(REDRAW_INTERVAL_S)
    finally:
        view.close()


def in_words(aim: Aim) -> str:
    """Return an assessment as lines for a terminal."""
    read = f"markers {aim.markers} of {len(aim.zones)} · pieces {aim.pieces} · not readable {len(aim.unreadable)}"
    lines = [f"{'Ready.' if aim.ready else 'Not ready yet.'}  {read}{_numbers(aim)}"]
    width = max((len(zone.title) for zone in aim.zones), default=0)
    for zone in aim.zones:
        if zone.modules is None:
            lines.append(f"  {zone.title:{width}}  not seen")
            continue
        facts = [f"{zone.modules:5.2f} px per module"]
        facts += [f"{zone.inside:.0%} in the picture"] if zone.inside is not None and zone.inside < 1 else []
        facts += [f"glare on {zone.glare:.0%}"] if zone.glare > 0 else []
        facts += [f"{zone.pieces} read"] if zone.pieces else []
        facts += [f"{len(zone.unreadable)} not readable ({', '.join(sorted(set(zone.unreadable)))})"] * bool(
            zone.unreadable
        )
        lines.append(f"  {zone.title:{width}} {' · '.join(facts)}")
    lines += [f"! {hint.message}" for hint in aim.warnings]
    lines += ["It can be even better:"] * bool(aim.ready and aim.advice) + [f"→ {hint.message}" for hint in aim.advice]
    return "\n".join(lines)


def _numbers(aim: Aim) -> str:
    facts = ""
    if aim.blur is not None:
        facts += f" · blur {aim.blur:.1f} px"
    if aim.camera_pose is not None:
        facts += (
            f" · height about {aim.camera_pose.height / 10:.0f} cm · {aim.camera_pose.tilt:.0f}° past straight down"
        )
    if aim.print_scale is not None:
        facts += f" · tags printed at {aim.print_scale:.1%}"
    return facts


def _write(path: Path, jpeg: bytes) -> None:
    try:
        atomic.write(path, jpeg, 0o644)
    except OSError as error:
        raise PictureError(
            str(path), Message("the picture cannot be written ({error}).", error=error.strerror)
        ) from None
