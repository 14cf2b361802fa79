"""The end of a game: the stage counts the score first; then the winner is named, on phones as well, and celebrated."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from doubles.browsing import Table, become, draw_small, follow, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, well_played
from tabletop.rules.palazzo import GAME
from tabletop.rules.registry import BUILT_IN, game
from tests.web.browser.browsing import VOICE

COUNTED = 10_500
"""The time in ms after which the score has been counted."""
PART = 1_000
"""A time in ms at which the score is still being counted."""
LONGEST = 12_500
"""The time in ms after which no page waits for the counting any longer."""
SOON = 8_000
"""The time in ms within which a phone learns that the television is done; it would wait for longer."""
COUNTS = """() => {
    window.counted = {};
    new MutationObserver((all) => all.forEach(({ target, addedNodes }) => {
        if (target.matches?.(".reckonings .total")) {
            const seat = target.closest("section").className;
            counted[seat] = [counted[seat]?.at(-1), addedNodes[0].data];
        }
    })).observe(document.body, { subtree: true, childList: true });
}"""
"""Records the last two totals that each seat shows: the sum of its parts, and its score."""
WHO_HAS_WON = "Look at the television: who has won?"


def shown(page: Page) -> Locator:
    """Return the status that a page shows."""
    return page.locator(".status .now").filter(visible=True)


def hide(page: Page) -> None:
    """Report a page to itself as hidden, as if another one covered it."""
    page.evaluate(
        """() => {
            Object.defineProperty(document, "visibilityState", { value: "hidden" });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )


def television(table: Table, motion: Literal["no-preference", "reduce"]) -> Page:
    """Return a television whose clock the test advances."""
    page = table.phone(viewport={"width": 1280, "height": 720}, is_mobile=False, reduced_motion=motion)
    draw_small(page)
    page.clock.install()
    page.goto(table.base)
    page.wait_for_selector("html.live")
    return page


def end(table: Table, *pages: Page) -> None:
    """End the game, and wait until the pages have followed."""
    table.mailbox.become(well_played(GAME, 1)[-1])
    for page in pages:
        follow(table, page)


def last_move(table: Table, motion: Literal["no-preference", "reduce"]) -> Page:
    """Return a television on which a game has just ended."""
    page = television(table, motion)
    end(table, page)
    return page


def test_who_has_won_is_not_said_before_it_is_shown(table: Table) -> None:
    """The stage names the winner and drops confetti only after the score was counted."""
    page = last_move(table, "no-preference")
    expect(shown(page)).to_have_count(0)
    assert page.locator(".confetti").count() == 0
    page.clock.run_for(COUNTED)
    expect(shown(page)).to_contain_text("wins")
    assert page.locator(".confetti").count() > 0


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_part_adds_its_points_to_the_score(browser: Browser, name: str) -> None:
    """The parts that are counted one by one sum up to the score, without other numbers on tiles or towers."""
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
    page.locator("#stage-speech").dispatch_event("click")
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
    """Assert that a page names the winner and shows the element with the scores only after the television counted."""
    expect(shown(page)).to_have_text(WHO_HAS_WON)
    expect(page.locator(scores)).to_be_hidden()
    tv.clock.run_for(COUNTED)
    expect(shown(page)).to_contain_text("wins", timeout=SOON)
    expect(page.locator(scores)).to_be_visible()


@pytest.mark.parametrize("path", ["seat", "seat/listen"])
def test_phones_say_who_has_won_when_the_television_does(table: Table, path: str) -> None:
    """Open phones show no score until the television has counted."""
    tv = television(table, "no-preference")
    page = table.phone(0, opened=False)
    page.clock.install()
    page.goto(f"{table.base}/{path}")
    page.wait_for_selector("html.live")
    end(table, page)
    waits_for(tv, page, "#do")


def test_phones_wait_for_a_slow_television_no_longer_than_they_must(table: Table) -> None:
    """Phones name the winner after a limit, even if the television lost power while it counted."""
    television(table, "no-preference")
    page = table.phone(0)
    page.clock.install()
    end(table, page)
    expect(shown(page)).to_have_text(WHO_HAS_WON)
    page.clock.run_for(LONGEST)
    expect(shown(page)).to_contain_text("wins")


def test_phones_wait_for_no_television_that_does_not_count(table: Table) -> None:
    """A television with reduced motion, or with its page hidden, does not make phones wait."""
    hidden = television(table, "no-preference")
    television(table, "reduce")
    hide(hidden)
    page = table.phone(0)
    end(table, page)
    assert "wins" in shown(page).inner_text()


def test_a_spectators_phone_waits_for_the_television_and_no_phone_for_it(table: Table) -> None:
    """A phone with the table's page counts nothing itself, so only a television makes others wait."""
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
    """A page that is left opens no stream as it is hidden: it would make phones wait and take a place at the table."""
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
    """When a new game begins during the counting, no confetti of the last game falls on its board."""
    page = last_move(table, "no-preference")
    become(table, "action")
    follow(table, page)
    page.clock.run_for(COUNTED)
    assert page.locator(".confetti").count() == 0


def test_the_panel_of_the_demo_can_be_used_during_the_counting(table: Table) -> None:
    """While the score is counted the demo's panel stays visible, and only the winner's name waits."""
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
    """A seat's choices in the next game appear at once and stay."""
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
    """The coloured row of the seat leaves 4 px to its score and to the button below it."""
    page = table.phone(0)
    end(table, page)
    boxes = """["ol.ranks", "#do a.main", ".ranks .own .count"]
        .map((where) => document.querySelector(where).getBoundingClientRect().toJSON())"""
    row, button, score = page.evaluate(boxes)
    assert row["bottom"] + 4 <= button["top"]
    assert score["right"] + 4 <= row["right"]


def test_the_keyboard_goes_on_from_the_result_once_it_is_said(table: Table) -> None:
    """Once the result is shown it has the focus, because the button that had it is gone."""
    television(table, "no-preference")
    page = table.phone(become(table, "action"))
    page.clock.install()
    page.locator("#do button").first.focus()
    end(table, page)
    page.clock.run_for(LONGEST)
    expect(page.locator("#do")).to_be_focused()


def test_every_part_of_the_score_and_every_step_of_the_podium_makes_a_sound(table: Table) -> None:
    """The television plays a coin of two tones for each part, one tone for each step, and a fanfare of four."""
    page = television(table, "no-preference")
    page.evaluate("""() => {
        window.tones = 0;
        Object.defineProperty(BaseAudioContext.prototype, "state", { value: "running" });
        const { start } = AudioScheduledSourceNode.prototype;
        AudioScheduledSourceNode.prototype.start = function (at) { tones += 1; start.call(this, at); };
    }""")
    end(table, page)
    before = page.evaluate("tones")
    page.clock.run_for(COUNTED)
    expect(shown(page)).to_contain_text("wins")
    parts, steps = (page.locator(one).count() for one in (".reckonings figure", ".podium li"))
    assert page.evaluate("tones") - before == 2 * parts + steps + 4
