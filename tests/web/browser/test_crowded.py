"""A page for which the table has no connection or stream left says so, and comes back by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from doubles.browsing import Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME
from tabletop.web.app import PageLimits
from tabletop.web.live import stream

HIDDEN = """yes => {
    Object.defineProperty(document, "visibilityState", { value: yes ? "hidden" : "visible", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Lets a page believe that another tab covers it, or no longer does."""


def test_a_page_that_lacks_a_script_is_loaded_again(table: Table) -> None:
    """A page without a script is dead: it says that it cannot reach the table, and tries again."""
    page = table.phone()
    page.clock.install()
    page.route("**/tabs.js*", lambda route: route.fulfill(status=503), times=1)
    page.goto(table.base)
    expect(page.locator("#offline")).to_be_visible()
    with page.expect_navigation():
        page.clock.run_for(5_000)
    page.wait_for_selector("html.live")
    expect(page.locator("#offline")).to_be_hidden()
    table.faults.clear()


def test_a_page_without_a_stream_says_why_until_it_gets_one(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """If other pages hold all streams, a page says so instead of blaming the network; it is live once one closes."""
    monkeypatch.setattr(stream, "BEAT_INTERVAL_S", 0.02)  # how soon the table notices that the first page is closed
    with served(browser, Pages(MemoryTable(GAME, NAMES, seed=3), PageLimits(spectators=1))) as table:
        first, second = table.phone(), table.phone()
        first.goto(table.base)
        first.wait_for_selector("html.live")
        second.clock.install()
        second.goto(table.base)
        expect(second.locator("#offline")).to_have_text("The table cannot be reached. Trying again …")
        second.clock.run_for(3_000)
        expect(second.locator("#offline")).to_contain_text("Too many pages of the table are open")
        first.close()
        while not second.locator("html.live").count():
            second.clock.run_for(3_000)
        expect(second.locator("#offline")).to_be_hidden()
        table.faults.clear()


def test_a_hidden_page_leaves_its_stream_to_others_until_it_is_looked_at(table: Table) -> None:
    """A browser opens six connections, so that a seventh tab of the table would wait for ever beside six streams."""
    page = table.phone()
    page.add_init_script(
        "EventSource = class extends EventSource { constructor(url) { super(url); window.stream = this } }"
    )
    page.goto(f"{table.base}/demo")
    page.wait_for_selector("html.live")
    page.evaluate(HIDDEN, True)
    assert page.evaluate("stream.readyState === EventSource.CLOSED")
    page.evaluate(HIDDEN, False)
    page.wait_for_function("() => stream.readyState === EventSource.OPEN")


def test_a_hidden_seat_still_hears_that_it_is_its_turn(table: Table) -> None:
    """The page of a seat keeps its stream while it is hidden: it sounds when the seat's turn comes."""
    page = table.phone(1)
    page.evaluate(HIDDEN, True)
    table.mailbox.become(table.mailbox.snapshot.position)
    page.wait_for_function("number => document.body.dataset.on === number", arg=str(table.mailbox.snapshot.number))
