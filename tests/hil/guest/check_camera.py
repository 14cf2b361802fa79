"""A V4L2 camera on a real video device: fresh pictures, a stall, an unplugged cable, and recovery."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from devices import CAMERA, PATIENCE, SIZE, Feed, grey

from tabletop.config import CameraConfig, Config
from tabletop.hardware.cameras.opener import opener
from tabletop.hardware.cameras.supervisor import Supervisor
from tabletop.hardware.diagnostics import probes_table
from tabletop.hardware.diagnostics.check import ProbedMachine
from tabletop.hardware.errors import CameraLost

OPEN = opener(f"opencv:{CAMERA}", time.monotonic)


@pytest.fixture
def feed() -> Iterator[Feed]:
    feed = Feed(grey(50))
    yield feed
    feed.stop()


def value(frame: object) -> int:
    return round(float(frame.grey.mean()))  # type: ignore[attr-defined]


def test_pictures_arrive_in_their_size(feed: Feed) -> None:
    camera = OPEN()
    frame = camera.capture(time.monotonic(), PATIENCE)
    camera.close()
    assert frame.grey.shape == (SIZE[1], SIZE[0])
    assert frame.small.shape == (360, 640)
    assert abs(value(frame) - 50) <= 3


def test_a_picture_shows_what_was_there_after_the_press(feed: Feed) -> None:
    """A capture after a press skips the older pictures that wait in the driver's queue."""
    camera = OPEN()
    camera.capture(time.monotonic(), PATIENCE)
    time.sleep(1)
    for level in (100, 150, 200):
        feed.show(grey(level))
        pressed = time.monotonic()
        frame = camera.capture(pressed, PATIENCE)
        assert frame.time > pressed
        assert abs(value(frame) - level) <= 3
    camera.close()


def test_a_stalled_camera_is_lost_and_comes_back(feed: Feed) -> None:
    states: list[str] = []
    supervisor = Supervisor(OPEN, states.append, time.monotonic)
    supervisor.capture(time.monotonic(), PATIENCE)
    feed.stall()
    with pytest.raises(CameraLost, match="gave no picture for 1 s"):
        supervisor.capture(time.monotonic() + 5, 1)
    feed.go_on()
    end = time.monotonic() + PATIENCE
    while states[-1] != "ok":
        assert time.monotonic() < end, "it did not come back"
        time.sleep(supervisor.pause)
        try:
            supervisor.capture(time.monotonic(), PATIENCE)
        except CameraLost as lost:
            print(f"still lost: {lost}")
    supervisor.close()
    assert states == ["ok", "lost", "ok"]


def test_the_doctor_sees_through_the_camera(feed: Feed) -> None:
    machine = ProbedMachine(Config(camera=CameraConfig(f"opencv:{CAMERA}")), time.monotonic, time.time)
    first = next(iter(probes_table.camera(machine)))
    assert first.state.value == "ok"
    assert "1280 × 720 px" in first.fact


def test_without_a_camera_opening_fails_at_once() -> None:
    """Opening fails without waiting ten seconds for a driver that has no picture to give."""

    def idle() -> float:
        return time.monotonic() - time.process_time()

    begun = idle()
    with pytest.raises(CameraLost, match="was not found"):
        OPEN()
    assert idle() - begun < 9
