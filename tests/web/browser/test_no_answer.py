"""Requests that nobody ever answers: what is asked for repeatedly is asked for again, and a tap leads somewhere."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from doubles.browsing import Table, become

LIMIT = 20_000
"""ms after which a request counts as lost."""
CLOCKED = """AbortSignal.timeout = (time) => {
    const request = new AbortController();
    setTimeout(() => request.abort(), time);
    return request.signal;
}"""
"""Lets the time limits of requests follow the page's clock, which a test can set forward."""


def clocked(page: Page) -> None:
    """Let the clock of a page, and its time limits, be set forward."""
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
