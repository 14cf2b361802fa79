"""The chip with the header is found by its label, whatever its number; if there is none, the others are listed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tabletop.hardware.errors import PinsError
from tabletop.hardware.panel import chips
from tabletop.hardware.panel.chips import Chip
from tabletop.hardware.panel.gpio import gpio_factory

DECOYS = [Chip(10, "gpio-brcmstb@107d508500", 32), Chip(11, "gpio-brcmstb@107d517c00", 17)]
RP1 = Chip(15, "pinctrl-rp1", 54)
DENIED = Chip(15, error="Permission denied")


class Library:
    """Opens like the pin library: its own numbers if it is asked for none, an error for one that is not there."""

    def __init__(self, there: list[int]) -> None:
        self.there = there

    def __call__(self, number: int | None = None) -> Any:
        number = 0 if number is None else number
        if number not in self.there:
            raise OSError("can not open gpiochip")
        return SimpleNamespace(chip=number)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """The pin library on a Pi 5 with a current kernel."""
    made = Library([10, 11, 15])
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=made))
    monkeypatch.setenv("LG_WD", str(tmp_path))
    return made


def test_a_pi_5s_header_is_found_whatever_its_number(library: Library, tmp_path: Path) -> None:
    """The library itself would ask for chip 0, which is not there."""
    assert gpio_factory(None, tmp_path, lambda: [*DECOYS, RP1]).chip == 15


def test_a_number_in_the_settings_wins_over_the_label(library: Library, tmp_path: Path) -> None:
    """Somebody who names a chip knows why."""
    assert gpio_factory(11, tmp_path, lambda: [*DECOYS, RP1]).chip == 11


def test_a_number_that_is_not_there_is_told_with_what_is_there(library: Library, tmp_path: Path) -> None:
    """The cure is to take the number out, not to join a group."""
    with pytest.raises(PinsError) as told:
        gpio_factory(4, tmp_path, lambda: [*DECOYS, RP1])
    assert "no /dev/gpiochip4" in told.value.fact
    assert "gpiochip15: pinctrl-rp1 × 54" in told.value.fact
    assert "Remove chip from [panel]" in told.value.fix
    assert "group" not in str(told.value)


def test_a_machine_without_the_header_lists_its_chips_and_names_the_setting(library: Library, tmp_path: Path) -> None:
    """Number, label and number of lines of each."""
    with pytest.raises(PinsError, match=r"gpiochip10: gpio-brcmstb@107d508500 × 32, gpiochip11: .* × 17") as told:
        gpio_factory(None, tmp_path, lambda: DECOYS)
    assert "chip under [panel]" in told.value.fix
    assert "group" not in str(told.value)


@pytest.mark.parametrize("chip", [None, 15])
def test_a_user_who_may_not_open_the_chips_is_told_the_group(
    library: Library, tmp_path: Path, chip: int | None
) -> None:
    """The group is advised where the kernel refused, and nowhere else."""
    library.there = []
    with pytest.raises(PinsError, match="Permission denied") as told:
        gpio_factory(chip, tmp_path, lambda: [DENIED])
    assert "usermod -aG gpio" in told.value.fix


def test_a_machine_without_any_chip_is_told_so(library: Library, tmp_path: Path) -> None:
    """A laptop has no pins, and no group brings any."""
    with pytest.raises(PinsError, match="no GPIO chip") as told:
        gpio_factory(None, tmp_path, list)
    assert 'pins = "none"' in told.value.fix


def test_a_chip_that_the_library_cannot_open_is_told_with_the_reason(library: Library, tmp_path: Path) -> None:
    """It is there and may be opened: a group would not help."""
    library.there = []
    with pytest.raises(
        PinsError,
        match=r"cannot open /dev/gpiochip15 \(can not open gpiochip; there are gpiochip15: pinctrl-rp1 × 54\)",
    ) as told:
        gpio_factory(None, tmp_path, lambda: [RP1])
    assert "group" not in told.value.fix


@pytest.mark.parametrize("label", chips.HEADER_CHIP_LABELS)
def test_every_boards_label_is_known(label: str) -> None:
    """Decoys before and after it change nothing."""
    assert (
        chips.header_chip_number([Chip(0, "raspberrypi-exp-gpio", 8), Chip(12, label, 54), Chip(13, "other", 54)]) == 12
    )


def test_each_chip_is_listed_once_by_number_and_says_why_it_cannot_be_opened(tmp_path: Path) -> None:
    """Links to a chip and other files beside them are left out."""

    def ask(node: Path) -> tuple[str, int]:
        if node.name == "gpiochip11":
            raise PermissionError(13, "Permission denied")
        return "pinctrl-rp1", 54

    for name in ("gpiochip15", "gpiochip11", "gpiochip-old", "gpiomem0"):
        (tmp_path / name).touch()
    (tmp_path / "gpiochip4").symlink_to(tmp_path / "gpiochip15")
    assert chips.present_chips(tmp_path, ask) == [Chip(11, error="Permission denied"), RP1]


def test_what_is_not_a_chip_is_an_error_of_its_own(tmp_path: Path) -> None:
    """The kernel is really asked: a plain file refuses the question."""
    (tmp_path / "gpiochip0").touch()
    [chip] = chips.present_chips(tmp_path)
    assert (chip.number, chip.label) == (0, "")
    assert chip.error == os.strerror(25)


def test_the_question_is_the_kernels() -> None:
    """The number of GPIO_GET_CHIPINFO_IOCTL in linux/gpio.h, on every machine that Linux runs a Pi on."""
    assert chips.GET_CHIP_INFO == 0x8044B401
