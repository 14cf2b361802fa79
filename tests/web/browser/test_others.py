"""Patrician and the piecepack in a real browser: playable by taps, and accessible."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from doubles.browsing import Table, follow, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.game import Position
from tabletop.rules.registry import game
from tests.web.browser.browsing import barriers, press, small_targets
from tests.web.games import test_patrician, test_piecepack


def moments(name: str) -> Iterator[Position]:
    """Iterate over the last position of each kind of decision in a game."""
    played = {"patrician": test_patrician, "piecepack": test_piecepack}[name].a_game(7)
    latest: dict[str, Position] = {}
    for position in played:
        latest[position.phase] = position
        if position.phase == "action" and position.to_json()["pending"]:
            latest["one more action"] = position
    yield from latest.values()


@pytest.fixture(params=["patrician", "piecepack"])
def table(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Table]:
    with served(browser, Pages(MemoryTable(game(request.param), NAMES, seed=3))) as made:
        yield made


def test_every_decision_fits_the_screen_and_shuts_nobody_out(table: Table) -> None:
    """At 320 px with everything open, nothing is wider than the screen and axe-core finds no barrier."""
    page = table.phone(viewport={"width": 320, "height": 640})
    watcher = table.phone(viewport={"width": 1280, "height": 720}, color_scheme="dark")
    watcher.goto(table.base)
    for position in moments(table.mailbox.snapshot.position.game.name):
        table.mailbox.become(position)
        assert position.decider is not None
        table.sit(page, position.decider)
        follow(table, watcher)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        assert small_targets(page) == []
        assert barriers(page) == []
        assert barriers(watcher) == []


def test_a_whole_turn_by_keyboard(table: Table) -> None:
    """A whole turn of these games, up to the next seat's, can be played by keys alone."""
    seat = table.mailbox.snapshot.position.decider
    page = table.phone(seat, has_touch=False, is_mobile=False)
    while table.mailbox.snapshot.position.decider == seat:
        on = table.mailbox.snapshot.number
        if not page.locator("#do button[data-act]:visible").count():
            press(page, "#do [role=tab]", "ArrowRight")
        press(page, "#do button[data-act]", "Enter")
        page.wait_for_function("on => Number(document.body.dataset.on) > on", arg=on)
    expect(page.locator(".now")).not_to_contain_text("Your turn")


def test_a_structure_is_bought_and_built_by_taps(browser: Browser) -> None:
    """One tap lays a payment, a line says what it buys, one tap buys, and one on the seat's palazzo builds."""
    made = Table(browser, Pages(MemoryTable(game("piecepack"), NAMES, seed=3)))
    rng = random.Random(1)
    while not any(one.do == "purchase" for one in made.mailbox.snapshot.position.legal.thrifty()):
        now = made.mailbox.snapshot
        taken = rng.choice([one for one in now.position.legal if one.do == "coin"])
        made.mailbox.act(taken, on=now.number, id=str(now.number), seat=now.position.decider)
    seat = made.mailbox.snapshot.position.decider
    page = made.phone(seat)
    page.locator("#buy .group").first.tap()
    expect(page.locator("#buy-sum")).to_have_attribute("data-ok", "true")
    expect(page.locator("#buy-sum")).to_contain_text("Points once built")
    page.get_by_role("button", name="Buy", exact=True).tap()
    page.locator("#do .field .spot.free").first.tap()
    expect(page.locator("#mine .grid .block")).to_have_count(1)
    if page.locator("#buy-sum").count():
        expect(page.locator("#buy-sum")).to_contain_text("Tap a structure in the yard.")
    made.close()
    assert made.faults == []
