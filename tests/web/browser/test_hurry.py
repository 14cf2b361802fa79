"""Quick, clumsy and stray taps cost nobody a move and reveal nobody's hand."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from doubles.browsing import Table, become, follow, served
from doubles.clock import PATIENCE
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.registry import game
from tests.web.browser.browsing import SETTLING


def choose(page: Page) -> None:
    """Choose a tile and a way to pay for it."""
    page.locator("#buy .tap input[name='tiles[]']").first.tap()
    page.locator("#buy .group[data-key^=o]").first.tap()
    expect(page.locator("#buy-sum")).to_have_attribute("data-ok", "true")


def test_the_second_tap_of_a_double_one_does_nothing_more(table: Table) -> None:
    """After a move nothing can be tapped for a moment, because the undo button appears under the finger."""
    page = table.phone(become(table, "take"), hurried=True)
    page.evaluate(SETTLING)
    page.locator("#do .cardpick").first.tap()
    page.wait_for_function("() => window.under === 'none'")
    page.get_by_role("button", name="Undo my last move").tap()
    expect(page.locator(".now")).to_have_text("Take a money card")


def test_a_tap_on_what_somebody_else_has_just_changed_does_nothing(table: Table) -> None:
    """After somebody else's move nothing can be tapped for a moment, because the buttons may have changed."""
    seat = become(table, "place")
    become(table, "take")
    page = table.phone(seat, hurried=True)
    page.evaluate(SETTLING)
    become(table, "place")
    follow(table, page)
    page.wait_for_function("() => window.under === 'none'")


def test_what_a_browser_ticks_again_by_itself_is_asked_about(table: Table) -> None:
    """Choices that the browser restores on going back are shown with their sum."""
    page = table.phone(become(table, "choose"))
    choose(page)
    page.goto(f"{table.base}/rules")
    page.go_back()
    expect(page.locator("#buy input:checked").first).to_be_checked()
    expect(page.locator("#buy-sum")).to_have_attribute("data-ok", "true")


def test_a_half_made_choice_outlives_a_reload(table: Table) -> None:
    """A reload keeps the open tab and what is ticked, until the game has moved on."""
    page = table.phone(become(table, "choose"))
    page.locator("#buy .tap input[name='tiles[]']").last.tap()
    page.get_by_role("tab", name="Or auction").tap()
    page.reload()
    expect(page.get_by_role("tab", name="Or auction")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#buy input[name='tiles[]']").last).to_be_checked()
    page.goto("about:blank")
    become(table, "choose")
    page.goto(f"{table.base}/seat")
    expect(page.locator("#buy-sum")).not_to_be_empty()
    expect(page.locator("#buy input:checked")).to_have_count(0)


def test_a_phone_that_is_passed_around_keeps_no_choice_from_a_hand(table: Table) -> None:
    """On a phone for several seats, a reload keeps no choice, which would reveal a hand to the next player."""
    seat = become(table, "choose")
    page = table.phone(seat)
    token = page.context.cookies()[0]["value"]
    table.pages.room.claim((seat + 1) % 3, also=token)
    page.reload()
    page.get_by_role("button", name="Keep my hand open").tap()
    page.locator("#buy .tap input[name='tiles[]']").first.tap()
    page.reload()
    page.wait_for_selector("html.live")
    assert page.evaluate("sessionStorage.length") == 0


def test_what_was_ticked_without_a_network_is_asked_about_once_it_is_back(table: Table) -> None:
    page = table.phone(become(table, "choose"))
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    page.locator("#buy .group[data-key^=o]").first.tap()
    expect(page.locator("#buy-sum")).to_contain_text("did not reach the table")
    page.context.set_offline(False)
    expect(page.locator("#buy-sum")).not_to_contain_text("did not reach the table")
    table.faults.clear()


def test_a_phone_that_lost_its_seat_shows_no_hand_any_more(table: Table) -> None:
    page = table.phone(become(table, "choose"))
    table.pages.room.free(table.mailbox.snapshot.position.active)
    expect(page.locator("#ended")).to_be_visible()
    assert page.locator("#main").inner_text() == ""
    table.faults.clear()


def test_a_phone_that_the_table_no_longer_knows_is_led_to_a_seat(table: Table) -> None:
    """A phone whose token the table does not know reads that it has no seat, not that another window has it."""
    page = table.phone(become(table, "choose"))
    page.clock.install()
    page.context.add_cookies([{"name": "seat", "value": "token-of-another-table", "url": table.base}])
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector("#offline:not([hidden])")
    page.clock.fast_forward(3000)
    expect(page.get_by_text("This phone no longer has a seat.")).to_be_visible()
    table.faults.clear()


def test_a_stream_that_falls_silent_is_opened_again(table: Table) -> None:
    """A page that misses its stream's signs of life, as after a power cut, says that it is offline and reconnects."""
    page = table.phone()
    page.clock.install()
    page.goto(table.base)
    page.wait_for_selector("html.live")
    page.evaluate(
        """new MutationObserver(() => { window.told ||= !document.getElementById("offline").hidden })
            .observe(document.getElementById("offline"), {attributeFilter: ["hidden"]})"""
    )
    with page.expect_response("**/events/table*"):
        page.clock.fast_forward(25_000)
    assert page.evaluate("window.told")
    expect(page.locator("#offline")).to_be_hidden()


def test_a_form_with_a_field_named_id_is_kept_unless_its_key_changes(table: Table) -> None:
    """A form with a field named “id” keeps its element as the page changes, and is replaced if its key differs."""
    page = table.phone(become(table, "action"))
    kept, new = page.evaluate("""async () => {
        const { morph } = await import(document.querySelector("[src*='page.js']").src.replace("page.js", "morph.js"));
        const region = document.createElement("div");
        const form = (key, id) => `<form data-key="${key}"><input name="id" value="${id}"></form>`;
        region.innerHTML = form("ask-1", 1);
        const first = region.firstChild;
        morph(region, `<p></p>${form("ask-1", 1)}`);
        const kept = region.lastChild === first;
        morph(region, form("ask-2", 2));
        return [kept, region.querySelector("input").value];
    }""")
    assert (kept, new) == (True, "2")


def test_after_an_act_by_keys_the_focus_is_on_what_can_be_done_next(table: Table) -> None:
    page = table.phone(become(table, "action"), has_touch=False, is_mobile=False)
    page.locator("[data-key=money]").press("Enter")
    expect(page.locator("#do")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#do :focus")).to_have_count(1)


def test_the_focus_goes_to_the_choices_if_the_focused_element_disappears(table: Table) -> None:
    """If the focused element disappears, the focus goes to the seat's choices."""
    page = table.phone(become(table, "take"), has_touch=False, is_mobile=False)
    page.locator("#do .cardpick").first.focus()
    become(table, "place")
    expect(page.locator("#do")).to_be_focused()


def test_a_page_left_open_since_another_game_was_played_is_loaded_again(browser: Browser) -> None:
    """A page left open since the table ran another game is reloaded, because each game has its own styles."""
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES, seed=3))) as before:
        page = before.phone()
        page.goto(before.base)
        page.wait_for_selector("html.live")
        before.server.close()
        before.thread.join(PATIENCE)
        after = Table(browser, Pages(MemoryTable(game("palazzo"), NAMES, seed=3)), before.server.port)
        try:
            page.evaluate("dispatchEvent(new Event('online'))")
            expect(page.locator("body")).to_have_attribute("data-plays", "palazzo")
            page.wait_for_selector("html.live")
        finally:
            page.close()  # so that none of its requests fails when the table ends
            after.close()
            before.faults.clear()
