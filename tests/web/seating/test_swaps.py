"""Who sits where in the next game, once people have agreed to swap seats."""

from __future__ import annotations

from tabletop.web.seating.swaps import Swaps


def test_a_player_who_swaps_twice_moves_on_and_the_first_partner_keeps_the_agreed_seat() -> None:
    swaps = Swaps()
    swaps.ask(0, 1, agreed=True)
    swaps.ask(0, 2, agreed=True)
    assert swaps.order(4) == [1, 2, 0, 3]


def test_two_players_who_swap_twice_sit_as_before() -> None:
    swaps = Swaps()
    swaps.ask(0, 1, agreed=True)
    swaps.ask(1, 0, agreed=True)
    assert swaps.order(3) == [0, 1, 2]
