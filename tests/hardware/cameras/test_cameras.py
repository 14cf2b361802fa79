"""Cameras off the Pi, and a camera that is lost and found again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import cv2
import numpy as np
import pytest

from doubles.clock import PATIENCE, Clock
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.cameras.folder import FolderCamera
from tabletop.hardware.cameras.opener import opener
from tabletop.hardware.cameras.supervisor import MAX_BACKOFF_S, Supervisor
from tabletop.hardware.cameras.v4l2 import V4l2Camera, wait_for_drivers
from tabletop.hardware.errors import CameraLost, CameraUnknown, HardwareError
from tabletop.vision.frame import Frame
from tests.hardware.cameras.fake_capture import FakeCapture, picture


def test_a_folder_shows_its_pictures_in_order_and_then_the_last_one(tmp_path: Path) -> None:
    for number, level in ((2, 200), (1, 100)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(level))
    (tmp_path / "notes.txt").write_text("no picture")
    camera = FolderCamera(tmp_path, Clock(100.0))
    frames = [camera.capture(100.0, 1.0) for _ in range(3)]
    assert [int(frame.grey[0, 0]) for frame in frames] == [100, 200, 200]
    assert [frame.number for frame in frames] == [1, 2, 3]
    assert frames[0].grey.shape == frames[0].small.shape == (90, 160)


def test_a_folder_without_pictures_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match=r"no \.jpg or \.png file"):
        opener(f"images:{tmp_path}", Clock(100.0))()


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="cannot be opened: No such file"):
        opener(f"images:{tmp_path / 'none'}", Clock(100.0))()


def test_a_file_that_is_not_a_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("no picture")
    with pytest.raises(CameraLost, match=r"shows no picture\. a\.jpg: this is not a JPEG, PNG or WebP picture"):
        FolderCamera(tmp_path, Clock(100.0)).capture(0, 1)


@pytest.mark.parametrize(("first", "last"), [(8, 12), (45, 49)])
def test_a_picture_of_a_folder_that_is_damaged_loses_the_camera_and_nothing_else(
    tmp_path: Path, first: int, last: int
) -> None:
    """A damaged picture in a folder, such as one with a header cut short, loses the camera with a sentence."""
    data = bytearray(cv2.imencode(".png", picture(100))[1].tobytes())
    data[first:last] = b"\0\0\0\2"
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(CameraLost, match=r"a\.png: the picture is damaged or cut short"):
        FolderCamera(tmp_path, Clock(100.0)).capture(0, 1)


@pytest.mark.parametrize("spec", ["webcam", "opencv:", "images:", "picamera2:1", ""])
def test_an_unknown_camera_name_lists_the_known_ones(spec: str) -> None:
    with pytest.raises(CameraUnknown, match=r"choose picamera2, opencv:DEVICE"):
        opener(spec, Clock(100.0))


def test_a_missing_device_is_lost_without_other_output(capfd: pytest.CaptureFixture[str]) -> None:
    """A missing device is reported as CameraLost without output, because the setup tries it three times a second."""
    with pytest.raises(CameraLost, match="opencv:/dev/video_none was not found") as caught:
        opener("opencv:/dev/video_none", Clock(100.0))()
    assert isinstance(caught.value, HardwareError)
    assert isinstance(caught.value, OSError)
    assert capfd.readouterr() == ("", "")


def asked(camera: V4l2Camera, after: float, monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Thread, list[Frame]]:
    """Capture a frame in a thread; return once the request has been placed."""
    frames: list[Frame] = []
    placed = threading.Event()
    ask = camera._ask

    def place(moment: float | None) -> None:
        ask(moment)
        placed.set()

    monkeypatch.setattr(camera, "_ask", place)
    thread = threading.Thread(target=lambda: frames.append(camera.capture(after, PATIENCE)))
    thread.start()
    assert placed.wait(PATIENCE)
    return thread, frames


def test_a_queued_old_picture_is_skipped_without_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, device = Clock(100.0), FakeCapture()
    camera = V4l2Camera(0, device, clock)
    thread, frames = asked(camera, 99.0, monkeypatch)
    for stamp in (97.0, 98.0, 99.5):
        device.feed(stamp)
    thread.join(PATIENCE)
    assert [(frame.time, int(frame.grey[0, 0])) for frame in frames] == [(99.5, 99)]
    assert device.decoded == 1
    device.unplug()
    camera.close()


def jpeg(level: int) -> Any:
    """Return a JPEG picture of one grey value as one row of bytes, truncated for level 13 and empty for 12."""
    data = cv2.imencode(".jpg", np.full((720, 1280, 3), level, np.uint8))[1].reshape(1, -1)
    return data[:, : {12: 0, 13: 40}.get(level)]


def test_a_jpeg_picture_is_decoded_in_full_size_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[int] = []
    decode = cv2.imdecode

    def watch(data: Any, how: int) -> Any:
        decoded.append(how)
        return decode(data, how)

    monkeypatch.setattr(cv2, "imdecode", watch)
    clock, device = Clock(100.0), FakeCapture(jpeg)
    camera = V4l2Camera(0, device, clock, jpeg=1280)
    thread, frames = asked(camera, 99.0, monkeypatch)
    device.feed(99.5)
    thread.join(PATIENCE)
    (frame,) = frames
    assert decoded == [cv2.IMREAD_REDUCED_GRAYSCALE_2]
    assert frame.small.shape == (360, 640)
    assert frame.grey.shape == (720, 1280)
    assert frame.grey is frame.grey
    assert frame.colour is not None
    assert frame.colour.shape == (720, 1280, 3)
    assert decoded == [cv2.IMREAD_REDUCED_GRAYSCALE_2, cv2.IMREAD_GRAYSCALE, cv2.IMREAD_COLOR]
    assert all(abs(int(part[5, 5]) - 99) <= 2 for part in (frame.grey, frame.small))
    device.unplug()
    camera.close()


def test_a_torn_picture_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, device = Clock(100.0), FakeCapture(jpeg)
    camera = V4l2Camera(0, device, clock, jpeg=1280)
    thread, frames = asked(camera, 12.0, monkeypatch)
    clock.now = 14.0
    for stamp in (12.5, 13.0, 14.0):
        device.feed(stamp)
    thread.join(PATIENCE)
    assert [frame.time for frame in frames] == [14.0]
    device.unplug()
    camera.close()


def test_a_picture_decoded_for_an_earlier_request_answers_no_later_one() -> None:
    """A picture decoded for an earlier request does not answer a later one, since a press may have come meanwhile."""
    clock, device, later = Clock(100.0), FakeCapture(), [103.0]
    clock.now = 104.0
    grab, grabs = device.grab, threading.Semaphore(0)

    def counted() -> bool:
        grabs.release()
        return grab()

    def slowly(level: int) -> Any:
        while later:
            camera._ask(later.pop())
        return picture(level)

    device.grab, device.show = counted, slowly  # type: ignore[method-assign]
    camera = V4l2Camera(0, device, clock)
    camera._ask(99.0)
    assert grabs.acquire(timeout=PATIENCE)
    found = []
    for stamp in (97.0, 99.5, 103.5):
        device.feed(stamp)
        assert grabs.acquire(timeout=PATIENCE)  # what was fed before has been processed
        found.append(camera._frame.time if camera._frame else None)
    assert found == [None, None, 103.5]
    device.unplug()
    camera.close()


def test_a_stamp_that_is_not_a_monotonic_time_is_replaced_by_when_waiting_began(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, device = Clock(100.0), FakeCapture()
    camera = V4l2Camera(0, device, clock)
    thread, frames = asked(camera, 99.0, monkeypatch)
    device.feed(1.7e9)
    thread.join(PATIENCE)
    assert [frame.time for frame in frames] == [100.0]
    device.unplug()
    camera.close()


def test_an_unplugged_device_is_lost_and_closed() -> None:
    device = FakeCapture()
    camera = V4l2Camera(7, device, Clock(100.0))
    device.unplug()
    with pytest.raises(CameraLost, match="opencv:7 was unplugged"):
        camera.capture(100.0, PATIENCE)
    assert device.released.wait(PATIENCE)


def test_a_stalled_device_is_lost_after_the_time_out() -> None:
    device = FakeCapture()
    camera = V4l2Camera(7, device, Clock(100.0))
    with pytest.raises(CameraLost, match="gave no picture for 0 s"):
        camera.capture(100.0, 0)
    device.unplug()
    camera.close()
    assert device.released.wait(PATIENCE)


def test_a_program_ends_only_when_no_driver_holds_a_thread_any_more() -> None:
    device = FakeCapture()
    camera = V4l2Camera(7, device, Clock(100.0))
    camera.close(0)
    ending = threading.Thread(target=wait_for_drivers)
    ending.start()
    ending.join(0.05)
    assert ending.is_alive()
    device.unplug()
    ending.join(PATIENCE)
    assert not ending.is_alive()


class Flaky:
    """A camera that works, fails or cannot be opened, as the test says."""

    name = about = "flaky"

    def __init__(self) -> None:
        self.opens = self.closes = 0
        self.there = self.works = True

    def open(self) -> Camera:
        self.opens += 1
        if not self.there:
            raise CameraLost("flaky", "The camera {camera} is not there.")
        return self

    def capture(self, after: float, timeout: float) -> Frame:
        if not self.works:
            raise CameraLost("flaky", "The camera {camera} hangs.")
        grey = np.zeros((2, 2), np.uint8)
        return Frame(grey, grey, after, 1)

    def close(self) -> None:
        self.closes += 1


@pytest.fixture
def watched() -> tuple[Flaky, Clock, list[str], Supervisor]:
    flaky, clock, states = Flaky(), Clock(100.0), list[str]()
    return flaky, clock, states, Supervisor(flaky.open, states.append, clock)


Watched = tuple[Flaky, Clock, list[str], Supervisor]


def fails(capture: Callable[[float, float], Frame]) -> str:
    with pytest.raises(CameraLost) as caught:
        capture(0.0, 1.0)
    return str(caught.value)


def test_a_state_is_reported_once_for_each_change(watched: Watched) -> None:
    flaky, clock, states, supervisor = watched
    supervisor.capture(0, 1)
    supervisor.capture(0, 1)
    flaky.works = False
    fails(supervisor.capture)
    fails(supervisor.capture)
    flaky.works = True
    clock.now += supervisor.pause
    supervisor.capture(0, 1)
    assert states == ["ok", "lost", "ok"]


def test_a_camera_that_was_never_opened_is_not_named() -> None:
    """Errors of a camera that was never opened say “The camera” instead of leaving a gap for its name."""

    def broken() -> NoReturn:
        raise RuntimeError("no library")

    supervisor = Supervisor(broken, lambda _state: None, Clock(100.0))
    assert str(supervisor.lost) == "The camera has not been opened yet."
    assert fails(supervisor.capture) == "The camera cannot be opened: RuntimeError('no library')."


def test_a_lost_camera_is_closed_before_it_is_opened_again(watched: Watched) -> None:
    flaky, clock, _, supervisor = watched
    supervisor.capture(0, 1)
    flaky.works = False
    fails(supervisor.capture)
    assert (flaky.opens, flaky.closes) == (1, 1)
    clock.now += supervisor.pause
    fails(supervisor.capture)
    assert (flaky.opens, flaky.closes) == (2, 2)


def test_pauses_grow_to_half_a_minute_and_start_again_after_success(watched: Watched) -> None:
    flaky, clock, _, supervisor = watched
    flaky.there = False
    pauses = []
    for _ in range(8):
        fails(supervisor.capture)
        pauses.append(supervisor.pause)
        clock.now += supervisor.pause
    assert pauses == [0.5, 1, 2, 4, 8, 16, MAX_BACKOFF_S, MAX_BACKOFF_S]
    flaky.there = True
    supervisor.capture(0, 1)
    flaky.works = False
    fails(supervisor.capture)
    assert supervisor.pause == 0.5


def test_between_tries_the_reason_is_repeated_and_nothing_is_opened(watched: Watched) -> None:
    flaky, _, _, supervisor = watched
    flaky.there = False
    assert fails(supervisor.capture) == fails(supervisor.capture) == "The camera flaky is not there."
    assert flaky.opens == 1


def test_any_exception_of_a_library_loses_the_camera(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any exception of a library loses the camera with its reason; the pause before the next try grows as usual."""
    flaky, clock, states, supervisor = watched
    supervisor.capture(0, 1)
    assert supervisor.lost is None
    capture = flaky.capture

    def breaks(*_: float) -> Frame:
        raise RuntimeError("pipeline handler")

    monkeypatch.setattr(flaky, "capture", breaks)
    assert fails(supervisor.capture) == "The camera flaky failed: RuntimeError('pipeline handler')."
    assert (str(supervisor.lost), supervisor.pause) == (fails(supervisor.capture), 0.5)
    monkeypatch.setattr(flaky, "capture", capture)
    clock.now += supervisor.pause
    supervisor.capture(0, 1)
    assert (supervisor.lost, states) == (None, ["ok", "lost", "ok"])


@pytest.mark.parametrize(("size", "wanted"), [(None, (3840, 2160)), ((1280, 720), (1280, 720))])
def test_a_usb_camera_is_asked_for_the_size_that_was_chosen_or_its_largest(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int] | None, wanted: tuple[int, int]
) -> None:
    asked_for: dict[int, float] = {}

    class Device(FakeCapture):
        def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
            return True

        def set(self, prop: int, value: float) -> bool:
            asked_for[prop] = value
            return True

    device = Device()
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: device)
    camera = opener("opencv:0", Clock(100.0), size=size)()
    device.unplug()
    camera.close()
    assert (asked_for[cv2.CAP_PROP_FRAME_WIDTH], asked_for[cv2.CAP_PROP_FRAME_HEIGHT]) == wanted
