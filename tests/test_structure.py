"""Where files lie: the rules by which one finds its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabletop.rules import registry

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tabletop"
GAMES = re.compile("|".join(registry.BUILT_IN), re.IGNORECASE)
CODE = (".py", ".html", ".css", ".js")
"""What is held to the rules; TOML and catalogues are data that a table may change, or that follows the code."""


def game_of(path: Path) -> str | None:
    """Return the game below whose folder a file lies, or whose name it has; None if it is for all games."""
    inside = path.relative_to(PACKAGE)
    return next((part for part in (*inside.parent.parts, inside.stem) if part in registry.BUILT_IN), None)


def code() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in CODE)


def test_a_game_is_named_only_in_its_own_files() -> None:
    """Whatever is about one game lies in a file or below a folder of its name, so that any game can bring the same."""
    shared = [path for path in code() if game_of(path) is None]
    assert len(shared) > 300
    naming = {
        f"{path.relative_to(ROOT)}:{number}": line.strip()[:80]
        for path in shared
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if GAMES.search(line)
    }
    assert naming == {}


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_no_game_needs_another(name: str) -> None:
    """A game's own files import those of no other game."""
    others = "|".join(other for other in registry.BUILT_IN if other != name)
    foreign = re.compile(rf"^\s*(?:from|import) tabletop\.(?:(?!{name}\b)\w+\.)*(?:{others})\b", re.MULTILINE)
    own = [path for path in code() if path.suffix == ".py" and game_of(path) == name]
    assert own
    assert {str(path): found[0] for path in own if (found := foreign.search(path.read_text(encoding="utf-8")))} == {}
