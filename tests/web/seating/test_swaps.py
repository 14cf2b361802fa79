"""Who sits where in the next game, once people have agreed to swap seats."""

from __future__ import annotations

from tabletop.web.seating.swaps import Swaps


def test_who_changes_places_twice_moves_on_and_the_first_partner_stays_where_both_agreed() -> None:
    swaps = Swaps()
    swaps.ask(0, 1, agreed=True)
    swaps.ask(0, 2, agreed=True)
    assert swaps.order(4) == [1, 2, 0, 3]


def test_who_changes_places_with_somebody_twice_sits_as_before() -> None:
    swaps = Swaps()
    swaps.ask(0, 1, agreed=True)
    swaps.ask(1, 0, agreed=True)
    assert swaps.order(3) == [0, 1, 2]
