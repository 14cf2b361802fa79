"""The manuals' pictures are those that the rules draw now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabletop.rules import registry
from tools.pictures import make_rule_pictures

DOCS = Path(__file__).parents[2] / "docs"
KEPT = {file.name: file.read_text(encoding="utf-8") for file in (DOCS / "pictures" / "rules").glob("*.svg")}


def test_the_pictures_of_the_manuals_are_drawn_from_the_rules_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_rule_pictures, "OUT", tmp_path)
    make_rule_pictures.main()
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == KEPT


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_each_manual_shows_each_picture_of_its_game(game: str) -> None:
    manual = (DOCS / f"{game}.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^]]+\]\(pictures/rules/([\w-]+\.svg)\)", manual)
    assert sorted(shown) == sorted(name for name in KEPT if name.startswith(f"{game}-"))
    assert shown
