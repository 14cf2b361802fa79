"""Every written scenario passes with rendered frames, the real tracker and mock pins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.support import played

FOLDER = Path(__file__).parent.parent / "scenarios"
OTHERS = (
    "patrician/a-turn-in-one-sweep",
    "patrician/box-floors",
    "patrician/move",
    "patrician/taken-under-an-arm",
    "piecepack/buy-with-the-die",
    "piecepack/coin-and-refill-in-one-sweep",
    "piecepack/askew",
    "piecepack/half-over",
    "piecepack/outgrown",
    "piecepack/turret",
)
"""Scenarios of the other games that depend on the tracker: columns, cells, pieces on top of pieces."""
PATHS = [*sorted(FOLDER.glob("*.txt")), *(FOLDER / f"{name}.txt" for name in OTHERS)]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_scenario_passes_through_the_camera(path: Path, tmp_path: Path) -> None:
    played(path.read_text(encoding="utf-8"), tmp_path)
