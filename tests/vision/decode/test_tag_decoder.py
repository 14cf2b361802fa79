"""What decoders read in a part of the table."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.decode.decoders import available
from tabletop.vision.decode.tag_decoder import TagDecoder
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.plane import Plane
from tests.vision.decode.test_decode import placed


@pytest.mark.parametrize(
    ("part", "count"), [((0, 0, 400, 400), 1), ((-200, 0, -100, 400), 0), ((0, -200, 400, -100), 0)]
)
def test_beside_the_picture_no_code_is_read(part: Box, count: int) -> None:
    """A part of the table to the left of the picture or above it contains none of the picture's codes."""
    grey, _ = placed("PZ:B3.2", size=800)
    plane = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (800, 800))
    assert len(TagDecoder(available(), ()).foreign(grey, plane, part)) == count
