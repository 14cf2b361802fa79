"""The vertex of a parabola through three neighbouring values."""

from __future__ import annotations

import numpy as np

from tabletop.vision.image.parabola import vertex


def test_the_vertex_of_a_parabola_is_found_between_its_samples() -> None:
    """Three samples of a parabola give its vertex exactly; without a peak the answer is the one asked for."""
    peaks = np.array([-0.4, 0.0, 0.3])
    before, middle, after = (-((place - peaks) ** 2) for place in (-1, 0, 1))
    np.testing.assert_allclose(vertex(before, middle, after), peaks, atol=1e-12)
    np.testing.assert_array_equal(vertex(-before, -middle, -after, without_peak=7.0), 7.0)
