"""The listening page in a browser: asked by keys and taps, heard by screen reader or the browser, not both."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from doubles.browsing import SMALL, Table, become
from tests.web.browser.browsing import LOOKS, RULES, barriers, small_targets

VOICE = """() => {
    window.spoken = [];
    speechSynthesis.speak = (one) => spoken.push([one.text, one.lang]);
    speechSynthesis.cancel = () => {};
}"""
"""Keeps what the browser is asked to say."""


def listening(table: Table, seat: int, **more: Any) -> Page:
    """Return the listening page of a seat."""
    page = table.phone(seat, **more)
    page.goto(f"{table.base}/seat/listen")
    page.wait_for_selector("html.live")
    page.evaluate(VOICE)
    return page


def test_questions_are_asked_by_keys_and_taps_and_answered_once(table: Table) -> None:
    """A screen reader hears the live region; once the browser speaks, no region is live."""
    page = listening(table, become(table, "bid"))
    page.keyboard.press("5")
    expect(page.locator("#heard")).to_contain_text("Your hand:")
    page.get_by_role("button", name="The bids").tap()
    expect(page.locator("#heard")).to_contain_text("Cards laid as bids")
    assert page.evaluate("spoken") == []
    page.get_by_role("button", name="Speak aloud").tap()
    assert page.evaluate("spoken.at(-1)") == [page.locator("#heard").text_content(), "en"]
    assert page.locator("[aria-live='polite'], [aria-live='assertive']").count() == 0
    page.get_by_role("checkbox", name="Keys 1 to 8").uncheck()
    told = page.evaluate("spoken.length")
    page.keyboard.press("7")
    assert page.evaluate("spoken.length") == told


def test_an_act_is_chosen_step_by_step_by_keyboard(table: Table) -> None:
    """Each step takes the focus to its heading; Escape goes back; the last choice acts."""
    page = listening(table, become(table, "choose"), has_touch=False, is_mobile=False)
    page.get_by_role("button", name="Buy", exact=True).press("Enter")
    expect(page.locator("#do h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Call the auction")).to_be_visible()
    page.get_by_role("button", name="Call the auction").press("Enter")
    expect(page.locator("#do")).not_to_contain_text("Call the auction")
    expect(page.locator("#heard")).to_contain_text("calls an auction")


def test_what_happens_is_heard_by_the_others(table: Table) -> None:
    """Another seat's action is read out as it happens, and “what is new” repeats it."""
    seat = become(table, "bid")
    page = listening(table, (seat + 1) % 3)
    page.get_by_role("button", name="Speak aloud").tap()
    actor = listening(table, seat)
    actor.get_by_role("button", name="Pass").tap()
    expect(page.locator("#heard")).to_contain_text("passes")
    page.wait_for_function("() => spoken.some(([text]) => text.includes('passes'))")


def test_it_fits_a_small_phone_and_shuts_nobody_out(table: Table) -> None:
    page = listening(table, become(table, "choose"), **SMALL, is_mobile=False)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert small_targets(page) == []
    assert barriers(page, RULES) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page, LOOKS) == []
