"""Parts of a photograph are rectified, on whatever plane they are said to be."""

from __future__ import annotations

import tracemalloc

import numpy as np

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import overhead


def test_a_blur_ends_on_a_plane_so_close_that_it_would_reach_far_beyond_the_picture() -> None:
    colour = np.zeros((300, 400, 3), np.uint8)
    colour[:, 200:] = 200
    mm_per_px = 0.0001
    plane = Plane(np.diag((mm_per_px, mm_per_px, 1.0)), 0.0, (300, 400))
    grid = SquareGrid(np.zeros(2), np.array((0.001, 0.0)), np.array((0.0, 0.001)), (40, 30))

    seen = overhead(colour, plane, grid, soft=1.0).seen

    assert seen[15, 2].max() < 5
    assert seen[15, -3].min() > 195


def test_a_large_part_of_a_table_takes_little_more_memory_than_what_is_seen_of_it() -> None:
    """Rectifying a large part takes memory for what the picture shows of it, not 8 bytes for every square."""
    plane = Plane(np.diag((2.0, 2.0, 1.0)), 0.0, (500, 500))
    side = 2000
    grid = SquareGrid(np.zeros(2), np.array((0.5, 0.0)), np.array((0.0, 0.5)), (side, side))
    tracemalloc.start()
    seen, sight = overhead(np.full((500, 500), 90, np.uint8), plane, grid)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * side**2
    assert (seen == 90).all()
    assert sight[: side - 10, : side - 10].all()
