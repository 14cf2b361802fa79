"""Careless handling of cards and tiles of Palazzo: nothing uncertain is accepted, and a sentence helps."""

from __future__ import annotations

import pytest

from tabletop.referee.interpretation.interpret import Interpretation, beside_record, meaning
from tabletop.rules.layout import Arrangement, Columns, Layout, Spread
from tabletop.rules.palazzo.components import START_CERTIFICATE
from tabletop.rules.palazzo.game import GAME
from tabletop.rules.palazzo.phases.reasons import ZONE_RULES
from tabletop.rules.palazzo.position import PalazzoPosition
from tests.rules.palazzo.board import auction, lay

TAKING = lay(phase="take", row=["R5a", "N6a", "G7a"])
CLAIMING = lay(phase="claim", quarries=[["B1.2", "B2.1", "S3.2", "M4.2"], [], [], []], handout=[0, 1])
WON = lay(phase="place", pending=["B5.1"])


def found(position: PalazzoPosition, zone: str, *pieces: str) -> Interpretation:
    """Return how the referee reads the table with these pieces in a zone and all others as the record says."""
    return meaning(position, beside_record(position, Layout({zone: Spread(frozenset(pieces))})), None, confirmed=False)


@pytest.mark.parametrize("zone", ["bid0", "bid1", "discards", "quarry2", "table"])
def test_a_card_that_was_taken_but_lies_open_is_called_wrong(zone: str) -> None:
    """A card that left the row but lies open anywhere counts for nothing and is asked to go into the hand."""
    reading = found(TAKING, zone, "N6a")
    assert [(move.piece, move.lies, move.belongs) for move in reading.moves] == [("N6a", zone, "row")]
    assert (reading.acts, reading.waiting) == ((), "Take N6a into your hand, or put it back.")


def test_a_card_counts_as_taken_though_another_one_lies_open() -> None:
    """Of two cards that left the row the one in the hand counts; the one that lies open is asked for."""
    seen = beside_record(TAKING, Layout({"bid0": Spread(frozenset({"N6a"})), "row": Spread(frozenset({"G7a"}))}))
    reading = meaning(TAKING, seen, None, confirmed=False)
    assert [(act.action.do, act.action.to_json()["card"]) for act in reading.acts] == [("take", "R5a")]
    assert reading.waiting == "Take N6a into your hand, or put it back."


@pytest.mark.parametrize("card", ["R5a", "G7a"])
def test_a_card_of_a_hand_in_the_row_is_not_turned_up(card: str) -> None:
    """A card that was taken on a page and still lies in the row goes into its hand; those of the deck are turned up."""
    position = lay(phase="reveal", seat=None, hands=[["R5a"], ["G7a"]])
    reading = found(position, "row", card, "N3a")
    assert ([str(act.action) for act in reading.acts], reading.refused) == (["reveal N3a"], None)
    assert [(move.piece, move.lies) for move in reading.moves] == [(card, "row")]
    assert str(reading.waiting) == "Lay 2 more money cards in the row."


def test_cards_of_the_shuffled_discards_are_turned_up_after_the_last_ones_of_the_deck() -> None:
    """Their backs are alike, so the record's deck and discards alone tell which card came first."""
    rest = [card for card in lay().deck if card not in {"R7a", "G3a", "G4a"}]
    position = lay(phase="reveal", seat=None, hands=[rest, []], deck=["R7a"], discards=["G3a", "G4a"])
    assert [str(act.action) for act in found(position, "row", "G3a", "R7a").acts] == ["reveal R7a", "reveal G3a"]


def test_the_start_certificate_is_explained_by_what_it_is() -> None:
    """A start certificate that is not in the warehouse is explained by its own rule, not by that for tiles."""
    (certificate,) = found(TAKING, "table", START_CERTIFICATE).moves
    assert (certificate.belongs, str(certificate.rule)) == ("warehouse", str(ZONE_RULES[START_CERTIFICATE]))
    assert str(certificate.rule).startswith("Between auctions the start certificate lies in the warehouse;")
    assert str(GAME.table.rule("warehouse", "B1.2")) == str(ZONE_RULES["warehouse"])


def test_a_tile_bought_on_a_page_is_said_to_lie_in_the_warehouse() -> None:
    """Until it is taken from there, its player is told where it lies and what can be done with it."""
    text = "B5.1 lies in the warehouse: build it in your palazzi, or take it off the table and press OK to discard it."
    assert found(WON, "warehouse", "B5.1").waiting == text


@pytest.mark.parametrize("zone", ["quarry2", "bid0", "row", "seat1", "table"])
def test_a_tile_to_build_that_lies_elsewhere_is_asked_for(zone: str) -> None:
    """A won or claimed tile that lies neither in the seat's palazzi nor where it was won is asked to be built."""
    text = "{} lies outside your palazzi: build it there, or take it off the table and press OK to discard it."
    for position, tile in ((WON, "B5.1"), (CLAIMING, "B2.1")):
        reading = found(position, zone, tile)
        assert (reading.acts, reading.waiting) == ((), text.format(tile))
    assert not found(WON, "quarry1", "B5.1").waiting


EMPTY = Spread(frozenset())
LOST = lay(phase="place", pending=["B5.1"], palazzi=[["B1.2 S3.2", "M2.2", "S5.2"]])
"""A tile to be built by a seat whose palazzi end at floors 3, 2 and 5."""


@pytest.mark.parametrize(
    ("shown", "pieces"),
    [
        ([("S5.2",)], "M2.2 and S3.2 cannot be seen. If B5.1 is built on one of them"),
        ([("B1.2", "S3.2"), ("S5.2",)], "M2.2 cannot be seen. If B5.1 is built on it"),
        ([("B1.2",), ("M2.2",)], "S3.2 cannot be seen. If B5.1 is built on it"),
    ],
)
def test_a_tile_that_may_lie_on_a_hidden_palazzo_is_asked_about(shown: list[tuple[str, ...]], pieces: str) -> None:
    """A lone tile counts as a new palazzo only after OK while one on which it could stand is out of sight."""
    seen = beside_record(LOST, Layout({"seat0": Columns(frozenset([("B5.1",), *shown]))}))
    reading = meaning(LOST, seen, None, confirmed=False)
    assert (reading.acts, reading.confirms) == ((), frozenset({"OK"}))
    assert str(reading.question).startswith(pieces)
    assert [str(act.action) for act in meaning(LOST, seen, None, confirmed=True).acts] == ["place B5.1"]


def test_tiles_that_may_lie_together_on_a_hidden_palazzo_are_asked_about() -> None:
    """Of two tiles laid on one another the lower one is asked about, and neither counts before the answer."""
    position = lay(phase="place", pending=["B3.1a", "M4.2"], palazzi=[["M2.2"]])
    seen = beside_record(position, Layout({"seat0": Columns(frozenset({("B3.1a", "M4.2")}))}))
    reading = meaning(position, seen, None, confirmed=False)
    assert (reading.acts, reading.refused) == ((), None)
    assert str(reading.question).startswith("M2.2 cannot be seen. If B3.1a is built on it")
    acts = meaning(position, seen, None, confirmed=True).acts
    assert [str(act.action) for act in acts] == ["place B3.1a", "place M4.2 onto B3.1a"]


@pytest.mark.parametrize("shown", [("B5.1",), ("M2.2", "B5.1")])
def test_a_tile_that_can_lie_on_no_hidden_palazzo_counts_at_once(shown: tuple[str, ...]) -> None:
    """A tile on a palazzo in sight, or alone while only palazzi too high for it are hidden, needs no OK."""
    rest = {("B1.2", "S3.2"), ("M2.2",)} - {shown[:1]}
    seen = beside_record(LOST, Layout({"seat0": Columns(frozenset({shown, *rest}))}))
    assert len(meaning(LOST, seen, None, confirmed=False).acts) == 1


def test_an_ok_about_a_hidden_palazzo_discards_nothing() -> None:
    """The OK that makes one tile a new palazzo does not discard another one that is still in a hand."""
    position = lay(phase="place", pending=["B5.1", "M4.2"], palazzi=[["M2.2"]])
    seen = beside_record(position, Layout({"seat0": Columns(frozenset({("B5.1",)}))}))
    assert [str(act.action) for act in meaning(position, seen, None, confirmed=True).acts] == ["place B5.1"]


def test_the_ok_of_a_purchase_says_nothing_about_a_hidden_palazzo() -> None:
    """A purchase is accepted and its tile, laid while a palazzo is hidden, is asked about."""
    position = lay(phase="choose", hands=[["R5a", "R6a"]], palazzi=[["M2.2"]], warehouse=["B5.1"], drawn=["B5.1"])
    zones = Layout({"seat0": Columns(frozenset({("B5.1",)})), "bid0": Spread(frozenset({"R5a", "R6a"}))})
    reading = meaning(position, beside_record(position, zones), "buy", confirmed=True)
    assert [act.action.do for act in reading.acts] == ["buy"]
    assert "starts a new palazzo" in str(reading.question)


PAYING = lay(phase="choose", hands=[["R5a", "R6a"]], palazzi=[["M2.2", "S2.1"]], warehouse=["B5.1"], drawn=["B5.1"])
REBUILDING = lay(hands=[["R5a"]], palazzi=[["M2.2", "S4.1"]])
BIDDING = auction({0: [["C3"], ["N7a"]]}, hands=[[], ["R5a", "R6a"]], seat=1)
CARD, CARDS = Spread(frozenset({"R5a"})), Spread(frozenset({"R5a", "R6a"}))
TILE = Columns(frozenset({("M2.2", "S4.1")}))
PAY = "Put the cards you pay with in your bid zone, then press OK."


@pytest.mark.parametrize(
    ("position", "intent", "laid", "text"),
    [
        (PAYING, "buy", {}, "Take the tiles you buy out of the warehouse, then press OK."),
        (PAYING, "buy", {"warehouse": EMPTY}, PAY),
        (PAYING, None, {"bid0": CARD}, "Take the tiles you buy out of the warehouse, then press OK."),
        (
            PAYING,
            None,
            {"bid0": CARD, "warehouse": EMPTY},
            "Put the cards you pay with in your bid zone, then press OK.",
        ),
        (PAYING, None, {"bid0": CARDS, "warehouse": EMPTY}, "Press OK to buy."),
        (REBUILDING, "rebuild", {}, "To rebuild, put exactly one money card in your bid zone, then press OK."),
        (REBUILDING, "rebuild", {"bid0": CARD}, "Move exactly one of your palazzo tiles, then press OK."),
        (REBUILDING, None, {"bid0": CARD, "seat0": TILE}, "Press OK to rebuild."),
        (BIDDING, None, {"bid1": CARDS}, "Press OK to bid."),
        (BIDDING, None, {"bid1": CARD}, "Put the cards you add in your bid zone and press OK, or press PASS."),
    ],
)
def test_every_step_that_ends_with_ok_says_what_is_next(
    position: PalazzoPosition, intent: str | None, laid: dict[str, Arrangement], text: str
) -> None:
    """From its first button or card on, a purchase, rebuilding or bid says what is missing, else OK blinks."""
    reading = meaning(position, beside_record(position, Layout(laid)), intent, confirmed=False)
    assert (reading.acts, str(reading.waiting)) == ((), text)
    assert (reading.confirms == {"OK"}) == text.startswith("Press OK")
