"""A frame makes its picture when a thread first asks for it."""

from __future__ import annotations

import numpy as np
import pytest

from doubles.meanwhile import meanwhile
from tabletop.vision import frame as frame_module
from tabletop.vision.frame import Frame

SMALL = np.zeros((2, 2), np.uint8)


@pytest.mark.parametrize("number", range(1, 5))
def test_a_picture_for_which_two_threads_ask_at_once_is_given_to_both(number: int) -> None:
    """The page with the camera's picture and the reader of the table can share the newest frame."""
    frame = Frame(lambda: SMALL, SMALL, 0.0, 1, lambda: SMALL)
    with meanwhile(frame_module, number, lambda: frame.grey):
        assert frame.grey is SMALL
    with meanwhile(frame_module, number, lambda: frame.colour):
        assert frame.colour is SMALL
