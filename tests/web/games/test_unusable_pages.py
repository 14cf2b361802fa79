"""An installed game whose pages cannot be loaded breaks no page except its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME as PALAZZO
from tabletop.rules.registry import UnusablePart
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import GameUI
from tests.rules.tiny.lantern import GAME as LANTERN


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a game whose entry point for pages is a number."""
    info = tmp_path / "lantern-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lantern\nVersion: 1\n")
    game = "[tabletop.games]\nlantern = tests.rules.tiny.lantern:GAME\n"
    (info / "entry_points.txt").write_text(f"{game}[tabletop.games.web]\nlantern = lantern_pages:ANSWER\n")
    (tmp_path / "lantern_pages.py").write_text("ANSWER = 42\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    ui_of.cache_clear()
    yield
    ui_of.cache_clear()


def test_a_table_of_the_game_is_not_opened() -> None:
    with pytest.raises(UnusablePart, match="'lantern' cannot be loaded: lantern_pages:ANSWER"):
        Pages(MemoryTable(LANTERN, NAMES[: LANTERN.seat_range[0]]))


def test_past_games_of_the_game_are_put_into_words(caplog: pytest.LogCaptureFixture) -> None:
    assert type(ui_of(LANTERN)) is GameUI
    assert "must be of type GameUI, not int" in caplog.text


def test_the_game_has_no_files_and_other_tables_are_served() -> None:
    pages = Pages(MemoryTable(PALAZZO, NAMES))
    assert pages.phone().get("/static/games/lantern/style.css").status_code == 404
    assert pages.phone().get("/").status_code == 200
    pages.close()
