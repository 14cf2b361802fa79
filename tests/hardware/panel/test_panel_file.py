"""A mistake in a panel file is reported in a sentence with its line, before any current flows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.hardware.errors import HardwareError, WiringError
from tabletop.hardware.panel.panel_file import HEADER_PLACES, load, taken_pins
from tabletop.messages import Message


def write(folder: Path, text: str) -> Path:
    path = folder / "panel.toml"
    path.write_text(text)
    return path


def test_the_shipped_panel_has_every_button_and_signal_of_a_table() -> None:
    wiring = load()
    shown = {signal for light in wiring.lights for signal in light.shows}
    buttons = {"MONEY", "BUILD", "REBUILD", "BUY", "AUCTION", "PASS", "OK", "UNDO"}
    assert {button.name for button in wiring.buttons} == buttons
    quarries, seats = {f"quarry{n}" for n in range(1, 5)}, {f"seat{n}" for n in range(4)}
    assert shown == buttons | quarries | seats | {"legal", "illegal"}
    assert wiring.buzzer is not None


def test_the_shipped_panel_uses_each_of_the_26_pins_once() -> None:
    assert sorted(wire.pin for wire in load()) == sorted(HEADER_PLACES)


def test_the_shipped_panel_keeps_its_current_budget() -> None:
    """The current is as by Ohm's law: 17 LEDs of 2.0 V behind 560 Ω and a base of 0.7 V behind 1 kΩ, on 3.3 V."""
    assert load().milliamps == pytest.approx(17 * 1.3 / 0.56 + 2.6)
    assert load().milliamps < 50


def test_header_places_are_those_of_the_40_pin_header() -> None:
    """Every pin of the 40-pin header is a signal's place except those for power, ground and identification."""
    power_and_ground = {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39}
    identity = {27, 28}
    assert set(HEADER_PLACES.values()) == set(range(1, 41)) - power_and_ground - identity


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[buttons]\nOK = {pin = 5}\nUNDO = {pin = 5}\n", 3, "pin 5 is already that of [buttons] OK (line 2)"),
        ("[buttons]\nOK = {pin = 5}\n[lights.illegal]\nlabel = 'x'\npin = 5\n", 5, "already that of [buttons] OK"),
        ("[buttons]\n\nOK = {pin = 28}\n", 3, "there is no pin 28"),
        ("[buttons]\nOK = {pin = 0}\n", 2, "HAT"),
        ("[buttons]\nOK = {pin = 1}\n", 2, "HAT"),
        ("[buttons]\nOK = {pin = true}\n", 2, "needs a pin"),
        ("[buttons]\nOK = {}\n", 2, "needs a pin"),
        ("[buttons]\nOK = 5\n", 2, "has to be a table"),
        ("[buttons]\nOK = {pin = 5, ohms = 3}\n", 2, "no key “ohms”"),
        ("[buttons]\nOK = {pin = 5, active = 'up'}\n", 2, "“low” or “high”"),
        ("[lights]\nOK = {pin = 5, ohms = 100}\n", 2, "13 mA, more than the 8 mA of one pin; use at least 162 ohms"),
        ("[lights]\nOK = {pin = 5, volts = 3.4}\n", 2, "does not light"),
        ("[lights]\nOK = {pin = 5, ohms = 0}\n", 2, "above 0"),
        ("[lights]\nOK = {pin = 5, ohms = nan}\n", 2, "above 0"),
        (f"[lights]\nOK = {{pin = 5, ohms = 1{'0' * 400}}}\n", 2, "above 0"),
        ("[lights]\nOK = {pin = 5, shows = 'legal'}\n", 2, "list"),
        ("[lights]\nOK = {pin = 5, label = 7}\n", 2, "text"),
        ("[limits]\ntotal = 3\n[lights]\nOK = {pin = 5}\nUNDO = {pin = 6}\n", 2, "all lights together"),
        ("[button]\nOK = {pin = 5}\n", 1, "no key “button”"),
        ("[sound]\nhorn = {pin = 5}\n", 2, "no key “horn”"),
        ("[buttons]\nOK = {pin = 5\n", 2, "not TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(WiringError) as caught:
        load(write(tmp_path, text))
    assert f"panel.toml, line {line}: " in str(caught.value)
    assert words in str(caught.value)
    assert isinstance(caught.value, HardwareError)
    assert isinstance(caught.value, ValueError)


def test_pins_that_the_machine_uses_for_a_bus_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "[buttons]\nOK = {pin = 3}\n")
    with pytest.raises(WiringError, match=r"line 2: pin 3 is used by I2C \(dtparam=i2c_arm\).*turn that off"):
        load(path, {3: Message("I2C (dtparam=i2c_arm)")})


def test_busy_pins_are_those_whose_device_nodes_exist(tmp_path: Path) -> None:
    assert taken_pins(tmp_path) == {}
    for node in ("i2c-1", "spidev0.1", "ttyS0"):
        (tmp_path / node).touch()
    (tmp_path / "serial0").symlink_to("ttyS0")
    assert set(taken_pins(tmp_path)) == {2, 3, 7, 8, 9, 10, 11, 14, 15}


def test_the_debug_connector_of_a_pi_5_takes_no_header_pin(tmp_path: Path) -> None:
    (tmp_path / "ttyAMA10").touch()
    (tmp_path / "serial0").symlink_to("ttyAMA10")
    assert taken_pins(tmp_path) == {}


def test_a_file_that_is_not_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "panel.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WiringError, match="not text in UTF-8"):
        load(path)


@pytest.mark.parametrize("label", ["a} b", "{a", "seat {5}", "{}"])
def test_a_label_may_hold_any_letters(tmp_path: Path, label: str) -> None:
    """A label may contain braces, which are not gaps to be filled."""
    assert load(write(tmp_path, f"[buttons]\nOK = {{pin = 5, label = '{label}'}}\n")).buttons[0].label == label
