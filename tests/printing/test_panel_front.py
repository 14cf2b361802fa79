"""The drilling template shows every hole of the panel at true size, on one sheet."""

from __future__ import annotations

import subprocess
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.cli.panel import command
from tabletop.hardware.drawings.front import front
from tabletop.hardware.panel.panel_file import load


@pytest.mark.parametrize("across", [12.0, 24.0, 28.0, 30.0])
def test_no_hole_touches_another_or_the_edge(across: float) -> None:
    """At least 8 mm of wood are left between two holes, and 5 mm to the edge."""
    plan = front(load(), across)
    for one, other in combinations(plan.holes, 2):
        assert dist(one[:2], other[:2]) - (one.across + other.across) / 2 >= 8
    for hole in plan.holes:
        reach = hole.across / 2 + 5
        assert reach <= hole.x <= plan.width - reach
        assert reach <= hole.y <= plan.height - reach


def test_every_button_has_a_hole_and_so_has_every_light_outside_buttons() -> None:
    wiring = load()
    inside = {wire.name for wire in wiring.buttons}
    expected = [wire.label for wire in wiring.lights if wire.name not in inside] + [one.label for one in wiring.buttons]
    assert [hole.label for hole in front(wiring).holes] == expected


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_command_writes_one_sheet_with_every_label(tmp_path: Path, paper: str) -> None:
    file = tmp_path / "front.pdf"
    done = CliRunner().invoke(command, ["--front", str(file), "--paper", paper])
    assert done.exit_code == 0, done.stderr
    page = subprocess.run(["pdftotext", file, "-"], check=True, capture_output=True, text=True).stdout
    assert page.count("\f") == 1
    assert all(str(hole.label) in page for hole in front(load()).holes)


def test_a_front_that_no_sheet_holds_is_refused_with_its_size(tmp_path: Path) -> None:
    lights = "".join(f'extra{pin} = {{ pin = {pin}, label = "{pin}" }}\n' for pin in range(2, 8))
    buttons = "".join(f'B{pin} = {{ pin = {pin}, label = "{pin}" }}\n' for pin in range(8, 28))
    panel = tmp_path / "panel.toml"
    panel.write_text(f"[led]\nvolts = 2.0\nohms = 560\n[buttons]\n{buttons}[lights]\n{lights}")
    done = CliRunner().invoke(command, ["--file", str(panel), "--front", str(tmp_path / "front.pdf")])
    assert done.exit_code == 2
    assert "a sheet has room for" in done.stderr
    assert not (tmp_path / "front.pdf").exists()
