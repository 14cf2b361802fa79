"""hardware/wiring.md agrees with the shipped panel file, and its pictures are those that the program draws."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from reportlab.pdfbase.pdfmetrics import stringWidth

from tabletop.cli import main
from tabletop.cli.panel import command
from tabletop.hardware.cameras import optics
from tabletop.hardware.drawings import legs, pinout, stand
from tabletop.hardware.drawings.drawings import DRAWINGS, TABLE_MM
from tabletop.hardware.panel.panel_file import load
from tabletop.rules import registry
from tabletop.rules.table import Size
from tabletop.vision.aim import assessment
from tabletop.vision.tags import patterns

FOLDER = Path(__file__).parents[3] / "hardware"
PAGE = (FOLDER / "wiring.md").read_text("utf-8")


def block(name: str) -> str:
    found = re.search(rf"<!-- {name}: begin.*?-->\n(.*?)<!-- {name}: end -->", PAGE, re.S)
    assert found
    return found[1]


def test_the_pin_table_is_that_of_the_panel_file() -> None:
    """The pin table on the page is what `./play panel` prints."""
    assert block("pin table") == pinout.table(load())


def test_every_wire_is_one_row_of_six_cells_whatever_its_words_are(tmp_path: Path) -> None:
    file = tmp_path / "panel.toml"
    file.write_text('[buttons]\nOK = { pin = 3, label = "OK | yes", does = "one\\ntwo" }\n[lights]\n')
    assert pinout.table(load(file)).splitlines()[2:] == [r"| 5 | 3 | button OK | OK \| yes | none | one two |"]


def test_the_camera_table_is_calculated() -> None:
    assert block("lens table") == optics.table(*TABLE_MM, (16, 20, 25, 40))


def test_the_sizes_of_pieces_are_those_of_the_games() -> None:
    lines = ["| game | piece | printed, mm | box, mm | tag, mm |", "|---|---|---|---|---|"]
    for game in map(registry.game, registry.names()):
        assert game.table is not None
        printed, box = game.table.makes["printed"], game.table.makes["box"]
        for kind in {**printed, **box}:
            sizes = [_size(make[kind]) if kind in make else "–" for make in (printed, box)]
            tags = sorted({make[kind].tag for make in (printed, box) if kind in make}, reverse=True)
            said = " or ".join(f"{tag:g}" if tag else "none" for tag in tags)
            lines.append(f"| {game.title} | {kind} | {sizes[0]} | {sizes[1]} | {said} |")
    assert block("size table") == "\n".join(lines) + "\n"


def _size(size: Size) -> str:
    return f"⌀ {size.width:g}" if size.round else f"{size.width:g} × {size.height:g}"


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_pictures_are_drawn_from_the_panel_file(name: str) -> None:
    """The pictures beside the page are what `./play panel --svg hardware` draws."""
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == DRAWINGS[name](load())
    assert f"({name}.svg)" in PAGE


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_words_of_a_picture_overlap_or_are_cut_off(name: str) -> None:
    """No words of a picture overlap or leave it, even if they are a tenth wider than in Helvetica."""
    drawing = ET.fromstring(DRAWINGS[name](load()))
    x, y, width, height = map(float, drawing.attrib["viewBox"].split())
    boxes: list[tuple[str, float, float, float, float]] = []
    for text in drawing.findall(".//{*}text"):
        told, words = drawing.attrib | text.attrib, "".join(text.itertext())
        size, middle, base = (float(told[of]) for of in ("font-size", "x", "y"))
        long = 1.1 * stringWidth(words, "Helvetica-Bold" if "font-weight" in told else "Helvetica", size)
        left = middle - long * {"start": 0.0, "middle": 0.5, "end": 1.0}[told.get("text-anchor", "start")]
        boxes.append((words, left, left + long, base - 0.7 * size, base + 0.2 * size))
    inside = [x <= left <= right <= x + width and y <= top < low <= y + height for _, left, right, top, low in boxes]
    assert all(inside), boxes[inside.index(False)]
    for one, other in itertools.combinations(boxes, 2):
        beside = one[2] <= other[1] or other[2] <= one[1]
        assert beside or one[4] <= other[3] or other[4] <= one[3], (one, other)


def test_the_header_picture_names_every_wire_at_its_place() -> None:
    wiring = load()
    texts = ["".join(e.itertext()) for e in ET.fromstring(pinout.header_drawing(wiring)).findall(".//{*}text")]
    assert all(any(f"BCM {wire.pin}" in text and wire.label in text for text in texts) for wire in wiring)
    assert {str(place) for place in range(1, 41)} <= set(texts)


def test_the_page_states_the_current_that_the_check_calculates() -> None:
    assert f"**{load().milliamps:.0f} mA**" in PAGE


def test_a_camera_sees_the_whole_table_from_its_height() -> None:
    """The visible height is as calculated by hand: 66° see 2·tan 33° = 1.299 of it, 41° see 0.748; plus 5 %."""
    seen = optics.view(optics.LENSES[0], 1150, 680)
    assert seen.height_mm == 960
    assert seen.px_per_mm == pytest.approx(4608 / (960 * 1.2988), rel=1e-3)


def test_the_rings_of_a_resistor_follow_the_colour_code() -> None:
    """The rings of resistors are those of the standard colour code: 560 Ω is green blue brown."""
    assert legs.rings(560) == ("green", "blue", "brown", "gold")
    assert legs.rings(4700) == ("yellow", "violet", "red", "gold")
    assert legs.rings(10) == ("brown", "black", "black", "gold")
    for ohms in (5, 565, 1234, 33.3, 1e12):
        assert legs.rings(ohms) == ()


def test_a_lamp_at_the_returned_distance_is_mirrored_beside_the_table() -> None:
    """A lamp half as high as the camera is mirrored at two thirds of its distance, here at the table's edge."""
    far = stand.lamp_distance(600, 500, 1000)
    assert far == 900
    assert far * 1000 / (1000 + 500) == 600


def test_the_page_asks_for_what_the_tracker_needs() -> None:
    assert f"**{assessment.GOOD_MODULE_PX:g} px per module**" in PAGE
    assert f"below {assessment.MIN_MODULE_PX:g}" in PAGE


def test_the_list_of_parts_has_the_panels_numbers() -> None:
    wired = load()
    assert f"{len(wired.buttons)} push buttons" in PAGE
    assert f"{len(wired.lights)} LEDs" in PAGE
    assert f"{len(wired.lights)} × 560 Ω, 1 × 1 kΩ" in PAGE


def test_every_command_on_the_page_exists() -> None:
    """Every command that the page tells people to type exists with these options."""
    for words in re.findall(r"`(?:\./play|tabletop|sudo -u tabletop tabletop) ([a-z]+)([^`]*)`", PAGE):
        name, options = words
        if name in ("install", "uninstall"):
            known = {"--dry-run", "--yes", "--purge"}
        else:
            found = main.get_command(click.Context(main), name)
            assert found is not None, name
            known = {option for one in found.params for option in one.opts}
        assert set(re.findall(r"--[a-z-]+", options)) <= known, words


def test_the_command_prints_the_table_and_draws(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--svg", str(tmp_path / "out")])
    assert done.exit_code == 0
    assert done.stdout == pinout.table(load())
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"{name}.svg" for name in DRAWINGS}


def test_a_resistor_without_four_rings_is_drawn_with_its_value(tmp_path: Path) -> None:
    """A resistor without a four-ring code, such as 562 Ω, is drawn with its value."""
    path = tmp_path / "panel.toml"
    path.write_text("[lights]\nillegal = {pin = 21, ohms = 562}\n")
    for name, drawing in DRAWINGS.items():
        texts = ["".join(each.itertext()) for each in ET.fromstring(drawing(load(path))).findall(".//{*}text")]
        assert name != "legs" or "562 Ω" in texts


def test_the_command_names_the_line_of_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "panel.toml"
    path.write_text("[buttons]\nOK = {pin = 99}\n")
    done = CliRunner().invoke(command, ["--file", str(path)])
    assert done.exit_code == 1
    assert "line 2: there is no pin 99" in done.stderr
    assert done.stdout == ""


def test_a_tag_has_as_many_modules_in_the_lens_table_as_in_print() -> None:
    """The lens table, which is made without the tag libraries, assumes the same number of modules as a printed tag."""
    assert optics.MODULES_PER_TAG == patterns.TAG_MODULES
