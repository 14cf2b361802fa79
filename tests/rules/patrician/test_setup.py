"""Setup: the deal, the market, the supplies, who begins."""

from __future__ import annotations

import random
from math import comb

import pytest

from tabletop.rules.game import Illegal, Json
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import CARDS, cards, cities
from tabletop.rules.patrician.edition import synthetic_edition
from tests.rules.patrician.board import NAMES, begun, do, legal, refused, walk


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_three_start_cards_are_dealt_to_each_seat_in_order(seats: int) -> None:
    position = GAME.new(NAMES[:seats])
    stars = sum(synthetic_edition().faces[card].start for card in cards(seats))
    for seat in range(seats):
        assert position.phase == "deal"
        assert position.decider is None
        options = list(position.legal)
        assert len(set(options)) == comb(stars - 3 * seat, 3)
        assert {action.to_json()["seat"] for action in options} == {seat}
        position = position.after(options[0])
    assert position.phase == "setup"
    assert all(synthetic_edition().faces[card].start for hand in position.hands for card in hand)


def test_the_rest_of_the_start_cards_goes_into_the_deck() -> None:
    position = do(GAME.new(NAMES[:2]), "deal 0 BOL3+BOL4+FIR3", "deal 1 FIR4+LUC3+MIL3")
    assert {"ROM3", "ROM4", "SIE3", "FER2", "PAR2", "VER2"} <= set(position.deck)
    assert len(position.deck) == 48 - 6


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_fewer_than_five_seats_leave_pistoia_in_the_box(seats: int) -> None:
    for position in (GAME.new(NAMES[:seats]), begun(seats)):
        assert "PIS" not in position.to_json()["cities"]
        assert "PIS" not in position.to_json()["market"]
        assert position.layout().pieces("box") == {card for card in CARDS if card.startswith("PIS")}
        assert not any(card.startswith("PIS") for card in position.deck)


def test_five_seats_play_with_pistoia() -> None:
    position = begun(5)
    assert list(position.to_json()["cities"])[-1] == "PIS"
    assert position.layout().pieces("box") == frozenset()


@pytest.mark.parametrize("seats", [2, 5])
def test_one_market_card_is_laid_beside_each_city_in_order_whatever_city_it_shows(seats: int) -> None:
    rng = random.Random(3)
    position = GAME.new(NAMES[:seats])
    while position.phase == "deal":
        position = position.after(GAME.draw(position, rng))
    laid = []
    for city in cities(seats):
        assert position.phase == "setup"
        assert len(list(position.legal)) == len(position.deck)
        laid.append(GAME.draw(position, rng).to_json()["piece"])
        position = position.after(position.game.parse(f"reveal {laid[-1]}"))
        assert position.to_json()["market"][city.id] == laid[-1]
    assert position.phase == "play"
    assert any(card[:3] != city.id for card, city in zip(laid, cities(seats), strict=True))


def test_supplies_and_colours_follow_the_number_of_seats() -> None:
    for seats, supply in {2: 39, 3: 29, 4: 21, 5: 21}.items():
        found = GAME.new(NAMES[:seats]).to_json()["seats"]
        assert [seat["supply"] for seat in found] == [supply] * seats
        assert [seat["colour"] for seat in found] == ["black", "white", "red", "yellow", "blue"][:seats]


def test_the_first_seat_is_a_setting() -> None:
    assert begun(3).decider == 0
    position = begun(3, first_seat=2)
    assert position.decider == 2
    seen = [p.active for p in walk(1, 3, first_seat=2) if p.phase == "play"]
    assert seen[:4] == [2, 0, 1, 2]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("deal 1 BOL3+BOL4+FIR3", "not-your-turn"),
        ("deal 0 BOL3+BOL4", "bad-request"),
        ("deal 0 BOL3+BOL4+BOL4", "not-in-pool"),
        ("deal 0 BOL1+BOL3+BOL4", "not-in-pool"),
        ("deal 0 BOL3+BOL4+PIS3", "not-in-pool"),
        ("reveal BOL3", "wrong-phase"),
        ("play BOL3", "wrong-phase"),
    ],
)
def test_a_wrong_deal_is_refused(line: str, code: str) -> None:
    assert refused(GAME.new(NAMES[:3]), line).code == code


def test_a_card_dealt_before_cannot_be_dealt_or_turned_up() -> None:
    position = do(GAME.new(NAMES[:2]), "deal 0 BOL3+BOL4+FIR3")
    assert refused(position, "deal 1 BOL3+LUC3+MIL3").code == "not-in-pool"
    position = do(position, "deal 1 FIR4+LUC3+MIL3")
    assert refused(position, "reveal BOL3").code == "not-in-pool"
    assert "reveal BOL3" not in legal(position)


@pytest.mark.parametrize("seats", [[], ["A"], list("ABCDEF"), ["A", 3], ["A", "x" * 201]])
def test_wrong_seats_are_refused(seats: Json) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.new(seats)
    assert refusal.value.code == "bad-request"


@pytest.mark.parametrize(
    "options",
    [
        {"first_seat": 3},
        {"first_seat": True},
        {"first_seat": "0"},
        {"open_heads": 1},
        {"move_may_empty_site": None},
        {"x": 1},
        [1],
    ],
)
def test_unknown_options_and_values_are_refused(options: Json) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.new(NAMES[:3], options)
    assert refusal.value.code == "bad-request"


def test_all_options_are_printed_with_their_defaults() -> None:
    assert GAME.new(NAMES[:2]).to_json()["options"] == {
        "first_seat": 0,
        "move_may_empty_site": True,
        "open_heads": False,
    }
    assert {name: values[0] for name, values in GAME.options.items()} == GAME.new(NAMES[:2]).to_json()["options"]
