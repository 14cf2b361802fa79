"""What lies across the end of a card is judged by the ground of its larger part."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.photo.beside_cards import is_ground


@pytest.mark.parametrize(("middle", "ground"), [(60, True), (40, False), (20, False)])
def test_squares_of_the_cloth_across_the_end_of_a_card_are_ground(middle: int, ground: bool) -> None:
    """The part on the card does not look like the cloth, but makes no tile of the box if it is the smaller one."""
    box = np.array([(-18.0, -14.0), (18.0, -14.0), (18.0, 14.0), (-18.0, 14.0)]) + np.array((middle, 50.0))
    cloth = np.arange(100)[None].repeat(100, axis=0) >= 53
    area = np.array([(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)])
    assert is_ground(box, area, cloth, cloth) == ground
    assert not is_ground(box, area, np.zeros_like(cloth), cloth)
