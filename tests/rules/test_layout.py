"""Layout: where pieces lie, as a value."""

import pytest

from tabletop.rules.layout import Anywhere, Columns, Grid, Hidden, Layout, Pile, Spread, pieces_of

ARRANGEMENTS = {
    Spread(frozenset("ab")): ["a", "b"],
    Columns(frozenset({("b", "c"), ("a",)})): [["a"], ["b", "c"]],
    Pile(("b", "a")): ["b", "a"],
    Grid(frozenset({("b", (1, 0)), ("a", (0, -1))})): {"a": [0, -1], "b": [1, 0]},
    Hidden(frozenset("ba")): ["a", "b"],
    Anywhere(frozenset("b")): ["b"],
}


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_every_arrangement_names_its_pieces_and_is_printed_sorted(arrangement):
    layout = Layout({"zone": arrangement})
    assert layout.to_json() == {"zone": ARRANGEMENTS[arrangement]}
    assert layout.pieces("zone") == pieces_of(arrangement) == set(layout.zone_of())


def test_layouts_are_values():
    one = Layout({"a": Spread(frozenset("x")), "b": Pile(("y",))})
    other = Layout({"b": Pile(("y",)), "a": Spread(frozenset("x"))})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Layout({"a": Hidden(frozenset("x")), "b": Pile(("y",))})
    assert one != {"a": Spread(frozenset("x"))}


def test_a_zone_that_does_not_exist_is_empty():
    assert Layout({}).pieces("nowhere") == frozenset()


def test_every_piece_is_told_its_zone():
    layout = Layout({"a": Spread(frozenset("xy")), "b": Columns(frozenset({("z",)}))})
    assert layout.zone_of() == {"x": "a", "y": "a", "z": "b"}
    assert list(layout) == ["a", "b"]
    assert len(layout) == 2
    assert "Spread" in repr(layout)
