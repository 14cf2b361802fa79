"""If a request is never answered, pages that ask repeatedly ask again, and a tap still leads somewhere."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from doubles.browsing import Table, become, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME
from tabletop.web.seating.claims import CONFIRMED

LIMIT = 20_000
"""The time in ms after which a request counts as lost."""
CLOCKED = """AbortSignal.timeout = (time) => {
    const request = new AbortController();
    setTimeout(() => request.abort(), time);
    return request.signal;
}"""
"""Makes the time limits of requests follow the page's clock, which a test can advance."""


def clocked(page: Page) -> None:
    """Let a test advance the clock of a page and the time limits of its requests."""
    page.clock.install()
    page.add_init_script(CLOCKED)


def test_the_camera_is_asked_for_its_next_picture_after_one_that_never_comes(table: Table) -> None:
    page = table.phone()
    clocked(page)
    page.route("**/demo/picture.jpg*", lambda _route: None)
    with page.expect_request("**/demo/picture.jpg*"):
        page.goto(f"{table.base}/demo")
    with page.expect_request("**/demo/picture.jpg*"):
        page.clock.run_for(LIMIT + 1000)


def test_help_that_never_comes_leads_to_the_page_of_rules(table: Table) -> None:
    page = table.phone(become(table, "action"))
    clocked(page)
    page.reload()
    page.route("**/rules", lambda route: None if route.request.resource_type == "fetch" else route.continue_())
    with page.expect_request("**/rules"):
        page.locator("#do a.help").first.tap()
    page.clock.run_for(LIMIT + 1000)
    expect(page).to_have_url(re.compile("/rules#"))


def test_a_phone_that_waits_for_a_seat_asks_again_only_once_it_was_answered(browser: Browser) -> None:
    """On a slow network a waiting phone has one question under way at a time, so that answers do not pile up."""
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), room={"admission": CONFIRMED})
    with served(browser, pages) as table:
        page, asked = table.phone(), list[str]()
        clocked(page)
        page.context.add_cookies([{"name": "seat", "value": pages.room.claim(1), "url": table.base}])
        page.route("**/join/state", lambda route: asked.append(route.request.url))
        page.goto(f"{table.base}/join")
        with page.expect_request("**/join/state"):
            page.clock.run_for(2_000)
        page.clock.run_for(10_000)
        assert len(asked) == 1
        with page.expect_request("**/join/state"):
            page.clock.run_for(LIMIT)
