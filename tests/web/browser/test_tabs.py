"""Buying and auctioning are tabs, used by taps and keys; without scripts both forms are shown, with links to them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from doubles.browsing import SMALL, Table, become
from doubles.positions import phases
from tabletop.hardware.cameras.camera import CameraState
from tests.web.browser.browsing import barriers, press, small_targets


def tabs(page: Page) -> tuple[Any, Any]:
    return page.locator("#do").get_by_role("tab").nth(0), page.locator("#do").get_by_role("tab").nth(1)


def test_a_tab_shows_one_form_at_a_time(table: Table) -> None:
    """The first tab is open; tapping the other one opens that and closes this, without scrolling."""
    page = table.phone(become(table, "choose"), **SMALL)
    expect(page.locator("#do").get_by_role("tablist")).to_have_accessible_name("Buy or auction")
    buy, auction = tabs(page)
    panel = page.locator("#do").get_by_role("tabpanel")
    expect(panel).to_have_count(1)
    expect(panel).to_have_accessible_name(re.compile("^Buy"))
    expect(page.locator("#buy")).to_be_visible()
    expect(page.locator("[data-key=auction]")).to_be_hidden()
    auction.tap()
    expect(auction).to_have_attribute("aria-selected", "true")
    expect(buy).to_have_attribute("aria-selected", "false")
    expect(panel).to_have_count(1)
    expect(panel).to_have_accessible_name(re.compile("^Or auction"))
    expect(page.locator("#buy")).to_be_hidden()
    expect(page.locator("[data-key=auction]")).to_be_visible()
    assert page.evaluate("[scrollY, location.hash]") == [0, ""]
    assert small_targets(page) == []
    assert barriers(page) == []


def test_tabs_are_changed_by_arrows_and_only_the_open_one_is_in_the_tab_order(table: Table) -> None:
    page = table.phone(become(table, "choose"), **SMALL, has_touch=False, is_mobile=False)
    buy, auction = tabs(page)
    press(page, "#do [role=tab]", "ArrowRight")
    expect(auction).to_be_focused()
    expect(page.locator("[data-key=auction]")).to_be_visible()
    for key, one in (("ArrowRight", buy), ("ArrowLeft", auction), ("Home", buy), ("End", auction)):
        page.keyboard.press(key)
        expect(one).to_be_focused()
        expect(one).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Shift+Tab")
    expect(buy).not_to_be_focused()
    press(page, "#do [data-key=auction]", "Enter")
    expect(page.locator("#do")).not_to_contain_text("Call the auction")


def test_an_open_tab_stays_open_when_others_act_and_the_next_turn_begins_with_the_first(table: Table) -> None:
    seat = become(table, "choose")
    page = table.phone(seat, **SMALL)
    buy, auction = tabs(page)
    auction.tap()
    auction.focus()
    table.pages.room.claim((seat + 1) % 3, "Somebody")
    table.mailbox.show(camera=CameraState.LOST)
    expect(page.locator("#others")).to_contain_text("Somebody")
    expect(auction).to_have_attribute("aria-selected", "true")
    expect(auction).to_be_focused()
    expect(page.locator("#buy")).to_be_hidden()
    table.mailbox.become(phases()["action"])
    expect(page.locator("#do").get_by_role("tab")).to_have_count(0)
    table.mailbox.become(phases()["choose"])
    expect(buy).to_have_attribute("aria-selected", "true")
    expect(page.locator("#buy")).to_be_visible()


def test_without_scripts_both_forms_are_there_and_the_tabs_are_links_to_them(table: Table) -> None:
    seat = become(table, "choose")
    page = table.phone(**SMALL, java_script_enabled=False)
    page.context.add_cookies([{"name": "seat", "value": table.pages.room.claim(seat), "url": table.base}])
    page.goto(f"{table.base}/seat")
    expect(page.locator("#buy")).to_be_visible()
    expect(page.locator("[data-key=auction]")).to_be_visible()
    expect(page.locator("#do").get_by_role("tab")).to_have_count(0)
    expect(page.get_by_role("link", name="Or auction")).to_have_attribute("href", "#to-auction")


def test_no_word_of_the_tabs_is_broken_on_the_narrowest_phone(table: Table) -> None:
    """Each tab stays on one line while it is the open one, whose letters are bold."""
    page = table.phone(0, viewport={"width": 320, "height": 568})
    for tab in page.locator(".tabbar > a").all():
        tab.tap()
        lines = tab.evaluate("""one => {
            const words = document.createRange();
            words.selectNodeContents(one);
            return words.getClientRects().length;
        }""")
        assert lines == 1, tab.inner_text()
