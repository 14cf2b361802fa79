"""Zone cards are pushed, turned and swapped during a game: zones are where their markers are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tabletop.referee.interpretation.layout_diff import differences
from tabletop.rules.layout import Layout
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.zones import arrange
from tests.vision.geometry.lying import KIT, ZONES, laid, sighting

CARDS = {"TT:SEAT1": MarkerPose(0, 0, 0), "TT:SEAT2": MarkerPose(600, 0, 0), "TT:WH": MarkerPose(0, 700, 0)}
PIECES: Mapping[str, Sequence[tuple[str, float, float]]] = {
    "TT:SEAT1": [("T0", 100, -100), ("T1", 142, -100)],
    "TT:SEAT2": [("T2", 100, -100), ("T3", 100, -142)],
    "TT:WH": [("C0", 80, 10)],
}
"""Marker → the pieces on its card, with their places relative to the marker, mm."""


def seen(cards: Mapping[str, MarkerPose], below: Mapping[str, MarkerPose] = CARDS) -> Layout:
    """Return the layout of a table with cards at these places, whose pieces lie as if the cards were at ``below``."""
    tags = [sighting(marker, pose.x, pose.y, pose.angle) for marker, pose in cards.items()]
    for marker, some in PIECES.items():
        pose = below[marker]
        tags += [laid(piece, *pose.table(x, y), pose.angle) for piece, x, y in some]
    return arrange(tags, ZONES, KIT)


@pytest.mark.parametrize("moved", [MarkerPose(50, 30, 0), MarkerPose(450, -60, 90), MarkerPose(384, -900, 180)])
def test_a_card_that_is_pushed_or_turned_with_what_lies_on_it_changes_nothing(moved: MarkerPose) -> None:
    """A card moved with its pieces by 50 mm, by a quarter turn or across the table gives the same layout."""
    cards = CARDS | {"TT:SEAT1": moved}
    assert not differences(seen(CARDS), seen(cards, cards))


def test_of_two_cards_that_were_exchanged_under_their_pieces_each_piece_is_named() -> None:
    """Every tile is then at the other seat and belongs to its own."""
    exchanged = CARDS | {"TT:SEAT1": CARDS["TT:SEAT2"], "TT:SEAT2": CARDS["TT:SEAT1"]}
    moves = {move.piece: (move.lies, move.belongs) for move in differences(seen(CARDS), seen(exchanged))}
    assert moves == {
        "T0": ("seat1", "seat0"), "T1": ("seat1", "seat0"), "T2": ("seat0", "seat1"), "T3": ("seat0", "seat1")
    }  # fmt: skip


def test_a_card_that_was_pulled_away_from_under_its_pieces_misses_them() -> None:
    """The pieces are then in no zone, and each is asked back by name."""
    pulled = seen(CARDS | {"TT:WH": MarkerPose(0, 900, 0)})
    assert [(move.piece, move.lies, move.belongs) for move in differences(seen(CARDS), pulled)] == [
        ("C0", "table", "market")
    ]
