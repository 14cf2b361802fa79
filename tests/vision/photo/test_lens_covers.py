"""A finger over the lens, behind which a seat may be, is a doubt; things on the table, shadows and rooms are none."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules import registry
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.hidden_seats.lens_covers import lens_covers
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause, ReadBy, Sighting
from tabletop.vision.score.palazzo import PalazzoTally
from tests.vision.photo.test_blurred_places import felt

PLANE = Plane(np.eye(3), 0.0, (600, 800))
SKIN = (45, 60, 110)
READ = corners_of((100, 380, 340, 540))
Colour = NDArray[np.uint8]


def wood() -> Colour:
    lines = np.random.default_rng(1).normal(0, 12, (150, 8, 1))
    grain = cv2.resize(lines, (800, 600), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(np.clip(grain + np.array((70, 110, 150)), 0, 255), np.uint8)


def chequers() -> Colour:
    rows, columns = np.indices((600, 800)) // 12
    mixed = ((rows % 2 + columns % 2) / 2)[..., None]
    return np.asarray(mixed * (90, 110, 60) + (1 - mixed) * (228, 230, 232), np.uint8)


def covered(table: Colour, colour: tuple[float, float, float], soft: float, part: float = 1.0) -> Colour:
    """Return a table with a disc of 24 cm in its top right corner, whose edge is blurred over ``soft`` mm."""
    disc = np.zeros(table.shape[:2], np.float32)
    cv2.circle(disc, (760, 40), 240, part, cv2.FILLED)
    over = (cv2.GaussianBlur(disc, (0, 0), soft) if soft else disc)[..., None]
    return np.asarray(table * (1 - over) + np.array(colour) * over, np.uint8)


def doubts(table: Colour, *read: Sighting) -> list[Cause]:
    """Return the doubts about a table on which one seat, and markers, are read."""
    grey = np.asarray(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = PhotoContents(Picture("", grey, table), Kit(registry.game("palazzo")), PLANE, read, PalazzoTally())
    return [each.reason for each in lens_covers(seen, ShrunkPicture.of(table, PLANE, [READ], white=228.0))]


def test_a_finger_over_a_corner_of_the_lens_is_in_doubt() -> None:
    """Behind it may be all that a seat has, whatever the table looks like, and even if it is a lighter green."""
    assert doubts(covered(wood(), SKIN, 12)) == doubts(covered(felt(), SKIN, 12)) == [Cause.HIDDEN_SEAT]
    assert doubts(covered(felt(), (84, 126, 70), 12)) == [Cause.HIDDEN_SEAT]


def test_a_finger_is_in_doubt_at_each_seat_into_whose_area_it_reaches() -> None:
    corners = ((400.0, 160.0), (440.0, 160.0), (440.0, 200.0), (400.0, 200.0))
    marker = Sighting("TT:SEAT1", 420.0, 180.0, 0.0, corners, 1.0, ReadBy.RECOGNISED)
    assert doubts(covered(wood(), SKIN, 12), marker) == [Cause.HIDDEN_SEAT, Cause.HIDDEN_SEAT]
    assert doubts(wood(), marker) == []


def test_a_finger_on_chequered_cloth_is_in_doubt_though_the_squares_show_through_its_rim() -> None:
    assert doubts(covered(chequers(), SKIN, 12)) == [Cause.HIDDEN_SEAT]
    assert doubts(chequers()) == doubts(covered(chequers(), SKIN, 0)) == doubts(covered(chequers(), SKIN, 1)) == []


def test_a_sheet_of_paper_at_the_edge_of_the_picture_is_no_doubt() -> None:
    """It lies on the table, so it ends with an edge."""
    assert doubts(covered(wood(), (225, 228, 230), 0)) == doubts(covered(felt(), (225, 228, 230), 1)) == []


def test_a_soft_shadow_on_felt_is_no_doubt() -> None:
    assert doubts(covered(felt(), (0, 0, 0), 12, 0.6)) == []


def test_a_room_behind_the_table_is_no_doubt() -> None:
    """It may be out of focus, but it fills a side of the picture."""
    picture = wood()
    picture[:120] = (180, 150, 140)
    picture[80:160] = cv2.GaussianBlur(picture, (0, 0), 12)[80:160]
    assert doubts(picture) == []
