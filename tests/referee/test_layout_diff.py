"""Where the table differs from the record."""

from tabletop.referee.layout_diff import awaited, completed, differences, laid
from tabletop.referee.snapshot import PieceMove
from tabletop.rules.layout import Anywhere, Columns, Grid, Heap, Hidden, Layout, Pile, Spread
from tests.rules.palazzo.board import auction


def spread(*pieces: str) -> Spread:
    return Spread(frozenset(pieces))


def columns(*each: tuple[str, ...]) -> Columns:
    return Columns(frozenset(each))


def test_a_table_that_shows_the_record_has_no_differences():
    layout = Layout(
        {"warehouse": spread("B1.1"), "seat0": columns(("B1.2", "B2.2")), "hand0": Hidden(frozenset(["R3a"]))}
    )
    seen = Layout({"warehouse": spread("B1.1"), "seat0": columns(("B1.2", "B2.2"))})
    assert differences(layout, seen) == ()


def test_a_piece_in_another_zone_is_to_be_moved_home():
    assert differences(Layout({"a": spread("x"), "b": spread()}), Layout({"b": spread("x")})) == (
        PieceMove("x", "b", "a"),
    )


def test_a_piece_that_is_not_seen_is_to_be_brought():
    assert differences(Layout({"a": spread("x")}), Layout({})) == (PieceMove("x", "", "a"),)


def test_a_hidden_piece_is_wrong_only_where_it_is_seen():
    expected = Layout({"box": Hidden(frozenset(["x", "y"]))})
    assert differences(expected, Layout({"table": spread("y")})) == (PieceMove("y", "table", "box"),)


def test_only_the_top_of_a_pile_must_be_seen():
    expected = Layout({"discards": Pile(("x", "y"))})
    assert differences(expected, Layout({"discards": spread("y")})) == ()
    assert differences(expected, Layout({"discards": spread("x")})) == (PieceMove("y", "", "discards"),)
    assert differences(expected, Layout({"discards": spread("y"), "a": spread("x")})) == (
        PieceMove("x", "a", "discards"),
    )


def test_of_a_heap_nothing_has_to_be_seen():
    """Discards may be turned over and shuffled; one that lies elsewhere belongs back."""
    expected = Layout({"discards": Heap(frozenset(["x", "y"]))})
    assert differences(expected, Layout({})) == ()
    assert differences(expected, Layout({"discards": spread("x")})) == ()
    assert differences(expected, Layout({"a": spread("y")})) == (PieceMove("y", "a", "discards"),)


def test_a_piece_on_its_way_may_lie_anywhere():
    assert differences(Layout({"pending": Anywhere(frozenset(["x"]))}), Layout({"a": spread("x")})) == ()


def test_a_column_in_the_wrong_order_names_its_pieces():
    expected = Layout({"seat0": columns(("x", "y"), ("z",))})
    seen = Layout({"seat0": columns(("y", "x"), ("z",))})
    assert {move.piece for move in differences(expected, seen)} == {"x", "y"}


def test_a_stray_of_a_column_is_named_alone():
    expected = Layout({"seat0": columns(("x", "y"))})
    seen = Layout({"seat0": columns(("x",)), "seat1": columns(("y",))})
    assert differences(expected, seen) == (PieceMove("y", "seat1", "seat0"),)


def test_grids_that_differ_by_a_shift_agree():
    expected = Layout({"seat0": Grid(frozenset([("x", (0, 0)), ("y", (1, 0))]))})
    shifted = Layout({"seat0": Grid(frozenset([("x", (4, 7)), ("y", (5, 7))]))})
    turned = Layout({"seat0": Grid(frozenset([("x", (0, 0)), ("y", (0, 1))]))})
    assert differences(expected, shifted) == ()
    assert differences(expected, turned) != ()


def test_what_was_never_seen_is_added_where_the_record_has_it():
    """Beside other cards in any case; in a palazzo only where nothing else differs."""
    expected = Layout(
        {
            "row": Spread(frozenset({"C2a", "G4b", "N4c"})),
            "seat0": Columns(frozenset({("B1.1", "B2.1"), ("S1.1",)})),
            "hand0": Hidden(frozenset({"R3a"})),
        }
    )
    seen = Layout({"row": Spread(frozenset({"G4b"})), "seat0": Columns(frozenset({("B1.1",), ("S1.1",)}))})
    whole = completed(expected, seen, frozenset({"C2a", "B2.1", "R3a"}))
    assert whole["row"] == Spread(frozenset({"C2a", "G4b"}))
    assert whole["seat0"] == expected["seat0"]
    assert "hand0" not in whole
    other = Layout({**seen, "seat0": Columns(frozenset({("B1.1",)}))})
    assert completed(expected, other, frozenset({"B2.1"})) == other


def test_what_lies_elsewhere_is_not_added():
    """A piece that is seen somewhere is not taken for lying where it should."""
    expected = Layout({"row": Spread(frozenset({"C2a"})), "discards": Pile(())})
    seen = Layout({"row": Spread(frozenset()), "discards": Pile(("C2a",))})
    assert completed(expected, seen, frozenset({"C2a"})) == seen


def test_what_was_laid_is_what_comes_to_be_seen():
    """A card that goes into a hand, or stays where it lies, was not laid."""
    before = Layout({"row": spread("C2a", "N4c"), "hand0": Hidden(frozenset({"R3a"})), "bid0": spread()})
    after = Layout({"row": spread("N4c"), "hand0": Hidden(frozenset({"C2a"})), "bid0": spread("R3a")})
    assert laid(before, after) == {"R3a"}


def test_what_is_awaited_lies_open_or_is_on_its_way_or_in_the_hand_of_who_decides():
    """A stack holds what nobody can await, and a pile shows its top."""
    position = auction({0: [["C3"]]}, hands=[["R5a"], ["N6a", "G7a"]], seat=1, discards=["C2a", "C2b"])
    waited = awaited(position)
    assert {"N6a", "G7a", "B5.1", "C3", "C2b"} <= waited
    assert not waited & {"R5a", "C2a", *position.layout().pieces("deck"), *position.layout().pieces("stack1")}
