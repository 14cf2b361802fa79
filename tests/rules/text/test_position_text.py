"""A position is one line of text, and that line is the position."""

from __future__ import annotations

import json
import string
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Illegal, Json, Position
from tabletop.rules.protocol import ProtocolReferee
from tabletop.rules.text.position_text import (
    MAX_DEPTH,
    MAX_POSITION_LENGTH,
    format_line,
    format_position,
    parse_line,
    parse_position,
)

GAMES = list(registry.BUILT_IN)
OPTIONS: dict[str, dict[str, Json]] = {
    "palazzo": {"stacks": "unknown", "min_price": 1, "certificates_alone": False},
    "patrician": {"move_may_empty_site": False},
    "piecepack": {"exchange_same_cell": False, "yard_refill": "immediate"},
}


@cache
def walk(name: str, seed: int, seats: int, own_options: bool) -> Sequence[Position]:
    game = registry.game(name)
    return play_random_game(game, seed, seats, OPTIONS[name] if own_options else None).positions


positions = st.builds(
    lambda name, seed, seats, own, share: (found := walk(name, seed, seats, own))[int(share * (len(found) - 1))],
    st.sampled_from(GAMES), st.integers(0, 1), st.integers(2, 4), st.booleans(), st.floats(0, 1),
)  # fmt: skip
texts = st.text(max_size=12) | st.sampled_from(["true", "null", "-3", "007", "B3.2", "", "a b", "]", '"', "é\u2028\n"])
data = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**14), 10**14) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(positions)
def test_every_position_round_trips_through_its_line(position: Position) -> None:
    line = format_position(position)
    assert len(line.splitlines()) == 1
    again = parse_position(position.game, line)
    assert again == position
    assert format_position(again) == line


@given(st.dictionaries(texts, data, max_size=4))
def test_any_data_is_what_its_line_says_and_the_line_is_one(whole: dict[str, Json]) -> None:
    line = format_line(whole)
    assert len(line.splitlines()) <= 1
    assert parse_line(line) == whole
    assert json.dumps(parse_line(line)) == json.dumps(whole)


def test_usual_options_and_the_shipped_edition_are_left_out_and_others_kept() -> None:
    for name in GAMES:
        assert "options=" not in format_position(walk(name, 0, 2, False)[0])
        assert "edition=" not in format_position(walk(name, 0, 2, False)[0])
        line = format_position(walk(name, 0, 2, True)[0])
        assert parse_line(line)["options"] == OPTIONS[name]


def refusal_of(text: str) -> Illegal | None:
    """Return the refusal of a line, or None if it can be read."""
    try:
        parse_line(text)
    except Illegal as refusal:
        return refusal
    return None


@given(st.text(string.printable, max_size=60) | st.text(st.sampled_from('ab1=()[]" \\'), max_size=40))
def test_any_text_is_a_line_or_refused_as_a_bad_position(text: str) -> None:
    refusal = refusal_of(text)
    assert refusal is None or (refusal.code, refusal.message[-1]) == ("bad-position", ".")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a", "The line ends at character 2, where an = after the key is expected."),
        ("a=(b=1", "The line ends at character 7, where a key is expected."),
        ("a=[1 2", "The line ends at character 7, where a value is expected."),
        ("a=]", "At character 3 of the line, a value is expected, not ']'."),
        ("a=1 a=2", "The key 'a' appears twice"),
        ("a=1 §", "Character 5 of the line, '§', is not allowed there."),
        ('a="\\q"', "is not a text as JSON quotes it"),
        ("a=" + "[" * 1000, f"Objects and lists are nested more than {MAX_DEPTH} deep."),
        ("a=" + "1" * MAX_POSITION_LENGTH, f"a position has at most {MAX_POSITION_LENGTH}"),
    ],
)
def test_a_malformed_line_is_refused_with_its_fault_and_place(text: str, said: str) -> None:
    with pytest.raises(Illegal) as caught:
        parse_line(text)
    assert caught.value.code == "bad-position"
    assert said in caught.value.message


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "change", [("seats=[", "seats=[(name=X) "), ("seats=", "chairs="), ("turn=(phase", "turn=(when")]
)
def test_a_line_of_an_impossible_position_is_refused_by_the_game(name: str, change: tuple[str, str]) -> None:
    line = format_position(walk(name, 0, 2, False)[-2]).replace(*change)
    with pytest.raises(Illegal) as caught:
        parse_position(registry.game(name), line)
    assert caught.value.code == "bad-position"


def test_the_referee_reads_and_writes_lines() -> None:
    position = walk("palazzo", 1, 3, True)[60]
    referee = ProtocolReferee()
    loaded = referee.answer({"cmd": "load", "position": format_position(position)})
    assert loaded["ok"], loaded
    told = referee.answer({"cmd": "position"})
    assert told["line"] == format_position(position)
    assert told["position"] == position.to_json()
    refused = referee.answer({"cmd": "load", "position": "game=palazzo seats=["})
    assert refused["error"]["code"] == "bad-position"
