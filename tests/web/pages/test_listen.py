"""The listening page of a seat: the first link, readable in order, enough to play with, and without other hands."""

from __future__ import annotations

import html
import json
import random
import re
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages, Phone
from doubles.positions import NAMES, phases
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.palazzo import GAME
from tabletop.web.games import ui_of
from tabletop.web.listening.choosing import EMPTY_DRAFT, Chooser
from tests.web.audiences import together

ACTS = 25
"""How many actions of a game are chosen on the page."""


def region(text: str, name: str = "do") -> str:
    found = re.search(rf'<section id="{name}".*?</section>', text, re.DOTALL)
    assert found
    return found.group()


def buttons(text: str, what: str) -> list[Any]:
    """Return what the buttons of a region send, or which step they lead to."""
    return [json.loads(html.unescape(one)) for one in re.findall(rf'data-{what}="(.*?)"', text)]


def test_a_screen_reader_meets_it_before_all_else_on_the_seat_page(pages: Pages) -> None:
    """The first link of a seat's page leads to the listening page, which has a link back."""
    phone = pages.phone(0)
    links = re.findall(r'<a [^>]*href="([^"]*)"', phone.get("/seat").text)
    assert links[0] == "/seat/listen"
    assert 'href="/seat"' in phone.get("/seat/listen").text


@pytest.mark.parametrize("phase", phases())
def test_it_can_be_read_as_it_comes(pages: Pages, phase: str) -> None:
    """Every question is a heading followed by its answer, and the choices are in words."""
    pages.mailbox.become(phases()[phase])
    text = pages.phone(0).get("/seat/listen").text
    asked = re.findall(r'data-question="(\w+)"', text)
    assert asked == ["overview", "new", "do", "table", "hand", "bids", "scores", "agreed"]
    for question in asked:
        if question != "do":
            assert re.search(rf'<section [^>]*id="told-{question}".*?<h2.*?</h2>\s*<ul.*?<li>', text, re.DOTALL)
    assert "cannot be shown" not in text


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_acts_are_chosen_on_the_page_alone(name: str) -> None:
    """Whatever is chosen step by step on the page is an action that the table accepts."""
    rng, pages = random.Random(3), Pages(MemoryTable(registry.game(name), NAMES, seed=4))
    phones = [pages.phone(seat) for seat in range(len(NAMES))]
    for _ in range(ACTS):
        seat, on = pages.mailbox.snapshot.position.decider, pages.mailbox.snapshot.number
        assert seat is not None
        done = phones[seat].act(chosen(phones[seat], on, rng), on)
        assert done.status_code == 200, done.text
    pages.close()


def chosen(phone: Phone, on: int, rng: random.Random) -> dict[str, Any]:
    """Return an action that a phone has chosen at random from the buttons it is shown."""
    shown = region(phone.get("/seat/listen").text)
    for _ in range(200):
        acts, ways = buttons(shown, "act"), buttons(shown, "choose")
        if acts and (not ways or rng.random() < 0.5):
            return dict(rng.choice(acts))
        way = rng.choice(ways) if rng.random() < 0.9 else []  # sometimes from the first step
        shown = phone.post("/seat/choose", {"path": way, "on": on}).json["regions"]["do"]
    raise AssertionError("no act was chosen")


def test_a_way_that_is_stale_or_wrong_leads_to_the_first_step(pages: Pages) -> None:
    """A path of choices for an older state, or one that was never offered, chooses nothing."""
    pages.mailbox.become(phases()["action"])
    seat, on = pages.mailbox.snapshot.position.decider, pages.mailbox.snapshot.number
    phone = pages.phone(seat)
    first = phone.post("/seat/choose", {"path": [], "on": on}).json["regions"]["do"]
    assert buttons(first, "act")
    for path, number in (([0], on - 1), ([99], on), ([-1], on), (["0"], on), ([[]], on), ("0", on), ([0] * 200, on)):
        assert phone.post("/seat/choose", {"path": path, "on": number}).json["regions"]["do"] == first


def test_a_seat_that_does_not_decide_is_offered_nothing(pages: Pages) -> None:
    pages.mailbox.become(phases()["choose"])
    seat, on = pages.mailbox.snapshot.position.decider, pages.mailbox.snapshot.number
    assert seat is not None
    phone = pages.phone((seat + 1) % 3)
    assert buttons(region(phone.get("/seat/listen").text), "act") == []
    answer = phone.post("/seat/choose", {"path": [0], "on": on}).json["regions"]["do"]
    assert buttons(answer, "act") + buttons(answer, "choose") == []


def test_a_phone_for_several_reads_out_no_hand(pages: Pages) -> None:
    """On a phone for several seats the page contains only public facts, and says where to choose."""
    position = phases()["action"]
    pages.mailbox.become(position)
    text = together(pages, 0, 1).get("/seat/listen").text
    assert "This phone holds several seats" in text
    cards = {card for seat in position.to_json()["seats"] for card in seat["hand"]}
    assert not any(f"{ui_of(GAME).called(card)}," in text for card in cards)


def test_what_is_not_possible_is_listed_with_its_reason() -> None:
    """Below the choices, each thing that cannot be done now is listed with the rules' reason."""
    game = registry.game("piecepack")
    decided = (one for one in play_random_game(game, 2, len(NAMES)).positions if one.decider is not None)
    pages = Pages(MemoryTable(game, NAMES, seed=4))
    pages.mailbox.become(next(one for one in decided if Chooser(ui_of(game), one, NAMES).at(EMPTY_DRAFT).closed))
    text = region(pages.phone(pages.mailbox.snapshot.position.decider).get("/seat/listen").text)
    assert "Not possible now" in text
    assert re.search(r"<li>[^<]+: [^<]+\.</li>", text)
    pages.close()
