"""Zone cards that are laid or moved while the camera is watching belong to the table from then on."""

from __future__ import annotations

import numpy as np

from bench.painting import Lying
from tabletop.rules.palazzo import GAME
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.geometry.zones import card_outlines
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker import TableTracker
from tests.vision.live.watched import Watched, together
from tests.vision.small_table import MARKERS, PATTERNS, SIZES, picture

MARKER, TILE = Lying("TT:Q4", -100, 20, 0, 40), Lying("PZ:C2A", 0, 30, 0, 20)
CARD = (-24.0, -24.0, 136.0, 44.0)
"""The extent of the card relative to its marker, mm."""


def card(*upon: Lying) -> np.ndarray:
    """Return a table with three cards of which only the markers show, and a white card with tags on it."""
    left, top, right, bottom = CARD
    middle = MARKER.x + (left + right) / 2, MARKER.y + (top + bottom) / 2
    white = np.full((int(bottom - top) * 10, int(right - left) * 10), 235, np.uint8)
    tags = [(printed(tag.payload), tag.x, tag.y, tag.angle, tag.side) for tag in upon]
    return picture(MARKERS[:3], pasted=[(white, *middle, 0, right - left), *tags])


def printed(payload: str) -> np.ndarray:
    """Return a tag with its quiet zone as it is printed."""
    light = np.where(np.pad(~PATTERNS[payload], 2, constant_values=True), 235, 25).astype(np.uint8)
    return np.kron(light, np.ones((10, 10), np.uint8))


def watching(*shown: np.ndarray) -> Watched:
    """Return a tracker that knows the card and has seen each of these tables for a while."""
    watched = Watched()
    watched.tracker = TableTracker(PATTERNS, SIZES, together, cards={MARKER.payload: corners_of(CARD)})
    for grey in shown:
        watched.show(grey, 15)
    return watched


def test_a_card_is_looked_for_as_long_as_it_is_missing() -> None:
    """A card laid later is read at once, although the change reaches no known marker."""
    watched = watching(picture(MARKERS[:3]))
    watched.show(picture([*MARKERS[:3], MARKER]))
    assert MARKER.payload in watched.lying()


def test_a_card_that_is_laid_where_the_table_was_bare_is_nothing_strange() -> None:
    """A card on the bare table is not reported as unreadable."""
    watched = watching(picture(MARKERS[:3]), card(MARKER))
    assert (watched.standing.unreadable, watched.standing.layout.pieces("table") >= {MARKER.payload}) == ((), True)


def test_a_piece_that_is_taken_from_a_card_that_was_moved_with_it_is_gone() -> None:
    """Bare card, which differs from the bare table seen there before, shows that the piece is gone."""
    watched = watching(picture(MARKERS[:3]), card(MARKER, TILE))
    assert TILE.payload in watched.lying()
    watched.show(card(MARKER), 15)
    assert TILE.payload not in watched.lying()


def test_a_card_is_as_large_as_its_zones_together() -> None:
    """A card covers all zones that share its marker, and at least the marker itself."""
    assert GAME.table is not None
    zone, areas = GAME.table.zones(2)[0], ((0, 0, 90, 50), (-80, 0, 0, 40))
    zones = [zone._replace(marker="TT:Q1", area=area) for area in areas]
    [(payload, outline)] = card_outlines(zones, Kit(GAME)).items()
    assert payload == "TT:Q1"
    assert outline.tolist() == corners_of((-80, -24, 90, 50)).tolist()
