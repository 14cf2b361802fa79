"""How well squares determine the sizes at a picture's edges."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.geometry.boxes import square
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.geometry.plane_fit import Square
from tabletop.vision.geometry.scale_uncertainty import scale_uncertainty

SIDE_MM = 20.0
PLANE = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (1500, 2000))


def seen(step: float, plane: Plane = PLANE) -> list[Square]:
    """Return nine squares as the plane shows them in the picture, ``step`` mm apart."""
    places = [(500 + step * column, 375 + step * row) for column in (-1, 0, 1) for row in (-1, 0, 1)]
    return [Square(plane.to_px(square(place, SIDE_MM / 2)), SIDE_MM) for place in places]


def test_squares_all_over_a_picture_leave_nothing_open_and_few_in_the_middle_leave_much() -> None:
    assert scale_uncertainty(PLANE, seen(300)) < 0.002
    assert scale_uncertainty(PLANE, seen(30)) > 0.05


def test_squares_that_do_not_fit_make_all_of_it_less_certain() -> None:
    """The uncertainty is proportional to how much the squares are off."""
    bent = [one._replace(corners=one.corners + np.sin(7 * one.corners)) for one in seen(300)]
    worse = [one._replace(corners=one.corners + 2 * np.sin(7 * one.corners)) for one in seen(300)]
    one, two = scale_uncertainty(PLANE, bent), scale_uncertainty(PLANE, worse)
    assert one > 2 * scale_uncertainty(PLANE, seen(300))
    assert two == pytest.approx(2 * one, rel=0.2)
