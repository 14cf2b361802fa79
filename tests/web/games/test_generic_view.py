"""The pages of a game without pages of its own tell shared zones from those of a seat."""

from __future__ import annotations

from tabletop.rules.layout import Layout, Spread
from tabletop.web.games.generic_view import open_pieces


def test_numbered_zones_are_a_seats_only_if_there_is_exactly_one_for_each_seat() -> None:
    """Zones numbered otherwise, such as the fields of a board, are shared."""
    fields = {f"field{number}": Spread(frozenset({f"F{number}"})) for number in range(8)}
    odd = {f"dock{number}": Spread(frozenset({f"D{number}"})) for number in (0, 2, 5)}
    rows = {f"row{seat}": Spread(frozenset({f"R{seat}"})) for seat in range(3)}
    layout = Layout({**fields, **odd, **rows})
    shared, own = open_pieces(layout, 3, layout.zone_of())
    assert set(shared) == {*fields, *odd}
    assert own == [{f"row{seat}": [[f"R{seat}"]]} for seat in range(3)]
