"""Style sheets are written in parts and sent whole."""

from __future__ import annotations

import re
from pathlib import Path

import tabletop.web
from doubles.pages import Pages

WEB = Path(tabletop.web.__file__).parent
STATIC = WEB / "static"
IMPORT = re.compile(r'@import "(.+)";')


def sheets() -> dict[Path, list[Path]]:
    """Return the style sheets that each style sheet imports."""
    return {
        path: [path.parent / name for name in IMPORT.findall(path.read_text(encoding="utf-8"))]
        for path in STATIC.rglob("*.css")
    }


def test_a_sheet_is_sent_with_all_that_it_imports(pages: Pages) -> None:
    """A sheet is one response, with its imported parts in order."""
    imported = {sheet: parts for sheet, parts in sheets().items() if parts}
    assert len(imported) >= 6
    for sheet, parts in imported.items():
        sent = pages.phone().get(f"/static/{sheet.relative_to(STATIC)}").text
        assert "@import" not in sent
        at = [sent.index(part.read_text(encoding="utf-8")) for part in parts]
        assert at == sorted(at)


def test_every_style_is_used() -> None:
    """Each sheet is linked by a page, named after a game, or imported by exactly one other; parts import nothing."""
    linked = {
        STATIC / name for page in WEB.rglob("*.html") for name in re.findall(r'asset\("(.+?\.css)"\)', page.read_text())
    }
    games = set((STATIC / "games").glob("*.css"))
    parts = [part for imported in sheets().values() for part in imported]
    assert sorted([*parts, *linked | games]) == sorted(sheets())
    assert [part for part in parts if sheets()[part]] == []
