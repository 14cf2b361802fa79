"""The header's chip is found by its label, whatever its number; without one, the chips present are listed."""

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
from tabletop.hardware.panel.pin_factories import gpio_factory

DECOYS = [Chip(10, "gpio-brcmstb@107d508500", 32), Chip(11, "gpio-brcmstb@107d517c00", 17)]
RP1 = Chip(15, "pinctrl-rp1", 54)
DENIED = Chip(15, error="Permission denied")


class Library:
    """Opens chips like the pin library: by its own numbers if none is given, with an error for a missing one."""

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
    """The header's chip is opened by its label, where the library alone would try chip 0."""
    assert gpio_factory(None, tmp_path, lambda: [*DECOYS, RP1]).chip == 15


def test_a_number_in_the_settings_wins_over_the_label(library: Library, tmp_path: Path) -> None:
    """A chip number in the settings is used even if it is not the header's."""
    assert gpio_factory(11, tmp_path, lambda: [*DECOYS, RP1]).chip == 11


def test_a_missing_chip_number_is_reported_with_the_chips_present(library: Library, tmp_path: Path) -> None:
    """A chip number that does not exist is reported with the chips present and the advice to remove it."""
    with pytest.raises(PinsError) as told:
        gpio_factory(4, tmp_path, lambda: [*DECOYS, RP1])
    assert "no /dev/gpiochip4" in told.value.fact
    assert "gpiochip15: pinctrl-rp1 × 54" in told.value.fact
    assert "Remove chip from [panel]" in told.value.fix
    assert "group" not in str(told.value)


def test_a_machine_without_the_header_lists_its_chips_and_names_the_setting(library: Library, tmp_path: Path) -> None:
    """Without a header, each chip's number, label and number of lines are listed, and the setting is named."""
    with pytest.raises(PinsError, match=r"gpiochip10: gpio-brcmstb@107d508500 × 32, gpiochip11: .* × 17") as told:
        gpio_factory(None, tmp_path, lambda: DECOYS)
    assert "chip under [panel]" in told.value.fix
    assert "group" not in str(told.value)


@pytest.mark.parametrize("chip", [None, 15])
def test_a_user_who_may_not_open_the_chips_is_advised_to_join_the_group(
    library: Library, tmp_path: Path, chip: int | None
) -> None:
    """Only a user who is refused by the kernel is advised to join the group."""
    library.there = []
    with pytest.raises(PinsError, match="Permission denied") as told:
        gpio_factory(chip, tmp_path, lambda: [DENIED])
    assert "usermod -aG gpio" in told.value.fix


def test_a_machine_without_any_chip_is_advised_to_use_no_pins(library: Library, tmp_path: Path) -> None:
    """A machine without any GPIO chip is advised to set no pins, and not to join a group."""
    with pytest.raises(PinsError, match="no GPIO chip") as told:
        gpio_factory(None, tmp_path, list)
    assert 'pins = "none"' in told.value.fix


def test_a_chip_that_the_library_cannot_open_is_reported_with_the_reason(library: Library, tmp_path: Path) -> None:
    """A chip that the library fails to open is reported with the reason and without advice about groups."""
    library.there = []
    with pytest.raises(
        PinsError,
        match=r"cannot open /dev/gpiochip15 \(can not open gpiochip; there are gpiochip15: pinctrl-rp1 × 54\)",
    ) as told:
        gpio_factory(None, tmp_path, lambda: [RP1])
    assert "group" not in told.value.fix


@pytest.mark.parametrize("label", chips.HEADER_CHIP_LABELS)
def test_every_boards_label_is_known(label: str) -> None:
    """The header is found by each board's label, with other chips before and after it."""
    assert (
        chips.header_chip_number([Chip(0, "raspberrypi-exp-gpio", 8), Chip(12, label, 54), Chip(13, "other", 54)]) == 12
    )


def test_each_chip_is_listed_once_by_number_and_says_why_it_cannot_be_opened(tmp_path: Path) -> None:
    """Chips are listed once each, by number, with the reason if one cannot be opened; other files are ignored."""

    def ask(node: Path) -> tuple[str, int]:
        if node.name == "gpiochip11":
            raise PermissionError(13, "Permission denied")
        return "pinctrl-rp1", 54

    for name in ("gpiochip15", "gpiochip11", "gpiochip-old", "gpiomem0"):
        (tmp_path / name).touch()
    (tmp_path / "gpiochip4").symlink_to(tmp_path / "gpiochip15")
    assert chips.present_chips(tmp_path, ask) == [Chip(11, error="Permission denied"), RP1]


def test_a_file_that_is_not_a_chip_is_listed_with_an_error(tmp_path: Path) -> None:
    """A plain file in place of a chip is listed with the kernel's error for the request."""
    (tmp_path / "gpiochip0").touch()
    [chip] = chips.present_chips(tmp_path)
    assert (chip.number, chip.label) == (0, "")
    assert chip.error == os.strerror(25)


def test_the_request_has_the_kernels_number() -> None:
    """The request number is that of GPIO_GET_CHIPINFO_IOCTL in linux/gpio.h."""
    assert chips.GET_CHIP_INFO == 0x8044B401
