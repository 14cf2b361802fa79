"""A card ends where the table beside it begins, whatever lies across them."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.photo.untagged.card_end import beside_card, on_card


def test_a_finger_that_looks_like_the_table_leaves_its_card_whole() -> None:
    """A finger on a card that looks like the table is on the card, not a gap in it."""
    strange = np.zeros((170, 300), np.bool_)
    strange[20:, :200] = True
    strange[20:120, 150:170] = False
    card = on_card(strange)
    assert (int(card.sum()), bool(card[20:, :200].all())) == (150 * 200, True)


@pytest.mark.parametrize("tile", [slice(0, 0), slice(60, 96)])
def test_the_table_beside_a_card_is_what_looks_like_it_along_the_whole_side(tile: slice) -> None:
    """A tile whose back looks like the table is not a part of the table."""
    free, familiar = np.ones((170, 300), np.bool_), np.zeros((170, 300), np.bool_)
    familiar[:, 200:] = True
    familiar[100:128, tile] = True
    table = beside_card(familiar, free)
    assert table[:, 210:].all()
    assert not table[:, :190].any()


def test_the_table_beside_a_card_reaches_to_the_end_of_the_area_whatever_is_seen_there() -> None:
    """The table beside a card is extended to the area's end, near which its look is less certain."""
    free, familiar = np.ones((170, 300), np.bool_), np.zeros((170, 300), np.bool_)
    familiar[:, 200:] = True
    familiar[:60, -6:] = False
    table = beside_card(familiar, free)
    assert table[:, 210:].all()
    assert not table[:, :190].any()


@pytest.mark.parametrize(("width", "is_card"), [(70, False), (220, True)])
def test_what_is_too_small_for_a_card_has_no_table_beside_it(width: int, is_card: bool) -> None:
    """Something narrower than a card, such as a sleeve beside the marker, is not taken for the seat's card."""
    familiar = np.ones((174, 340), np.bool_)
    familiar[90:, :width] = False
    assert beside_card(familiar, np.ones_like(familiar)).any() == is_card
