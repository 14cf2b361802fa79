"""Which cameras are plugged in, and which lasting names they have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import pytest

from doubles.clock import PATIENCE, Clock
from tabletop.hardware.cameras import present
from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.cameras.opener import opener
from tabletop.hardware.cameras.present import present_cameras, stable_source
from tabletop.hardware.cameras.supervisor import MAX_BACKOFF_S, Supervisor
from tabletop.hardware.errors import CameraLost
from tests.hardware.cameras.fake_capture import FakeCapture

WEBCAM = "usb-046d_HD_Pro_Webcam_C920_1A2B3C4D"
SOCKET = "platform-xhci-hcd.0-usb-0:1"


def plug(root: Path, number: int, model: str, socket: str = SOCKET) -> None:
    """Plug in a USB camera as udev does: two devices with two links each, the second of which gives no pictures."""
    for index in (0, 1):
        names = root / f"sys/class/video4linux/video{number + index}"
        names.mkdir(parents=True)
        (names / "name").write_text("HD Pro Webcam C920\n")
        for kind, name in (("by-id", model), ("by-path", f"{socket}:1.0")):
            link = root / "dev/v4l" / kind / f"{name}-video-index{index}"
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(f"../../video{number + index}")
        (root / f"dev/video{number + index}").touch()


def unplug(root: Path, number: int) -> None:
    for path in (root / "dev").rglob("*"):
        if path.resolve().name in (f"video{number}", f"video{number + 1}"):
            path.unlink()


def test_a_usb_camera_is_offered_under_the_name_that_it_keeps(tmp_path: Path) -> None:
    """A USB camera is offered by its lasting name and its driver's title, without metadata and codec devices."""
    assert present_cameras(tmp_path) == []
    plug(tmp_path, 0, WEBCAM)
    codec = tmp_path / "dev/v4l/by-path/platform-bcm2835-codec-video-index0"
    codec.symlink_to("../../video10")
    kept = f"opencv:/dev/v4l/by-id/{WEBCAM}-video-index0"
    assert present_cameras(tmp_path) == [(kept, "HD Pro Webcam C920")]
    assert {stable_source(name, tmp_path) for name in ("0", "/dev/video0")} == {kept}
    assert {stable_source(name, tmp_path) for name in ("2", "/dev/video1", kept.partition(":")[2])} == {None}


def test_two_cameras_of_one_name_are_told_apart_by_their_sockets(tmp_path: Path) -> None:
    """Two cameras of one name without serial numbers are offered by their sockets."""
    plug(tmp_path, 0, WEBCAM)
    plug(tmp_path, 2, WEBCAM, "platform-xhci-hcd.1-usb-0:2")
    assert [camera.source for camera in present_cameras(tmp_path)] == [
        f"opencv:/dev/v4l/by-path/{socket}:1.0-video-index0" for socket in (SOCKET, "platform-xhci-hcd.1-usb-0:2")
    ]


@pytest.mark.parametrize("driver", ["unicam-image", "rp1-cfe-csi2_ch0"])
def test_the_pis_own_camera_is_offered_first_if_it_is_there(tmp_path: Path, driver: str) -> None:
    """The Pi's own camera is offered first if its connector's device exists, as it does only with a camera attached."""
    plug(tmp_path, 2, WEBCAM)
    own = tmp_path / "sys/class/video4linux/video0"
    own.mkdir()
    (own / "name").write_text("pispbe-input\n")
    assert [camera.source.partition(":")[0] for camera in present_cameras(tmp_path)] == ["opencv"]
    (own / "name").write_text(f"{driver}\n")
    assert [camera.source.partition(":")[0] for camera in present_cameras(tmp_path)] == ["picamera2", "opencv"]


def test_the_error_for_a_missing_camera_names_one_that_is_present(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error for a missing camera names one to choose instead; for one that is present but in use it does not."""
    plug(tmp_path, 2, WEBCAM)
    advice = present.advice(tmp_path)
    monkeypatch.setattr(present, "advice", lambda: advice)
    with pytest.raises(CameraLost) as lost:
        opener("opencv:/dev/video77", Clock(100.0))()
    assert f'source = "opencv:/dev/v4l/by-id/{WEBCAM}-video-index0"' in lost.value.fix
    with pytest.raises(CameraLost) as lost:
        opener(f"opencv:{tmp_path}/dev/video2", Clock(100.0))()
    assert not lost.value.fix


def test_a_camera_that_comes_back_under_another_number_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lost USB camera that returns under another number is opened again through its link by-id."""

    class Device(FakeCapture):
        def __init__(self, path: str, _: int) -> None:
            super().__init__()
            self.number = Path(path).resolve().name if Path(path).exists() else ""

        def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
            return bool(self.number)

        def set(self, prop: int, value: float) -> bool:
            return False

        def grab(self) -> bool:
            return (tmp_path / "dev" / self.number).exists()

    opened: list[Device] = []

    def open_device(*given: Any) -> Device:
        opened.append(Device(*given))
        return opened[-1]

    monkeypatch.setattr(cv2, "VideoCapture", open_device)
    plug(tmp_path, 0, WEBCAM)
    told: list[CameraState] = []
    clock = Clock(100.0)
    source = f"opencv:{tmp_path}/dev/v4l/by-id/{WEBCAM}-video-index0"
    camera = Supervisor(opener(source, clock), told.append, clock)
    camera.capture(99.0, PATIENCE)
    unplug(tmp_path, 0)
    for _ in range(2):
        with pytest.raises(CameraLost):
            camera.capture(clock.now, PATIENCE)  # a picture that was under way does not count as later
        clock.now += MAX_BACKOFF_S
    plug(tmp_path, 2, WEBCAM)
    camera.capture(clock.now - 1, PATIENCE)
    assert [device.number for device in opened] == ["video0", "", "video2"]
    assert told == [CameraState.OK, CameraState.LOST, CameraState.OK]
    unplug(tmp_path, 2)
    camera.close()
