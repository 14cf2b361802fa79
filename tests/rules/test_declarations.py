"""A game's table is declared and read in few lines."""

import re
from importlib import import_module
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(("game", "allowed"), [("patrician", 260), ("piecepack", 300), ("palazzo", 310)])
def test_a_table_with_its_readers_is_declared_in_few_lines(game: str, allowed: int) -> None:
    """A table and its readers take few lines: what every game would repeat belongs in the shared code."""
    modules = [import_module(f"tabletop.rules.{game}.table.{part}") for part in ("declaration", "reader")]
    assert sum(line_count(Path(str(module.__file__))) for module in modules) <= allowed


def test_the_table_of_the_example_game_is_declared_in_forty_lines() -> None:
    """The example game's table and readers are one block of at most forty lines."""
    section = GUIDE.read_text(encoding="utf-8").partition("## 9. Its table\n")[2]
    block = re.search(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert block is not None
    assert "class LanternTable(Table):" in block[1]
    assert len(block[1].splitlines()) <= 40
