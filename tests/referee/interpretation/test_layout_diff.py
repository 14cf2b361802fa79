"""Where the table differs from the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tabletop.referee.interpretation.layout_diff import (
    PieceMove,
    completed_layout,
    differences,
    moved_pieces,
    newly_laid,
    without_pieces,
)
from tabletop.rules.layout import Anywhere, Arrangement, Columns, Grid, Heap, Hidden, Layout, Pile, Spread, Tower


def spread(*pieces: str) -> Spread:
    return Spread(frozenset(pieces))


def columns(*each: tuple[str, ...]) -> Columns:
    return Columns(frozenset(each))


def test_a_table_that_shows_the_record_has_no_differences() -> None:
    layout = Layout(
        {"warehouse": spread("B1.1"), "seat0": columns(("B1.2", "B2.2")), "hand0": Hidden(frozenset(["R3a"]))}
    )
    seen = Layout({"warehouse": spread("B1.1"), "seat0": columns(("B1.2", "B2.2"))})
    assert differences(layout, seen) == ()


def test_a_piece_in_another_zone_is_to_be_moved_home() -> None:
    assert differences(Layout({"a": spread("x"), "b": spread()}), Layout({"b": spread("x")})) == (
        PieceMove("x", "b", "a"),
    )


def test_a_piece_that_is_not_seen_is_to_be_brought() -> None:
    assert differences(Layout({"a": spread("x")}), Layout({})) == (PieceMove("x", "", "a"),)


def test_a_hidden_piece_is_wrong_only_if_it_is_seen() -> None:
    expected = Layout({"box": Hidden(frozenset(["x", "y"]))})
    assert differences(expected, Layout({"table": spread("y")})) == (PieceMove("y", "table", "box"),)


def test_only_the_top_of_a_pile_must_be_seen() -> None:
    expected = Layout({"discards": Pile(("x", "y"))})
    assert differences(expected, Layout({"discards": spread("y")})) == ()
    assert differences(expected, Layout({"discards": spread("x")})) == (PieceMove("y", "", "discards"),)
    assert differences(expected, Layout({"discards": spread("y"), "a": spread("x")})) == (
        PieceMove("x", "a", "discards"),
    )


def test_no_piece_of_a_heap_has_to_be_seen() -> None:
    """Pieces of a heap may be hidden and shuffled; only one that lies elsewhere belongs back."""
    expected = Layout({"discards": Heap(frozenset(["x", "y"]))})
    assert differences(expected, Layout({})) == ()
    assert differences(expected, Layout({"discards": spread("x")})) == ()
    assert differences(expected, Layout({"a": spread("y")})) == (PieceMove("y", "a", "discards"),)


def test_a_piece_on_its_way_may_lie_anywhere() -> None:
    assert differences(Layout({"pending": Anywhere(frozenset(["x"]))}), Layout({"a": spread("x")})) == ()


def test_a_column_in_the_wrong_order_names_its_pieces() -> None:
    expected = Layout({"seat0": columns(("x", "y"), ("z",))})
    seen = Layout({"seat0": columns(("y", "x"), ("z",))})
    assert {move.piece for move in differences(expected, seen)} == {"x", "y"}


def test_a_piece_missing_from_a_column_is_named_alone() -> None:
    expected = Layout({"seat0": columns(("x", "y"))})
    seen = Layout({"seat0": columns(("x",)), "seat1": columns(("y",))})
    assert differences(expected, seen) == (PieceMove("y", "seat1", "seat0"),)


def grid(
    cells: Mapping[str, tuple[int, int]], upon: Sequence[tuple[str, str]] = (), askew: Sequence[str] = ()
) -> Layout:
    return Layout({"seat0": Grid(frozenset(cells.items()), frozenset(upon), frozenset(askew))})


def test_grids_that_differ_by_a_shift_and_a_quarter_turn_agree() -> None:
    """Grids that differ by a shift and a quarter turn agree; a mirror image does not."""
    expected = grid({"x": (0, 0), "y": (1, 0), "z": (1, 1)})
    assert differences(expected, grid({"x": (4, 7), "y": (5, 7), "z": (5, 8)})) == ()
    assert differences(expected, grid({"x": (4, 7), "y": (4, 8), "z": (3, 8)})) == ()
    assert differences(expected, grid({"x": (4, 7), "y": (5, 7), "z": (5, 6)})) == (PieceMove("z", "seat0", "seat0"),)


def test_only_the_misplaced_piece_of_a_grid_is_named() -> None:
    """Only the missing, crooked or misplaced piece of a grid is named, although it shifts the others' coordinates."""
    expected = grid({"x": (0, 0), "y": (1, 0), "z": (2, 0)})
    assert differences(expected, grid({"y": (0, 0), "z": (1, 0)})) == (PieceMove("x", "", "seat0"),)
    assert differences(expected, grid({"y": (0, 0), "z": (1, 0)}, askew="x")) == (PieceMove("x", "seat0", "seat0"),)
    elsewhere = Layout({**grid({"y": (0, 0), "z": (1, 0)}), "reserve0": spread("x")})
    assert differences(expected, elsewhere) == (PieceMove("x", "reserve0", "seat0"),)


def test_a_turret_belongs_on_its_structure() -> None:
    """A turret in a hand or on another structure is asked back to its own structure."""
    expected = grid({"x": (0, 0), "y": (1, 0)}, [("p", "x")])
    assert differences(expected, expected) == ()
    assert differences(expected, grid({"x": (0, 0), "y": (1, 0)})) == (PieceMove("p", "", "seat0"),)
    moved = grid({"x": (0, 0), "y": (1, 0)}, [("p", "y")])
    assert differences(expected, moved) == (PieceMove("p", "seat0", "seat0"),)


@pytest.mark.parametrize(
    ("was", "now", "moves"),
    [
        ({"a": "kw"}, {"a": "kw"}, []),
        ({"a": "kw"}, {}, []),
        ({"a": "kw"}, {"a": "k"}, [("w", "", "a")]),
        ({"a": "kw"}, {"a": "kwr"}, [("r", "a", "")]),
        ({"a": "kw", "b": "r"}, {"a": "k", "b": "rw"}, [("w", "b", "a")]),
        ({"a": "kw"}, {"a": "wk"}, [("k", "a", "a")]),
        ({"a": "kwr"}, {"a": "kr"}, [("w", "", "a")]),
        ({"a": "kw"}, {"a": "rw"}, [("k", "", "a"), ("r", "a", "")]),
    ],
)
def test_towers_are_compared_floor_by_floor_where_they_are_seen(
    was: Mapping[str, str], now: Mapping[str, str], moves: Sequence[tuple[str, str, str]]
) -> None:
    """A missing floor is asked for, from a tower with one too many; a surplus one without a place is to be removed."""
    expected, seen = (Layout({zone: Tower(tuple(floors)) for zone, floors in one.items()}) for one in (was, now))
    assert differences(expected, seen) == tuple(PieceMove(*move) for move in moves)


def test_a_pile_of_which_nothing_is_seen_is_in_a_hand() -> None:
    """A pile of which nothing is seen is in a hand, not missing; once a piece is seen, the top is asked for."""
    expected = Layout({"played0": Pile(("x", "y"))})
    assert differences(expected, Layout({})) == ()
    assert differences(expected, Layout({"table": spread("x")})) == (
        PieceMove("x", "table", "played0"),
        PieceMove("y", "", "played0"),
    )


def test_unseen_pieces_are_added_where_the_record_has_them() -> None:
    """Unseen pieces are added to a spread in any case, but to a palazzo only if nothing else differs."""
    expected = Layout(
        {
            "row": Spread(frozenset({"C2a", "G4b", "N4c"})),
            "seat0": Columns(frozenset({("B1.1", "B2.1"), ("S1.1",)})),
            "hand0": Hidden(frozenset({"R3a"})),
        }
    )
    seen = Layout({"row": Spread(frozenset({"G4b"})), "seat0": Columns(frozenset({("B1.1",), ("S1.1",)}))})
    whole = completed_layout(expected, seen, frozenset({"C2a", "B2.1", "R3a"}))
    assert whole["row"] == Spread(frozenset({"C2a", "G4b"}))
    assert whole["seat0"] == expected["seat0"]
    assert "hand0" not in whole
    other = Layout({**seen, "seat0": Columns(frozenset({("B1.1",)}))})
    assert completed_layout(expected, other, frozenset({"B2.1"})) == other


def test_a_piece_that_is_seen_elsewhere_is_not_added() -> None:
    """A piece that is seen elsewhere is not added where it should lie."""
    expected = Layout({"row": Spread(frozenset({"C2a"})), "discards": Pile(())})
    seen = Layout({"row": Spread(frozenset()), "discards": Pile(("C2a",))})
    assert completed_layout(expected, seen, frozenset({"C2a"})) == seen


def test_newly_laid_are_the_pieces_that_come_into_view() -> None:
    """Newly laid are the pieces that come into view, not those that go into a hand or stay where they are."""
    before = Layout({"row": spread("C2a", "N4c"), "hand0": Hidden(frozenset({"R3a"})), "bid0": spread()})
    after = Layout({"row": spread("N4c"), "hand0": Hidden(frozenset({"C2a"})), "bid0": spread("R3a")})
    assert newly_laid(before, after) == {"R3a"}


@pytest.mark.parametrize(
    ("arrangement", "rest"),
    [
        (columns(("B1.1", "B2.1"), ("S1.1",)), columns(("B2.1",))),
        (Pile(("N4c", "B1.1", "S1.1")), Pile(("N4c",))),
        (spread("B1.1", "C2a"), spread("C2a")),
        (Heap(frozenset({"S1.1", "C2a"})), Heap(frozenset({"C2a"}))),
        (
            Grid(frozenset({("B1.1", (0, 0)), ("B2.1", (1, 0))}), frozenset({("S1.1", "B2.1"), ("t", "B2.1")})),
            Grid(frozenset({("B2.1", (1, 0))}), frozenset({("t", "B2.1")})),
        ),
        (Grid(frozenset(), askew=frozenset({"B1.1", "C2a"})), Grid(frozenset(), askew=frozenset({"C2a"}))),
        (Tower(("black", "white")), Tower(("black", "white"))),
    ],
    ids=lambda arrangement: type(arrangement).__name__,
)
def test_the_rest_of_an_arrangement_is_all_that_was_not_taken(arrangement: Arrangement, rest: Arrangement) -> None:
    """Without some of its pieces, an arrangement has the others as they were, and no empty column."""
    assert without_pieces(arrangement, {"B1.1", "S1.1"}) == rest


def test_moved_are_the_pieces_in_another_zone_or_upon_another_piece_and_towers_that_differ() -> None:
    """A piece that changes its cell is not moved; one in another zone, or upon another piece, is, and so is a tower."""
    before = Layout(
        {
            "plot": Grid(frozenset({("a", (0, 0)), ("b", (1, 0))}), frozenset({("t", "a")})),
            "row": spread("c"),
            "site": Tower(("black",)),
            "other": Tower(("white",)),
        }
    )
    after = Layout(
        {
            "plot": Grid(frozenset({("a", (0, 1)), ("b", (1, 0)), ("c", (2, 0))}), frozenset({("t", "b")})),
            "row": spread(),
            "site": Tower(("black", "white")),
            "other": Tower(("white",)),
        }
    )
    assert moved_pieces(before, after) == {"c", "t", "site"}
    assert moved_pieces(before, before) == frozenset()


def test_if_a_grid_lacks_pieces_only_those_are_to_be_moved() -> None:
    """The others may be counted from another corner then; if all are there, every one that lies amiss is named."""
    expected = Layout({"plot": Grid(frozenset({("a", (0, 0)), ("b", (1, 0)), ("c", (1, 1))}))})
    lacking = Layout({"plot": Grid(frozenset({("a", (0, 0)), ("b", (3, 0))})), "row": spread("c")})
    assert differences(expected, lacking) == (PieceMove("c", "row", "plot"),)
    amiss = Layout({"plot": Grid(frozenset({("a", (0, 0)), ("b", (1, 0)), ("c", (2, 0))}))})
    assert differences(expected, amiss) == (PieceMove("c", "plot", "plot"),)
