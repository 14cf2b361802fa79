"""Squares of a grid are at their places, and know which of them are within an outline."""

from __future__ import annotations

import numpy as np

from tabletop.vision.geometry.square_grid import SquareGrid

AREA = np.array([(10.0, 0.0), (10.0, 8.0), (4.0, 8.0), (4.0, 0.0)])
"""An area turned by a quarter, whose rows run down the table."""


def test_squares_over_an_area_end_where_it_does() -> None:
    grid = SquareGrid.over(AREA, (4, 3))
    assert grid.mm(np.array(3.5), np.array(2.5)).tolist() == AREA[2].tolist()


def test_widened_squares_have_the_same_places() -> None:
    grid = SquareGrid.over(AREA, (4, 3))
    wide = grid.widened(2)
    assert wide.size == (8, 7)
    assert wide.mm(np.array(3), np.array(4)).tolist() == grid.mm(np.array(1), np.array(2)).tolist()


def test_upright_squares_within_an_outline_are_those_that_it_reaches() -> None:
    grid = SquareGrid.upright(np.array((100.0, 200.0)), 2.0, (5, 4))
    outline = np.array([(102.0, 202.0), (106.0, 202.0), (106.0, 204.0), (102.0, 204.0)])
    there = np.argwhere(grid.within([outline])).tolist()
    assert there == [[row, column] for row in (1, 2) for column in (1, 2, 3)]
