"""The manual's pictures are those that the rules draw now."""

import re
from pathlib import Path

from docs import make_rule_pictures

DOCS = Path(make_rule_pictures.__file__).parent


def test_the_pictures_of_the_manual_are_drawn_from_the_rules_as_they_are(tmp_path, monkeypatch):
    monkeypatch.setattr(make_rule_pictures, "OUT", tmp_path)
    make_rule_pictures.main()
    drawn = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    kept = {file.name: file.read_text(encoding="utf-8") for file in (DOCS / "pictures" / "rules").glob("*.svg")}
    assert drawn == kept


def test_the_manual_shows_each_picture():
    shown = re.findall(r"!\[[^]]+\]\(pictures/rules/([\w-]+\.svg)\)", (DOCS / "palazzo.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(file.name for file in (DOCS / "pictures" / "rules").glob("*.svg"))
