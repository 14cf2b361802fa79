"""The pages of a game that brings none of its own tell what is everybody's from what is a seat's."""

from __future__ import annotations

from tabletop.rules.layout import Layout, Spread
from tabletop.web.games.generic_view import open_pieces


def test_numbered_places_are_a_seats_only_if_each_seat_has_one_and_there_are_no_more() -> None:
    """The first fields of a board are everybody's, however they are counted."""
    fields = {f"field{number}": Spread(frozenset({f"F{number}"})) for number in range(8)}
    odd = {f"dock{number}": Spread(frozenset({f"D{number}"})) for number in (0, 2, 5)}
    rows = {f"row{seat}": Spread(frozenset({f"R{seat}"})) for seat in range(3)}
    layout = Layout({**fields, **odd, **rows})
    shared, own = open_pieces(layout, 3, layout.zone_of())
    assert set(shared) == {*fields, *odd}
    assert own == [{f"row{seat}": [[f"R{seat}"]]} for seat in range(3)]
