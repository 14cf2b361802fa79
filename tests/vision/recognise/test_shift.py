"""How far off a pattern samples lie, whatever the light."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.recognise.shift import GRID_SIDE, Shifts, seen
from tabletop.vision.recognise.templates import Templates, offsets
from tests.vision.recognise.test_recognise import PIECES

OFF = (0.12, -0.2)
"""How far a tag lies to the right and down of where it was looked for, modules."""


@pytest.mark.parametrize("veil", [0.0, 1.5])
def test_a_veil_over_a_part_of_a_tag_moves_it_nowhere(veil: float) -> None:
    """Light that rises towards one side, ever more steeply, looks like no shift."""
    whole = Templates(PIECES).whole[:1]
    rows = np.arange(GRID_SIDE, dtype=np.float64) - (GRID_SIDE - 1) / 2
    light, across, down = (each[0] for each in seen(whole.astype(np.float64), 1.0, rows))
    x, y, _ = offsets() / GRID_SIDE
    lying = light - OFF[0] * across - OFF[1] * down + veil * (x * x + x * y)
    shifts, first = Shifts(whole), np.zeros(1, np.intp)
    _, blur = shifts.best(lying[None].astype(np.float32))
    found = shifts.shift(lying[None].astype(np.float32), first, blur)
    assert -found[0, :2] == pytest.approx(OFF, abs=1e-3)
