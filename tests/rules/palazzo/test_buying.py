"""Buy: one or two tiles of the warehouse, each for 10 minus the number of tiles there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.rules.game import Json
from tabletop.rules.layout import Columns, Layout, Spread
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.actions import Buy
from tabletop.rules.palazzo.position import PalazzoPosition
from tests.refusals import nearest_of
from tests.rules.palazzo.board import do, lay, of, why

FOUR = ["B1.1", "S1.2", "M1.3", "B3.1a"]


def choosing(
    warehouse: Sequence[str] = FOUR,
    hand: Sequence[str] = ("R5a", "R7a", "N6a", "C2a", "R3a"),
    drawn: Sequence[str] | None = None,
    **more: Json,
) -> PalazzoPosition:
    return lay(
        phase="choose",
        hands=[list(hand)],
        warehouse=list(warehouse),
        drawn=[warehouse[-1], *([] if drawn is None else drawn)] if warehouse else ["E1"],
        **({} if warehouse else dict[str, Json](end_tiles=["E1"])),
        **more,
    )


def test_worked_example_2_four_tiles_cost_6_each_two_for_12_and_15_may_be_paid() -> None:
    position = choosing()
    assert position.price == 6
    assert why(position, "buy B1.1+S1.2 pay R5a+R7a") is None
    assert why(position, "buy B1.1+S1.2 pay R5a+R7a+R3a") is None
    assert why(position, "buy B1.1 pay N6a") is None
    assert why(position, "buy B1.1+S1.2 pay R7a+R3a") == "too-little"


def test_the_payment_is_discarded_no_change_is_given_and_the_tiles_are_placed_now() -> None:
    position = do(choosing(), "buy B1.1+S1.2 pay R5a+R7a+R3a")
    assert set(position.discards) == {"R5a", "R7a", "R3a"}
    assert position.hands[0] == ("C2a", "N6a")
    assert (position.warehouse, position.pending) == (("M1.3", "B3.1a"), ("B1.1", "S1.2"))
    assert (position.phase, position.decider) == ("place", 0)
    assert "drawn" not in position.to_json()


def test_the_tile_just_placed_may_be_bought() -> None:
    assert why(choosing(), "buy B3.1a pay R7a") is None


def test_the_price_is_never_below_0_and_then_the_empty_payment_is_legal() -> None:
    many = lay().unseen[0][:11]
    position = choosing(many, hand=["R3a"])
    assert position.price == 0
    assert why(position, f"buy {many[0]} pay -") is None
    assert why(position, f"buy {many[0]} pay R3a") is None
    assert of(position.legal.thrifty(), "buy") == of(
        [a for a in position.legal if isinstance(a, Buy) and not a.pay], "buy"
    )


def test_option_min_price_1_is_per_tile() -> None:
    many = lay().unseen[0][:11]
    position = choosing(many, hand=["R3a"], options={"min_price": 1})
    assert position.price == 1
    assert why(position, f"buy {many[0]} pay -") == "too-little"


def test_option_price_basis_start_of_turn_does_not_count_the_new_tile() -> None:
    assert choosing(options={"price_basis": "start_of_turn"}).price == 7
    position = lay(
        phase="choose", warehouse=FOUR, end_tiles=["E1"], drawn=["E1"], options={"price_basis": "start_of_turn"}
    )
    assert position.price == 6


@pytest.mark.parametrize(("basis", "price"), [("start_of_buy", 5), ("start_of_turn", 6)])
def test_the_price_after_build_is_known_before_it(basis: str, price: int) -> None:
    """The price after Build is known before it; with ``start_of_turn`` the new tile does not count."""
    assert lay(warehouse=FOUR, options={"price_basis": basis}).price_after_build == price
    drawn = [tile for tile in lay().unseen[0] if tile not in FOUR][:1]
    after = lay(phase="choose", warehouse=[*FOUR, *drawn], drawn=drawn, options={"price_basis": basis})
    assert after.price == price


def test_with_an_empty_warehouse_only_an_auction_is_legal() -> None:
    position = choosing([])
    assert [action.do for action in position.legal] == ["auction"]
    assert why(position, "buy B1.1 pay R7a") == "not-in-warehouse"


def test_with_no_payment_that_suffices_buying_is_not_legal() -> None:
    assert of(choosing(hand=["R5a"]).legal, "buy") == []


def test_the_listing_is_every_choice_of_tiles_with_every_payment_that_suffices() -> None:
    hand = ["R5a", "R5b", "N6a", "C2a"]
    listed = of(choosing(hand=hand).legal, "buy")
    single = ["C2a+R5a", "R5a+R5b", "C2a+R5a+R5b", "N6a", "C2a+N6a"]
    double = ["C2a+R5a+R5b"]
    tiles = ["B1.1", "S1.2", "M1.3", "B3.1a"]
    pairs = ["B1.1+S1.2", "B1.1+M1.3", "B1.1+B3.1a", "M1.3+S1.2", "B3.1a+S1.2", "B3.1a+M1.3"]
    assert listed == sorted(
        [f"buy {tile} pay {pay}" for tile in tiles for pay in single]
        + [f"buy {pair} pay {pay}" for pair in pairs for pay in double]
    )


def test_twins_in_the_warehouse_are_copies() -> None:
    position = choosing(["B3.1a", "B3.1b", "S1.1"], hand=["R7a"])
    assert len(of(position.legal, "buy")) == 2
    assert why(position, "buy B3.1a pay R7a") is None is why(position, "buy B3.1b pay R7a")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("buy B1.2 pay R7a", "not-in-warehouse"),
        ("buy B1.1+B1.1 pay R5a+R7a", "not-in-warehouse"),
        ("buy R7a pay R7a", "not-in-warehouse"),
        ("buy B1.2+B1.1+S1.2 pay G3a", "not-in-warehouse"),
        ("buy B1.1+M1.3+S1.2 pay G3a", "too-many-tiles"),
        ("buy B1.1 pay G3a", "not-in-hand"),
        ("buy B1.1 pay R7a+R7a", "not-in-hand"),
        ("buy B1.1 pay C3", "not-in-hand"),
        ("buy B1.1 pay G3a+N6a+R7a", "not-in-hand"),
        ("buy B1.1 pay N6a+R7a", "mixed-currencies"),
        ("buy B1.1+S1.2 pay N6a+R3a", "mixed-currencies"),
        ("buy B1.1 pay R5a", "too-little"),
        ("buy B1.1 pay -", "too-little"),
    ],
)
def test_refusals_come_in_the_order_tile_number_hand_reading_amount(line: str, code: str) -> None:
    assert why(choosing(), line) == code


def test_a_payment_too_small_is_refused_with_the_numbers_and_what_would_help() -> None:
    position = choosing()
    reason = position.refusal(GAME.parse("buy B1.1 pay R5a"))
    assert reason is not None
    assert (reason.facts["needed"], reason.facts["value"], reason.facts["short"]) == (6, 5, 1)
    assert reason.message == "6 is needed (1 × 6); the cards make 5, 1 short: add a certificate or R3 or R7."
    assert GAME.format(nearest_of(reason)) == "buy B1.1 pay C2a+R5a"
    reason = position.refusal(GAME.parse("buy B1.1+S1.2 pay C2a"))
    assert reason is not None
    assert reason.message == "12 is needed (2 × 6); the cards make 2, 10 short."
    assert GAME.format(nearest_of(reason)) == "buy B1.1+S1.2 pay C2a+R3a+R7a"


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("buy B1.1 pay R5b", "buy B1.1 pay N6a"),
        ("buy B1.1 pay N4a+R3a", "buy B1.1 pay R3a+R5a"),
        ("buy B1.1 pay -", "buy B1.1 pay N6a"),
        ("buy B1.1+S1.2 pay N6a+R7a", "buy B1.1+S1.2 pay R5a+R7a"),
    ],
)
def test_the_refusal_of_a_payment_names_the_nearest_legal_one(line: str, nearest: str) -> None:
    position = choosing()
    reason = position.refusal(GAME.parse(line))
    assert reason is not None
    assert GAME.format(nearest_of(reason)) == nearest
    assert reason.nearest in position.legal


def test_option_certificates_alone_false_wants_a_card_of_a_currency_with_a_loose_certificate() -> None:
    hand = ["C2a", "C2b", "C2c", "C2d", "R3a"]
    strict = {"certificates_alone": False}
    position = choosing(hand=hand, options=strict)
    assert why(position, "buy B1.1 pay C2a+C2b+C2c+C2d") == "not-a-payment"
    assert why(position, "buy B1.1 pay C2a") == "not-a-payment"
    assert why(position, "buy B1.1 pay C2a+C2b+C2c") is None
    assert why(position, "buy B1.1 pay C2a+C2b+R3a") is None
    assert why(choosing(hand=hand), "buy B1.1 pay C2a+C2b+C2c+C2d") is None


def test_a_palazzo_on_which_a_bought_tile_lies_is_under_way_until_the_purchase_is_confirmed() -> None:
    position = choosing(palazzi=[["S2.2 M3.3", "B2.1"]])
    grown = Columns(frozenset({("B1.1", "S2.2", "M3.3"), ("B2.1",)}))
    seen = Layout({**position.layout(), "warehouse": Spread(frozenset(FOUR[1:])), "seat0": grown})
    reading = GAME.table.read(position, seen, "buy", False)
    assert reading.actions == ()
    assert reading.underway == {"B1.1", "S2.2", "M3.3"}
