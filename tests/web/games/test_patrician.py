"""What Patrician's pages show, and to whom."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import cast

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, decided
from tabletop.rules.game import Position
from tabletop.rules.registry import game
from tabletop.web.games import ui_of
from tabletop.web.games.patrician.facts import PatricianBoard, PatricianChoices
from tabletop.web.i18n import in_language
from tabletop.web.seating.claims import CONFIRMED
from tabletop.web.views import game_log

GAME = game("patrician")


def a_game(seed: int) -> Iterator[Position]:
    """Iterate over the positions of a random game in which a seat decides."""
    return decided(GAME, seed, lambda rng, position: rng.choice(list(position.legal)))


def with_heads(seat: int) -> Position:
    """Return a position in which a seat that is not on turn has scored three equal heads."""
    return next(
        one
        for one in a_game(3)
        if one.decider != seat and any("heads" in part and part["points"] for part in one.score()[seat].parts)
    )


def test_heads_count_in_public_only_at_the_end() -> None:
    """Before the end, only the page of a seat counts the points of its played heads."""
    position = with_heads(0)
    ui, whole = ui_of(GAME), position.score()[0].points
    heads = sum(found["points"] for found in position.score()[0].parts if "heads" in found)
    with in_language("en"):
        assert ui.board(position, NAMES, over=False)["standing"][0] == whole - heads
        others, own = (cast(PatricianChoices, ui.hand_and_choices(position, seat, over=False)) for seat in (1, 0))
    assert others["standing"][0] == whole - heads
    assert own["standing"][0] == whole


def test_the_log_names_the_city_of_a_floor_and_of_a_card_that_was_turned_up() -> None:
    mailbox = MemoryTable(GAME, NAMES, seed=1)
    rng, ui = random.Random(1), ui_of(GAME)
    for _ in range(12):
        now = mailbox.snapshot.position
        action = rng.choice(list(now.legal))
        before = [card or "" for card in now.to_json()["market"].values()]
        mailbox.act(action, on=mailbox.snapshot.number, id=str(mailbox.snapshot.number), seat=now.decider)
        steps = mailbox.snapshot.match.steps
        with in_language("en"):
            told = [
                game_log.line(steps, at, ui, None, NAMES)
                for at, event in enumerate(mailbox.snapshot.events)
                if event.kind == "action" and event.data["do"] in ("floor", "reveal")
            ]
        assert all(" in " in line.text or " beside " in line.text for line in told if line)
        if action.do == "take":
            city = list(now.to_json()["market"])[before.index(action.to_json()["card"])]
            (newest,) = [one for one in told[-1:] if one]
            title = next(
                one.title
                for one in cast(PatricianBoard, ui.board(mailbox.snapshot.position, NAMES, over=False))["cities"]
                if one.market in newest.pieces
            )
            assert title.upper().startswith(city)
            assert title in newest.text


def test_each_site_names_who_would_get_its_token() -> None:
    """The points of the tokens drawn at the sites sum up to the seats' tokens."""
    for position in list(a_game(5))[::25]:
        with in_language("en"):
            sites = [
                site
                for city in cast(PatricianBoard, ui_of(GAME).board(position, NAMES, over=False))["cities"]
                for site in city.sites
            ]
        for seat, score in enumerate(position.score()):
            tokens = sum(part["points"] for part in score.parts if "city" in part)
            assert sum(site.points for site in sites if site.holder == seat) == tokens


def test_after_the_game_each_token_says_how_it_was_won() -> None:
    mailbox = MemoryTable(GAME, NAMES, seed=2)
    rng = random.Random(2)
    while not mailbox.snapshot.position.over:
        now = mailbox.snapshot
        mailbox.act(rng.choice(list(now.position.legal)), on=now.number, id=str(now.number), seat=now.position.decider)
    pages = Pages(mailbox)
    text = pages.phone().get("/after").text
    pages.close()
    assert text.count("taller tower") + text.count("counts as the taller") >= 9
    assert "floors." in text


def test_everybody_is_told_that_the_deck_is_used_up_and_when_the_game_ends() -> None:
    """The notice is shown exactly while the deck is empty and the game is not over."""
    pages = Pages(MemoryTable(GAME, NAMES, seed=1))
    said: set[tuple[bool, bool]] = set()
    for position in a_game(7):
        if not position.view(None)["deck"] or not said:
            pages.mailbox.become(position)
            said.add(("The deck has run out" in pages.phone().get("/").text, bool(position.view(None)["deck"])))
    pages.close()
    assert said == {(False, True), (True, False)}


def test_the_host_is_offered_no_camera_where_none_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "table", None)
    pages = Pages(MemoryTable(GAME, NAMES, seed=1))
    text = pages.phone(host=True).get("/host").text
    pages.close()
    assert "What the camera sees" not in text
    assert "camera got wrong" not in text


def test_a_seat_that_the_program_plays_until_it_is_taken_says_so() -> None:
    pages = Pages(MemoryTable(GAME, NAMES, seed=1), room={"simulated": {1, 2}})
    pages.room.claim(2)
    text = pages.phone().get("/join").text
    pages.close()
    assert text.count("played by the computer until you sit down") == 1
    assert text.count("taken: move the seat to this phone") == 1


def test_a_waiting_phone_shows_its_seat_and_can_ask_for_another_one_below() -> None:
    pages = Pages(MemoryTable(GAME, NAMES, seed=1), room={"admission": CONFIRMED})
    phone = pages.phone()
    assert phone.post("/join", {"code": pages.room.code, "seat": 1}).status_code == 200
    text = phone.get("/join").text
    pages.close()
    assert "Almost there, Bruno" in text
    assert "waiting to be confirmed" in text
    assert '<details class="open-way"><summary class="big">Another seat on this phone' in text


def test_a_card_that_brings_nothing_at_once_says_so_in_words() -> None:
    ui = ui_of(GAME)
    told = set[str]()
    for position in a_game(3):
        if position.phase == "play":
            told |= {str(ui.hand_and_choices(position, position.decider or 0, over=False))}
    assert not any("up to ±0" in one.lower() for one in told)
    assert any("No points at once." in one for one in told)


def test_the_italian_for_a_site_without_floors_agrees_in_gender() -> None:
    """The Italian for an empty site has the masculine form, unlike that for Palazzo's empty quarry."""
    pages = Pages(MemoryTable(GAME, NAMES, seed=1))
    text = pages.phone().get("/", **{"Accept-Language": "it"}).text
    assert "ito A: nulla" in text
    assert "vuota" not in text
    pages.close()
