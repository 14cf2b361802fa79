"""hardware/wiring.md says what the shipped panel file says, and its pictures are the ones the program draws."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.cli.panel import command
from tabletop.hardware import optics, pinout
from tabletop.hardware.wiring import load

FOLDER = Path(__file__).parents[2] / "hardware"
PAGE = (FOLDER / "wiring.md").read_text("utf-8")


def block(name: str) -> str:
    found = re.search(rf"<!-- {name}: begin.*?-->\n(.*?)<!-- {name}: end -->", PAGE, re.S)
    assert found
    return found[1]


def test_the_pin_table_is_that_of_the_panel_file() -> None:
    """Mend: replace the table by what `./play panel` prints."""
    assert block("pin table") == pinout.table(load())


def test_the_camera_table_is_calculated() -> None:
    assert block("lens table") == optics.table(1150, 680, (16, 20, 25, 40))


@pytest.mark.parametrize("name", ["header", "circuits"])
def test_the_pictures_are_drawn_from_the_panel_file(name: str) -> None:
    """Mend: `./play panel --svg hardware`."""
    drawn = getattr(pinout, f"{name}_drawing")(load())
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == drawn
    assert f"({name}.svg)" in PAGE


def test_the_header_picture_names_every_wire_at_its_place() -> None:
    wiring = load()
    texts = ["".join(e.itertext()) for e in ET.fromstring(pinout.header_drawing(wiring)).findall(".//{*}text")]
    assert all(any(f"BCM {wire.pin}" in text and wire.label in text for text in texts) for wire in wiring)
    assert {str(place) for place in range(1, 41)} <= set(texts)


def test_the_page_states_the_current_that_the_check_calculates() -> None:
    assert f"**{load().milliamps:.0f} mA**" in PAGE


def test_a_camera_sees_the_whole_table_from_its_height() -> None:
    """By hand: 66° see 2·tan 33° = 1.299 of the height; 115 cm need 89 cm; 41° see 0.748, 68 cm need 91 cm."""
    seen = optics.view(optics.LENSES[0], 1150, 680)
    assert seen.height_mm == 910
    assert seen.px_per_mm == pytest.approx(4608 / (910 * 1.2988), rel=1e-3)


def test_the_command_prints_the_table_and_draws(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--svg", str(tmp_path / "out")])
    assert done.exit_code == 0
    assert done.stdout == pinout.table(load())
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"header.svg", "circuits.svg"}


def test_the_command_names_the_line_of_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "panel.toml"
    path.write_text("[buttons]\nOK = {pin = 99}\n")
    done = CliRunner().invoke(command, ["--file", str(path)])
    assert done.exit_code == 1
    assert "line 2: there is no pin 99" in done.stderr
    assert done.stdout == ""
