"""The sweep goes over all of a still table, for markers in every other round only."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tabletop.vision.geometry.boxes import Box
from tabletop.vision.live.reread.sweep import SWEEP_MM, Sweep
from tests.vision.live.watched import Watched
from tests.vision.small_table import MARKERS, TILES, picture


def test_a_sweep_reads_every_part_once_a_round_and_looks_for_markers_in_every_other_one() -> None:
    sweep, bounds = Sweep(), (-150.0, -20.0, 149.0, 170.0)
    rounds = [[sweep.next_part(bounds) for _ in range(6)] for _ in range(4)]

    parts = [{part for part, _ in one} for one in rounds]
    assert [len(one) for one in parts] == [6] * 4
    assert len(set.union(*parts)) == 6
    assert min(left for left, _, _, _ in parts[0]) == bounds[0]
    assert max(right for _, _, right, _ in parts[0]) == bounds[0] + 3 * SWEEP_MM >= bounds[2]
    assert max(bottom for _, _, _, bottom in parts[0]) == bounds[1] + 2 * SWEEP_MM >= bounds[3]
    assert sum(markers for one in rounds for _, markers in one) == 12


def test_a_still_table_is_read_again_part_by_part_every_two_seconds(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round of a table of 900 mm by 700 mm takes two minutes and more; nothing was known to be unread there."""
    parts: list[int] = []

    def noted(*_: Any) -> tuple[Box, bool]:
        parts.append(watched.number)
        return (0.0, 0.0, 1.0, 1.0), False

    monkeypatch.setattr(Sweep, "next_part", noted)
    watched.show(picture([*MARKERS, *TILES]), 40)
    assert [after - before for before, after in pairwise(parts)] == [10] * (len(parts) - 1)
    assert len(parts) >= 3
