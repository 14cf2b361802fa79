"""A camera in a process of its own: its pictures arrive, and if it fails, only pictures are lost."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from doubles.clock import PATIENCE
from doubles.open_files import open_files
from tabletop.hardware.cameras import camera_process
from tabletop.hardware.cameras.camera_process import CameraProcess
from tabletop.hardware.cameras.supervisor import Supervisor
from tabletop.hardware.errors import CameraLost
from tests.hardware.cameras import plain_camera
from tests.hardware.cameras.plain_camera import CRASHES, HANGS, LOST, RAISES, PlainCamera

ROOT = Path(__file__).parents[3]
KILLS = 40


@pytest.fixture(autouse=True)
def found_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the child process import the tests' camera."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTHONFAULTHANDLER", "")


@pytest.fixture
def camera() -> Iterator[CameraProcess]:
    camera = CameraProcess.open(PlainCamera, "plain", PATIENCE)
    yield camera
    camera.close()


def children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def pictures() -> int:
    """Return how many pictures are mapped into this process; they have no file, and vanish with their last mapping."""
    return Path("/proc/self/maps").read_text().count("memfd:frame")


def test_pictures_arrive_with_their_times_and_numbers(camera: CameraProcess) -> None:
    """A picture arrives in both sizes with its exposure time and number, and does not change when later ones arrive."""
    assert camera.about == PlainCamera.about
    frames = [camera.capture(after, 1.0) for after in (10.0, 20.0)]
    assert [(frame.time, frame.number) for frame in frames] == [(10.0, 1), (20.0, 2)]
    for level, frame in enumerate(frames, start=1):
        assert (frame.grey.shape, frame.small.shape) == ((36, 64), (9, 16))
        assert np.all(frame.grey == level)
        assert np.all(frame.small == level)


def test_a_large_picture_arrives_whole() -> None:
    camera = CameraProcess.open(plain_camera.large, "plain", PATIENCE)
    frame = camera.capture(0.0, 1.0)
    camera.close()
    assert frame.grey.shape == (2592, 4608)
    assert np.all(frame.grey == 1), "it lives on without the process"


def test_a_lost_camera_is_reported_in_its_own_words(camera: CameraProcess) -> None:
    with pytest.raises(CameraLost, match=r"The camera plain gave no picture for 2\.5 s\.") as lost:
        camera.capture(LOST, 2.5)
    assert lost.value.fact.facts["time"] == 2.5
    with pytest.raises(CameraLost, match="The camera plain is not there: the ribbon"):
        CameraProcess.open(plain_camera.absent, "plain", PATIENCE)


@pytest.mark.parametrize(("what", "why"), [(CRASHES, "SIGSEGV"), (RAISES, "1")])
def test_a_crash_is_a_lost_camera(camera: CameraProcess, what: float, why: str) -> None:
    """SIGSEGV in the library or an unexpected error ends the camera's process alone and counts as a lost camera."""
    with pytest.raises(CameraLost, match=rf"The library of plain ended by itself \({why}\)"):
        camera.capture(what, PATIENCE)
    with pytest.raises(CameraLost):
        camera.capture(0.0, 1.0)


def test_a_crash_while_opening_is_a_lost_camera() -> None:
    with pytest.raises(CameraLost, match=r"ended by itself \(SIGSEGV\)"):
        CameraProcess.open(plain_camera.crashing, "plain", PATIENCE)


def test_a_hang_is_ended_and_the_camera_can_be_opened_again(
    camera: CameraProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_process, "CAPTURE_GRACE_S", 0.05)
    with pytest.raises(CameraLost, match=r"did not answer for 0\.1 s; its process was ended"):
        camera.capture(HANGS, 0.05)
    camera.close()
    again = CameraProcess.open(PlainCamera, "plain", PATIENCE)
    assert again.capture(5.0, PATIENCE).number == 1
    again.close()


def test_a_hang_while_opening_is_a_lost_camera() -> None:
    before = children()
    with pytest.raises(CameraLost, match=r"did not answer for 0\.05 s"):
        CameraProcess.open(plain_camera.hanging, "plain", 0.05)
    assert children() == before


def test_a_driver_that_hangs_while_closing_is_ended() -> None:
    before = children()
    camera = CameraProcess.open(plain_camera.stubborn, "plain", PATIENCE)
    camera.close(0.05)
    assert children() == before


def test_a_process_whose_table_was_killed_ends_though_its_library_hangs() -> None:
    """If the table is killed while the library hangs, the kernel ends the camera's process as well."""
    table = (
        "import os, sys; from tabletop.hardware.cameras.camera_process import CameraProcess; "
        "from tests.hardware.cameras.plain_camera import *; camera = CameraProcess.open(PlainCamera, 'plain', 100); "
        "print(camera.process, flush=True); camera.capture(HANGS, 3600)"
    )
    with subprocess.Popen([sys.executable, "-c", table], stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        number = int(killed.stdout.readline())
        watched = os.pidfd_open(number)
        killed.kill()
    try:
        assert ended(watched), "it outlived its table"
    finally:
        os.close(watched)


def ended(process: int) -> bool:
    """Wait until a process that is not a child of ours has ended; return whether it has."""
    return bool(select.select([process], [], [], PATIENCE)[0])


def test_forty_kills_leave_nothing_behind() -> None:
    """Each kill of the camera's process costs one picture; descriptors, memory and processes are as before."""
    states: list[str] = []
    opened: list[CameraProcess] = []
    now = [0.0]

    def open_camera() -> CameraProcess:
        opened.append(CameraProcess.open(PlainCamera, "plain", PATIENCE))
        return opened[-1]

    supervisor = Supervisor(open_camera, states.append, lambda: now[0])
    supervisor.capture(0.0, PATIENCE)
    before = open_files(), pictures(), len(children())
    for number in range(KILLS):
        os.kill(opened[-1].process, signal.SIGKILL)
        with pytest.raises(CameraLost, match="ended by itself"):
            supervisor.capture(0.0, PATIENCE)
        now[0] += supervisor.pause
        assert supervisor.capture(float(number), PATIENCE).time == number
    assert (open_files(), pictures(), len(children())) == before
    assert len(opened) == KILLS + 1
    supervisor.close()
    assert states == ["ok", *["lost", "ok"] * KILLS]
    assert len(children()) == before[2] - 1


def test_a_picture_that_nobody_holds_frees_its_memory() -> None:
    camera = CameraProcess.open(plain_camera.large, "plain", PATIENCE)
    held = [camera.capture(0.0, PATIENCE) for _ in range(3)]
    assert pictures() == 3
    del held
    for _ in range(20):
        assert camera.capture(0.0, PATIENCE).grey[0, 0] > 0
    assert pictures() == 0
    camera.close()
