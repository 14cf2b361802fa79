"""Columns and grids from several pictures are laid on each other, and those that exclude each other are reported."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.vision.score import merge


@pytest.mark.parametrize(
    ("pictures", "united"),
    [
        ([{("a", "b")}, {("b", "c")}], ("a", "b", "c")),
        ([{("a", "c")}, {("a", "b", "c")}], ("a", "b", "c")),
        ([{("a",), ("c",)}, {("a", "b", "c")}], ("a", "b", "c")),
        ([{("a", "b")}, {("a",)}, {("b",)}], ("a", "b")),
    ],
)
def test_columns_that_overlap_become_one(pictures: Sequence[set[tuple[str, ...]]], united: tuple[str, ...]) -> None:
    assert merge.columns(pictures) == ((united,), ())


@pytest.mark.parametrize(
    "pictures",
    [
        [{("a", "b")}, {("b", "a")}],
        [{("a", "b")}, {("a", "c")}],
        [{("a", "b")}, {("a",), ("b",)}],
        [{("a", "b"), ("c",)}, {("a", "c")}],
    ],
)
def test_columns_that_exclude_each_other_are_reported(pictures: Sequence[set[tuple[str, ...]]]) -> None:
    columns, contradicting = merge.columns(pictures)
    assert columns == ()
    assert contradicting == (tuple(sorted({tile for picture in pictures for column in picture for tile in column})),)


def test_grids_are_laid_on_each_other_by_what_they_share() -> None:
    one, two = {"a": (0, 0), "b": (1, 0)}, {"b": (5, 5), "c": (5, 6)}
    assert merge.cells([one, two]) == ({"a": (0, 0), "b": (1, 0), "c": (1, 1)}, (), ())
    assert merge.cells([one, {"a": (0, 0), "b": (0, 1)}]).contradicting == ("b",)
    assert merge.cells([one, {"d": (0, 0)}]) == (one, (), ("d",))
