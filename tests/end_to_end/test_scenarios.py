"""Every written scenario comes true through rendered frames, the real eyes and mock pins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.support import played

FOLDER = Path(__file__).parent.parent / "scenarios"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_scenario_comes_true_through_the_camera(path: Path, tmp_path: Path) -> None:
    played(path.read_text(encoding="utf-8"), tmp_path)
