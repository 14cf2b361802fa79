"""Places that look like a tag with one side or corner hidden."""

from __future__ import annotations

import numpy as np

from tabletop.vision.recognise.templates import Templates, offsets
from tests.vision.recognise.tiles import PIECES


def test_paper_that_is_burnt_out_looks_like_no_half_of_a_tag() -> None:
    """Where everything is white except for rounding, the likeness is small, whatever is beside it."""
    rng, count = np.random.default_rng(0), 40
    white, print_beside = 255 + rng.normal(0, 0.02, (count, 529)), rng.integers(0, 200, (count, 529))
    samples = np.where(offsets()[0] < 0.5, white, print_beside).astype(np.float32)
    likeness, _, _ = Templates(PIECES).partly_alike.best(samples)
    assert likeness.max() < 0.2
