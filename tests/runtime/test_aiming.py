"""Aiming from the terminal: looks are printed, a lost camera is reported and awaited, and one look sets the status."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from tabletop.cli.aim import command
from tabletop.hardware.cameras.camera import shrink
from tabletop.hardware.errors import CameraLost
from tabletop.rules import registry
from tabletop.runtime import aiming
from tabletop.simulator.world import World
from tabletop.vision.frame import Frame
from tabletop.vision.kit import Kit

PALAZZO = registry.game("palazzo")


@pytest.fixture(scope="module")
def grey() -> NDArray[np.uint8]:
    world = World(PALAZZO, ["Ada", "Ben"], seed=2, harsh=0, size=(1920, 1080), clock=lambda: 0.0)
    return world.camera.frame(1.0).grey


@pytest.fixture
def folder(tmp_path: Path, grey: NDArray[np.uint8]) -> Path:
    cv2.imwrite(str(tmp_path / "table.png"), grey)
    return tmp_path


class Camera:
    """Shows frames one after the other; None stands for a lost camera."""

    name = about = "a camera"

    def __init__(self, *frames: NDArray[np.uint8] | None) -> None:
        self.frames = [*frames]
        self.closed = 0

    def capture(self, after: float, timeout: float) -> Frame:
        grey = self.frames.pop(0)
        if grey is None:
            raise CameraLost(self.name, "The camera {camera} hangs.")
        return Frame(grey, shrink(grey), after, len(self.frames))

    def close(self) -> None:
        self.closed += 1


class WaitingClock:
    """A clock that advances only when somebody waits, and ends the test after some waits."""

    def __init__(self, waits: int) -> None:
        self.now, self.left = 0.0, waits

    def time(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += 40.0
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


def black() -> NDArray[np.uint8]:
    return np.zeros((270, 480), np.uint8)


def test_a_lost_camera_is_reported_and_used_again_when_it_returns() -> None:
    clock, camera = WaitingClock(3), Camera(black(), None, black())
    said: list[aiming.AimedFrame | str] = []
    view = aiming.AimSession(lambda: camera, clock.time)
    finder = aiming.Viewfinder(Kit(PALAZZO), 2, view.newest, clock.time)
    with pytest.raises(KeyboardInterrupt):
        aiming.run(view, finder, said.append, clock.wait)
    assert [one if isinstance(one, str) else one.aim.warnings[-1].code for one in said] == [
        "black", "The camera a camera hangs.", "black",
    ]  # fmt: skip
    assert camera.closed == 2


def test_a_look_is_reused_for_a_moment() -> None:
    clock, frames = WaitingClock(9), [Frame(black(), black(), 0.0, number) for number in range(3)]
    newest = iter(frames)
    finder = aiming.Viewfinder(Kit(PALAZZO), 2, lambda: next(newest), clock.time)
    first = finder.look()
    assert finder.look() is first
    clock.now += 1
    second = finder.look()
    assert second is not None
    assert second.frame is frames[2]


def test_without_a_frame_nothing_is_reported() -> None:
    finder = aiming.Viewfinder(Kit(PALAZZO), 2, lambda: None, lambda: 0.0)
    assert (finder.look(), finder.report(), finder.picture()) == (None, None, None)


def test_one_look_through_a_folder_of_pictures_is_printed_and_drawn(folder: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        command, ["--camera", f"images:{folder}", "--seats", "2", "--once", "--picture", str(tmp_path / "look.jpg")]
    )
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Ready.  markers 12 of 12")
    assert "Warehouse" in done.stdout
    look = cv2.imread(str(tmp_path / "look.jpg"))
    assert look is not None
    assert look.shape == (720, 1280, 3)


def test_a_camera_that_is_not_aimed_well_ends_with_status_1(folder: Path) -> None:
    done = CliRunner().invoke(command, ["--camera", f"images:{folder}", "--seats", "4", "--once", "--json"])
    told = json.loads(done.stdout)
    assert (done.exit_code, told["ready"], told["warnings"][0]["code"]) == (1, False, "missing")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--camera", "images:nowhere"], "cannot be opened"),
        (["--camera", "simulated", "--game", "piecepack"], "without a camera: there is nothing to"),
    ],
)
def test_an_unusable_camera_is_reported_in_one_sentence(
    args: Sequence[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.game("piecepack")), "table", None)
    done = CliRunner().invoke(command, [*args, "--once"])
    assert (done.exit_code, sentence in done.stderr, done.stdout) == (1, True, "")


def test_a_table_is_aimed_at_for_as_many_seats_as_its_game_has(folder: Path) -> None:
    done = CliRunner().invoke(command, ["--camera", f"images:{folder}", "--seats", "5", "--once"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Palazzo is for 2 to 4 seats, not 5." in done.stderr


def test_a_picture_that_cannot_be_written_is_named(folder: Path) -> None:
    path = Path("nowhere") / "look.jpg"
    done = CliRunner().invoke(
        command, ["--camera", f"images:{folder}", "--seats", "2", "--once", "--picture", str(path)]
    )
    assert (done.exit_code, f"{path}: the picture cannot be written" in done.stderr) == (1, True)
