"""A button that the same finger presses twice in a row counts once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.rules.layout import Layout, Spread
from tabletop.vision.scene import Cause, ReadBy, Scene, Sighting, Unreadable
from tests.referee.tables import table
from tests.referee.watched import Watched, playing
from tests.rules.palazzo.board import auction

BIDDING = auction({0: [["C3"]]}, hands=[["R5a"], ["R6a", "G7b"], ["N6a", "N7a"]], seat=1)
"""Seat 1 is to bid, then seat 2."""
CARD = Sighting("TT:BID2", 0.0, 0.0, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0, ReadBy.RECOGNISED)
UNREAD = Unreadable(Cause.UNKNOWN, place=(100.0, 20.0))
"""An unreadable spot on the bid card of seat 1, whose marker lies at the origin."""


def bids(*cards: str) -> Layout:
    """Return a layout in which seats 1 and 2 have laid these cards."""
    laid = {f"bid{seat}": Spread(frozenset(cards) & set(BIDDING.hands[seat])) for seat in (1, 2)}
    return Layout({**table(BIDDING), **laid})


def twice(watched: Watched, button: str, gap: float, layout: Layout, unread: tuple[Unreadable, ...] = ()) -> str:
    """Press a button twice, ``gap`` seconds apart, with a scene after each press; return what is announced."""
    for after in (0.0, gap):
        pressed = watched.time + 1 + after
        watched.referee.press(Press(button, Kind.PRESS, pressed))
        watched.referee.see(Scene(pressed + 0.1, 1, layout, (CARD,), unread))
    return " ".join(str(one.text) for one in watched.referee.snapshot.say)


@pytest.mark.parametrize(("gap", "acts"), [(0.3, ["pass"]), (1.0, ["pass", "pass"])])
def test_pass_that_is_pressed_twice_passes_for_one_seat(gap: float, acts: list[str], tmp_path: Path) -> None:
    """PASS pressed again too soon does not pass for the next seat, and it is said that it counted once."""
    position = auction({0: [["C3"]]}, hands=[["R5a"], ["R6a"], ["N6a"], ["G6a"]], seat=1)
    with playing(position, tmp_path) as watched:
        said = twice(watched, "PASS", gap, table(position))
        assert (watched.acts, "PASS was pressed twice" in said) == (acts, len(acts) == 1)


@pytest.mark.parametrize(("gap", "acts"), [(0.3, ["bid R6a"]), (1.0, ["bid R6a", "bid N6a+N7a"])])
def test_ok_that_is_pressed_twice_lays_the_bid_of_one_seat(gap: float, acts: list[str], tmp_path: Path) -> None:
    """OK pressed again too soon does not lay the bid of the next seat, whose cards lie there already."""
    with playing(BIDDING, tmp_path) as watched:
        watched.show(bids("R6a"))
        twice(watched, "OK", gap, bids("R6a", "N6a", "N7a"))
        assert watched.acts == acts


@pytest.mark.parametrize(("gap", "acts"), [(0.3, []), (1.0, ["bid R6a"])])
def test_ok_that_is_pressed_twice_answers_no_question(gap: float, acts: list[str], tmp_path: Path) -> None:
    """OK pressed again too soon does not answer the question about an unreadable spot, still unread."""
    with playing(BIDDING, tmp_path) as watched:
        watched.show(bids("R6a"))
        twice(watched, "OK", gap, bids("R6a"), (UNREAD,))
        assert watched.acts == acts


def test_each_ok_lays_one_of_three_bids_that_lie_there(tmp_path: Path) -> None:
    """Each OK lays one bid, even if the cards of three seats lie there: they lay there before the second seat began."""
    hands = [["R5a"], ["R6a"], ["N6a", "N7a"], ["G6a", "G5a"]]
    position = auction({0: [["C3"]]}, hands=hands, seat=1)
    laid = {"bid1": ["R6a"], "bid2": ["N6a", "N7a"], "bid3": ["G6a", "G5a"]}
    with playing(position, tmp_path) as watched:
        watched.press("OK")
        watched.show(Layout({**table(position), **{zone: Spread(frozenset(cards)) for zone, cards in laid.items()}}))
        assert watched.acts == ["bid R6a"]
        watched.press("OK")
        assert watched.acts == ["bid R6a", "bid N6a+N7a"]
