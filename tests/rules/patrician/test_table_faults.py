"""Careless handling of cards and floors: nothing uncertain is accepted, and a sentence helps."""

from __future__ import annotations

import pytest

from tabletop.referee.interpretation.interpret import Interpretation, meaning
from tabletop.rules.game import Json
from tabletop.rules.layout import Layout, Pile
from tabletop.rules.patrician.game import GAME
from tabletop.rules.patrician.position import PatricianPosition
from tests.rules.patrician.board import board, do
from tests.rules.patrician.test_table import FLOORS, ROMA, TABLE, TAKING, acts, found, on_a_table, seen

__all__ = ["on_a_table"]

MOVING = do(
    board(hands=[["ROM7"]], market={"ROM": "VER2"}, towers={"BOL": ("bw", "r"), "LUC": ("w", "")}),
    "play ROM7",
    "floor A",
)
REFILLING = do(
    board(hands=[["ROM3"]], market={"BOL": "VER1", "ROM": "VER2"}, deck=["PAR1", "PAR2"]),
    "play ROM3", "floor A", "take VER2",
)  # fmt: skip


def astray(reading: Interpretation) -> list[tuple[str, str, str]]:
    """Return the pieces that have to be moved: piece, where it lies, where it belongs."""
    return [(move.piece, move.lies, move.belongs) for move in reading.moves]


def test_one_crest_builds_one_floor_though_both_sites_grew() -> None:
    """If both sites grew for a card with one crest, one floor counts and the other has to be taken away."""
    both = found(FLOORS, siteROMA="b", siteROMB="b")
    assert acts(both) == ["floor A"]
    assert astray(both) == [("black", "siteROMB", "")]


def test_a_floor_on_a_city_that_is_full_is_asked_about() -> None:
    """A floor on a full city is asked about, and the question says where the card builds."""
    position = do(board(hands=[["ROM3"], ["FIR3"]], market={"ROM": "VER2"}, towers={"FER": ("bbw", "ww")}), "play ROM3")
    full = found(position, siteFERA="bbwb")
    assert (acts(full), full.question) == ([], "ROM3 builds in Roma.")


def test_a_card_turned_up_beside_the_wrong_city_does_not_count() -> None:
    """A card beside the wrong city does not count; one turned up in the right place does."""
    wrong = found(REFILLING, marketBOL=["VER1", "PAR1"])
    assert (acts(wrong), wrong.waiting) == ([], "Turn up a card and put it beside Roma.")
    two = found(REFILLING, marketBOL=["VER1", "PAR1"], marketROM=["PAR2"])
    assert acts(two) == ["reveal PAR2"]
    assert astray(two) == [("PAR1", "marketBOL", "deck")]


def test_a_floor_moves_within_its_city_only() -> None:
    """A floor moves within its city only; one moved back at once is to be put where it was moved."""
    away = found(MOVING, siteBOLA="b", siteLUCA="ww")
    assert (acts(away), away.waiting) == ([], "Move the top floor of a tower, or press PASS.")
    back = found(do(MOVING, "move BOL from A"), siteBOLA="bw", siteBOLB="r")
    assert (acts(back), astray(back)) == ([], [("white", "siteBOLA", "siteBOLB")])


def test_of_two_moved_floors_neither_counts() -> None:
    """Of two floors that were moved neither counts, since only one may be."""
    towers = {"BOL": ("bw", "r"), "LUC": ("bw", "")}
    moving = do(board(hands=[["ROM7"]], market={"ROM": "VER2"}, towers=towers), "play ROM7", "floor A")
    assert acts(found(moving, siteLUCA="b", siteLUCB="w")) == ["move LUC from A"]
    both = found(moving, siteBOLA="b", siteBOLB="rw", siteLUCA="b", siteLUCB="w")
    assert (acts(both), both.question) == ([], "Only the top floor of a tower is moved; put the others back.")


def test_floors_that_were_not_laid_do_not_count_as_moved() -> None:
    """Floors that the record has and nobody laid are asked for one by one; some seen elsewhere were moved wrongly."""
    unlaid = found(MOVING, siteBOLA="")
    assert (acts(unlaid), unlaid.question) == ([], "")
    assert astray(unlaid) == [("black", "", "siteBOLA"), ("white", "", "siteBOLA")]
    wrong = found(MOVING, siteBOLA="", siteBOLB="rbw")
    assert wrong.question == "Only the top floor of a tower is moved; put the others back."


def test_the_order_of_a_pile_does_not_matter() -> None:
    """The order of a pile's cards does not matter."""
    position = board(hands=[["ROM3"], ["FIR3"]], played=[["BOL3", "BOL4"]])
    other = meaning(position, Layout({**seen(position), "played0": Pile(("BOL4", "BOL3"))}), None, confirmed=False)
    assert not acts(other)
    assert not other.moves


def test_wooden_floors_instead_of_printed_ones_are_entered_and_missed_by_colour() -> None:
    """Wooden floors at a table set up for printed ones are entered by button and asked for by colour."""
    unseen = found(FLOORS)
    assert (acts(unseen), unseen.waiting) == ([], "Place one floor in Roma.")
    assert TABLE.button(FLOORS, "MONEY") == GAME.parse("floor A")
    assert astray(found(TAKING, siteROMA="")) == [("black", "", "siteROMA")]


OWN_FOOT = do(board(hands=[["ROM3"]], market={"ROM": "VER2"}, towers={"ROM": ("b", "")}), "play ROM3")
"""Ann (black) builds one floor in Roma, where she has the lowest floor of a tower, and moves none."""


def test_a_column_that_is_pushed_over_to_the_other_site_builds_nothing() -> None:
    """A column pushed over to the other site builds nothing and is to be pushed back; one more floor on it counts."""
    pushed = found(OWN_FOOT, siteROMA="", siteROMB="b")
    assert (acts(pushed), pushed.waiting) == ([], "Place one floor in Roma.")
    assert astray(pushed) == [("black", "siteROMB", "siteROMA")]
    more = found(OWN_FOOT, siteROMA="", siteROMB="bb")
    assert acts(more) == ["floor B"]
    assert astray(more) == [("black", "siteROMB", "siteROMA")]


def test_a_column_of_two_that_is_pushed_over_is_named_floor_by_floor() -> None:
    """A column of two floors pushed over is named floor by floor and read neither as building nor as a move."""
    high = do(board(hands=[["ROM7"]], market={"ROM": "VER2"}, towers={"ROM": ("bw", "")}), "play ROM7")
    for phase in (high, board(hands=[["ROM7"]], market={"ROM": "VER2"}, towers={"ROM": ("bw", "")})):
        pushed = found(phase, siteROMA="", siteROMB="bw")
        assert (acts(pushed), pushed.question) == ([], "")
        assert astray(pushed) == [("black", "siteROMB", "siteROMA"), ("white", "siteROMB", "siteROMA")]


def test_of_two_new_floors_that_lie_exactly_on_each_other_one_counts_until_the_other_is_seen() -> None:
    """Of two new floors exactly on top of each other one counts; the other one counts, or is wrong, once it is seen."""
    two = do(board(hands=[["ROM1"]], market={"ROM": "VER2"}), "play ROM1")
    first = found(two, siteROMA="b")
    assert (acts(first), first.waiting) == (["floor A"], "Place one floor in Roma.")
    assert acts(found(do(two, "floor A"), siteROMA="bb")) == ["floor A"]
    assert astray(found(TAKING, siteROMA="bb")) == [("black", "siteROMA", "")]


def test_a_floor_that_hides_another_one_exactly_is_asked_for_after_a_restart() -> None:
    """A floor hidden exactly by another one since a restart is asked for by its colour, and nothing is read."""
    position = do(board(hands=[["ROM3"]], market={"ROM": "VER2"}, towers={"ROM": ("bb", "")}), "play ROM3")
    hidden = found(position, siteROMA="b")
    assert (acts(hidden), hidden.waiting) == ([], "Place one floor in Roma.")
    assert astray(hidden) == [("black", "", "siteROMA")]


def test_a_sleeve_that_shows_two_tags_counts_for_neither_card() -> None:
    """A sleeve that shows two tags counts for neither card: it is asked about, or seen as a card too many."""
    played = found(board(hands=[["ROM3", "BOL7"]]), played0=["ROM3", "BOL7"])
    assert (acts(played), played.question) == ([], "Only one card is played; take the others back.")
    turned_up = found(do(REFILLING), marketROM=["PAR1", "PAR2"])
    assert (acts(turned_up), turned_up.question) == ([], "Only one card lies beside Roma; put the others back.")
    shown = found(GAME.new(["Ann", "Bob"]), show0=["ROM1", "ROM2", "ROM3", "ROM4"])
    assert (acts(shown), shown.waiting) == ([], "Ann: show your three start cards beside your pile (4 of 3 seen).")


@pytest.mark.parametrize("position", [FLOORS, MOVING, TAKING, ROMA], ids=lambda position: position.phase)
def test_a_market_card_that_lies_elsewhere_than_in_a_hand_is_called_wrong(position: PatricianPosition) -> None:
    """A market card on a pile, where another seat shows cards, or beside another city is called wrong at any step."""
    for zone in ("played1", "show1", "marketFER", "table"):
        laid: dict[str, Json] = {"marketROM": "", zone: ["VER2"]}
        assert astray(found(position, **laid)) == [("VER2", zone, "marketROM")]


def test_a_card_that_is_taken_too_soon_may_be_shown_beside_the_pile() -> None:
    """A market card that is taken before the floors are placed may lie in a hand or beside the seat's pile."""
    assert not astray(found(FLOORS, marketROM=""))
    assert not astray(found(FLOORS, marketROM="", show0=["VER2"]))


def test_a_card_to_take_that_lies_on_the_table_is_to_go_into_the_hand() -> None:
    """Once a card is to be taken, one that lies open on the table is asked to go into the hand."""
    laid = found(TAKING, marketROM="", table=["VER2"])
    assert (acts(laid), laid.waiting) == ([], "Take VER2 into your hand, or put it back.")
