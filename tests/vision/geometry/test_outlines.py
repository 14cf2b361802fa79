"""Unread marks on the face of a recognised piece are explained by it; areas with room for another tag are not."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.rules.palazzo import GAME
from tabletop.vision.geometry.outlines import on_faces, outlines
from tabletop.vision.kit import Kit
from tabletop.vision.scene import ReadBy, Sighting


def seen(payload: str, x: float, y: float, angle: float = 0.0) -> Sighting:
    return Sighting(payload, x, y, angle, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0, ReadBy.RECOGNISED)


def box(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=float)


@pytest.mark.parametrize(
    ("place", "explained"),
    [
        (box(100, 90, 120, 115), True),  # the tile's own windows
        (box(70, 80, 130, 120), True),  # the whole tile with its shadow
        (box(80, 50, 120, 115), False),  # the tile, and another behind it
        (box(200, 200, 220, 220), False),
        (box(140, 60, 150, 160), True),  # too narrow for any tag
    ],
)
def test_a_place_is_explained_unless_another_tag_could_lie_there(place: np.ndarray, explained: bool) -> None:
    assert on_faces(place, outlines([seen("PZ:B1.1", 100, 100)], Kit(GAME))) is explained


@pytest.mark.parametrize(("angle", "place"), [(0, box(90, 130, 125, 155)), (180, box(75, 45, 110, 70))])
def test_the_face_turns_with_its_piece(angle: float, place: np.ndarray) -> None:
    """A card's tag is near its top left, so its face reaches to the right and down as the card is read."""
    assert on_faces(place, outlines([seen("PZ:R5A", 100, 100, angle)], Kit(GAME)))
    assert not on_faces(place, outlines([seen("PZ:R5A", 100, 100, angle + 180)], Kit(GAME)))
