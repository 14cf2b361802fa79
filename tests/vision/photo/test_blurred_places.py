"""A place that the picture shows blurred although things lie there is in doubt; shadows and a soft print are not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules import registry
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.hidden_seats.blurred_places import blurred_places
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause
from tabletop.vision.score.palazzo import PalazzoTally

PLANE = Plane(np.eye(3), 0.0, (600, 800))
FELT, INK, PAPER = (60, 90, 50), (30, 30, 30), (225, 228, 230)
Colour = NDArray[np.uint8]


def felt() -> Colour:
    noise = np.random.default_rng(1).normal(0, 1, (600, 800, 3))
    return np.asarray(np.clip(noise + FELT, 0, 255), np.uint8)


def with_seat(table: Colour, left: int, top: int) -> Colour:
    """Return a table with a marker and three tiles, each of some dark modules on paper."""
    for x, y, side in ((0, 0, 44), (60, 12, 32), (100, 12, 32), (100, -22, 32)):
        corner = np.array((left + x, top + y))
        cv2.rectangle(table, tuple(corner.tolist()), tuple((corner + side).tolist()), PAPER, -1)
        for module in np.random.default_rng(x + y).permutation((side // 4) ** 2)[: side * side // 40]:
            at = corner + 4 * np.array(divmod(int(module), side // 4))
            cv2.rectangle(table, tuple(at.tolist()), tuple((at + 3).tolist()), INK, -1)
    return table


def blurred(table: Colour, spread: float, middle: tuple[int, int] = (600, 150)) -> Colour:
    """Return a table as it is seen through a fingerprint of 15 cm."""
    print_ = np.zeros(table.shape[:2], np.float32)
    cv2.circle(print_, middle, 150, 1.0, cv2.FILLED)
    part = cv2.GaussianBlur(print_, (0, 0), 10)[..., None]
    return np.asarray(table * (1 - part) + cv2.GaussianBlur(table, (0, 0), spread) * part, np.uint8)


def told(table: Colour, *read: tuple[int, int, int, int]) -> list[Cause]:
    """Return the doubts about a table on which no tag is read but in the boxes ``read``, px."""
    grey = np.asarray(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = PhotoContents(Picture("", grey, table), Kit(registry.game("palazzo")), PLANE, [], PalazzoTally())
    look = ShrunkPicture.of(table, PLANE, [*map(corners_of, read)], white=228.0)
    return [each.reason for each in blurred_places(seen, look)]


def test_a_seat_under_a_fingerprint_on_the_lens_is_in_doubt() -> None:
    """All its tags are too blurred to look like tags; the same seat seen sharply is none of this search's business."""
    assert set(told(blurred(with_seat(felt(), 540, 140), 6))) == {Cause.BLURRED}
    assert told(with_seat(felt(), 540, 140)) == []


def test_a_fingerprint_over_the_bare_table_is_no_doubt() -> None:
    assert told(blurred(with_seat(felt(), 100, 400), 6)) == []


def test_the_soft_shadow_of_somebody_at_the_table_is_no_doubt() -> None:
    table = np.full((600, 800, 3), PAPER, np.uint8)
    shadow = np.zeros((600, 800), np.float32)
    cv2.ellipse(shadow, (600, 150), (160, 70), 20.0, 0.0, 360.0, 0.5, cv2.FILLED)
    shade = 1 - cv2.GaussianBlur(shadow, (0, 0), 14)[..., None]
    assert told(np.asarray(with_seat(table, 100, 400) * shade, np.uint8)) == []


def test_the_reflection_of_a_lamp_on_the_table_is_no_doubt() -> None:
    lamp = np.zeros((600, 800), np.float32)
    cv2.circle(lamp, (600, 150), 40, 1.0, cv2.FILLED)
    glow = 300 * cv2.GaussianBlur(lamp, (0, 0), 20)[..., None]
    assert told(np.asarray(np.clip(felt() + glow, 0, 255), np.uint8)) == []


def test_a_tablecloth_that_is_printed_softly_all_over_is_no_doubt() -> None:
    """Where the ground itself has no sharp edges, a blurred thing cannot be told from it."""
    spots = np.random.default_rng(2).uniform(0, 255, (12, 16, 3)).astype(np.float32)
    assert told(np.asarray(cv2.resize(spots, (800, 600), interpolation=cv2.INTER_CUBIC).clip(0, 255), np.uint8)) == []


SEAT, READ = (540, 140), (100, 380, 240, 440)


def test_a_room_that_is_out_of_focus_behind_the_table_is_no_doubt() -> None:
    """Things of other colours than those of the table beside what was read are not on the table."""
    room = with_seat(np.full((600, 800, 3), (110, 140, 170), np.uint8), *SEAT)
    picture = with_seat(felt(), 100, 400)
    picture[:300, 400:] = cv2.GaussianBlur(room, (0, 0), 6)[:300, 400:]
    assert told(picture, READ) == []
    assert set(told(blurred(with_seat(with_seat(felt(), *SEAT), 100, 400), 6), READ)) == {Cause.BLURRED}
