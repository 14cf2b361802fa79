"""The doctor says whether buttons and lights can be used, and what to do if not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.config import PanelConfig
from tabletop.hardware.diagnostics import probes_table
from tabletop.hardware.diagnostics.check import CheckState, ProbedMachine
from tabletop.hardware.panel import chips
from tabletop.hardware.panel.chips import Chip
from tabletop.hardware.panel.pin_factories import mock_factory
from tests.hardware.diagnostics.probed import one


def test_a_bus_on_a_pin_of_the_panel_is_a_fault(machine: ProbedMachine, tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/i2c-1").touch()
    check = one(probes_table.panel(machine))
    assert check.state is CheckState.FAULT
    assert "is used by I2C" in check.fact


def test_mock_pins_are_a_warning(machine: ProbedMachine) -> None:
    wired, pins = probes_table.panel(machine)
    assert (wired.state, pins.state) == (CheckState.OK, CheckState.WARNING)


def gpio(machine: ProbedMachine, work: Path) -> ProbedMachine:
    return replace(machine, config=replace(machine.config, panel=PanelConfig("gpio")), environment={"LG_WD": str(work)})


def test_real_pins_without_their_library_are_a_fault(
    machine: ProbedMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    _, pins = probes_table.panel(gpio(machine, tmp_path))
    assert (pins.state, pins.fact) == (CheckState.FAULT, "The pin library lgpio is missing.")


def test_a_folder_the_pin_library_cannot_write_is_a_fault(machine: ProbedMachine, tmp_path: Path) -> None:
    _, pins = probes_table.panel(gpio(machine, tmp_path / "none"))
    assert "cannot write its pipe" in pins.fact


class LGPIOFactory:
    """Has the name of the real factory, which is not installed here."""

    chip = 4


@pytest.mark.parametrize(
    ("factory", "state", "words"),
    [
        (LGPIOFactory(), CheckState.OK, "lgpio on /dev/gpiochip4, its pipe in /run/tabletop"),
        (mock_factory(), CheckState.WARNING, "Mock pins are in use"),
        (object(), CheckState.FAULT, "object holds the pins"),
    ],
)
def test_the_library_that_really_holds_the_pins_is_named(
    machine: ProbedMachine, factory: object, state: CheckState, words: str
) -> None:
    check = probes_table.factory_in_use(factory, replace(machine, environment={"LG_WD": "/run/tabletop"}))
    assert check.state is state
    assert words in check.fact


def test_the_label_of_the_chip_in_use_is_reported(machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chip in use is reported with its label, since kernels change its number."""
    monkeypatch.setattr(chips, "present_chips", lambda dev: [Chip(4, "pinctrl-rp1", 54)])
    assert "lgpio on /dev/gpiochip4 (pinctrl-rp1)" in probes_table.factory_in_use(LGPIOFactory(), machine).fact
