"""A card without its marker is in doubt if an object lies on it; a sheet of paper beside the seats is not."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.rules import registry
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.hidden_seats.unmarked_cards import unmarked_cards
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause, ReadBy, Sighting
from tabletop.vision.score.palazzo import PalazzoTally

PX = 2
"""Pixels per mm."""
PLANE = Plane(np.diag((1 / PX, 1 / PX, 1.0)), 0.0, (600 * PX, 800 * PX))
MARKER = (60.0, 540.0)
"""The middle of the marker of seat 1, mm; the seat's area is to the right of it and above it."""
OWN, OTHER = (36, 388, 310, 567), (480, 40, 754, 219)
"""The card of that seat and another card: left, top, right, bottom in mm."""
PAPER, SLEEVE = (225, 228, 230), (90, 60, 40)
Box = tuple[int, int, int, int]


def wood() -> NDArray[np.uint8]:
    rng = np.random.default_rng(1)
    grain = cv2.resize(rng.normal(0, 1, (300, 12)), (800 * PX, 600 * PX), interpolation=cv2.INTER_CUBIC)
    light = np.array((70, 120, 170)) * (1 + 0.08 * grain[..., None])
    return np.asarray(np.clip(light + rng.normal(0, 3, light.shape), 0, 255), np.uint8)


def told(
    ground: NDArray[np.uint8], *laid: tuple[Box, tuple[int, int, int]], places: Sequence[Array] = ()
) -> list[Cause]:
    """Return the doubts about a table on which only the marker of seat 1 is read; ``laid`` are boxes with colours."""
    for (left, top, right, bottom), colour in (*laid, ((40, 520, 80, 560), PAPER)):
        cv2.rectangle(ground, (left * PX, top * PX), (right * PX, bottom * PX), colour, -1)
    (x, y), half = MARKER, 16.8
    corners = tuple((PX * (x + a * half), PX * (y + b * half)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    one, two, three, four = corners
    marker = Sighting("TT:SEAT1", x, y, 0.0, (one, two, three, four), 1.0, ReadBy.ZXING)
    grey = np.asarray(cv2.cvtColor(ground, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = PhotoContents(Picture("", grey, ground), Kit(registry.game("palazzo")), PLANE, [marker], PalazzoTally())
    look = ShrunkPicture.of(ground, PLANE, seen.faces(), seen.cards(), 228.0)
    return [each.reason for each in unmarked_cards(seen, look, places)]


@pytest.mark.parametrize("sleeve", [(600, 20, 790, 95), (470, 20, 764, 100), (560, 150, 780, 240)])
def test_a_card_on_which_a_thing_lies_and_shows_no_marker_is_in_doubt(sleeve: Box) -> None:
    assert told(wood(), (OWN, PAPER), (OTHER, PAPER), (sleeve, SLEEVE)) == [Cause.HIDDEN_SEAT]


def test_a_sheet_on_which_nothing_but_a_pen_lies_is_not_a_card() -> None:
    assert told(wood(), (OWN, PAPER), (OTHER, PAPER)) == []
    assert told(wood(), (OWN, PAPER), (OTHER, PAPER), ((520, 100, 660, 112), SLEEVE)) == []


def test_what_the_paper_of_a_sheet_encloses_is_printed_on_it() -> None:
    """A sheet of rules with a picture counts as a covered card only if a sleeve lies across its edge."""
    rules = (OWN, PAPER), (OTHER, PAPER), ((500, 60, 734, 120), SLEEVE)
    assert told(wood(), *rules) == []
    assert told(wood(), *rules, ((560, 150, 780, 240), SLEEVE)) == [Cause.HIDDEN_SEAT]


def test_a_sheet_is_not_a_card_if_the_seats_that_are_seen_have_none_or_others() -> None:
    sleeve = ((600, 20, 790, 95), SLEEVE)
    assert told(wood(), (OTHER, PAPER), sleeve) == []
    assert told(wood(), (OWN, PAPER), (OTHER, (120, 228, 230)), sleeve) == []


def test_a_table_as_white_as_the_cards_is_not_a_card() -> None:
    assert told(np.full((1200, 1600, 3), 226, np.uint8), (OWN, PAPER), ((600, 20, 790, 95), SLEEVE)) == []


def test_a_card_whose_covered_marker_was_reported_is_not_reported_again() -> None:
    sleeve = ((600, 20, 790, 95), SLEEVE)
    assert told(wood(), (OWN, PAPER), (OTHER, PAPER), sleeve, places=[np.array((730.0, 60.0))]) == []
