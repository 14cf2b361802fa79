"""Where the program moves the hands, people are not asked to do with theirs what they cannot touch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from doubles.memory_table import MemoryTable
from doubles.positions import NAMES
from tabletop.messages import Message, SeatRef, join
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.referee.messages import passed_on, say
from tabletop.referee.snapshot import Said
from tabletop.rules.registry import game
from tabletop.web.games import ui_of
from tabletop.web.i18n import in_language
from tabletop.web.views.prompts import prompts

DIE = Message("{name}: turn your die to {face}.", name=SeatRef(1, NAMES[1]), face=4)


def told(name: str, *said: Said, simulated: bool, **more: Any) -> list[str]:
    """Return the sentences that a phone, or a page with ``more`` facts, shows for what the referee says in a game."""
    snapshot = replace(MemoryTable(game(name), NAMES).snapshot, say=said)
    facts = {"seat": 0, "simulated": simulated, **more}
    with in_language("en"):
        return [text for _kind, text in prompts(snapshot, ui=ui_of(game(name)), names=NAMES, **facts)]


def test_a_die_that_nobody_can_turn_is_named_as_it_stands() -> None:
    """At a simulated table the news says what a die shows, at a real one that it has to be turned."""
    said = passed_on("news", join([DIE, Message("Paid exactly: one more action.")]))
    assert told("piecepack", said, simulated=True) == [f"{NAMES[1]}’s die now shows 4. Paid exactly: one more action."]
    assert told("piecepack", said, simulated=False) == [
        f"{NAMES[1]}: turn your die to 4. Paid exactly: one more action."
    ]


def test_after_an_undo_nobody_is_asked_to_put_back_what_simulated_hands_put_back() -> None:
    """At a simulated table an undo is said without the request to put the pieces back."""
    undone = say("undone", what="the deal")
    assert told("palazzo", undone, simulated=True) == ["Undone: the deal."]
    assert told("palazzo", undone, simulated=False) == ["Undone: the deal. Put the pieces back as they were."]
    tokens = passed_on("news", Message("{city} is no longer complete: put its tokens back.", city="Roma"))
    assert told("patrician", tokens, simulated=True) == ["Roma is no longer complete: its tokens go back."]


def test_a_seat_is_not_told_what_the_table_waits_for_from_hands_that_are_not_its_own() -> None:
    """At a simulated table a phone does not say which piece to lay, because its choices do."""
    waiting = passed_on("waiting", Message("Put a card on your pile."))
    assert told("patrician", waiting, simulated=True) == []
    assert told("patrician", waiting, simulated=False) == ["Put a card on your pile."]


def test_pages_that_show_simulated_hands_ask_nobody_to_lay_pieces() -> None:
    """They send a person who pressed a button of the panel to the page of the seat, where the choice is."""
    waiting = passed_on("waiting", Message("Take the tiles you buy out of the warehouse, then press OK."))
    at = MemoryTable(game("palazzo"), NAMES).snapshot.position.decider
    assert at is not None
    shown = partial(told, "palazzo", waiting, simulated=True, seat=None, watched=True)
    assert shown() == shown(choosing={at + 1}) == []
    assert shown(choosing={at}) == [f"{NAMES[at]}: choose on your page; the simulated hands lay the pieces."]


def test_a_seat_that_shows_coins_is_not_asked_for_cards() -> None:
    """A seat whose coins still lie where it showed them is asked to take up what it showed."""
    snapshot = replace(MemoryTable(game("piecepack"), NAMES).snapshot, todo=(PieceMove("DM1", "pay1", "hand1"),))
    with in_language("en"):
        asked = prompts(snapshot, 0, ui_of(game("piecepack")), NAMES)
    assert [text for _kind, text in asked][-1] == f"{NAMES[1]}: take what you showed into your hand."


def test_the_next_game_of_a_demo_is_begun_as_its_panel_does_it() -> None:
    """A short OK begins no game, also on the demo page: its line says to hold OK, as that of a real table does."""
    snapshot = MemoryTable(game("palazzo"), NAMES).snapshot
    for simulated in (False, True):
        with in_language("en"):
            lines = prompts(snapshot, None, ui_of(game("palazzo")), NAMES, simulated=simulated, again=True)
        assert any("hold OK on the" in text for _kind, text in lines)
