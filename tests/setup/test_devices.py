"""The setup holds devices only while their step needs them, and no failure of theirs ends the setup."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from gpiozero.pins.mock import MockFactory

from doubles.clock import PATIENCE
from tabletop.config import Config
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.errors import CameraLost, PinsError
from tabletop.hardware.panel.panel_file import load as wiring
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.messages import Message
from tabletop.setup.devices import Devices
from tabletop.setup.wizard import SetupWizard
from tabletop.vision.aim import assess
from tabletop.vision.aim.assessment import Aim
from tabletop.vision.frame import Frame
from tests.setup.fake_camera import FakeCamera


class Bench:
    """A wizard with its devices, advanced by the test."""

    def __init__(self, folder: Path) -> None:
        self.wizard = SetupWizard(Config(), folder / "table.toml", wiring())
        self.factories: list[MockFactory] = []
        self.cameras: list[FakeCamera] = []
        self.no_pins = False
        self.devices = Devices(self.wizard, wiring(), self._pins, self._camera, lambda: 7.0)

    def _pins(self) -> MockFactory:
        if self.no_pins:
            raise PinsError(Message("The pin library lgpio is missing."), Message("Install it."))
        self.factories.append(mock_factory())
        return self.factories[-1]

    def _camera(self, source: str) -> Camera:
        if source == "none":
            raise CameraLost("none", "The camera {camera} is not there.")
        self.cameras.append(FakeCamera())
        return self.cameras[-1]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.devices.close()


def test_no_device_is_opened_before_its_step(bench: Bench) -> None:
    bench.devices.turn()
    assert (bench.factories, bench.cameras) == ([], [])


def test_the_pins_are_held_during_their_step_only(bench: Bench) -> None:
    bench.wizard.go("panel")
    bench.devices.turn()
    bench.devices.turn()
    (factory,) = bench.factories
    assert len(factory.pins) == 26
    bench.wizard.go("sheets")
    bench.devices.turn()
    assert not factory.pins


def test_pins_that_cannot_be_used_are_reported_and_used_later(bench: Bench) -> None:
    bench.no_pins = True
    bench.wizard.go("panel")
    bench.devices.turn()
    assert "lgpio is missing" in bench.wizard.told
    bench.no_pins = False
    bench.devices.turn()
    assert len(bench.factories) == 1


def test_pins_without_a_thread_are_released_and_opened_later(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no thread can be started for the pins, they are released and opened again later."""

    def refused(_thread: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    bench.wizard.go("panel")
    with monkeypatch.context() as short:
        short.setattr(threading.Thread, "start", refused)
        with pytest.raises(RuntimeError):
            bench.devices.turn()
    assert not bench.factories[0].pins
    bench.devices.turn()
    assert len(bench.factories[1].pins) == 26


def test_the_aim_of_the_camera_is_reported_and_shown(bench: Bench) -> None:
    assert bench.devices.picture() is None
    bench.wizard.go("camera")
    bench.devices.turn()
    assert bench.wizard.aim is not None
    assert not bench.wizard.aim.ready
    assert (bench.devices.picture() or b"").startswith(b"\xff\xd8")
    bench.wizard.go("game")
    bench.devices.turn()
    assert bench.cameras[0].closed
    assert bench.devices.picture() is None


def test_a_lost_camera_is_reported_and_opened_again(bench: Bench) -> None:
    bench.wizard.go("camera")
    bench.devices.turn()
    bench.cameras[0].lost = True
    bench.devices.turn()
    assert bench.wizard.told == "The camera eye gave no picture."
    assert bench.cameras[0].closed
    bench.devices.turn()
    assert len(bench.cameras) == 2


def test_another_camera_is_opened_once_it_is_chosen(bench: Bench) -> None:
    bench.wizard.go("camera")
    bench.devices.turn()
    bench.wizard.camera("none")
    bench.devices.turn()
    assert bench.cameras[0].closed
    assert bench.wizard.told == "The camera none is not there."


def test_a_camera_that_is_no_longer_chosen_is_not_reported(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture from a camera that is no longer chosen is not reported as the new camera's aim."""
    look = assess.assess_frame

    def slowly(frame: Frame, sought: assess.AimTarget) -> Aim:
        bench.wizard.camera("opencv:1")
        return look(frame, sought)

    monkeypatch.setattr(assess, "assess_frame", slowly)
    bench.wizard.go("camera")
    bench.devices.turn()
    assert bench.wizard.aim is None


def test_an_unexpected_error_of_a_device_does_not_end_the_setup(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    failed, looked = threading.Event(), threading.Event()

    def turn() -> None:
        if failed.is_set():
            looked.set()
        failed.set()
        raise ZeroDivisionError("a driver of its own kind")

    bench.devices.turn = turn  # type: ignore[method-assign]
    with bench.devices:
        assert looked.wait(PATIENCE)
    assert [record.getMessage() for record in caplog.records] == [
        "a device of the setup could not be used; it is tried again"
    ]


def test_devices_are_released_while_others_use_them(bench: Bench) -> None:
    """While others such as the doctor use them, pins and camera are released."""
    bench.wizard.go("panel")
    bench.devices.turn()
    with bench.devices.resting():
        assert not bench.factories[0].pins


def test_a_table_without_zones_has_nothing_to_aim_at(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise ValueError("says nothing about its table, so there is nothing to aim at.")

    monkeypatch.setattr("tabletop.vision.aim.assess.aim_target", none)
    bench.wizard.go("camera")
    bench.devices.turn()
    assert "nothing to aim at" in bench.wizard.told
