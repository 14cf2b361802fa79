"""A seat’s page on a phone: one screen for each decision, all else in tabs, and everything at once on a wide screen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Browser, Page, expect

from tabletop.rules.game import Action, Position
from tabletop.rules.registry import game
from tests.web.browser.browsing import SMALL, Table, barriers, become, served, small_targets
from tests.web.conftest import Pages
from tests.web.memory_table import MemoryTable
from tests.web.positions import NAMES, decided

TABS = ("Me", "Table", "Everyone", "Log", "Menu")
EACH = 7
"""One of so many decisions of a game is looked at."""
FITS = 0.9
"""The share of the decisions at which not even the hand is below the screen."""
OUT_OF_SIGHT = """() => {
    const end = document.querySelector(".tabbar").getBoundingClientRect().top + 1;
    return [...document.querySelectorAll("#do :is(button[data-act], [type=submit], .tap > input)")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > end)
        .map((one) => one.outerHTML.slice(0, 120));
}"""


def a_decision(rng: random.Random, position: Position) -> Action:
    """Decide by the dice: first the kind of act, then which."""
    legal = list(position.legal.thrifty())
    kind = rng.choice(sorted({one.do for one in legal}))
    return rng.choice([one for one in legal if one.do == kind])


def walk(name: str) -> Iterator[Position]:
    """Iterate over some of the decisions of a game from its beginning to its end."""
    return islice(decided(game(name), 5, a_decision), 0, None, EACH)


def shows(page: Page, table: Table, position: Position) -> None:
    """Bring the table to a position and wait for the page to show it."""
    table.desk.become(position)
    page.wait_for_function("on => Number(document.body.dataset.on) === on", arg=table.desk.snapshot.number)


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_every_decision_of_a_game_is_one_screen(browser: Browser, name: str) -> None:
    """At 360 × 640 whatever acts is in sight without scrolling, and almost always the hand is as well."""
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        phones = [table.phone(seat, **SMALL) for seat in range(len(NAMES))]
        heights: list[int] = []
        for position in walk(name):
            page = phones[position.decider or 0]
            shows(page, table, position)
            assert page.evaluate(OUT_OF_SIGHT) == [], position.phase
            heights.append(page.evaluate("document.documentElement.scrollHeight"))
        assert len(heights) > 15
        assert sum(height <= 640 for height in heights) >= FITS * len(heights), sorted(heights)


def test_the_parts_of_the_page_are_tabs_and_the_turn_leads_back(table: Table) -> None:
    """One part at a time, at the top of the screen; each is open to everybody and no wider than the screen."""
    page = table.phone(become(table, "action"), **SMALL)
    for name, part in zip(TABS, ("play", "table", "others", "log", "menu"), strict=True):
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page.locator(f"#{part}")).to_be_visible()
        expect(page.get_by_role("tabpanel")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert small_targets(page) == []
        assert barriers(page) == []
    page.get_by_role("link", name="Your turn").click()
    expect(page.locator("#do [data-key=money]")).to_be_visible()
    assert page.evaluate("scrollY") == 0


def test_a_wide_screen_shows_every_part_at_once(table: Table) -> None:
    page = table.phone(become(table, "action"), viewport={"width": 1280, "height": 800}, is_mobile=False)
    expect(page.locator(".tabbar")).to_be_hidden()
    for part in ("do", "hand", "mine", "table", "others", "log", "menu"):
        expect(page.locator(f"#{part}")).to_be_visible()
    page.set_viewport_size({"width": 412, "height": 915})
    expect(page.locator("#log")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#log")).to_be_visible()


@pytest.mark.parametrize("phase", ["action", "choose", "bid", "place"])
def test_letters_of_twice_the_size_make_no_page_wider_than_the_screen(table: Table, phase: str) -> None:
    """By the browser's own letters and by its zoom: everything can be read by scrolling down alone."""
    page = table.phone(become(table, phase), **SMALL)
    for letters, size in (("200%", SMALL["viewport"]), ("100%", {"width": 180, "height": 320})):
        page.set_viewport_size(size)
        page.evaluate("letters => (document.documentElement.style.fontSize = letters)", letters)
        for name in TABS:
            page.get_by_role("tab", name=name, exact=True).click()
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (letters, name)


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_a_first_game_teaches_itself_once_and_can_be_told_not_to(browser: Browser, name: str) -> None:
    """A sentence and a picture stand in the place of the decision, once for each seat and each thing."""
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        position = next(walk(name))
        page = table.phone(position.decider, new=True, **SMALL)
        shows(page, table, position)
        lesson = page.locator(".lesson")
        expect(lesson).to_be_visible()
        expect(lesson.locator(".sketched > *").first).to_be_visible()
        expect(page.locator("#do")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollHeight") <= 640
        assert barriers(page) == []
        page.get_by_role("button", name="Got it").tap()
        expect(lesson).to_be_hidden()
        expect(page.locator("#do")).to_be_visible()
        shows(page, table, next(one for one in walk(name) if one.phase != position.phase))
        shows(page, table, position)
        expect(lesson).to_be_hidden()
        page.get_by_role("tab", name="Menu").tap()
        page.get_by_label("Explain what is new to me").uncheck()
        page.get_by_label("Explain what is new to me").check()
        page.get_by_role("tab", name="Me", exact=True).tap()
        expect(lesson).to_be_visible()
        page.get_by_role("button", name="Explain nothing more").tap()
        page.reload()
        expect(page.locator("#do")).to_be_visible()
        expect(lesson).to_be_hidden()


def test_no_lesson_stands_on_a_phone_of_who_does_not_decide_nor_on_one_for_several(table: Table) -> None:
    seat = become(table, "action")
    assert 'class="lesson' not in table.pages.phone((seat + 1) % 3).get("/seat").text
    token = table.pages.room.claim(0)
    table.pages.room.claim(1, also=token)
    phone = table.pages.phone()
    phone.client.set_cookie("seat", token, domain="192.168.1.20")
    assert 'class="lesson' not in phone.get("/seat").text
