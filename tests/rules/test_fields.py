"""One table of fields prints a position, reads it, and says who may know what."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import pytest

from tabletop.rules.codec import NAME, SEAT, PositionDraft, each, named, number, optional, pieces, word
from tabletop.rules.fields import TURN, Data, Field
from tabletop.rules.game import Game, Illegal, Json, Policy, Position

PIECES = ("A", "B", "C", "D", "E")
SEATS = {
    "name": Field(Policy.ALL, NAME, "names"),
    "hand": Field(Policy.OWNER, pieces(PIECES, sorted), "hands"),
    "held": Field(Policy.ALL, number(range(9)), lambda state, seat: len(state.hands[seat]), follows=True),
}
TABLE = {
    "stack": Field(Policy.COUNT, pieces(PIECES)),
    "memory": Field(Policy.NOBODY, each(word(PIECES)), absent=[]),
    "piles": Field(Policy.ALL, named(("x", "y"), pieces(PIECES))),
    "next": Field(Policy.ALL, optional(SEAT), absent=None, nullable=True),
    "bid": Field(Policy.ALL, each(number(range(9)), 2), ("low", "high"), phases=("bid",)),
    "turn": TURN,
}
DATA = Data("tiny", SEATS, TABLE)
GAME = cast(Game, SimpleNamespace(name="tiny", title="Tiny", seat_range=range(2, 4)))
STATE = {
    "names": ("Ada", "Ben"), "hands": (("A",), ("B", "C")), "stack": ("D",), "memory": ("D",), "piles": (("E",), ()),
    "next": None, "phase": "play",
}  # fmt: skip


def state(**changed: int | str) -> SimpleNamespace:
    """Return a state of two seats in which seat 0 decides."""
    return SimpleNamespace(seats=2, options=SimpleNamespace(_asdict=dict), decider=0, **{**STATE, **changed})


SHOWN: dict[str, Json] = {
    "game": "tiny",
    "options": {},
    "seats": [{"name": "Ada", "hand": ["A"], "held": 1}, {"name": "Ben", "hand": ["B", "C"], "held": 2}],
    "stack": ["D"],
    "memory": ["D"],
    "piles": {"x": ["E"], "y": []},
    "next": None,
    "turn": {"phase": "play", "seat": 0},
}
PLAY = Data("tiny", SEATS, {key: field for key, field in TABLE.items() if key != "bid"})


def read(data: dict[str, Json], table: Data = DATA) -> PositionDraft:
    return table.read(data, GAME, lambda options, _seats: options, ("play", "bid"))


def refusal(data: dict[str, Json]) -> str:
    with pytest.raises(Illegal) as refused:
        read(data).complete(PIECES)
    assert refused.value.code == "bad-position"
    return refused.value.message


def test_a_printed_position_is_read_back() -> None:
    """A printed position is read back under the state's own names; a field of another phase is ignored."""
    assert PLAY.whole(state()) == SHOWN
    draft = read(SHOWN | {"bid": "whatever"})
    assert draft.fields == {**STATE, "options": {}, "next": None}
    assert (draft.decider, draft.seats, draft.told["held"]) == (0, 2, (1, 2))


def test_one_field_can_hold_two_parts_of_a_state() -> None:
    shown = DATA.whole(state(phase="bid", low=1, high=2))
    assert shown["bid"] == [1, 2]
    assert {**read(shown).fields, "options": None} == {**STATE, "phase": "bid", "low": 1, "high": 2, "options": None}


@pytest.mark.parametrize(("viewer", "hands"), [(None, [1, 2]), (0, [["A"], 2]), (1, [1, ["B", "C"]])])
def test_a_view_follows_the_policies(viewer: int | None, hands: Sequence[int | Sequence[str]]) -> None:
    """A view shows a hand to its owner only, of a stack the number, and secret fields to nobody."""
    view = PLAY.seen(state(), viewer)
    assert [seat["hand"] for seat in view["seats"]] == hands
    assert view["stack"] == 1
    assert "memory" not in view
    assert view["piles"] == SHOWN["piles"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"stack": ["D", "A"]}, "A is in two places: hand of seat 1 and stack"),
        ({"stack": ["D", "D"]}, "stack names D twice"),
        ({"stack": []}, "D is missing"),
        ({"stack": ["F"]}, "stack names 'F', which is not allowed there"),
        ({"stack": None}, "stack must be a list, not null"),
        ({"piles": {"x": ["E"]}}, "piles has no 'y'"),
        ({"piles": {"x": ["E"], "y": 7}}, "y of piles must be a list, not 7"),
        ({"next": 2}, "next must be a whole number from 0 to 1, not 2"),
        ({"turn": {"phase": "dance", "seat": 0}}, "the phase names 'dance'"),
        ({"turn": {"phase": "bid", "seat": 0}, "bid": [1]}, "bid must have 2 items, not 1"),
        (
            {"turn": {"phase": "bid", "seat": 0}, "bid": [1, 9]},
            "item 2 of bid must be a whole number from 0 to 8, not 9",
        ),
        ({"turn": {"phase": "bid", "seat": 0}}, "the position has no 'bid'"),
        ({"seats": SHOWN["seats"][:1]}, "Tiny has 2 to 3 seats, not 1"),
        ({"game": "other"}, 'a position is an object with "game": "tiny"'),
    ],
)
def test_an_impossible_value_is_refused_with_its_place(changed: dict[str, Json], said: str) -> None:
    assert said in refusal(SHOWN | changed)


def test_derived_fields_must_agree() -> None:
    """Fields that follow from others, such as the number of cards held, are refused if they disagree."""
    position = state()
    position.to_json = lambda: PLAY.whole(position)
    PLAY.check(read(SHOWN, PLAY), cast(Position, position))
    for changed, said in (
        ({"seats": [SHOWN["seats"][0], SHOWN["seats"][1] | {"held": 1}]}, "held of seat 2 must be 2"),
        ({"turn": {"phase": "play", "seat": 1}}, "in the phase play seat 1 decides"),
    ):
        with pytest.raises(Illegal, match=said):
            PLAY.check(read(SHOWN | changed, PLAY), cast(Position, position))
