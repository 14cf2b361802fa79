"""The end: the stage counts the score first, then the winner is named, on the phones too, and celebrated."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from doubles.browsing import Table, become, follow, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, well_played
from tabletop.rules.palazzo import GAME
from tabletop.rules.registry import BUILT_IN, game
from tests.web.browser.browsing import VOICE

COUNTED = 10_500
"""The ms after which the score has been counted."""
PART = 1_000
"""The ms after which it is being counted."""
LONGEST = 12_500
"""The ms after which no page waits any more for who counts it."""
SOON = 8_000
"""Within these ms a phone hears of what a television does; it would wait for it longer."""
COUNTS = """() => {
    window.counted = {};
    new MutationObserver((all) => all.forEach(({ target, addedNodes }) => {
        if (target.matches?.(".reckonings .total")) {
            const seat = target.closest("section").className;
            counted[seat] = [counted[seat]?.at(-1), addedNodes[0].data];
        }
    })).observe(document.body, { subtree: true, childList: true });
}"""
"""Keeps the last two numbers that were each seat's: the sum of its parts, and its score."""
WHO_HAS_WON = "Look at the television: who has won?"


def shown(page: Page) -> Locator:
    """Return the status that a page shows."""
    return page.locator(".status .now").filter(visible=True)


def hide(page: Page) -> None:
    """Lay another page over this one."""
    page.evaluate(
        """() => {
            Object.defineProperty(document, "visibilityState", { value: "hidden" });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )


def television(table: Table, motion: Literal["no-preference", "reduce"]) -> Page:
    """Return a television whose clock a test moves."""
    page = table.phone(viewport={"width": 1280, "height": 720}, is_mobile=False, reduced_motion=motion)
    page.clock.install()
    page.goto(table.base)
    page.wait_for_selector("html.live")
    return page


def end(table: Table, *pages: Page) -> None:
    """Let a game end, and wait until the pages know it."""
    table.mailbox.become(well_played(GAME, 1)[-1])
    for page in pages:
        follow(table, page)


def last_move(table: Table, motion: Literal["no-preference", "reduce"]) -> Page:
    """Return a television on which a game has just ended."""
    page = television(table, motion)
    end(table, page)
    return page


def test_who_has_won_is_not_said_before_it_is_shown(table: Table) -> None:
    """The name would take the suspense from the counting; confetti falls once it is said."""
    page = last_move(table, "no-preference")
    expect(shown(page)).to_have_count(0)
    assert page.locator(".confetti").count() == 0
    page.clock.run_for(COUNTED)
    expect(shown(page)).to_contain_text("wins")
    assert page.locator(".confetti").count() > 0


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_part_adds_its_points_to_the_score(browser: Browser, name: str) -> None:
    """What is counted last makes the score: numbers on tiles and on towers do not count."""
    position = well_played(game(name), 1)[-1]
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        page = television(table, "no-preference")
        page.evaluate(COUNTS)
        table.mailbox.become(position)
        follow(table, page)
        page.clock.run_for(COUNTED)
        for score in position.score():
            assert [str(score.points).replace("-", "−")] * 2 in page.evaluate("Object.values(counted)")


def test_speech_that_is_turned_on_during_the_counting_does_not_say_who_has_won(table: Table) -> None:
    page = last_move(table, "no-preference")
    page.evaluate(VOICE)
    page.locator("#stage-speech").click(force=True)
    page.clock.run_for(PART)
    assert not any("wins" in text for text, _language in page.evaluate("spoken"))
    page.clock.run_for(COUNTED)
    assert any("wins" in text for text, _language in page.evaluate("spoken"))


def test_a_calm_screen_says_at_once_who_has_won(table: Table) -> None:
    page = last_move(table, "reduce")
    expect(shown(page)).to_contain_text("wins")
    page.clock.run_for(COUNTED)
    assert page.locator(".confetti").count() == 0


def waits_for(tv: Page, page: Page, scores: str) -> None:
    """Expect a page to say who has won, and to show what has the scores, once the television has counted them."""
    expect(shown(page)).to_have_text(WHO_HAS_WON)
    expect(page.locator(scores)).to_be_hidden()
    tv.clock.run_for(COUNTED)
    expect(shown(page)).to_contain_text("wins", timeout=SOON)
    expect(page.locator(scores)).to_be_visible()


@pytest.mark.parametrize("path", ["seat", "seat/listen"])
def test_phones_say_who_has_won_when_the_television_does(table: Table, path: str) -> None:
    """Until then they show no score, unless they are loaded again."""
    tv = television(table, "no-preference")
    page = table.phone(0)
    page.clock.install()
    page.goto(f"{table.base}/{path}")
    page.wait_for_selector("html.live")
    end(table, page)
    waits_for(tv, page, "#do")


def test_phones_wait_for_a_slow_television_no_longer_than_they_must(table: Table) -> None:
    """It may have lost power while it counted."""
    television(table, "no-preference")
    page = table.phone(0)
    page.clock.install()
    end(table, page)
    expect(shown(page)).to_have_text(WHO_HAS_WON)
    page.clock.run_for(LONGEST)
    expect(shown(page)).to_contain_text("wins")


def test_phones_wait_for_no_television_that_does_not_count(table: Table) -> None:
    """One that keeps still shows the podium at once, and nobody looks at one that lies behind another page."""
    hidden = television(table, "no-preference")
    television(table, "reduce")
    hide(hidden)
    page = table.phone(0)
    end(table, page)
    assert "wins" in shown(page).inner_text()


def test_a_spectators_phone_waits_for_the_television_and_no_phone_for_it(table: Table) -> None:
    """On a phone the table's page shows no counting."""
    spectator, page = table.phone(reduced_motion="no-preference"), table.phone(0)
    spectator.goto(table.base)
    spectator.wait_for_selector("html.live")
    end(table, spectator, page)
    for phone in (spectator, page):
        assert "wins" in shown(phone).inner_text()
    become(table, "action")
    tv = television(table, "no-preference")
    end(table, spectator)
    waits_for(tv, spectator, "#final")


def test_a_television_that_is_left_listens_no_longer(table: Table) -> None:
    """A page that is left is hidden as well, and is to hold nobody back nor take a place at the table."""
    page = television(table, "no-preference")
    page.evaluate("""() => {
        const real = EventSource;
        window.opened = 0;
        window.EventSource = class extends real { constructor(from) { super(from); opened += 1; } };
        dispatchEvent(new PageTransitionEvent("pagehide"));
    }""")
    hide(page)
    assert page.evaluate("opened") == 0


def test_a_game_that_begins_during_the_counting_is_not_celebrated(table: Table) -> None:
    """The end of the last one was told on over the board of the next one, and confetti fell upon it."""
    page = last_move(table, "no-preference")
    become(table, "action")
    follow(table, page)
    page.clock.run_for(COUNTED)
    assert page.locator(".confetti").count() == 0


def test_the_panel_of_the_demo_can_be_used_during_the_counting(table: Table) -> None:
    """Only the sentence that names the winner waits where nothing else tells who that is."""
    television(table, "no-preference")
    page = table.phone()
    page.goto(f"{table.base}/demo")
    page.wait_for_selector("html.live")
    end(table, page)
    expect(shown(page)).to_contain_text("who has won?")
    assert page.locator("#panel button").first.is_visible()


def test_a_phone_that_is_loaded_during_the_counting_says_who_has_won(table: Table) -> None:
    television(table, "no-preference")
    page = table.phone(0)
    end(table, page)
    page.reload()
    expect(shown(page)).to_contain_text("wins")


def test_the_next_game_does_not_wait_for_the_counting_of_the_last_one(table: Table) -> None:
    """It shows what can be done at once, and for good."""
    television(table, "no-preference")
    page = table.phone(become(table, "action"))
    page.clock.install()
    end(table, page)
    become(table, "action")
    follow(table, page)
    expect(page.locator("#do")).to_be_visible()
    page.clock.run_for(LONGEST)
    expect(page.locator("#do")).to_be_visible()


def test_the_rank_of_a_pages_own_seat_has_room_around_it(table: Table) -> None:
    """Its colour touches neither its words nor the button below it."""
    page = table.phone(0)
    end(table, page)
    boxes = """["ol.ranks", "#do a.main", ".ranks .own .count"]
        .map((where) => document.querySelector(where).getBoundingClientRect().toJSON())"""
    row, button, score = page.evaluate(boxes)
    assert row["bottom"] + 4 <= button["top"]
    assert score["right"] + 4 <= row["right"]


def test_the_keyboard_goes_on_from_the_result_once_it_is_said(table: Table) -> None:
    """What had the focus is gone, and what comes instead cannot have it while it is hidden."""
    television(table, "no-preference")
    page = table.phone(become(table, "action"))
    page.clock.install()
    page.locator("#do button").first.focus()
    end(table, page)
    page.clock.run_for(LONGEST)
    expect(page.locator("#do")).to_be_focused()
