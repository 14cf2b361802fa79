"""The doctor says what a camera shows and which modes it has, and what to do about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tabletop.config import NO_CAMERA, CameraConfig
from tabletop.hardware.diagnostics import probes_table
from tabletop.hardware.diagnostics.check import Check, CheckState, ProbedMachine
from tabletop.messages import Message


def seen(machine: ProbedMachine, folder: Path) -> list[Check]:
    config = replace(machine.config, camera=CameraConfig(f"images:{folder}"))
    return list(probes_table.camera(replace(machine, config=config)))


def test_a_camera_is_ok_once_it_gave_a_picture(machine: ProbedMachine, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.random.default_rng(1).integers(0, 255, (40, 60), np.uint8))
    (check,) = seen(machine, tmp_path)
    assert check.state is CheckState.OK
    assert "60 × 40 px" in check.fact


def test_a_black_picture_is_reported(machine: ProbedMachine, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((40, 60), np.uint8))
    assert [check.name for check in seen(machine, tmp_path)] == ["camera", "picture"]


def test_a_missing_camera_is_a_fault_with_its_fix(machine: ProbedMachine, tmp_path: Path) -> None:
    (check,) = seen(machine, tmp_path / "none")
    assert check.state is CheckState.FAULT
    assert check.fix


def test_a_lasting_name_is_advised_for_a_usb_camera(machine: ProbedMachine, tmp_path: Path) -> None:
    """For a USB camera given by a number, udev's lasting name is advised; for one given by that name, nothing."""
    link = tmp_path / "dev/v4l/by-id/usb-Acme_Webcam-video-index0"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../video0")

    def told(source: str) -> list[str]:
        config = replace(machine.config, camera=CameraConfig(source))
        return [check.fix for check in probes_table.names(replace(machine, config=config))]

    kept = "opencv:/dev/v4l/by-id/usb-Acme_Webcam-video-index0"
    assert told("opencv:0") == told("opencv:/dev/video0") == [f'[camera] source = "{kept}"']
    assert told(kept) == told("opencv:2") == told("picamera2") == []


PI_CAMERA = """Available cameras
-----------------
0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                             2304x1296 [56.03 fps - (0, 0)/4608x2592 crop]
                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]
"""
USB_CAMERA = """ioctl: VIDIOC_ENUM_FMT
	[0]: 'MJPG' (Motion-JPEG, compressed)
		Size: Discrete 1920x1080
			Interval: Discrete 0.033s (30.000 fps)
		Size: Discrete 3840x2160
Camera Controls
     focus_automatic_continuous 0x009a090c (bool)   : default=1 value=%d
"""


def told_by(machine: ProbedMachine, source: str, answer: str | None) -> list[Check]:
    config = replace(machine.config, camera=CameraConfig(source))
    return list(probes_table.modes(replace(machine, config=config, run=lambda _: answer)))


def test_the_modes_of_a_pis_camera_are_listed(machine: ProbedMachine) -> None:
    fact = "1536x864 (120 a second), 2304x1296 (56 a second), 4608x2592 (14 a second)"
    assert told_by(machine, "picamera2", PI_CAMERA) == [Check("modes", CheckState.OK, Message(fact))]


def test_a_usb_cameras_modes_and_its_restless_focus_are_reported(machine: ProbedMachine) -> None:
    (sizes,) = told_by(machine, "opencv:0", USB_CAMERA % 0)
    assert sizes == Check("modes", CheckState.OK, Message("3840x2160, 1920x1080"))
    _, focus = told_by(machine, "opencv:/dev/video2", USB_CAMERA % 1)
    assert focus.state is CheckState.WARNING
    assert "--device /dev/video2" in focus.fix


@pytest.mark.parametrize("source", ["picamera2", "opencv:0", "images:x", "simulated"])
def test_missing_tools_are_not_reported(machine: ProbedMachine, source: str) -> None:
    assert told_by(machine, source, None) == []


def test_a_camera_without_autofocus_is_advised_to_turn_its_ring() -> None:
    """A camera with a fixed focus is advised to be focused by its ring; PiCamera.about says which it is."""
    (check,) = probes_table.focus_checks("imx477 (fixed focus)")
    assert (check.state, "ring" in check.fix) == (CheckState.WARNING, True)
    assert [check.state for check in probes_table.focus_checks("imx708 (autofocus)")] == [CheckState.OK]
    assert not list(probes_table.focus_checks("a folder (pictures: 3)"))


def test_a_table_without_a_camera_has_no_fault(machine: ProbedMachine) -> None:
    """A table that is configured without a camera has no fault."""
    config = replace(machine.config, camera=CameraConfig(NO_CAMERA))
    [check] = probes_table.camera(replace(machine, config=config))
    assert check.state is CheckState.OK
