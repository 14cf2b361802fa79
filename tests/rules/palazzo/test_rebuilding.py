"""Which tile was moved, inferred from two states of the palazzi."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.rules.palazzo.table.rebuilding import Rebuilding, moved_tile


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([("a", "b", "c")], [("a", "c"), ("b",)], Rebuilding("lift", "b")),
        ([("a", "c"), ("b",)], [("a", "b", "c")], Rebuilding("insert", "b", "a")),
        ([("a",), ("b", "c")], [("b", "c")], Rebuilding("scrap", "a")),
        ([("a",), ("b",)], [("a", "b")], Rebuilding("insert", "a", "b")),
        ([("a", "b")], [("a",), ("b",)], Rebuilding("lift", "a")),
        ([("a", "b"), ("c", "d")], [("a",), ("c", "d", "b")], Rebuilding("insert", "b", "c")),
    ],
)
def test_the_tile_that_explains_the_change_is_found(
    before: Sequence[tuple[str, ...]], after: Sequence[tuple[str, ...]], found: Rebuilding
) -> None:
    assert moved_tile(before, after) == found


@pytest.mark.parametrize("after", [[("a", "b"), ("c", "d")], [("a", "c"), ("b", "d")]])
def test_no_tile_is_named_where_none_or_several_were_moved(after: Sequence[tuple[str, str]]) -> None:
    assert moved_tile([("a", "b"), ("c", "d")], after) is None
