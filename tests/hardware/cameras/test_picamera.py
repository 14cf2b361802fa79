"""The Pi's camera through a picamera2 that misbehaves like the real one."""

from __future__ import annotations

import errno
import inspect
import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tabletop.hardware.cameras import picamera, present
from tabletop.hardware.cameras.camera import small_size
from tabletop.hardware.cameras.opener import opener
from tabletop.hardware.cameras.picamera import PiCamera, flicker_free
from tabletop.hardware.errors import CameraLost
from tabletop.messages import Message

HERE = Path(__file__).parent


def sibling(name: str) -> ModuleType:
    spec = spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


fake = sibling("fake_picamera2")


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Any:
    scene = fake.Scene()
    monkeypatch.setitem(sys.modules, "picamera2", fake.module(scene))
    yield scene
    assert scene.outstanding == 0, "a request was not released"


def test_the_grey_picture_is_the_luma_plane_without_its_padding(scene: Any) -> None:
    frame = PiCamera.open().capture(scene.now, 2)
    assert frame.grey.shape == (fake.HEIGHT, fake.WIDTH)
    assert not np.any(frame.grey == fake.GARBAGE)
    assert frame.small.shape == (360, 640)
    assert not np.any(frame.small == fake.GARBAGE)
    assert frame.grey.flags.c_contiguous


def test_a_frame_was_exposed_after_the_moment_asked_for(scene: Any) -> None:
    """A frame's exposure began after the moment asked for, and queued older pictures are skipped."""
    camera = PiCamera.open()
    scene.now += 10
    for ahead in (0.0, 0.2):
        after = scene.now + ahead
        assert camera.capture(after, 2).time >= after - 1e-6


def test_frames_are_counted(scene: Any) -> None:
    camera = PiCamera.open()
    assert [camera.capture(scene.now, 2).number for _ in range(3)] == [1, 2, 3]


def test_one_configuration_gives_both_sizes_with_few_buffers(scene: Any) -> None:
    PiCamera.open()
    (device,) = scene.opened
    assert device.configuration["main"] == {"size": (fake.WIDTH, fake.HEIGHT), "format": "YUV420"}
    assert device.configuration["lores"] == {"size": (640, 360), "format": "YUV420"}
    assert (device.configuration["buffer_count"], device.configuration["queue"]) == (3, False)


def test_pictures_have_the_size_that_was_chosen(scene: Any) -> None:
    """Pictures have the chosen size, which may be small to save memory."""
    frame = PiCamera.open(size=(500, 280)).capture(scene.now, 2)
    assert scene.opened[0].configuration["main"] == {"size": (500, 280), "format": "YUV420"}
    assert (frame.grey.shape, frame.small.shape) == ((280, 500), (280, 500))


def test_exposure_white_balance_and_focus_are_fixed_once_they_settled(scene: Any) -> None:
    """Settled values are fixed: 23,456 µs become two flicker periods of 50 Hz lamps with the gain raised to match."""
    PiCamera.open(mains=50)
    (device,) = scene.opened
    assert device.in_force["AeEnable"] is False
    assert device.in_force["ExposureTime"] == 20000
    assert device.in_force["AnalogueGain"] == pytest.approx(2.0 * 23456 / 20000)
    assert (device.in_force["AwbEnable"], device.in_force["ColourGains"]) == (False, (1.5, 1.7))
    assert (device.in_force["AfMode"], device.in_force["LensPosition"]) == (0, 3.5)


@pytest.mark.parametrize(("paper", "steps"), [(4000.0, 0), (6500.0, 1), (9000.0, 2), (1e6, 4)])
def test_light_is_reduced_until_paper_is_no_longer_overexposed(scene: Any, paper: float, steps: int) -> None:
    """On a table so dark that its paper would be overexposed, light is reduced for the paper as far as possible."""
    scene.paper = paper
    camera = PiCamera.open(mains=50)
    assert (camera.capture(scene.now, 2).small[0, 0] < 250) == (steps < 4)
    in_force = scene.opened[0].in_force
    assert in_force["ExposureTime"] * in_force["AnalogueGain"] == pytest.approx(2 * 23456 * 0.75**steps, rel=0.001)
    assert in_force["AnalogueGain"] >= 1


def test_a_camera_without_autofocus_works(scene: Any) -> None:
    scene.autofocus = False
    PiCamera.open().capture(scene.now, 2)
    assert "AfMode" not in scene.opened[0].in_force


@pytest.mark.parametrize(
    ("exposure", "mains", "wanted"), [(23456, 50, 20000), (23456, 60, 16667), (9000, 50, 9000), (10000, 50, 10000)]
)
def test_exposures_are_whole_flicker_times_of_the_same_brightness(exposure: int, mains: int, wanted: int) -> None:
    time, gain = flicker_free(exposure, 1.5, mains)
    assert time == wanted
    assert time * gain == pytest.approx(exposure * 1.5)


def test_a_hanging_camera_is_lost_within_the_time_out_and_leaves_no_job_behind(scene: Any) -> None:
    camera = PiCamera.open()
    scene.hangs = True
    before = scene.now
    with pytest.raises(CameraLost, match="picamera2 gave no picture for 2 s"):
        camera.capture(scene.now, 2)
    assert scene.now - before == pytest.approx(2, abs=0.1)
    assert scene.opened[0].jobs == 0


def test_a_failed_opening_closes_the_camera(scene: Any) -> None:
    scene.hangs = True
    with pytest.raises(CameraLost):
        PiCamera.open()
    assert scene.opened == []


def test_a_closed_camera_can_be_opened_again(scene: Any) -> None:
    PiCamera.open().close()
    PiCamera.open().capture(scene.now, 2)


def test_gain_that_climbs_while_exposure_stands_is_awaited(scene: Any) -> None:
    """Opening waits while the gain still climbs: an imx708 holds its exposure at a limit meanwhile."""
    scene.settles_after, scene.gain_climbs_until = 0, 40
    PiCamera.open()
    assert scene.opened[0].in_force["AnalogueGain"] == pytest.approx(2.0 * 23456 / 20000)


def test_digital_gain_is_replaced_by_the_sensors_own(scene: Any) -> None:
    """Digital gain is replaced by the sensor's analogue gain, up to the limit that the sensor states."""
    scene.digital_gain = 1.5
    PiCamera.open()
    assert scene.opened[0].in_force["AnalogueGain"] == pytest.approx(3.0 * 23456 / 20000)
    scene.opened.clear()
    scene.digital_gain = 100.0
    PiCamera.open()
    assert scene.opened[0].in_force["AnalogueGain"] == 16.0


@pytest.mark.parametrize(
    "lacks", [{"AwbEnable", "ColourGains"}, {"FrameDurationLimits"}, {"AfTrigger"}, {"AeEnable"}, {"AnalogueGain"}]
)
def test_only_controls_that_the_camera_has_are_set(scene: Any, lacks: set[str]) -> None:
    """Controls that the camera lacks are not set: the library would raise an error for them."""
    scene.lacks = frozenset(lacks)
    camera = PiCamera.open()
    assert camera.capture(scene.now, 2).grey.shape == (fake.HEIGHT, fake.WIDTH)
    assert not lacks & scene.opened[0].in_force.keys() - {"AeEnable"}


@pytest.mark.parametrize(
    "untold", [{"ExposureTime"}, {"SensorTimestamp"}, {"AeState"}, {"AnalogueGain", "DigitalGain"}, {"AfState"}]
)
def test_metadata_that_is_missing_costs_no_picture(scene: Any, untold: set[str]) -> None:
    """Without some of its metadata, a frame is still one exposed after the moment asked for."""
    scene.untold = frozenset(untold)
    camera = PiCamera.open()
    after = scene.now + 0.2
    assert camera.capture(after, 2).time >= after - 1e-6


def test_pictures_have_the_size_that_the_library_adjusted(scene: Any) -> None:
    scene.adjusts_to = (992, 558)
    frame = PiCamera.open().capture(scene.now, 2)
    assert frame.grey.shape == (558, 992)
    assert not np.any(frame.grey == fake.GARBAGE)


@pytest.mark.parametrize("what", ["list", "open", "configure", "set_controls"])
@pytest.mark.parametrize("error", [OSError(12, "Cannot allocate memory"), RuntimeError("lost contact"), KeyError("x")])
def test_any_exception_of_the_library_closes_the_lost_camera(scene: Any, what: str, error: Exception) -> None:
    scene.breaks = {what: error}
    with pytest.raises(CameraLost, match="picamera2"):
        PiCamera.open()
    assert scene.opened == []


def test_the_pis_own_camera_is_preferred_to_a_usb_camera(scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Pi's own camera is preferred to USB cameras, which libcamera also lists; those alone are refused."""
    usb = {"Model": "C920", "Num": 0, "Id": "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-046d:0825"}
    scene.cameras = [usb, {**scene.cameras[0], "Num": 1}]
    camera = PiCamera.open()
    assert (scene.opened[0].number, camera.about) == (1, "imx708 (autofocus)")
    camera.close()
    scene.cameras, advice = [usb], Message("Set source to the one that is there.")
    monkeypatch.setattr(present, "advice", lambda: advice)
    with pytest.raises(CameraLost, match="only a USB camera") as lost:
        PiCamera.open()
    assert lost.value.fix == advice


@pytest.mark.parametrize(("number", "words"), [(errno.EPERM, "restart the table"), (errno.EACCES, "usermod -aG video")])
def test_a_camera_without_permission_is_not_called_missing(
    scene: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int, words: str
) -> None:
    """A camera without permission is reported as such, differently to a service and to a user outside the group."""
    scene.cameras = []
    (tmp_path / "media0").touch()
    monkeypatch.setattr(picamera, "DEVICES_FOLDER", tmp_path)

    def refuse(*_: object) -> int:
        raise PermissionError(number, "no")

    monkeypatch.setattr("tabletop.hardware.cameras.camera.os.open", refuse)
    with pytest.raises(CameraLost, match=f"not permitted to use it .*media0.*{words}"):
        PiCamera.open()


def test_a_library_that_lacks_another_one_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If picamera2 is there but one of its own libraries is missing, the error names it and what to install."""
    (tmp_path / "picamera2.py").write_text("import pykms_that_is_missing\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(CameraLost, match=r"pykms_that_is_missing.*apt-get install python3-picamera2") as lost:
        PiCamera.open()
    assert "apt-get" in str(lost.value.fix)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)


def test_a_missing_camera_names_the_cable(scene: Any) -> None:
    scene.cameras = []
    with pytest.raises(CameraLost, match="ribbon cable"):
        PiCamera.open()


def test_a_camera_that_is_in_use_says_so(scene: Any) -> None:
    PiCamera.open()
    with pytest.raises(CameraLost, match="Is another program using it"):
        PiCamera.open()


def test_without_picamera2_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match="apt-get install python3-picamera2"):
        PiCamera.open()


def test_the_library_runs_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An error while the library is loaded in its own process is reported as if it had happened in this one."""
    (tmp_path / "picamera2.py").write_text("raise ImportError('libcamera of another version')\n")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{HERE.parents[2]}")
    with pytest.raises(CameraLost, match=r"cannot be used: libcamera of another version\. On a Pi: sudo apt-get"):
        opener("picamera2", float)()
    assert "picamera2" not in sys.modules


def parameters(function: Any) -> list[str]:
    signature = inspect.signature(function)
    return [p.name + "=" * (p.default is not p.empty) for p in signature.parameters.values()]


def test_the_fake_has_exactly_the_real_signatures() -> None:
    """Every call of ours fits the fake, and the fake's parameters are those of picamera2 0.3.38."""
    real = json.loads((HERE / "picamera2_signatures.json").read_text())
    for name, wanted in real.items():
        cls, method = name.split(".")
        attribute = inspect.getattr_static(getattr(fake, cls), method)
        function = attribute.fget if isinstance(attribute, property) else getattr(attribute, "__func__", attribute)
        assert parameters(function) == wanted, name


def test_the_fake_offers_nothing_that_the_real_class_lacks() -> None:
    """The fake has no public member that the real class lacks, so that no call works with the fake alone."""
    real = set(json.loads((HERE / "picamera2_signatures.json").read_text()))
    ours = {
        f"{cls.__name__}.{name}"
        for cls in (fake.Picamera2, fake.CompletedRequest)
        for name, member in vars(cls).items()
        if not name.startswith("_") and (callable(member) or isinstance(member, property | staticmethod))
    }
    assert ours <= real


@pytest.mark.parametrize(
    ("size", "wanted"), [((4608, 2592), (640, 360)), ((4056, 3040), (640, 480)), ((320, 241), (320, 240))]
)
def test_the_small_picture_keeps_the_shape_and_has_even_sides(size: tuple[int, int], wanted: tuple[int, int]) -> None:
    assert small_size(*size) == wanted
