"""The pages in a real browser, as a phone sees them over plain http."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Route, expect

from doubles.browsing import SMALL, Table, become, follow, served
from doubles.memory_table import MemoryTable
from doubles.pages import CODE, HOST_CODE, Pages
from doubles.positions import NAMES, phases
from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.lights import Pattern
from tabletop.messages import Message
from tabletop.referee.messages import passed_on
from tabletop.rules.palazzo import GAME
from tabletop.web.games import ui_of
from tabletop.web.seating.seating import MAX_NAME_LENGTH
from tests.web.browser.browsing import Colours, assert_fits, press

AWAITED = passed_on("waiting", Message("Move exactly one of your palazzo tiles, then press OK."))
SILENT_AUDIO = """window.made = [];
window.AudioContext = class extends AudioContext {
    constructor() { super(); made.push("asked for"); }
    get state() { return "suspended"; }
    resume() { made.push("allowed by a touch"); return Promise.resolve(); }
}"""
"""Keeps pages silent until they are touched, as iPhones do, and records what a page asks of it."""


def test_a_player_joins_by_the_link_and_takes_money(table: Table) -> None:
    decider = table.mailbox.snapshot.position.decider
    assert decider is not None
    page = table.phone()
    page.goto(f"{table.base}/join?code={CODE}&seat={decider}")
    page.get_by_label("Your name (optional)").fill("Zoe")
    page.get_by_role("button", name="Sit down").tap()
    expect(page.locator(".now")).to_have_text("Your turn: money, build or rebuild")
    page.get_by_role("button", name="Money").tap()
    expect(page.locator(".now")).to_have_text("Take a money card")
    card = page.locator("#do .cardpick").first
    card.tap()
    expect(page.locator("#do .cardpick")).to_have_count(3)
    other = table.phone()
    other.goto(table.base)
    expect(other.locator("#seats")).to_contain_text("Zoe")


def test_who_comes_by_the_link_can_sit_down_without_scrolling(table: Table) -> None:
    """On a small phone the button “Sit down” is in sight below the seats, in every language."""
    for locale in ("en", "de", "it"):
        page = table.phone(viewport={"width": 360, "height": 640}, locale=locale)
        page.goto(f"{table.base}/join?code={CODE}")
        expect(page.locator("form[data-post='/join'] button[type=submit]")).to_be_in_viewport(ratio=1)


def test_names_of_one_long_word_fit_every_page_of_a_small_phone(table: Table) -> None:
    """No page is wider than 320 px with the longest names, before the end of the game and after."""
    page = table.phone(0, opened=False, viewport={"width": 320, "height": 640})
    for seat in range(1, len(NAMES)):
        table.pages.room.claim(seat, "W" * MAX_NAME_LENGTH)
    host = table.pages.room.hosts.admit(HOST_CODE)
    page.context.add_cookies([{"name": "host", "value": str(host), "url": table.base}])
    for phase, paths in (("bid", ("", "join", "seat/listen", "host")), ("over", ("after",))):
        table.mailbox.become(phases()[phase])
        for path in paths:
            page.goto(f"{table.base}/{path}", wait_until="domcontentloaded")
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_no_tap_is_lost_while_the_scripts_of_a_page_are_on_their_way(table: Table) -> None:
    """Buttons that need a script cannot be tapped before the script has arrived."""
    page = table.phone(become(table, "action"))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/page.js*", hold)
    with page.expect_request("**/page.js*"):
        page.reload(wait_until="commit")
    money = page.get_by_role("button", name="Money")
    expect(money).to_have_css("pointer-events", "none")
    (script,) = held
    script.continue_()
    money.tap()
    expect(page.locator(".now")).to_have_text("Take a money card")


def test_buying_shows_the_sum_before_it_is_sent(table: Table) -> None:
    page = table.phone(become(table, "choose"))
    page.locator("#buy .tap input[name='tiles[]']").first.tap()
    expect(page.locator("#buy-sum")).to_contain_text("short")
    page.locator("#buy .group[data-key^=o]").first.tap()
    expect(page.locator("#buy-sum")).to_have_attribute("data-ok", "true")
    page.get_by_role("button", name="Buy", exact=True).tap()
    expect(page.locator(".now")).to_have_text("Build your tile")
    page.get_by_role("button", name="Start a new palazzo").first.tap()
    expect(page.locator(".now")).not_to_have_text("Build your tile")


def test_at_most_two_tiles_can_be_ticked(table: Table) -> None:
    page = table.phone(become(table, "choose"))
    for tile in page.locator("#buy .tap input[name='tiles[]']").all()[:3]:
        tile.tap()
    expect(page.locator("#buy input[name='tiles[]']:checked")).to_have_count(2)


def test_what_is_ticked_stays_when_others_act(table: Table) -> None:
    """Changes of the table do not clear what a player has ticked."""
    seat = become(table, "choose")
    page = table.phone(seat)
    page.locator("#buy .tap input[name='tiles[]']").first.tap()
    table.pages.room.claim((seat + 1) % 3, "Somebody")
    table.mailbox.show(camera=CameraState.LOST)
    expect(page.locator("#others")).to_contain_text("Somebody")
    expect(page.locator("#buy input[name='tiles[]']:checked")).to_have_count(1)


def test_all_phones_see_an_act_and_a_wrong_one_says_why(table: Table) -> None:
    seat = become(table, "bid")
    page, watcher = table.phone(seat), table.phone()
    watcher.goto(table.base)
    expect(watcher.locator(".auction")).to_be_visible()
    page.get_by_role("button", name="Pass").tap()
    expect(page.locator(".now")).not_to_have_text("Your bid: raise or pass")
    expect(watcher.locator(".now")).to_contain_text(NAMES[table.mailbox.snapshot.position.decider or 0])


def test_closed_choices_are_gathered_and_each_gives_its_reason(table: Table) -> None:
    """The question beside a closed choice breaks no word, even in Italian on a narrow screen."""
    page = table.phone(become(table, "place"), locale="it", viewport={"width": 320, "height": 640})
    expect(page.locator(".now")).to_have_text("Costruisci la tua tessera")
    page.locator("#do summary.big", has_text="Perché non").first.tap()
    closed = page.locator("#do details.closed").first
    lines = "(one) => Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))"
    assert closed.locator("summary > small").evaluate(lines) <= len(["Perché", "no?"])
    closed.locator("summary").tap()
    expect(closed.locator("p")).to_contain_text("Regola")


def test_a_whole_turn_by_keyboard(table: Table) -> None:
    """Everything that acts can be reached and pressed by keys."""
    page = table.phone(become(table, "choose"), has_touch=False, is_mobile=False)
    press(page, "#buy input[name='tiles[]']", "Space")
    press(page, "#buy .group[data-key^=o]", "Enter")
    expect(page.locator("#buy-sum")).to_have_attribute("data-ok", "true")
    press(page, "#buy [type=submit]", "Enter")
    expect(page.locator(".now")).to_have_text("Build your tile")
    press(page, "#do [data-act]", "Enter")
    expect(page.locator(".now")).not_to_have_text("Build your tile")


def test_a_second_window_takes_over_and_the_first_says_so(table: Table) -> None:
    """A window that was taken over says so, even with help open, and its button takes the seat back."""
    page = table.phone(become(table, "action"))
    page.locator("a.help").first.tap()
    expect(page.locator("#help")).to_be_visible()
    second = page.context.new_page()
    second.goto(f"{table.base}/seat")
    expect(page.locator("#ended")).to_be_visible()
    page.get_by_role("button", name="Use it here").tap()
    expect(second.locator("#ended")).to_be_visible()


def test_keys_reach_nothing_behind_what_covers_an_ended_window(table: Table) -> None:
    """Tab leads from its button to no link, tab or menu of the page below."""
    page = table.phone(0, has_touch=False, is_mobile=False)
    second = page.context.new_page()
    second.goto(f"{table.base}/seat")
    expect(page.locator("#ended")).to_be_visible()
    page.bring_to_front()
    expect(page.get_by_role("button", name="Use it here")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || document.activeElement.id === 'reload'")


def test_an_ended_window_takes_nothing_over_until_somebody_uses_it(table: Table) -> None:
    """When the network comes back or the window is shown, an ended window sends no request."""
    page = table.phone(0)
    second = page.context.new_page()
    second.goto(f"{table.base}/seat")
    expect(page.locator("#ended")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("dispatchEvent(new Event('online')); document.dispatchEvent(new Event('visibilitychange'))")
    become(table, "bid")
    follow(table, second)
    assert asked == []
    expect(second.locator("#ended")).to_be_hidden()


def test_a_phone_whose_seat_was_taken_over_is_told_why_and_is_back_with_one_tap(table: Table) -> None:
    page = table.phone(0)
    table.phone(0, beside=True)
    expect(page.locator("#ended")).to_contain_text("Another phone has taken over the seat of Anna.")
    page.get_by_role("button", name="Take the seat back").tap()
    expect(page.locator("#do")).to_be_visible()
    table.faults.clear()


def test_a_phone_that_lost_the_network_says_so_and_comes_back(table: Table) -> None:
    page = table.phone(0)
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    become(table, "bid")
    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("bid")
    table.faults.clear()


def test_the_demo_shows_the_picture_and_presses_the_panel(table: Table) -> None:
    table.mailbox.show(signals={"MONEY": Pattern.STEADY})
    page = table.phone(viewport={"width": 1280, "height": 800})
    page.goto(f"{table.base}/demo")
    expect(page.get_by_role("img", name="Money: on")).to_be_visible()
    with page.expect_response("**/demo/press"):
        page.get_by_role("button", name="Money").tap()
    assert table.pages.presses == ["MONEY"]


def test_a_key_on_the_demos_ok_is_a_short_press_however_long_ago_the_mouse_was_used(table: Table) -> None:
    page = table.phone(viewport={"width": 1280, "height": 800})
    page.goto(f"{table.base}/demo")
    page.mouse.click(5, 5)
    page.evaluate("performance.now = () => Performance.prototype.now.call(performance) + 5000")
    page.get_by_role("button", name="OK").focus()
    with page.expect_response("**/demo/press"):
        page.keyboard.press("Enter")
    with page.expect_response("**/demo/press"):
        page.get_by_role("button", name="OK").click(delay=1200)
    assert table.pages.presses == ["OK", "OK held"]


def test_every_state_fits_the_screen_and_shuts_nobody_out(table: Table) -> None:
    """In every phase no page is wider than the screen, targets are large, and axe-core finds no barrier."""
    seats = [table.phone(seat, is_mobile=False) for seat in range(len(NAMES))]
    spectator = table.phone(is_mobile=False)
    spectator.goto(table.base)
    for phase, position in phases().items():
        table.mailbox.become(position)
        for page in (seats[ui_of(GAME).concerned(position)], spectator):
            follow(table, page)
            assert_fits(page, (phase, page.url))


def test_the_ways_on_after_a_game_lie_apart_from_each_other(browser: Browser) -> None:
    """After a game the buttons are far enough apart that nobody begins the next game by mistake."""
    with served(browser, Pages(MemoryTable(GAME, NAMES, seed=3), begin=lambda _people, _options: None)) as table:
        table.mailbox.become(phases()["over"])
        page = table.phone(0, is_mobile=False)
        expect(page.get_by_role("button", name="Play again")).to_be_visible()
        assert_fits(page, ("over", page.url))


@pytest.mark.parametrize(
    ("phase", "path"), [("over", "/after"), ("bid", "/join"), ("bid", "/demo"), ("bid", "/seat/listen")]
)
def test_every_other_page_of_a_player_fits_and_shuts_nobody_out(table: Table, phase: str, path: str) -> None:
    table.mailbox.become(phases()[phase])
    page = table.phone(ui_of(GAME).concerned(phases()[phase]), opened=False, is_mobile=False)
    answer = page.goto(table.base + path, wait_until="domcontentloaded")
    assert answer is not None
    assert answer.ok
    assert_fits(page, (phase, path))


def test_what_the_camera_missed_is_entered_by_taps(browser: Browser) -> None:
    table = Table(browser, Pages(MemoryTable(GAME, NAMES, seed=None), press=None))
    position = phases()["reveal"]
    table.mailbox.become(position)
    page = table.phone(position.active)
    page.get_by_text("Does the camera not see it?").tap()
    card = next(iter(position.legal)).to_json()["piece"]
    page.get_by_label("What was turned up?").select_option(card)
    with page.expect_response("**/seat/act"):
        page.get_by_role("button", name="This was turned up").tap()
    expect(page.locator("#do")).not_to_contain_text(ui_of(GAME).called(card))
    assert card in table.mailbox.snapshot.position.to_json()["row"]
    table.close()


def test_a_wide_table_page_shows_every_quarry_and_no_way_to_sit_down_at_it(table: Table) -> None:
    page = table.phone(viewport={"width": 1920, "height": 1080}, has_touch=False, is_mobile=False)
    page.goto(table.base)
    for number in range(1, 5):
        expect(page.locator(f".quarry.q{number}")).to_be_visible()
    expect(page.get_by_role("link", name="Take a seat")).to_be_hidden()


def test_a_typed_address_leads_a_phone_to_a_seat(table: Table) -> None:
    """The table's page on a phone begins with a link to a seat, which needs no code to be typed."""
    page = table.phone()
    page.goto(table.base)
    way = page.get_by_role("link", name="Take a seat")
    expect(way).to_be_in_viewport()
    way.tap()
    page.locator(".seatpick input").first.check()
    page.get_by_role("button", name="Sit down").tap()
    expect(page.locator("#do")).to_be_visible()
    page.goto(table.base)
    expect(page.get_by_role("link", name="To my seat")).to_be_in_viewport()


def test_the_sound_of_ones_turn_is_heard_once_the_page_was_touched(table: Table) -> None:
    """A browser that forbids sound is asked once for audio, and again only when the page is touched."""
    seat, others = become(table, "action"), [one for one in phases().values() if one.decider is not None]
    other = next(one for one in others if one.decider != seat)
    page = table.phone()
    page.add_init_script(SILENT_AUDIO)
    page.context.add_cookies([{"name": "seat", "value": table.pages.room.claim(seat), "url": table.base}])
    page.goto(f"{table.base}/seat")
    page.wait_for_selector("html.live")
    for _ in range(2):
        table.mailbox.become(other)
        follow(table, page)
        become(table, "action")
        follow(table, page)
    assert page.evaluate("made") == ["asked for"]
    page.locator(".status").tap()
    assert page.evaluate("made") == ["asked for", "allowed by a touch"]


def test_what_can_be_done_next_is_in_sight_after_an_act_far_down_the_page(table: Table) -> None:
    page = table.phone(become(table, "choose"))
    page.get_by_role("tab", name="Or auction").tap()
    page.locator("[data-key=auction]").tap()
    expect(page.locator("#do")).not_to_contain_text("Call the auction")
    page.wait_for_function("() => scrollY === 0")


def test_a_way_to_the_choices_is_shown_while_they_are_out_of_sight(table: Table) -> None:
    """A player who reads the log gets a link to the choices, and the page does not jump by itself."""
    page = table.phone(become(table, "action"))
    way = page.get_by_role("link", name="Your turn")
    expect(way).to_be_hidden()
    page.get_by_role("tab", name="Log").tap()
    expect(way).to_be_visible()
    way.tap()
    expect(page.locator("#do [data-key=money]")).to_be_in_viewport()
    expect(way).to_be_hidden()


@pytest.fixture
def real_table(browser: Browser) -> Iterator[Table]:
    """A table whose pieces people lay with their own hands."""
    with served(browser, Pages(MemoryTable(GAME, NAMES, seed=3), press=None)) as made:
        yield made


def test_what_the_table_waits_for_moves_no_button(real_table: Table) -> None:
    """A prompt that appears by itself is below the buttons and moves none of them."""
    page = real_table.phone(become(real_table, "action"))
    button = page.locator("#do [data-key=money]")
    before = button.bounding_box()
    real_table.mailbox.show(say=(AWAITED,))
    expect(page.locator("#prompts")).to_contain_text("Move exactly one of your palazzo tiles")
    assert button.bounding_box() == before


def test_what_the_table_waits_for_is_legible_beside_the_menu(real_table: Table) -> None:
    """The prompt of the table is shown in full height above the menu."""
    page = real_table.phone(become(real_table, "action"), **SMALL)
    real_table.mailbox.show(say=(AWAITED,))
    page.get_by_role("tab", name="Menu").tap()
    expect(page.locator("#prompts .wait")).to_be_visible()
    assert page.locator("#prompts").evaluate("one => one.scrollHeight - one.clientHeight") == 0


def test_the_appearance_that_a_person_chooses_wins_over_the_device(table: Table) -> None:
    """Light or dark, a chosen appearance looks as on a device with that setting, whatever this device has."""
    colours = "[document.body, document.querySelector('.top')].map((one) => [getComputedStyle(one).backgroundColor,"
    colours += " getComputedStyle(one).color])"
    looks, page = {}, table.phone(0)
    settings: tuple[tuple[Colours, str], ...] = (("light", ""), ("dark", ""), ("dark", "light"), ("light", "dark"))
    for device, chosen in settings:
        page.emulate_media(color_scheme=device)
        page.evaluate("theme => theme && (document.documentElement.dataset.theme = theme)", chosen)
        looks[device, chosen] = page.evaluate(colours)
    assert looks["light", ""] != looks["dark", ""]
    assert looks["dark", "light"] == looks["light", ""]
    assert looks["light", "dark"] == looks["dark", ""]


def test_a_phone_on_its_side_shows_the_whole_picture_of_the_camera(browser: Browser) -> None:
    """In landscape the demo's whole camera picture is in sight, above the keys."""
    jpeg = cv2.imencode(".jpg", np.zeros((72, 128, 3), np.uint8))[1].tobytes()
    with served(browser, Pages(MemoryTable(GAME, NAMES, seed=3), picture=lambda: jpeg)) as table:
        page = table.phone(viewport={"width": 844, "height": 390})
        page.goto(f"{table.base}/demo")
        expect(page.locator("#picture")).to_be_in_viewport(ratio=1)
