"""Zone cards are laid, or laid elsewhere, before a camera that is looking: they belong to the table from then on."""

from __future__ import annotations

import numpy as np

from bench.rendering import Lying
from tabletop.rules.palazzo import GAME
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.geometry.zones import card_outlines
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker import TableTracker
from tests.vision.live.watched import Watched, together
from tests.vision.small_table import MARKERS, PATTERNS, SIZES, picture

MARKER = Lying("TT:Q4", -100, 20, 0, 40)
CARD = (-24.0, -24.0, 136.0, 44.0)
"""The card around its marker, mm."""


def watching(*shown: np.ndarray) -> Watched:
    """Return eyes that know the card, and have seen these tables for a while each."""
    watched = Watched()
    watched.tracker = TableTracker(PATTERNS, SIZES, together, cards={MARKER.payload: corners_of(CARD)})
    for grey in shown:
        watched.show(grey, 15)
    return watched


def test_a_card_is_looked_for_as_long_as_it_is_missing() -> None:
    """Cards are laid one after the other: each is read at once, though no change reaches a marker that is known."""
    watched = watching(picture(MARKERS[:3]))
    watched.show(picture([*MARKERS[:3], MARKER]))
    assert MARKER.payload in watched.lying()


def test_a_card_is_as_large_as_its_zones_together() -> None:
    """Zones that name one marker share a card; it reaches around the marker where they do not."""
    assert GAME.table is not None
    zone, areas = GAME.table.zones(2)[0], ((0, 0, 90, 50), (-80, 0, 0, 40))
    zones = [zone._replace(marker="TT:Q1", area=area) for area in areas]
    [(payload, outline)] = card_outlines(zones, Kit(GAME)).items()
    assert payload == "TT:Q1"
    assert outline.tolist() == corners_of((-80, -24, 90, 50)).tolist()
