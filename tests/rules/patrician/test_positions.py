"""Positions as data: printed ones can be loaded, impossible ones are refused, views keep secrets."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.rules.game import Illegal, Json
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import CITIES, CITY_OF, FLOOR_SUPPLY, cards
from tabletop.rules.patrician.fields import FIELDS, SEAT_FIELDS
from tests.rules.patrician.board import NAMES, begun, board, data, do, walk


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_printed_position_is_loaded_as_it_was(seats: int) -> None:
    for position in walk(11, seats, first_seat=1, move_may_empty_site=False):
        printed = json.dumps(position.to_json())
        again = GAME.load(json.loads(printed))
        assert again == position
        assert hash(again) == hash(position)
        assert json.dumps(again.to_json()) == printed


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_pieces_are_conserved_and_floors_plus_unplayed_crests_never_exceed_a_city(seats: int) -> None:
    for position in walk(13, seats):
        places = [*position.hands, *position.played, [card for card in position.market if card], position.deck]
        assert sorted(card for place in places for card in place) == sorted(cards(seats))
        built = [sum(tower.count(seat) for tower in position.towers) for seat in range(seats)]
        assert [left + count for left, count in zip(position.supply, built, strict=True)] == [
            FLOOR_SUPPLY[seats]
        ] * seats
        unplayed = set(cards(seats)) - {card for pile in position.played for card in pile}
        for number, city in enumerate(position.cities):
            coming = sum(position.faces[card].crests for card in unplayed if CITY_OF[card] == number)
            coming += position.left if position.card and position.built == number else 0
            there = len(position.towers[2 * number]) + len(position.towers[2 * number + 1])
            assert there + coming <= city.capacity
            if seats == 2:
                assert there + coming == city.capacity, "two seats never run out of pieces"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_hands_are_three_until_deck_and_market_run_dry_and_all_play_the_same_number(seats: int) -> None:
    for position in walk(17, seats):
        if position.phase == "play" and (position.deck or any(position.market)):
            assert {len(hand) for hand in position.hands} == {3}
    assert position.over
    assert {len(pile) for pile in position.played} == {len(cards(seats)) // seats}
    assert not position.deck
    assert not any(position.market)


def test_with_two_seats_each_city_is_full_when_its_last_card_is_played() -> None:
    *_, last = walk(19, 2)
    assert all(last.full(number) for number in range(9))


def test_the_played_card_lies_on_its_pile_and_is_pending_while_it_is_played_out() -> None:
    for position in walk(23, 3):
        printed = position.to_json()
        if position.phase in ("floor", "move", "take"):
            assert printed["seats"][position.active]["played"][-1] == printed["pending"]["card"]
            assert (printed["pending"]["floors"] > 0) == (position.phase == "floor")
        else:
            assert "pending" not in printed


def refusal_of(found: Json) -> str:
    with pytest.raises(Illegal) as refusal:
        GAME.load(found)
    assert refusal.value.code == "bad-position"
    return refusal.value.message


GOOD: dict[str, Json] = {
    "hands": [["ROM3", "LUC5"], ["BOL3"], []],
    "towers": {"MIL": ("bw", "r"), "FER": ("bbb", "ww")},
    "market": {"ROM": "VER1"},
    "deck": ["PAR1", "PAR2"],
}
DELETE = object()

FAULTS = [
    (("seats", 0, "hand"), ["ROM3"], "LUC5 is missing"),
    (("seats", 0, "hand"), ["ROM3", "LUC5", "BOL3"], "BOL3 is in two places: hand of seat 1 and hand of seat 2"),
    (("seats", 0, "hand"), ["ROM3", "LUC5", "ROM8"], "'ROM8', which is not allowed there"),
    (("seats", 0, "hand"), ["ROM3", "LUC5", "PIS1"], "'PIS1', which is not allowed there"),
    (("seats", 0, "hand"), ["ROM3", "LUC5", 7], "names 7, which is not allowed there"),
    (("seats", 0, "hand"), ["ROM3"] * 201, "at most"),
    (("seats", 0, "hand"), {}, "list"),
    (("seats", 0, "hand"), DELETE, "hand"),
    (("seats", 0, "name"), 3, "name"),
    (("seats", 0, "name"), "x" * 201, "name"),
    (("seats", 0, "colour"), "white", "black"),
    (("seats", 0, "supply"), 26, "29 black floors"),
    (("seats", 0, "supply"), 25.0, "whole number"),
    (("seats", 0, "supply"), True, "whole number"),
    (("seats", 0, "supply"), -1, "whole number"),
    (("seats", 0, "tokens"), [], "tokens"),
    (("seats", 1, "tokens"), [9], "tokens"),
    (("seats", 1, "tokens"), ["2"], "tokens"),
    (("seats",), [], "seats"),
    (("seats",), [1, 2], "seat 1 must be an object"),
    (("cities", "FER", "scored"), False, "scored"),
    (("cities", "MIL", "scored"), True, "scored"),
    (("cities", "MIL", "scored"), 0, "scored"),
    (("cities", "MIL", "A"), ["black", "yellow"], "'yellow', which is not allowed there"),
    (("cities", "MIL", "A"), DELETE, "A"),
    (("cities", "MIL"), [], "object"),
    (("cities", "MIL"), DELETE, "cities"),
    (("cities", "PIS"), {"A": [], "B": [], "scored": False}, "cities"),
    (("market", "ROM"), None, "VER1 is missing"),
    (("market", "ROM"), 5, "market"),
    (("market", "ROM"), DELETE, "market"),
    (("deck",), ["PAR1", "PAR2", "PAR2"], "deck names PAR2 twice"),
    (("deck",), DELETE, "deck"),
    (("active",), 3, "active must be a whole number from 0 to 2"),
    (("active",), 1, "decides"),
    (("turn", "seat"), 1, "decides"),
    (("turn", "seat"), None, "decides"),
    (("turn", "seat"), False, "seat of turn must be a whole number from 0 to 2, not false"),
    (("turn", "phase"), "fly", "phase"),
    (("turn", "phase"), 3, "phase"),
    (("turn",), {"phase": "floor", "seat": 0}, "pending"),
    (("turn",), {"phase": "setup", "seat": None}, "market"),
    (("turn",), {"phase": "deal", "seat": None}, "dealt"),
    (("turn",), {"phase": "over", "seat": None}, ""),
    (("turn",), DELETE, "turn"),
    (("options",), {"first_seat": 9}, "first_seat"),
    (("options",), {"speed": 9}, "speed"),
    (("edition", "cards", "ROM1", "crests"), 1, "Roma"),
    (("edition",), None, "edition"),
    (("game",), "palazzo", "patrician"),
]


@pytest.mark.parametrize(("path", "value", "said"), FAULTS)
def test_an_impossible_position_is_refused_with_its_fault(path: tuple[int | str, ...], value: Json, said: str) -> None:
    found = data(**GOOD)
    GAME.load(copy.deepcopy(found))
    inner: Json = found
    for key in path[:-1]:
        inner = inner[key]
    if value is DELETE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    assert said in refusal_of(found)


@pytest.mark.parametrize("found", [None, 3, [], "x", {}, {"game": "patrician"}])
def test_data_that_is_not_a_position_is_refused(found: Json) -> None:
    refusal_of(found)


def test_more_floors_and_crests_than_a_city_takes_are_refused() -> None:
    assert "takes 7" in refusal_of(data(hands=[["LUC1", "LUC2"]], towers={"LUC": ("bbb", "w")}))
    board(hands=[["LUC1", "LUC2"]], towers={"LUC": ("bb", "w")})


def test_the_floors_still_to_be_placed_count_towards_the_capacity() -> None:
    fields: dict[str, Json] = {"phase": "floor", "played": [["LUC1"]], "pending": ("LUC1", 2), "hands": [["BOL3"]]}
    assert "takes 7" in refusal_of(data(towers={"LUC": ("bbbbb", "w")}, **fields))
    board(towers={"LUC": ("bbbb", "w")}, **fields)


def test_a_full_city_with_an_empty_site_is_refused() -> None:
    assert "empty site" in refusal_of(data(hands=[["BOL3"]], towers={"LUC": ("bbbbbbb", "")}))


@pytest.mark.parametrize(
    ("phase", "pending"),
    [
        ("floor", ("ROM3", 2)),
        ("floor", ("ROM3", 0)),
        ("floor", ("BOL3", 1)),
        ("move", ("ROM3", 0)),
        ("take", ("ROM3", 1)),
    ],
)
def test_a_pending_card_must_fit_its_pile_and_the_phase(phase: str, pending: tuple[str, int]) -> None:
    """A pending card that does not fit its pile or the phase is refused.

    ROM3 shows one crest and no move; black could move in Milano.
    """
    found = data(phase=phase, played=[["ROM3"]], pending=pending, hands=[["FIR3"]], market={"ROM": "VER1"},
                 towers={"MIL": ("b", "")})  # fmt: skip
    refusal_of(found)


def test_a_market_that_is_full_cannot_be_refilled() -> None:
    position = begun(3)
    found = position.to_json() | {"turn": {"phase": "reveal", "seat": None}}
    refusal_of(found)


def test_a_loaded_market_with_gaps_remembers_which_space_is_filled() -> None:
    position = board(hands=[["BOL6"], ["FIR3"]], market={"ROM": "VER2"}, deck=["PAR1"])
    position = do(position, "play BOL6", "floor A", "take VER2")
    assert position.to_json()["space"] == "ROM"
    assert GAME.load(position.to_json()) == position


def nodes(found: Json, path: tuple[int | str, ...] = ()) -> Iterator[tuple[int | str, ...]]:
    yield path
    if isinstance(found, dict | list):
        for key in found if isinstance(found, dict) else range(len(found)):
            yield from nodes(found[key], (*path, key))


JUNK: st.SearchStrategy[Json] = st.sampled_from(
    [None, True, -1, 1.0, 10**30, "", "ROM3", "x" * 5000, [], [[]], {}, {"A": []}, ["ROM3"] * 500]
)
PHASES = ("deal", "setup", "play", "floor", "take", "reveal", "over")
STAGES = [next(p for p in walk(3, 3) if p.phase == phase).to_json() for phase in PHASES]
PLACES = [(stage, path) for stage in STAGES for path in nodes(stage) if path and path[:2] != ("edition", "cards")]


@given(st.sampled_from(PLACES), JUNK)
@settings(max_examples=150)
def test_junk_anywhere_in_a_position_is_refused_or_loaded(
    place: tuple[dict[str, Json], tuple[int | str, ...]], junk: Json
) -> None:
    """Junk anywhere in a position is refused in a short message, or the position prints as it was loaded."""
    stage, (*path, last) = place
    inner: Json = copy.deepcopy(stage)
    found = inner
    for key in path:
        inner = inner[key]
    inner[last] = junk
    refusal = None
    try:
        position = GAME.load(found)
    except Illegal as error:
        refusal = error
    if refusal is None:
        assert GAME.load(json.loads(json.dumps(position.to_json()))) == position
    else:
        assert refusal.code == "bad-position"
        assert len(refusal.message) < 1000


def test_options_may_be_left_out_of_a_position() -> None:
    found = begun(2).to_json()
    del found["options"]
    assert GAME.load(found) == begun(2)


# Views


def test_every_field_has_a_policy_and_no_other_field_is_printed() -> None:
    for position in walk(29, 3):
        printed = position.to_json()
        assert set(printed) <= {"game", "options", "edition", "seats"} | set(FIELDS)
        assert all(set(seat) == set(SEAT_FIELDS) for seat in printed["seats"])


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_view_shows_the_seats_hand_and_pile_and_the_top_of_the_others(viewer: int | None) -> None:
    for position in walk(31, 3):
        found = position.view(viewer)
        assert found["deck"] == len(position.deck)
        for seat, shown in enumerate(found["seats"]):
            pile, hand = position.played[seat], position.hands[seat]
            assert shown["hand"] == (list(hand) if seat == viewer else len(hand))
            assert shown["played"] == (list(pile) if seat == viewer or position.over else len(pile))
            assert shown["top"] == (pile[-1] if pile else None)


@pytest.mark.parametrize("viewer", [0, None])
def test_everybody_sees_open_pieces(viewer: int | None) -> None:
    """Everybody sees towers, market, supplies and tokens, and the number of cards in each hand, pile and the deck."""
    for position in walk(31, 3):
        whole, shown = position.to_json(), position.view(viewer)
        assert (shown["cities"], shown["market"]) == (whole["cities"], whole["market"])
        for open_, all_ in zip(shown["seats"], whole["seats"], strict=True):
            assert (open_["supply"], open_["tokens"]) == (all_["supply"], all_["tokens"])
        seats = [seat for number, seat in enumerate(shown["seats"]) if number != viewer]
        assert all(isinstance(seat["hand"], int) for seat in seats)
        assert all(isinstance(seat["played"], int) for seat in seats if not position.over)
        assert shown["deck"] == len(whole["deck"])


def test_option_open_heads_opens_the_piles() -> None:
    position = [position for position in walk(31, 3, open_heads=True) if position.phase == "play"][20]
    assert [seat["played"] for seat in position.view(None)["seats"]] == [list(pile) for pile in position.played]
    assert [seat["hand"] for seat in position.view(None)["seats"]] == [3, 3, 3]


def test_a_view_does_not_change_when_what_it_hides_is_permuted() -> None:
    rng = random.Random(1)
    for position in list(walk(37, 3))[20::7]:
        hidden = [*position.hands[1], *position.hands[2], *position.deck]
        rng.shuffle(hidden)
        one, two = len(position.hands[1]), len(position.hands[2])
        swapped = position.change(
            hands=(position.hands[0], tuple(sorted(hidden[:one])), tuple(sorted(hidden[one : one + two]))),
            deck=tuple(sorted(hidden[one + two :])),
        )
        assert swapped.view(0) == position.view(0)


# Layout


def test_the_layout_holds_each_of_the_55_cards_once() -> None:
    for seats in (2, 5):
        for position in walk(41, seats):
            layout = position.layout()
            found = [piece for zone in layout for piece in layout.pieces(zone)]
            assert sorted(found) == sorted(piece.id for piece in GAME.pieces.values() if piece.kind == "card")


def test_the_layout_says_where_the_cards_lie() -> None:
    position = do(board(hands=[["ROM3"], ["FIR3"]], market={"ROM": "VER1"}, deck=["PAR1"]), "play ROM3", "floor A")
    layout = position.layout().to_json()
    assert layout["marketROM"] == ["VER1"]
    assert layout["marketBOL"] == []
    assert layout["played0"] == ["ROM3"]
    assert layout["hand1"] == ["FIR3"]
    assert layout["deck"] == ["PAR1"]
    box = layout["box"]
    assert isinstance(box, list)
    assert len(box) == 7
    assert {f"market{city.id}" for city in CITIES[:-1]} < set(layout)


def test_names_are_kept() -> None:
    assert GAME.new(NAMES[:3]).names == NAMES[:3]
