"""Settings of a table on a free port."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ports import free_port


@pytest.fixture
def port() -> int:
    """A free port."""
    return free_port()


@pytest.fixture
def configure(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes the table.toml of this test's table and returns its path."""

    def write(text: str = "", games: str = "games", port: int = 0) -> Path:
        (tmp_path / "pictures").mkdir(exist_ok=True)
        path = tmp_path / "table.toml"
        path.write_text(
            f'games = "{games}"\nseats = ["Anna", "Ben"]\n{text}\n'
            f'[camera]\nsource = "images:{tmp_path / "pictures"}"\n'
            f'[panel]\npins = "mock"\n[pages]\nbind = "127.0.0.1"\nport = {port or 8080}\n'
        )
        return path

    return write
