"""Buttons that finish an action as OK does, and instructions that no camera can check."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.match.journal import Journal
from tabletop.match.match import Match, Step, Steps
from tabletop.messages import EMPTY, Message
from tabletop.referee.referee import Referee
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout
from tabletop.rules.look import Look
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.table.declaration import PalazzoTable
from tabletop.rules.table import ButtonMeaning, TableReading
from tests.referee.hands import Hands
from tests.rules.palazzo.board import auction

BUTTONS = {"bid": {"MONEY": ButtonMeaning("lays the bid", "quickly", finishes=True), **PalazzoTable.buttons["bid"]}}


@dataclass
class BiddingTable(PalazzoTable):
    """Palazzo with a MONEY button that lays a bid as OK does; it notes how its pieces were read."""

    buttons = BUTTONS
    asked: list[tuple[str | None, bool]] = field(default_factory=list)

    def read(self, position: Position, seen: Layout, intent: str | None, confirmed: bool) -> TableReading:
        self.asked.append((intent, confirmed))
        reading = self.readers[position.phase](Look(position, seen, intent, confirmed))
        return reading._replace(confirms=reading.confirms | {"MONEY"}) if reading.confirms else reading

    def news(self, before: Position, after: Position) -> Message:
        return Message("Turn the die.") if before.phase == after.phase == "bid" else EMPTY


@pytest.fixture
def bidding(started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch) -> tuple[Hands, Referee, BiddingTable]:
    """Seat 1 is to bid against a C3; its cards are on the table."""
    journal, match = started
    table = BiddingTable()
    monkeypatch.setattr(type(GAME), "table", table)
    position = auction({0: [["C3"]]}, hands=[["R5a"], ["R6a", "G7b"], ["N6a"]], seat=1)
    match = replace(match, steps=Steps([Step(match.events[0], position)]))
    hands = Hands(referee := Referee(match, journal, clock=lambda: 0.0))
    hands.tidy()
    hands.lay("R6a", "bid1")
    hands.show()
    return hands, referee, table


def test_a_button_that_finishes_confirms_what_is_laid_and_says_how(
    bidding: tuple[Hands, Referee, BiddingTable],
) -> None:
    """A button that finishes confirms the cards on the table; the reader is told its name, once."""
    hands, referee, table = bidding
    assert referee.snapshot.position.decider == 1
    hands.press("MONEY")
    assert referee.snapshot.events[-1].data["cards"] == ["R6a"]
    assert referee.snapshot.position.decider == 2
    assert ("quickly", True) in table.asked
    hands.show()
    assert table.asked[-1] == (None, False)


def test_ok_after_a_button_that_finishes_means_only_ok(bidding: tuple[Hands, Referee, BiddingTable]) -> None:
    """OK pressed after a button that no scene has answered counts as OK alone."""
    hands, referee, table = bidding
    referee.press(Press("MONEY", Kind.PRESS, 100.0))
    hands.press("OK")
    assert referee.snapshot.position.decider == 2
    assert ("quickly", True) not in table.asked


def test_the_buttons_that_would_finish_blink_slowly(bidding: tuple[Hands, Referee, BiddingTable]) -> None:
    """A button that finishes blinks slowly, and only while the pieces on the table make up an act."""
    hands, referee, _ = bidding
    assert referee.snapshot.signals["OK"] is referee.snapshot.signals["MONEY"] is Pattern.SLOW
    hands.take("R6a")
    hands.show()
    assert not {"OK", "MONEY"} & referee.snapshot.signals.keys()


def test_instructions_are_given_after_an_act_and_after_an_undo(
    bidding: tuple[Hands, Referee, BiddingTable],
) -> None:
    """Instructions that no camera can check are given after an act and after an undo, from the two positions."""
    hands, referee, _ = bidding
    hands.press("OK")
    assert [said.text for said in referee.snapshot.say if said.code == "news"] == ["Turn the die."]
    hands.press("UNDO")
    assert [said.code for said in referee.snapshot.say][:2] == ["undone", "news"]
