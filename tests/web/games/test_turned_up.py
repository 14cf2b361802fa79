"""The seat on turn enters a piece that was turned up, from a list that reveals nobody's hand."""

from __future__ import annotations

import random
import re

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.chance_actions import Reveal
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Position
from tabletop.rules.registry import game
from tabletop.rules.secrecy import known_pieces
from tabletop.web.games import ui_of


def awaiting(name: str, word: str, first: int = 0) -> Position:
    """Return a position in the middle of a game in which a piece whose id begins with a word has to be turned up.

    ``first``: the number of the earliest action.
    """
    rng, position = random.Random(2), game(name).new(list(NAMES))
    for number in range(400):
        legal = [*position.legal]
        if (
            number >= first
            and position.decider is None
            and position.phase == "reveal"
            and str(legal[0].to_json()["piece"]).startswith(word)
        ):
            return position
        position = position.after(rng.choice(legal))
    raise AssertionError("nothing was turned up")


def exchanged(position: Position, seat: int) -> Position:
    """Return the position with a piece of another hand swapped with a hidden one."""
    data = position.to_json()
    pool = data["deck"] if "deck" in data else data["coins"]
    hand = next(one["hand"] for number, one in enumerate(data["seats"]) if number != seat and one["hand"])
    hand[0], pool[0] = pool[0], hand[0]
    return position.game.load(data)


def uncovered(position: Position, seat: int) -> Position:
    """Return the position with a covered card of another pile swapped with one of its kind in the deck."""
    data = position.to_json()
    faces, deck = data["edition"]["cards"], data["deck"]
    for number, one in enumerate(data["seats"]):
        for under, card in enumerate(one["played"][:-1]):
            for at, other in enumerate(deck):
                if number != seat and card[:3] == other[:3] and faces[card]["crests"] == faces[other]["crests"]:
                    one["played"][under], deck[at] = other, card
                    return position.game.load(data)
    raise AssertionError("no card can be exchanged")


def offered(position: Position, seat: int | None) -> list[str]:
    """Return the pieces that the page of a seat, or of the host, offers as turned up."""
    pages = Pages(MemoryTable(position.game, NAMES, seed=None), press=None)
    pages.mailbox.become(position)
    page = pages.phone(host=True).get("/host") if seat is None else pages.phone(seat).get("/seat")
    form = re.search(r'<form [^>]*data-act="reveal".*?</form>', page.text, re.DOTALL)
    pages.close()
    return re.findall(r'value="(\w+)"', form.group()) if form else []


@pytest.mark.parametrize(("name", "word"), [("patrician", ""), ("piecepack", "T"), ("piecepack", "D")])
def test_the_seat_whose_turn_it_is_tells_what_was_turned_up(name: str, word: str) -> None:
    """The list has every piece that may come, is on no other page, and does not depend on other hands."""
    position = awaiting(name, word)
    seat, other = position.active, (position.active + 1) % len(NAMES)
    there = offered(position, seat)
    assert {str(action.to_json()["piece"]) for action in position.legal} <= set(there)
    assert offered(position, other) == []
    assert offered(exchanged(position, seat), seat) == there


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_only_the_seat_that_turns_something_up_is_told_to(name: str) -> None:
    """The pages of the others and the television name the seat that has to turn a piece up."""
    beginning = play_random_game(game(name), 4, len(NAMES)).positions[:40]
    for position in (one for one in beginning if one.phase in ("setup", "reveal")):
        ui = ui_of(position.game)
        assert ui.waiting(position, True, "Anna", 0).startswith("Turn up")
        assert ui.waiting(position, False, "Anna", 0).startswith("Anna turns up")


@pytest.mark.parametrize("who", ["seat", "host"])
def test_what_may_have_been_turned_up_reveals_no_covered_card(who: str) -> None:
    """The list treats covered cards of other piles as cards that may come."""
    position = awaiting("patrician", "", first=100)
    seat = position.active if who == "seat" else None
    there = offered(position, seat)
    assert there
    assert offered(uncovered(position, position.active), seat) == there


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_what_lies_open_is_not_offered(name: str) -> None:
    """A piece that lies open, such as a card that was paid, is offered only if it can come up again."""
    checked = 0
    for position in play_random_game(game(name), 4, len(NAMES)).positions:
        if position.decider is None and position.phase == "reveal":
            offers = set(ui_of(position.game).turned_up(position, position.active))
            for piece in offers & known_pieces(position, position.active):
                assert Reveal(piece) in position.legal
            checked += bool(position.to_json().get("discards"))
    assert checked or name == "patrician"
