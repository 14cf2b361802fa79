"""Palazzo's declaration of its table is consistent."""

from __future__ import annotations

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.rules.table import Presses
from tests.rules.palazzo.board import auction

TABLE = GAME.table


def test_every_kind_of_piece_has_a_size_in_every_make() -> None:
    """Every kind of piece has a size in each make."""
    kinds = {piece.kind for piece in GAME.pieces.values()}
    assert {make: set(sizes) for make, sizes in TABLE.makes.items()} == {"printed": kinds, "box": kinds}
    assert not any(TABLE.bare(make) for make in TABLE.makes)


@pytest.mark.parametrize("seats", GAME.seat_range)
def test_every_card_has_its_place(seats: int) -> None:
    """The setting places the markers of exactly the zones that are declared."""
    assert TABLE.setting(seats).keys() == {zone.marker for zone in TABLE.zones(seats)}


def test_the_presses_for_an_act_follow_the_table_of_buttons() -> None:
    """A pass takes its button alone; a bid is laid and then confirmed by OK."""
    position = auction({0: [["C3"]]}, hands=[["R5a"], ["N6a", "G7a"]], seat=1)
    acts = {action.do: action for action in position.legal}
    assert TABLE.presses(position, acts["pass"]) == Presses(("PASS",))
    assert TABLE.presses(position, acts["bid"]) == Presses((), ("OK",))
