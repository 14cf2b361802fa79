"""Which tiles of a grid are adjacent."""

from __future__ import annotations

import pytest

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.grid import touch


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize(("aside", "touches"), [(0.43, True), (0.5, False)])
def test_two_tiles_share_an_edge_whichever_of_them_comes_first(quarters: int, aside: float, touches: bool) -> None:
    """Adjacency is symmetric, although the tiles are slightly crooked and either may be turned by quarters."""
    one, other = Placed("one", 0, 0, 0), Placed("other", 30, 30 * aside, 8 + 90 * quarters)
    assert touch(one, other, 30) == touch(other, one, 30) == touches
