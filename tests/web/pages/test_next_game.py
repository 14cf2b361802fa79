"""After a game, on a phone: play again with the same people, who may swap seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.messages import Declined, Message
from tabletop.rules.palazzo import GAME
from tabletop.web.seating.seating import Person


@pytest.fixture
def begun() -> list[list[Person]]:
    return []


@pytest.fixture
def over(mailbox: MemoryTable, begun: list[list[Person]]) -> Pages:
    def begin(people: Sequence[Person], _options: Mapping[str, Any]) -> None:
        begun.append(list(people))

    pages = Pages(mailbox, begin=begin)
    mailbox.become(phases()["over"])
    return pages


def test_a_seat_begins_the_next_game_with_the_same_people(over: Pages, begun: list[list[Person]]) -> None:
    assert over.phone().post("/seat/next", {}).status_code == 403
    phone = over.phone(0)
    assert "Play again with the same people" in phone.get("/seat").text
    assert phone.post("/seat/next", {"game": over.mailbox.snapshot.mark}).status_code == 200
    assert begun == [[Person(name, seat) for seat, name in enumerate(NAMES)]]
    assert phone.post("/seat/next", {"game": "another"}).status_code == 200
    assert len(begun) == 1


def test_a_page_without_the_button_says_how_to_play_again(over: Pages) -> None:
    """The line would take four lines of a small phone, below the very button that it speaks of."""
    assert "To play again" in over.phone().get("/").text
    assert "To play again" not in over.phone(0).get("/seat").text


def test_a_phone_that_asks_while_another_begins_the_next_game_is_not_refused(mailbox: MemoryTable) -> None:
    """A request for the next game succeeds if that game has begun meanwhile."""

    def begin(_people: Sequence[Person], _options: Mapping[str, Any]) -> None:
        mailbox.take(MemoryTable(GAME, NAMES[::-1]).snapshot.match)
        raise Declined("wrong-phase", Message("This game is still being played."))

    pages = Pages(mailbox, begin=begin)
    mailbox.become(phases()["over"])
    assert pages.phone(0).post("/seat/next", {"game": mailbox.snapshot.mark}).json == {"ok": True}
    pages.close()


def test_two_players_who_both_ask_swap_seats_in_the_next_game(over: Pages, begun: list[list[Person]]) -> None:
    anna, bruno = over.phone(0), over.phone(1)
    assert anna.post("/seat/swap", {"other": 1}).status_code == 200
    assert over.room.swaps.order(3) == [0, 1, 2]
    assert "Agree: swap seats with Anna" in bruno.get("/seat").text
    assert "Bruno is asked." in anna.get("/seat").text
    assert bruno.post("/seat/swap", {"other": 0}).status_code == 200
    assert anna.post("/seat/swap", {"other": 2}).status_code == 200  # nobody holds that seat: nobody has to agree
    assert anna.post("/seat/next", {}).status_code == 200
    assert begun == [[Person(NAMES[seat], seat) for seat in (1, 2, 0)]]


def test_seats_are_not_swapped_while_hands_are_secret(pages: Pages) -> None:
    phone = pages.phone(0)
    assert phone.post("/seat/swap", {"other": 1}).status_code == 409
    assert "Swap seats" not in phone.get("/seat").text
