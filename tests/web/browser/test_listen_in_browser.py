"""The listening page in a browser: used by keys and taps, spoken by a screen reader or the browser, not both."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from doubles.browsing import SMALL, Table, become, follow
from tests.web.browser.browsing import LOOKS, RULES, SETTLING, VOICE, barriers, small_targets

HELD_BACK = """() => {
    const real = fetch;
    window.fetch = async (...all) => {
        const answer = await real(...all);
        if (all[0] === "/seat/choose") await new Promise((done) => (window.release = done));
        return answer;
    };
}"""
"""Holds the answer to the next request back until ``window.release`` is called."""


def listening(table: Table, seat: int, **more: Any) -> Page:
    """Return a phone at the listening page of a seat, with what it speaks recorded."""
    page = table.phone(seat, opened=False, **more)
    page.goto(f"{table.base}/seat/listen")
    page.wait_for_selector("html.live")
    page.evaluate(VOICE)
    return page


def test_questions_are_asked_by_keys_and_taps_and_answered_once(table: Table) -> None:
    """Answers are in a live region for screen readers, which is no longer live once the browser speaks."""
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
    """Each step focuses its heading, Escape goes back, and the last choice acts."""
    page = listening(table, become(table, "choose"), has_touch=False, is_mobile=False)
    page.get_by_role("button", name="Buy", exact=True).press("Enter")
    expect(page.locator("#do h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Call the auction")).to_be_visible()
    page.get_by_role("button", name="Call the auction").press("Enter")
    expect(page.locator("#do")).not_to_contain_text("Call the auction")
    expect(page.locator("#heard")).to_contain_text("calls an auction")


def test_the_second_tap_of_a_double_one_chooses_nothing_more(table: Table) -> None:
    """When the next list comes under the finger, nothing can be tapped for a moment."""
    page = listening(table, become(table, "choose"), hurried=True)
    page.evaluate(SETTLING)
    page.get_by_role("button", name="Buy", exact=True).tap()
    page.wait_for_function("() => window.under === 'none'")


def test_a_list_that_comes_after_the_game_moved_on_is_not_shown(table: Table) -> None:
    """A list of choices that arrives after a newer state does not replace the newer choices."""
    page = listening(table, become(table, "choose"))
    page.evaluate(HELD_BACK)
    page.get_by_role("button", name="Buy", exact=True).tap()
    page.wait_for_function("() => window.release")
    become(table, "place")
    follow(table, page)
    offered = page.locator("#do").inner_html()
    page.evaluate("() => { release(); return new Promise((done) => setTimeout(done)); }")
    assert page.locator("#do").inner_html() == offered


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
