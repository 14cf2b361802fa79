"""Seats have chosen colours and marks, no two alike by chance, which leave with the person who chose them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import CODE, Pages
from doubles.positions import NAMES
from tabletop.rules.registry import game
from tabletop.web.seating.looks import HUES, MARKS, SeatLook, chosen_look, shown_looks
from tabletop.web.seating.room import Room
from tabletop.web.seating.seating import Person


def test_a_default_colour_that_somebody_chose_is_not_given_to_another_seat() -> None:
    looks = shown_looks({2: SeatLook(0, "★")}, 3, hues=True)
    assert looks == {"hues": [2, 1, 0], "marks": ["1", "2", "★"]}
    assert shown_looks({}, 5, hues=True)["hues"] == [0, 1, 2, 3, 4]
    assert len({*shown_looks({seat: SeatLook(seat + 1) for seat in range(4)}, 5, hues=True)["hues"]}) == 5


@pytest.mark.parametrize("data", [{"hue": 99, "mark": "?"}, {"hue": True, "mark": 3}, {"hue": "1", "mark": None}, {}])
def test_a_colour_or_mark_that_does_not_exist_cannot_be_chosen(data: dict[str, object]) -> None:
    assert chosen_look(data) == SeatLook()
    assert chosen_look({"hue": len(HUES) - 1, "mark": next(iter(MARKS))}) == SeatLook(len(HUES) - 1, next(iter(MARKS)))


def test_a_look_outlives_a_restart_goes_on_to_the_next_game_and_ends_with_the_seat(tmp_path: Path) -> None:
    store = tmp_path / "room.json"
    room = Room(CODE, seats=range(2), store=store)
    token = room.claim(0, "Zoe", look=SeatLook(5, "⚓"))
    again = Room(CODE, seats=range(2), store=store)
    assert again.seating.looks == {0: SeatLook(5, "⚓")}
    with again.seated([Person("Ada", 1), Person("Zoe", 0)]):
        pass
    assert again.seating.looks == {1: SeatLook(5, "⚓")}
    again.leave(1, token)
    assert again.seating.looks == {}


def test_all_pages_show_a_new_player_in_the_chosen_colour_and_with_the_mark(pages: Pages) -> None:
    assert pages.phone().post("/join", {"code": CODE, "seat": 1, "hue": 5, "mark": "⚓"}).status_code == 200
    for text in (pages.phone().get("/").text, pages.phone(0).get("/seat").text):
        assert re.search(r'data-hues="[^"]*\b1-5\b', text)
        assert '<b class="disc">⚓</b>' in text


def test_where_the_pieces_give_the_seats_their_colours_nobody_chooses_one() -> None:
    pages = Pages(MemoryTable(game("patrician"), NAMES, seed=3))
    text = pages.phone().get("/join").text
    assert 'name="hue"' not in text
    assert 'name="mark"' in text
    pages.phone().post("/join", {"code": CODE, "seat": 1, "hue": 5})
    assert 'data-hues=""' in pages.phone().get("/").text
    pages.close()
