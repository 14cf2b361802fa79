"""The bars at the edges of the window never hide the element that has the focus."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import SMALL, Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases, rebuilding
from tabletop.rules.registry import game
from tests.web.browser.test_others import moments

COVERED = """() => {
    const one = document.activeElement;
    if (one === document.body) return null;
    const own = one.getBoundingClientRect();
    const hides = (bar) => {
        const its = bar.getBoundingClientRect();
        const top = Math.max(its.top, own.top), left = Math.max(its.left, own.left);
        const high = Math.min(its.bottom, own.bottom) - top, wide = Math.min(its.right, own.right) - left;
        return high > 1 && wide > 1 && bar.contains(document.elementFromPoint(left + wide / 2, top + high / 2));
    };
    const bars = [...document.querySelectorAll(".top, .paybar, .tabbar, a.up")].filter((bar) => !bar.contains(one));
    const name = `${one.outerHTML.slice(0, 140)} at ${Math.round(own.top)}-${Math.round(own.bottom)}`;
    const bar = bars.find(hides)?.className ?? (own.top < 0 || own.bottom > innerHeight + 1 ? "the edge" : "");
    return { name, bar: own.height > innerHeight / 2 ? "" : bar };
}"""


def covered(page: Page, key: str = "Tab", most: int = 200) -> tuple[int, list[str]]:
    """Press a key until the page's end; return how many elements had the focus, and those under a bar."""
    found: list[str] = []
    for count in range(most):
        page.keyboard.press(key)
        now = page.evaluate(COVERED)
        if now is None:
            return count, found
        if now["bar"]:
            found.append(f"{now['name']} under {now['bar']}")
    raise AssertionError("the keyboard never comes to an end of the page")


@pytest.mark.parametrize("phase", ["action", "choose", "auction", "bid", "take", "claim", "place"])
def test_the_focused_element_is_under_no_bar(table: Table, phase: str) -> None:
    """At 360 × 640 with all lists open, Tab and Shift+Tab scroll each focused element clear of the bars."""
    position = rebuilding(phases()["choose" if phase == "auction" else phase])
    table.mailbox.become(position)
    page = table.phone(position.decider, **SMALL, has_touch=False, is_mobile=False)
    if phase == "auction":
        page.locator("#do").get_by_role("tab").nth(1).click()
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    if phase == "choose":
        page.locator("#buy input[name='tiles[]']").first.check()
        page.locator("#buy [data-pick]").first.click()
        expect(page.locator("#buy-sum")).to_have_attribute("data-ok", "true")
    page.evaluate("scrollTo(0, 0)")
    page.locator('.skip[href="#main"]').focus()
    count, found = covered(page)
    assert found == []
    assert count > 4
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("main :is(button, a, input, summary):visible").last.focus()
    assert covered(page, "Shift+Tab")[1] == []


def test_a_message_covers_no_bar_and_a_tap_or_escape_hides_it(table: Table) -> None:
    """The reason for a refusal covers neither the confirming button nor the tabs; a tap or Escape hides it."""
    table.mailbox.become(phases()["choose"])
    page = table.phone(phases()["choose"].decider, **SMALL)
    page.get_by_role("button", name="Buy", exact=True).tap(force=True)
    told = page.locator("#told")
    expect(told).to_be_visible()
    for bar in (".tabbar", "#buy .paybar"):
        high, low = told.bounding_box(), page.locator(bar).bounding_box()
        assert high is not None
        assert low is not None
        assert high["y"] + high["height"] <= low["y"], bar
    told.tap()
    expect(told).to_be_hidden()
    page.get_by_role("button", name="Buy", exact=True).tap(force=True)
    expect(told).to_be_visible()
    page.keyboard.press("Escape")
    assert told.is_hidden()  # not only after a while
    table.faults.clear()


@pytest.mark.parametrize("name", ["patrician", "piecepack"])
def test_the_focused_element_is_under_no_bar_in_the_other_games(browser: Browser, name: str) -> None:
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        page = table.phone(**SMALL, has_touch=False, is_mobile=False)
        for position in moments(name):
            table.mailbox.become(position)
            assert position.decider is not None
            table.sit(page, position.decider)
            page.evaluate("document.querySelectorAll('#do details').forEach((one) => (one.open = true))")
            page.locator('.skip[href="#main"]').focus()
            assert covered(page)[1] == []
