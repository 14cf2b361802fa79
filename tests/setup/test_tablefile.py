"""Single values of a table.toml change; everything else, including comments, stays as its owner wrote it."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.setup.tablefile import Value, changed_text, shipped_text

SEATS = ("seats",)
SOURCE = ("camera", "source")


def test_the_shipped_file_keeps_every_line_but_the_changed_ones() -> None:
    before, after = shipped_text(), changed_text(shipped_text(), {SEATS: ["Ada", "Ben"], SOURCE: "opencv:0"})
    old, new = before.splitlines(), after.splitlines()
    assert len(old) == len(new)
    different = [line for line, was in zip(new, old, strict=True) if line != was]
    assert different == [
        'seats = ["Ada", "Ben"]  # names, clockwise; people can change theirs on their page',
        'source = "opencv:0"  # or "opencv:/dev/v4l/by-id/NAME", "opencv:0", "images:FOLDER", "simulated", "none"',
    ]


@pytest.mark.parametrize(
    ("text", "path", "value", "wanted"),
    [
        ("", SEATS, ["A", "B"], 'seats = ["A", "B"]\n'),
        ("", SOURCE, "opencv:0", '\n[camera]\nsource = "opencv:0"\n'),
        ("[pages]\nport = 1\n", SEATS, ["A"], 'seats = ["A"]\n[pages]\nport = 1\n'),
        ("[camera]\nmains = 60\n", SOURCE, "x", '[camera]\nsource = "x"\nmains = 60\n'),
        ('seats = [\n  "A",\n  "B",\n]\nlanguage = "de"\n', SEATS, ["C"], 'seats = ["C"]\nlanguage = "de"\n'),
        ('seats = ["A"]\n', SEATS, ["A"], 'seats = ["A"]\n'),
        ('[camera]\nsource = "a#b" # the old one\n', SOURCE, "c", '[camera]\nsource = "c"  # the old one\n'),
        ("# a\u2028b\n[camera]\nmains = 60\n", SOURCE, "c", '# a\u2028b\n[camera]\nsource = "c"\nmains = 60\n'),
    ],
)  # fmt: skip
def test_a_value_is_changed_wherever_it_stands(
    text: str, path: tuple[str, ...], value: Value, wanted: str | None
) -> None:
    after = changed_text(text, {path: value})
    here: Any = tomllib.loads(after)
    for key in path:
        here = here[key]
    assert here == value
    assert after == wanted


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5))
def test_any_name_can_be_written_and_read_back(names: list[str]) -> None:
    assert tomllib.loads(changed_text(shipped_text(), {SEATS: names}))["seats"] == names
