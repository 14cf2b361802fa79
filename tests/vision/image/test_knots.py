"""Values computed at the knots of a coarse grid are interpolated between them, in bands or all at once."""

from __future__ import annotations

import numpy as np

from tabletop.vision.image.knots import BAND_ROWS, KNOT_STEP_PX, interpolated, interpolated_bands


def test_between_knots_a_linear_mapping_is_exact() -> None:
    """A mapping that is linear has its exact value at every px, half a step in from the first knot."""
    rows, columns = 3 * KNOT_STEP_PX - 3, 2 * KNOT_STEP_PX + 1
    knots = np.add.outer(np.arange(5.0), 100 * np.arange(4.0)).astype(np.float32)
    values = interpolated(knots, KNOT_STEP_PX // 2, (rows, columns))
    x, y = ((np.arange(count) + 0.5) / KNOT_STEP_PX for count in (columns, rows))
    np.testing.assert_allclose(values, np.add.outer(y, 100 * x), atol=1e-3)


def test_bands_are_the_rows_of_the_whole() -> None:
    """Interpolated in bands, every row of px has the values that it has if all rows are interpolated at once."""
    size = 2 * BAND_ROWS + 5, 20
    knots = np.random.default_rng(1).random((size[0] // KNOT_STEP_PX + 3, 6, 2)).astype(np.float32)
    for start in (KNOT_STEP_PX // 2, KNOT_STEP_PX):
        bands = list(interpolated_bands(knots, start, size))
        assert [rows.stop - rows.start for rows, _ in bands] == [BAND_ROWS, BAND_ROWS, 5]
        np.testing.assert_array_equal(np.concatenate([values for _, values in bands]), interpolated(knots, start, size))
