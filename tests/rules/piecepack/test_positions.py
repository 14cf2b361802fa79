"""Positions of the piecepack as values, as data, as layouts and as views."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from tabletop.rules.game import Illegal, Json
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.actions import Purchase
from tabletop.rules.piecepack.components import PIECES, TURRETS
from tabletop.rules.piecepack.phases.reasons import MEANINGS, REASONS
from tabletop.rules.piecepack.position import PiecepackPosition
from tests.rules.piecepack.board import board
from tests.rules.piecepack.walks import OPTIONS, positions, walk

games = st.builds(positions, st.integers(0, 40), st.sampled_from(OPTIONS))
somewhere = games.flatmap(st.sampled_from)


@settings(max_examples=12, deadline=None)
@given(somewhere)
def test_a_position_is_what_its_data_says(position: PiecepackPosition) -> None:
    text = json.dumps(position.to_json())
    again = GAME.load(json.loads(text))
    assert again == position
    assert hash(again) == hash(position)
    assert json.dumps(again.to_json()) == text


@settings(max_examples=12, deadline=None)
@given(somewhere)
def test_every_piece_is_in_exactly_one_zone(position: PiecepackPosition) -> None:
    layout = position.layout()
    ours = {piece.id for piece in PIECES.values() if piece.kind != "turret"}
    assert set(layout.zone_of()) - {*TURRETS} == ours
    assert sum(len(layout.pieces(zone) - {*TURRETS}) for zone in layout) == len(ours)


@settings(max_examples=12, deadline=None)
@given(somewhere)
def test_actions_round_trip_through_data_and_notation(position: PiecepackPosition) -> None:
    for action in position.legal:
        assert GAME.action(json.loads(json.dumps(action.to_json()))) == action
        assert GAME.parse(GAME.format(action)) == action


def test_actions_of_different_kinds_are_never_equal() -> None:
    same = [
        GAME.parse(text) for text in ("reveal TM1", "turret on TM1", "keep TM1", "remove TM1", "coin DM1", "reveal DM1")
    ]
    assert len(set(same)) == len(same)


def test_a_position_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        board().active = 1


def test_a_refused_action_leaves_the_position_as_it_was() -> None:
    position = board()
    before = position.to_json()
    with pytest.raises(Illegal):
        position.after(GAME.parse("keep TM0"))
    assert position.to_json() == before


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_view_shows_the_seats_coins_and_of_other_hands_the_number(seat: int | None) -> None:
    view = board(hand=["DM5", "DS5"], other={"hand": ["DA1"]}).view(seat)
    assert view["seats"][0]["hand"] == (["DM5", "DS5"] if seat == 0 else 2)
    assert view["seats"][1]["hand"] == (["DA1"] if seat == 1 else 1)
    assert isinstance(view["coins"], int)
    assert isinstance(view["stack"], int)


@pytest.mark.parametrize("viewer", [None, 1])
def test_everybody_sees_open_pieces(viewer: int | None) -> None:
    """Everybody sees yard, bank, discards, palazzi and reserves; of hands, coins and stack only the numbers."""
    other = {"hand": ["DA1"], "palazzo": {"TS1": [0, 0]}, "reserve": ["TS2"]}
    position = board(hand=["DM5"], palazzo={"TM1": [0, 0]}, reserve=["TM2"], discards=["DC4"], other=other)
    whole, shown = position.to_json(), position.view(viewer)
    assert all(shown[zone] == whole[zone] for zone in ("yard", "bank", "discards"))
    assert (shown["coins"], shown["stack"]) == (len(whole["coins"]), len(whole["stack"]))
    for open_, all_ in zip(shown["seats"], whole["seats"], strict=True):
        assert all(open_[key] == all_[key] for key in ("die", "turret", "palazzo", "reserve"))
    assert shown["seats"][0]["hand"] == 1


def test_a_view_does_not_change_when_hidden_coins_are_exchanged() -> None:
    first = board(hand=["DM5"], other={"hand": ["DC4"]})
    second = board(hand=["DM5"], other={"hand": ["DC3"]})
    assert first.view(0) == second.view(0)
    assert first.view(1) != second.view(1)


def test_turret_and_die_are_open() -> None:
    view = board(palazzo={"TM1": [0, 0]}, turret="TM1", die=3).view(1)
    assert (view["seats"][0]["turret"], view["seats"][0]["die"]) == ("TM1", 3)


BROKEN: dict[str, Callable[[dict[str, Json]], object]] = {
    "a coin twice": lambda data: data["bank"].append(data["coins"][0]),
    "a coin missing": lambda data: data["coins"].pop(),
    "an unknown piece": lambda data: data["stack"].append("TX1"),
    "a coin among structures": lambda data: data["yard"].append("DM1"),
    "a die of six": lambda data: data["seats"][0].update(die=6),
    "a die of true": lambda data: data["seats"][0].update(die=True),
    "a die of 2.0": lambda data: data["seats"][0].update(die=2.0),
    "a turret on nothing": lambda data: data["seats"][0].update(turret="TM0"),
    "one seat": lambda data: data["seats"].pop(),
    "an unknown option": lambda data: data["options"].update(fun=True),
    "an unknown phase": lambda data: data["turn"].update(phase="bid"),
    "another decider": lambda data: data["turn"].update(seat=1),
    "no decider": lambda data: data["turn"].pop("seat"),
    "an active seat that is not": lambda data: data.update(active=2),
    "a split palazzo": lambda data: move(data, {"TM4": [0, 0], "TM5": [2, 0]}),
    "a clash": lambda data: move(data, {"TM4": [0, 0], "TS5": [1, 0]}),
    "one cell twice": lambda data: move(data, {"TM4": [0, 0], "TM5": [0, 0]}),
    "a cell of one number": lambda data: move(data, {"TM4": [0]}),
    "a cell far away": lambda data: move(data, {"TM4": [10**30, 0]}),
    "nobody's palazzo": lambda data: data["seats"][0].update(palazzo=None),
    "five in the bank": lambda data: data["bank"].append(data["coins"].pop()),
    "five in the yard": lambda data: data["yard"].append(data["stack"].pop()),
    "closing with a yard": lambda data: data.update(closing=[0, 1]),
    "no action left": lambda data: data.update(actions_left=0),
    "two actions left": lambda data: data.update(actions_left=2),
    "nothing awaited": lambda data: data.update(turn={"phase": "reveal", "seat": None}),
    "a full bank awaited": lambda data: data.update(
        turn={"phase": "reveal", "seat": None}, awaits="coin", actions_left=0
    ),
    "placing nothing": lambda data: data.update(turn={"phase": "place", "seat": 0}, actions_left=0),
    "dealing the second seat first": lambda data: (
        data["seats"][1].update(hand=[data["coins"].pop(), data["coins"].pop()]),
        data.update(turn={"phase": "deal", "seat": None}),
    ),
    "setting up twice": lambda data: data.update(turn={"phase": "setup", "seat": None}),
    "over too soon": lambda data: data.update(turn={"phase": "over", "seat": None}),
    "a hand of letters": lambda data: data["seats"][0].update(hand="DM1"),
    "lists in lists": lambda data: data["seats"][0].update(hand=[[["DM1"]]]),
    "a name of a number": lambda data: data["seats"][0].update(name=7),
}


def move(data: dict[str, Json], palazzo: Mapping[str, Sequence[int]]) -> None:
    data["stack"] = [piece for piece in data["stack"] if piece not in palazzo]
    data["yard"] = [piece for piece in data["yard"] if piece not in palazzo]
    data["seats"][0]["palazzo"] = palazzo


@pytest.mark.parametrize("name", BROKEN)
def test_an_impossible_position_is_refused(name: str) -> None:
    data = board(options={}).to_json()
    BROKEN[name](data)
    with pytest.raises(Illegal) as caught:
        GAME.load(data)
    assert caught.value.code == "bad-position"
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize("key", ["seats", "yard", "bank", "coins", "discards", "stack", "active", "turn"])
def test_a_missing_key_is_named(key: str) -> None:
    data = deepcopy(board().to_json())
    del data[key]
    with pytest.raises(Illegal, match=key):
        GAME.load(data)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(board().to_json())), junk)
def test_garbage_in_any_place_is_a_position_or_refused(key: str, value: Json) -> None:
    data = board().to_json() | {key: value}
    code, position = loaded(data)
    if position is None:
        assert code == "bad-position"
    else:
        assert GAME.load(position.to_json()) == position


def loaded(data: dict[str, Json]) -> tuple[str | None, PiecepackPosition | None]:
    try:
        return None, GAME.load(data)
    except Illegal as refusal:
        return refusal.code, None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "bad-request"),
        ({}, "bad-request"),
        ({"do": 3}, "bad-request"),
        ({"do": "dance"}, "unknown-action"),
        ({"do": "coin"}, "bad-request"),
        ({"do": "coin", "coin": "DM6"}, "unknown-piece"),
        ({"do": "coin", "coin": "dm1"}, "unknown-piece"),
        ({"do": "build", "structure": "TM1"}, "bad-request"),
        ({"do": "build", "structure": "TM1", "at": [0, 0.0]}, "bad-request"),
        ({"do": "build", "structure": "TM1", "at": [0, True]}, "bad-request"),
        ({"do": "build", "structure": "TM1", "at": [0]}, "bad-request"),
        ({"do": "build", "structure": "TM1", "at": [10**9, 0]}, "bad-request"),
        ({"do": "reserve", "kind": "swap", "structure": "TM1"}, "unknown-action"),
        ({"do": "reserve", "kind": 7, "structure": "TM1"}, "bad-request"),
        ({"do": "reserve", "kind": "add", "structure": "TM1"}, "bad-request"),
        ({"do": "reserve", "kind": "exchange", "structure": "TM1"}, "bad-request"),
        ({"do": "purchase", "structure": "TM1", "pay": ["DM5"]}, "bad-request"),
        ({"do": "purchase", "structure": "TM1", "pay": ["DM5"], "die": 1}, "bad-request"),
        ({"do": "purchase", "structure": "TM1", "pay": "DM5", "die": True}, "bad-request"),
        ({"do": "purchase", "structure": "TM1", "pay": ["DM9"], "die": True}, "unknown-piece"),
        ({"do": "deal", "seat": True, "cards": ["DM1", "DM2"]}, "bad-request"),
    ],
)
def test_an_action_that_cannot_be_read_is_refused_with_its_code(data: dict[str, Json] | None, code: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.action(data)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dance",
        "coin",
        "coin DM1 DM2",
        "build TM1 at 01,0",
        "build TM1 at 0",
        "build TM1 0,0",
        "add TM1",
        "build TM1 at 1000000000000,0",
        "pass now",
    ],
)
def test_notation_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.parse(text)
    assert caught.value.code == "bad-request"


def test_the_refusal_of_an_unreadable_line_shows_the_form() -> None:
    """The refusal of an unreadable line shows the form of its kind of action, or the kinds there are."""
    with pytest.raises(Illegal, match=re.escape("write: purchase <structure> pay <pay>[+die].")):
        GAME.parse("purchase TM3")
    with pytest.raises(Illegal, match=re.escape("write: exchange <structure> for <swap> [at <at>].")):
        GAME.parse("exchange TM3")
    with pytest.raises(Illegal, match="begins with one of: reveal, deal, coin, add, remove, exchange,"):
        GAME.parse("dance")


def test_notation_with_an_unknown_piece_is_refused() -> None:
    """A line with an unknown piece is refused with the same code as the data would be."""
    with pytest.raises(Illegal) as caught:
        GAME.parse("coin XX1")
    assert caught.value.code == "unknown-piece"


def test_the_old_word_for_a_payment_is_still_read() -> None:
    """Older records that spell payments with ``with`` are still read."""
    purchase = GAME.parse("purchase TM3 with DM5+die")
    assert purchase == GAME.parse("purchase TM3 pay DM5+die") == Purchase("TM3", ("DM5",), True)
    assert str(purchase) == "purchase TM3 pay DM5+die"


def test_every_code_of_a_refusal_has_its_meaning_and_every_sentence_its_clause() -> None:
    assert {reason.code for reason in REASONS.values()} <= set(MEANINGS)
    assert all(reason.rule and reason.template.endswith(".") for reason in REASONS.values())


@settings(max_examples=15, deadline=None)
@given(somewhere, st.data())
def test_every_refusal_has_a_sentence(position: PiecepackPosition, data: DataObject) -> None:
    other = data.draw(somewhere)
    for action in list(other.legal)[::9][:25]:
        refusal = position.refusal(action)
        if refusal is not None:
            assert refusal.code in MEANINGS
            assert "{" not in refusal.message
            json.dumps(refusal.to_json())
            assert refusal.nearest is None or position.refusal(refusal.nearest) is None


def test_a_random_game_ends() -> None:
    assert all(positions(seed)[-1].over for seed in range(6))


def test_what_chance_draws_is_legal() -> None:
    for position, action in walk(3):
        if position.decider is None and action is not None:
            assert action in position.legal


SCRIPT = """
import json, sys
sys.path.insert(0, {root!r})
from tests.rules.piecepack.walks import walk
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.actions import Purchase
for position, action in walk(11, {options!r}):
    print([GAME.format(one) for one in position.legal], json.dumps(position.to_json()))
"""


def test_a_game_is_the_same_under_every_hash_seed() -> None:
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    script = SCRIPT.format(root=root, options=OPTIONS[2])
    runs = {
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(runs) == 1
    assert len(next(iter(runs))) > 10_000


@pytest.mark.parametrize("left", [0, 1])
def test_before_the_first_turn_its_action_is_left_whatever_the_data_says(left: int) -> None:
    first = GAME.new(["A", "B"])
    assert GAME.load({**first.to_json(), "actions_left": left}) == first
