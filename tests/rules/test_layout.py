"""Layout: where pieces lie, as a value."""

from __future__ import annotations

import pytest

from tabletop.rules.layout import (
    Anywhere,
    Arrangement,
    Columns,
    Grid,
    Heap,
    Hidden,
    Layout,
    Pile,
    Spread,
    Tower,
    pieces_of,
)

ARRANGEMENTS = {
    Spread(frozenset("ab")): ["a", "b"],
    Columns(frozenset({("b", "c"), ("a",)})): [["a"], ["b", "c"]],
    Pile(("b", "a")): ["b", "a"],
    Grid(frozenset({("b", (1, 0)), ("a", (0, -1))})): {"a": [0, -1], "b": [1, 0]},
    Grid(frozenset({("b", (1, 0))}), frozenset({("p", "b")})): {"b": [1, 0], "p": "b"},
    Heap(frozenset("ba")): ["a", "b"],
    Hidden(frozenset("ba")): ["a", "b"],
    Anywhere(frozenset("b")): ["b"],
}


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_every_arrangement_names_its_pieces_and_is_printed_sorted(arrangement: Arrangement) -> None:
    layout = Layout({"zone": arrangement})
    assert layout.to_json() == {"zone": ARRANGEMENTS[arrangement]}
    assert layout.pieces("zone") == pieces_of(arrangement) == set(layout.zone_of())


def test_layouts_are_values() -> None:
    one = Layout({"a": Spread(frozenset("x")), "b": Pile(("y",))})
    other = Layout({"b": Pile(("y",)), "a": Spread(frozenset("x"))})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Layout({"a": Hidden(frozenset("x")), "b": Pile(("y",))})
    assert one != {"a": Spread(frozenset("x"))}


def test_a_zone_that_does_not_exist_is_empty() -> None:
    assert Layout({}).pieces("nowhere") == frozenset()


def test_the_zone_of_every_piece_is_found() -> None:
    layout = Layout({"a": Spread(frozenset("xy")), "b": Columns(frozenset({("z",)}))})
    assert layout.zone_of() == {"x": "a", "y": "a", "z": "b"}
    assert list(layout) == ["a", "b"]
    assert len(layout) == 2
    assert "Spread" in repr(layout)


def test_a_tower_names_none_of_its_pieces() -> None:
    """A tower lists its floors by kind, from the ground up, and names no pieces."""
    layout = Layout({"siteA": Tower(("black", "white"))})
    assert layout.to_json() == {"siteA": ["black", "white"]}
    assert layout.pieces("siteA") == set()


CORNER = Grid(frozenset({("a", (0, 0)), ("b", (1, 0)), ("c", (1, 1))}), frozenset({("p", "b")}))


@pytest.mark.parametrize("quarters", range(4))
def test_a_grid_that_was_pushed_and_turned_as_a_whole_is_laid_back(quarters: int) -> None:
    """A grid that was shifted and turned as a whole is laid back onto the other one."""
    turned = CORNER.cells
    for _ in range(quarters):
        turned = frozenset((piece, (y + 3, 7 - x)) for piece, (x, y) in turned)
    assert Grid(turned, CORNER.upon).laid_on(CORNER) == CORNER


def test_a_new_piece_does_not_move_the_others() -> None:
    """A grid is laid by the pieces that agree most: new and moved pieces do not move the others."""
    seen = Grid(frozenset({("a", (5, 5)), ("b", (6, 5)), ("c", (6, 6)), ("d", (7, 5))}))
    assert dict(seen.laid_on(CORNER).cells) == {"a": (0, 0), "b": (1, 0), "c": (1, 1), "d": (2, 0)}
    moved = Grid(frozenset({("a", (5, 5)), ("b", (6, 5)), ("c", (7, 5))}))
    assert dict(moved.laid_on(CORNER).cells) == {"a": (0, 0), "b": (1, 0), "c": (2, 0)}


def test_a_grid_without_a_common_piece_stays() -> None:
    """A grid that shares no piece with the other one stays where it is."""
    alone = Grid(frozenset({("x", (3, 4))}))
    assert alone.laid_on(CORNER) == alone


def test_open_are_the_pieces_that_have_to_be_seen() -> None:
    """Open are the pieces that lie side by side or on top, not those in a hand, on their way or in a heap."""
    layout = Layout(
        {
            "row": Spread(frozenset({"C2a"})),
            "seat0": Columns(frozenset({("B1.2", "B2.2")})),
            "discards": Pile(("N4c", "N5a")),
            "bid0": Heap(frozenset({"R6b"})),
            "hand0": Hidden(frozenset({"R3a"})),
            "way": Anywhere(frozenset({"M1.3"})),
        }
    )
    assert layout.open_pieces() == {"C2a", "B1.2", "B2.2", "N5a"}
