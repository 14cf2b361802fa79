"""Any untagged object in a seat's area is reported, unlike light and shadow, whose edges are soft."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.untagged import contrast
from tabletop.vision.photo.untagged.area_from_above import from_above

AREA = np.array([(0.0, 0.0), (300.0, 0.0), (300.0, 160.0), (0.0, 160.0)])
PLANE = Plane(np.diag((0.25, 0.25, 1.0)), 0.0, (640, 1200))


def things(
    picture: NDArray[np.uint8], plane: Plane, area: NDArray[np.float64], faces: Sequence[NDArray[np.float64]]
) -> list[NDArray[np.float64]]:
    return contrast.things(from_above(picture, plane, area, faces), area).boxes


def paper(seed: int = 1) -> NDArray[np.uint8]:
    """Return white paper under a lamp at one side, with noise, at 4 px per mm."""
    rng = np.random.default_rng(seed)
    light = np.linspace(1.0, 0.75, 1200)[None, :, None] * 215
    return np.clip(light + rng.normal(0, 4, (640, 1200, 3)), 0, 255).astype(np.uint8)


def with_tile(
    picture: NDArray[np.uint8], x: int, y: int, colour: tuple[int, int, int], turn: float = 8.0
) -> NDArray[np.float64]:
    box = cv2.boxPoints(((x * 4, y * 4), (36 * 4, 28 * 4), turn))
    cv2.fillConvexPoly(picture, np.round(box).astype(np.int32), colour)
    return np.asarray(box / 4, np.float64)


@pytest.mark.parametrize("colour", [(60, 60, 60), (90, 160, 200), (170, 170, 175)])
def test_a_tile_without_a_tag_is_found_where_it_lies(colour: tuple[int, int, int]) -> None:
    picture = paper()
    with_tile(picture, 120, 80, colour)
    [box] = things(picture, PLANE, AREA, [])
    assert box.mean(axis=0) == pytest.approx((120, 80), abs=3)
    assert np.ptp(box, axis=0) == pytest.approx((38, 32), abs=6)


@pytest.mark.parametrize(("wide", "found"), [(8, 0), (15, 1)])
def test_a_tile_is_found_of_which_the_picture_shows_half_and_a_strip_along_its_edge_is_nothing(
    wide: int, found: int
) -> None:
    """Half a tile at the picture's edge is found, while a dark strip, as vignetting makes it, is not."""
    picture = paper()
    with_tile(picture, 300 + 18 - wide, 80, (60, 60, 60), turn=0)
    assert len(things(picture, PLANE, AREA * (1.1, 1), [])) == found


def test_what_was_read_needs_no_explanation() -> None:
    picture = paper()
    face = with_tile(picture, 120, 80, (60, 60, 60))
    grown = face.mean(axis=0) + (face - face.mean(axis=0)) * 1.2
    assert things(picture, PLANE, AREA, [grown]) == []


def test_what_fills_the_room_between_tiles_and_the_end_of_an_area_is_found_though_its_edges_lie_beyond() -> None:
    """A cup whose rim is over the tiles around it is found by what fills the gap between them."""
    picture = paper()
    cv2.circle(picture, (110 * 4, 142 * 4), 31 * 4, (110, 60, 110), -1)
    faces = [
        np.array([(x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40)]) for x, y in ((50, 120), (90, 86), (130, 120))
    ]
    [box] = things(picture, PLANE, AREA, faces)
    assert box.mean(axis=0) == pytest.approx((110, 143), abs=3)


def test_bare_paper_in_uneven_light_is_not_reported() -> None:
    assert things(paper(), PLANE, AREA, []) == []


@pytest.mark.parametrize("strength", [0.6, 1.25])
def test_shadows_and_reflections_with_soft_edges_are_not_reported(strength: float) -> None:
    spot = np.zeros((640, 1200), np.float32)
    cv2.circle(spot, (600, 320), 90, 1.0, -1)
    soft = cv2.GaussianBlur(spot, (0, 0), 45)[..., None]
    picture = np.clip(paper() * (1 + (strength - 1) * soft), 0, 255).astype(np.uint8)
    assert things(picture, PLANE, AREA, []) == []


def test_a_printed_line_and_words_are_not_reported() -> None:
    picture = paper()
    cv2.line(picture, (0, 200), (1200, 200), (120, 120, 120), 4)
    cv2.putText(picture, "Seat 1", (60, 600), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (90, 90, 90), 4)
    assert things(picture, PLANE, AREA, []) == []


def test_a_strip_of_the_table_beside_the_card_is_not_reported() -> None:
    picture = paper()
    picture[:, 1128:] = (60, 80, 110)
    assert things(picture, PLANE, AREA, []) == []


def test_in_a_black_picture_nothing_is_reported() -> None:
    assert things(np.zeros((640, 1200, 3), np.uint8), PLANE, AREA, []) == []


def on_a_table(crooked: float = 0.0, seed: int = 3) -> NDArray[np.uint8]:
    """Return a card smaller than the area, whose paper ends to the right and above, on dark wood."""
    rng = np.random.default_rng(seed)
    wood = np.clip(rng.normal((40, 60, 85), 6, (640, 1200, 3)), 0, 255).astype(np.uint8)
    edge = np.array([(0, 52), (928 + crooked, 52 + crooked), (928, 640), (0, 640)], np.int32)
    card = cv2.fillPoly(np.zeros((640, 1200), np.uint8), [edge], 1)
    return np.where(card[..., None] > 0, paper(), wood)


@pytest.mark.parametrize("crooked", [-16, 0, 16])
def test_a_card_that_ends_within_the_area_is_not_reported(crooked: int) -> None:
    assert things(on_a_table(crooked), PLANE, AREA, []) == []


@pytest.mark.parametrize(("x", "colour"), [(60, (25, 25, 25)), (150, (120, 150, 170)), (262, (150, 160, 170))])
def test_a_tile_without_a_tag_is_found_on_the_card_and_beside_it(x: int, colour: tuple[int, int, int]) -> None:
    picture = on_a_table()
    with_tile(picture, x, 110, colour)
    [box] = things(picture, PLANE, AREA, [])
    assert box.mean(axis=0) == pytest.approx((x, 110), abs=3)


@pytest.mark.parametrize("wide", [60, 110, 150])
def test_an_arm_over_much_of_the_card_is_found(wide: int) -> None:
    picture = paper()
    reach = [np.array([(700, -50), (700 + 4 * wide, -50), (500 + 4 * wide, 700), (500, 700)])]
    cv2.fillPoly(picture, reach, (120, 150, 205))
    assert things(picture, PLANE, AREA, [])


def test_a_card_with_fingers_over_much_of_it_is_not_rough() -> None:
    """Between fingers the local contrast says little, but all visible parts of the card have one colour."""
    picture = on_a_table()
    fingers = [np.array([(x, 40), (x + 100, 40), (x + 60, 640), (x - 40, 640)]) for x in (100, 340, 580)]
    cv2.fillPoly(picture, fingers, (70, 110, 160))
    found = contrast.things(from_above(picture, PLANE, AREA, []), AREA)
    assert not found.rough[20:, :220].any()
    assert found.boxes


@pytest.mark.parametrize("soft", [12, 25])
def test_a_shadow_over_half_an_area_is_not_reported(soft: int) -> None:
    bright = 1 - 0.4 / (1 + np.exp((np.arange(1200) - 500) / (4 * soft / 2)))
    assert things((paper() * bright[None, :, None]).astype(np.uint8), PLANE, AREA, []) == []


def test_a_cup_that_is_as_dark_as_its_shadow_and_has_a_pale_rim_is_found() -> None:
    picture, shade = paper().astype(np.float32), np.zeros((640, 1200), np.float32)
    cv2.circle(shade, (660, 350), 170, 0.6, -1)
    picture *= 1 - cv2.GaussianBlur(shade, (0, 0), 60)[..., None]
    for radius, colour in ((124, (190, 192, 195)), (106, (70, 75, 80))):
        cv2.circle(picture, (560, 300), radius, colour, -1, cv2.LINE_AA)
    assert things(picture.astype(np.uint8), PLANE, AREA, [])
