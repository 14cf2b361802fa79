"""Every sentence of a manual's rules names the tests that hold the engine to it.

``sentences/<game>.toml`` lists, section by section, each sentence by its first words with its tests.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
MAPS = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in (HERE / "sentences").glob("*.toml")}
SECTIONS = [(game, section) for game, sections in MAPS.items() for section in sections]


def sentences(game: str, section: str) -> list[str]:
    """Return the sentences of a section, without tables, titles of one or two words, and marks of emphasis."""
    text = (DOCS / f"{game}.md").read_text(encoding="utf-8").split(f"## {section}\n")[1].split("\n## ")[0]
    text = re.sub(r"^(\||!\[|\[).*$", "", text, flags=re.MULTILINE)
    plain = " ".join(re.sub(r"^\s*- ", "", text, flags=re.MULTILINE).replace("*", "").split())
    found = re.split(r"(?<=[.:])\s+(?=[A-Z])", plain)
    return [sentence for sentence in found if len(sentence.split()) > 2]


def names_of_tests(game: str) -> set[str]:
    """Return the tests of a game as file::name."""
    return {
        f"{file.name}::{node.name}"
        for file in (HERE / game).glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }


def test_every_game_of_this_project_has_its_map() -> None:
    assert set(MAPS) == {file.parent.name for file in (HERE.parents[1] / "tabletop" / "rules").glob("*/game.py")}


@pytest.mark.parametrize(("game", "section"), SECTIONS)
def test_every_sentence_names_its_tests_and_nothing_else_is_listed(game: str, section: str) -> None:
    begins = MAPS[game][section]
    left = [words for words in sentences(game, section) if not words.startswith(tuple(begins))]
    assert left == []
    unused = [begin for begin in begins if not any(words.startswith(begin) for words in sentences(game, section))]
    assert unused == []


@pytest.mark.parametrize(("game", "section"), SECTIONS)
def test_every_test_that_a_sentence_names_is_there(game: str, section: str) -> None:
    named = {test for tests in MAPS[game][section].values() for test in tests}
    assert named
    assert named <= names_of_tests(game)
