"""What is learned can be learned again: the same seed makes the same file."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tabletop.bots.strategy import LEARNED
from tabletop.cli import main

TINY = Path(__file__).parent / "tiny_learned.json"
"""Made by the command that it names."""


def test_a_tiny_file_is_made_again(tmp_path: Path) -> None:
    """The command that a file names makes the same file, to the last digit that it writes."""
    made_by = json.loads(TINY.read_text())["made by"].split()
    done = CliRunner().invoke(main, [*made_by[1:], "--out", str(tmp_path / LEARNED)])
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / LEARNED).read_text()) == json.loads(TINY.read_text())
