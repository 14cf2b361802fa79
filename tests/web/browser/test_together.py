"""One phone for several seats, and help with the rules, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, Route, expect

from doubles.browsing import Table, become, served
from doubles.memory_table import MemoryTable
from doubles.pages import CODE, Pages
from doubles.positions import NAMES, well_played
from tabletop.rules.registry import game
from tests.web.browser.browsing import barriers


def phone_for(table: Table, *seats: int) -> Page:
    """Return a phone that holds several seats, at the page of its seats."""
    page, token = table.phone(), ""
    for seat in seats:
        token = table.pages.room.claim(seat, also=token)
    page.context.add_cookies([{"name": "seat", "value": token, "url": table.base}])
    page.goto(f"{table.base}/seat")
    page.wait_for_selector("html.live")
    return page


def test_a_hand_is_seen_while_its_button_is_held_and_gone_from_the_page_after(table: Table) -> None:
    """The held hand is shown below its button, without choices, because nobody can scroll meanwhile."""
    seat = become(table, "bid")
    page = phone_for(table, 0, 1, 2)
    expect(page.locator("#covers h2")).to_contain_text(f"{NAMES[seat]}, take the phone")
    assert page.locator("#hand .card").count() == 0
    expect(page.get_by_role("link", name="Your turn")).to_be_hidden()
    page.locator(f"[data-hold='{seat}']").hover()
    page.mouse.down()
    expect(page.locator("#hand .card").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#do")).to_be_empty()
    page.mouse.up()
    expect(page.locator("#hand .card")).to_have_count(0)
    expect(page.locator("#do")).to_be_empty()


def test_at_the_end_nothing_lies_over_the_result_and_what_comes_next(browser: Browser) -> None:
    """On a small phone for five seats, the last button can be scrolled clear of the tabs."""
    names = (*NAMES, "Dora", "Emma")
    pages = Pages(MemoryTable(game("patrician"), names, seed=3), begin=lambda _people, _options: None)
    with served(browser, pages) as table:
        table.mailbox.become(well_played(game("patrician"), 1, names)[-1])
        page = phone_for(table, *range(len(names)))
        page.set_viewport_size({"width": 320, "height": 568})
        swap = page.get_by_text("Swap seats …")
        swap.scroll_into_view_if_needed()
        low = page.locator(".tabbar").bounding_box()
        box = swap.bounding_box()
        assert low
        assert box
        assert box["y"] + box["height"] <= low["y"]


def test_a_hand_is_held_open_by_the_space_bar_too_and_covered_when_the_page_is_left(table: Table) -> None:
    seat = become(table, "action")
    page = phone_for(table, 0, 1, 2)
    page.locator(f"[data-hold='{seat}']").focus()
    page.keyboard.down(" ")
    expect(page.locator("#hand .card").first).to_be_visible()
    page.evaluate("dispatchEvent(new Event('blur'))")
    expect(page.locator("#hand .card")).to_have_count(0)
    page.keyboard.up(" ")


def test_who_plays_openly_is_covered_again_when_the_turn_has_gone_on(table: Table) -> None:
    """An uncovered hand stays open until its seat has decided; then it is covered and the next seat is called."""
    seat = become(table, "bid")
    page = phone_for(table, 0, 1, 2)
    page.locator("[data-uncover]").tap()
    with page.expect_response("**/seat/act"):
        page.locator("#do [data-key=pass]").tap()
    following = table.mailbox.snapshot.position.decider
    assert following != seat
    expect(page.locator("#covers h2")).to_contain_text(NAMES[following or 0])
    expect(page.locator("#do")).to_be_empty()
    expect(page.locator("#hand .card")).to_have_count(0)


def test_a_hand_that_could_not_be_shown_does_not_open_by_itself_once_the_network_is_back(table: Table) -> None:
    become(table, "bid")
    page = phone_for(table, 0, 1, 2)
    page.route("**/seat/open", lambda route: route.abort())
    page.locator("[data-uncover]").tap()
    expect(page.locator("#told")).to_be_visible()
    page.unroute("**/seat/open")
    page.evaluate("document.dispatchEvent(new CustomEvent('table-changed', {detail: []}))")
    page.locator("[data-uncover]").tap()  # would cover a hand that had opened by itself
    expect(page.locator("#do .card").first).to_be_visible()
    table.faults.clear()


def test_an_older_hand_that_comes_late_does_not_take_the_place_of_a_newer_one(table: Table) -> None:
    become(table, "bid")
    page, held = phone_for(table, 0, 1, 2), list[Route]()

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    page.route("**/seat/open", hold_first)
    with page.expect_request("**/seat/open"):
        page.locator("[data-uncover]").tap()
    page.evaluate("document.dispatchEvent(new CustomEvent('table-changed', {detail: []}))")
    expect(page.locator("#do .card").first).to_be_visible()
    with page.expect_response("**/seat/open") as late:
        held[0].fulfill(json={"ok": True, "regions": {"do": "<p>old</p>"}})
    late.value.finished()
    expect(page.locator("#do .card").first).to_be_visible()


def test_an_open_hand_is_covered_before_its_page_ends(table: Table) -> None:
    """When the phone loses its seats with a hand open, no script fails on the elements that are gone."""
    become(table, "bid")
    page = phone_for(table, 0, 1, 2)
    page.locator("[data-uncover]").tap()
    expect(page.locator("#do .card").first).to_be_visible()
    for seat in range(len(NAMES)):
        table.pages.room.free(seat)
    expect(page.locator("#ended")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('blur'))")
    assert [fault for fault in table.faults if "null" in fault] == []
    table.faults.clear()


def test_a_second_seat_is_added_to_a_phone_by_taps(table: Table) -> None:
    page = table.phone()
    for seat in (0, 1):
        page.goto(f"{table.base}/join?code={CODE}")
        if seat:
            page.get_by_text("Another seat on this phone").tap()
        page.locator(f".seatpick.seat-{seat}").tap()
        page.get_by_role("button", name="Sit down").tap()
        page.wait_for_url("**/seat")
    expect(page.locator("[data-hold]")).to_have_count(2)
    assert barriers(page) == []


def test_help_opens_where_it_was_touched_and_is_a_link_without_javascript(table: Table) -> None:
    become(table, "choose")
    page = table.phone(0)
    page.get_by_role("tab", name="Table").tap()
    page.locator("#table .warehouse .help").tap()
    expect(page.locator("#help")).to_contain_text("Each costs 10 minus the number of tiles")
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("#help")).to_be_hidden()
    plain = table.phone(java_script_enabled=False)
    plain.goto(table.base)
    plain.locator(".warehouse .help").tap()
    expect(plain.locator("#buy")).to_contain_text("Each costs 10 minus")


def test_the_rule_of_a_refusal_leads_to_its_explanation(table: Table) -> None:
    page = table.phone(become(table, "place"))
    page.locator("#do details[data-key^=barred] > summary:visible").first.tap()
    page.locator("#do details.closed summary:visible").first.tap()
    page.locator("#do details.closed a.rule:visible").first.tap()
    expect(page.locator("#help")).to_contain_text("Floors go up from bottom to top")
