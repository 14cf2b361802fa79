"""A place of a photograph without a camera's noise, behind which a seat may be, is a doubt."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules import registry
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.hidden_seats.painted_over import painted_over
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause
from tabletop.vision.score.palazzo import PalazzoTally

PLANE = Plane(np.eye(3), 0.0, (600, 800))
READ = corners_of((100, 380, 340, 540))
PATCH = (slice(100, 220), slice(400, 600))
Colour = NDArray[np.uint8]


def chequers(noise: float = 3.0) -> Colour:
    """Return chequered cloth, as a camera with that noise, grey levels, shows it."""
    rows, columns = np.indices((600, 800)) // 12
    squares = np.where(((rows + columns) % 2)[..., None], (60, 90, 160), (225, 228, 230))
    return np.asarray(np.clip(squares + np.random.default_rng(1).normal(0, noise, squares.shape), 0, 250), np.uint8)


def painted(colour: tuple[int, int, int], where: tuple[slice, slice] = PATCH) -> Colour:
    table = chequers()
    table[where] = colour
    return table


def doubts(table: Colour) -> list[Cause]:
    grey = np.asarray(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = PhotoContents(Picture("", grey, table), Kit(registry.game("palazzo")), PLANE, (), PalazzoTally())
    return [each.reason for each in painted_over(seen, ShrunkPicture.of(table, PLANE, [READ]))]


def test_a_sticker_on_the_picture_is_in_doubt() -> None:
    assert doubts(painted((60, 200, 255))) == doubts(painted((40, 60, 80))) == [Cause.HIDDEN_SEAT]
    assert doubts(chequers()) == []


def test_a_blurred_patch_on_the_picture_is_in_doubt() -> None:
    table = chequers()
    table[PATCH] = cv2.GaussianBlur(table, (0, 0), 12)[PATCH]
    assert doubts(table) == [Cause.HIDDEN_SEAT]


def test_what_a_camera_shows_without_noise_is_no_doubt() -> None:
    """Such are white paper, what is too dark, and many places of a picture from which the noise was removed."""
    clean = chequers(0.0)[:150, :200].repeat(4, axis=0).repeat(4, axis=1)
    clean[PATCH] = (40, 60, 80)
    assert doubts(painted((250, 250, 250))) == doubts(painted((3, 3, 3))) == doubts(clean) == []


def test_a_smooth_thing_is_no_doubt_if_what_was_read_has_no_noise_either() -> None:
    """Then a camera or a messenger removed it: the cloth still has its texture, cards and a smooth lid have nothing."""
    table = painted((40, 60, 80))
    table[380:540, 100:340] = (130, 140, 150)
    assert doubts(table) == []


def test_a_place_smaller_than_what_a_seat_has_is_no_doubt() -> None:
    """A part of a smooth sleeve on the table may show no noise."""
    assert doubts(painted((40, 60, 80), (slice(100, 160), slice(400, 460)))) == []


def test_the_bars_of_a_screenshot_are_no_doubt() -> None:
    assert doubts(painted((40, 60, 80), (slice(0, 100), slice(None)))) == []


def test_a_sticker_that_reaches_into_what_was_read_is_in_doubt() -> None:
    """Its part there is none of the smooth places that show whether the picture has noise."""
    assert doubts(painted((40, 60, 80), (slice(200, 480), slice(160, 400)))) == [Cause.HIDDEN_SEAT]


def test_what_covers_a_seat_that_was_read_is_looked_for_elsewhere() -> None:
    assert doubts(painted((40, 60, 80), (slice(400, 520), slice(120, 320)))) == []
