"""A seat’s page on a phone: one screen for each decision, the rest in tabs, and everything at once on a wide screen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import SMALL, Table, become, follow, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, decided, well_played
from tabletop.rules.game import Action, Position
from tabletop.rules.registry import game
from tabletop.web.games import ui_of
from tests.web.browser.browsing import barriers, resize, small_targets

TABS = ("Me", "Table", "Everyone", "Log", "Menu")
EACH = 7
"""How many decisions of a game there are for each one that is checked."""
GAMES = 12
"""How many games are searched for the positions with most to show."""
FITS = 0.9
"""The least share of a game's decisions at which not even a list scrolls."""
FAULTS = """() => {
    const faults = [];
    const box = (one) => one.getBoundingClientRect();
    const [top, tabs] = [".top", ".tabbar"].map((bar) => box(document.querySelector(bar)));
    if (document.documentElement.scrollHeight > innerHeight || scrollY) faults.push("the page scrolls");
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is too wide");
    if (top.top || Math.abs(tabs.bottom - innerHeight) > 1) faults.push(`bars at ${top.top} and ${tabs.bottom}`);
    const doing = document.getElementById("do");
    for (const one of doing.querySelectorAll(".paybar button, .paybar .live")) {
        if (!one.checkVisibility()) continue;
        const { left, right, top: high, bottom } = box(one);
        const there = document.elementFromPoint((left + right) / 2, (high + bottom) / 2);
        if (high < top.bottom || bottom > tabs.top + 1 || !one.closest(".paybar").contains(there)) {
            faults.push(`out of sight: ${one.outerHTML.slice(0, 120)}`);
        }
    }
    const low = [...doing.querySelectorAll("button[data-act]")].some((one) => box(one).bottom > tabs.top + 1);
    if (low && !scrolls(doing)) faults.push("a choice lies below the screen");
    const regions = [...document.querySelectorAll("#play > *")].filter((one) => one.checkVisibility());
    for (const one of regions) if (one.scrollWidth > one.clientWidth + 1) faults.push(`${one.id} is too wide`);
    return [faults, regions.some(scrolls)];
    function scrolls(one) { return one.scrollHeight > one.clientHeight + 1; }
}"""
"""The faults of a screen, and whether a region of it scrolls."""
OPENED = f"""async (at) => {{
    const more = document.querySelectorAll("#do > details")[at];
    const turned = () => new Promise((done) => more.addEventListener("toggle", () => setTimeout(done), {{once: true}}));
    for (const open of [true, false]) {{
        const seen = turned();
        more.open = open;
        await seen;
        if (open) var found = ({FAULTS})()[0];
    }}
    return found;
}}"""
"""The faults of a screen while the list with a number is open."""


def a_decision(rng: random.Random, position: Position) -> Action:
    """Return a random legal action: first its kind is drawn, then one of that kind."""
    legal = list(position.legal.thrifty())
    kind = rng.choice(sorted({one.do for one in legal}))
    return rng.choice([one for one in legal if one.do == kind])


def walk(name: str) -> Iterator[Position]:
    """Iterate over every ``EACH``-th decision of a game from its beginning to its end."""
    return islice(decided(game(name), 5, a_decision), 0, None, EACH)


def fullest(name: str) -> list[Position]:
    """Return for each phase the positions of many games with most actions and with the longest view, and a deal."""
    found: dict[tuple[str, bool], tuple[int, Position]] = {}
    for seed in range(GAMES):
        for position in decided(game(name), seed, a_decision):
            counts = len(list(islice(position.legal.thrifty(), 60))), len(str(position.view(position.decider)))
            for by, count in enumerate(counts):
                if count > found.get((position.phase, bool(by)), (0, None))[0]:
                    found[position.phase, bool(by)] = count, position
    dealt = game(name).new(list(NAMES))
    while dealt.phase != "deal":
        dealt = dealt.after(dealt.game.draw(dealt, random.Random(1)))
    return [dealt, *(position for _count, position in found.values())]


def shows(page: Page, table: Table, position: Position) -> None:
    """Bring the table to a position and wait until the page shows it."""
    table.mailbox.become(position)
    page.wait_for_function("on => Number(document.body.dataset.on) === on", arg=table.mailbox.snapshot.number)


def scrolls_without_fault(page: Page, table: Table, position: Position) -> bool:
    """Return whether a region scrolls at a position, asserting that nothing is wrong, even with a list open."""
    shows(page, table, position)
    found, scrolls = page.evaluate(FAULTS)
    assert found == [], position.phase
    for at in range(page.locator("#do > details").count()):
        assert page.evaluate(OPENED, at) == [], f"{position.phase}, opened"
    return bool(scrolls)


def test_explanations_stay_while_the_seats_palazzi_give_way(browser: Browser) -> None:
    """On low screens the seat's palazzi shrink, then hide, before an explanation of the decision does."""
    with served(browser, Pages(MemoryTable(game("palazzo"), NAMES, seed=3))) as table:
        page = table.phone(become(table, "take"), **SMALL)
        page.wait_for_selector("#do .cardpick")
        shown = set()
        for height in range(640, 400, -8):
            resize(page, {"width": 360, "height": height})
            if not page.locator("#mine").is_visible():
                break
            shown.add(
                (page.evaluate("document.body.dataset.room"), page.locator("#mine > :not(h2)").first.is_visible())
            )
        assert page.evaluate("document.body.dataset.room") == "less"
        assert ("snug", True) in shown
        for told in ("#do .hint", "#do .cardpick small", "#hand .currency .sym"):
            assert page.locator(told).first.is_visible(), told
        assert page.evaluate(FAULTS) == [[], False]


def test_however_little_room_there_is_money_shows_its_currency_by_a_sign(table: Table) -> None:
    """Each currency has one visible sign even on the lowest screen, for people to whom the colours look alike."""
    page = table.phone(become(table, "take"), viewport={"width": 640, "height": 360})
    expect(page.locator("body")).to_have_attribute("data-room", "least")
    assert page.locator("#hand .currency").count() > 1
    expect(page.locator("#hand .currency .sym:visible")).to_have_count(page.locator("#hand .currency").count())


def test_a_change_of_the_table_fits_the_page_once(table: Table) -> None:
    """A change is announced several times, for its words, lessons and tabs, but tries each level of room only once."""
    page = table.phone(become(table, "action"), viewport={"width": 390, "height": 1600})
    expect(page.locator("body")).to_have_attribute("data-room", "")
    page.evaluate(
        "new MutationObserver((tried) => (window.tried = (window.tried ?? 0) + tried.length))"
        ".observe(document.body, {attributeFilter: ['data-room']})"
    )
    become(table, "choose")
    follow(table, page)
    assert page.evaluate("tried") == 1


@pytest.mark.parametrize("name", ["palazzo", "piecepack"])
def test_no_part_of_the_page_makes_the_page_itself_scroll(browser: Browser, name: str) -> None:
    """Long lists scroll in their own region, so that the tabs stay at the edge of the screen."""
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        table.mailbox.become(well_played(game(name), 1)[-2])
        page = table.phone(0, **SMALL)
        for tab in ("#tab-table", "#tab-others", "#tab-log", "#tab-menu"):
            page.locator(tab).tap()
            assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0, tab


def test_a_tablet_that_is_turned_upright_shows_all_that_has_room(table: Table) -> None:
    """Turned from landscape to portrait, a tablet shows one tab at a time and hides nothing of it."""
    page = table.phone(become(table, "action"), viewport={"width": 1024, "height": 768})
    page.set_viewport_size({"width": 768, "height": 1024})
    expect(page.locator("#tab-play")).to_have_attribute("role", "tab")
    expect(page.locator("body")).to_have_attribute("data-room", "")


@pytest.mark.parametrize("screen", [{"width": 390, "height": 760}, SMALL["viewport"]])
def test_all_that_can_be_done_after_a_game_is_in_sight(browser: Browser, screen: dict[str, int]) -> None:
    """After a game no button is cut off.

    On a small phone the hand, which is no longer needed, is hidden, and the ranks of a full table move closer.
    """
    names = (*NAMES, "Dario", "Elena")
    pages = Pages(MemoryTable(game("patrician"), names, seed=3), begin=lambda *_people: None)
    with served(browser, pages) as table:
        table.mailbox.become(well_played(game("patrician"), 1, names)[-1])
        page = table.phone(0, viewport=screen, locale="it-IT")
        expect(page.get_by_text("Gioca ancora con le stesse persone")).to_be_visible()
        assert page.evaluate(FAULTS) == [[], False]


def test_a_tall_hand_is_shown_whole_while_there_is_room_for_it(browser: Browser) -> None:
    """Where a choice of two leaves half the screen free, a tall hand hides neither its hint nor the seat's things."""
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES, seed=3))) as table:
        position = next(one for one in well_played(game("patrician"), 0) if one.phase == "reveal")
        page = table.phone(ui_of(position.game).concerned(position), viewport={"width": 360, "height": 740})
        shows(page, table, position)
        for told in ("#hand > .hint", "#mine"):
            assert page.locator(told).first.is_visible(), told
        assert page.evaluate(FAULTS) == [[], False]


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_every_decision_of_a_game_is_one_screen(browser: Browser, name: str) -> None:
    """At 360 × 640 the page never scrolls, what confirms is in sight, and few decisions need a list that scrolls.

    This holds for a whole game, and for the positions of many games with most to choose from and the longest view.
    """
    played, most = list(walk(name)), fullest(name)
    scrolling: list[bool] = []
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        # One phone for all seats: every other one would draw this seat's positions as well.
        page = table.phone(**SMALL)
        for seat in range(len(NAMES)):
            table.sit(page, seat)
            own, fullest_own = (
                [one for one in some if ui_of(one.game).concerned(one) == seat] for some in (played, most)
            )
            scrolling += [scrolls_without_fault(page, table, position) for position in own]
            for position in fullest_own:
                scrolls_without_fault(page, table, position)
    assert len(scrolling) == len(played) > 15
    assert sum(scrolling) <= (1 - FITS) * len(scrolling)


STAYS = """[...document.querySelectorAll(".top, .tabbar")]
    .filter((bar) => getComputedStyle(bar).position !== "static")
    .reduce((sum, bar) => sum + bar.offsetHeight, 0)"""
"""The height in px of the status and the tabs, as far as they stay when the page is scrolled."""


def test_the_parts_of_the_page_are_tabs_and_the_turn_leads_back(table: Table) -> None:
    """Each tab shows one accessible part no wider than the screen, and “Your turn” leads back to the decision.

    On a large screen at 400 %, the bars that stay at its edges take less than a fifth of the height.
    """
    page = table.phone(become(table, "action"), **SMALL)
    for name, part in zip(TABS, ("play", "table", "others", "log", "menu"), strict=True):
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page.locator(f"#{part}")).to_be_visible()
        expect(page.get_by_role("tabpanel")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert small_targets(page) == []
        assert barriers(page) == []
    page.get_by_role("link", name="Your turn").click()
    expect(page.locator("#do [data-key=money]")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    page.set_viewport_size({"width": 320, "height": 256})
    assert page.evaluate(STAYS) < 256 / 5


def test_a_wide_screen_shows_every_part_at_once(table: Table) -> None:
    page = table.phone(become(table, "action"), viewport={"width": 1280, "height": 800}, is_mobile=False)
    expect(page.locator(".tabbar")).to_be_hidden()
    for part in ("do", "hand", "mine", "table", "others", "log", "menu"):
        expect(page.locator(f"#{part}")).to_be_visible()
    page.set_viewport_size({"width": 412, "height": 915})
    expect(page.locator("#log")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#log")).to_be_visible()


@pytest.mark.parametrize("phase", ["action", "choose", "bid", "place"])
def test_letters_of_twice_the_size_make_no_page_wider_than_the_screen(table: Table, phase: str) -> None:
    """With text or zoom at 200 %, every tab can be read by scrolling down alone."""
    page = table.phone(become(table, phase), **SMALL)
    for letters, (width, height) in (("200%", (360, 640)), ("100%", (180, 320))):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("letters => (document.documentElement.style.fontSize = letters)", letters)
        for name in TABS:
            page.get_by_role("tab", name=name, exact=True).click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (letters, name)


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_a_first_game_teaches_itself_once_and_can_be_told_not_to(browser: Browser, name: str) -> None:
    """A lesson replaces the decision once for each seat and topic, until the player turns lessons off."""
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        position = next(walk(name))
        page = table.phone(position.decider, new=True, **SMALL)
        shows(page, table, position)
        lesson = page.locator(".lesson")
        expect(lesson).to_be_visible()
        expect(lesson.locator(".sketched > *").first).to_be_visible()
        expect(page.locator("#do")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollHeight") <= 640
        assert barriers(page) == []
        page.get_by_role("button", name="Got it").tap()
        expect(lesson).to_be_hidden()
        expect(page.locator("#do")).to_be_visible()
        shows(page, table, next(one for one in walk(name) if one.phase != position.phase))
        shows(page, table, position)
        expect(lesson).to_be_hidden()
        page.get_by_role("tab", name="Menu").tap()
        page.get_by_label("Explain what is new to me").uncheck()
        page.get_by_label("Explain what is new to me").check()
        page.get_by_role("tab", name="Me", exact=True).tap()
        expect(lesson).to_be_visible()
        page.get_by_role("button", name="No more explanations").tap()
        page.reload()
        expect(page.locator("#do")).to_be_visible()
        expect(lesson).to_be_hidden()


def test_no_lesson_is_shown_to_a_seat_that_does_not_decide_or_on_a_phone_for_several(table: Table) -> None:
    seat = become(table, "action")
    assert 'class="lesson' not in table.pages.phone((seat + 1) % 3).get("/seat").text
    token = table.pages.room.claim(0)
    table.pages.room.claim(1, also=token)
    phone = table.pages.phone()
    phone.client.set_cookie("seat", token, domain="192.168.1.20")
    assert 'class="lesson' not in phone.get("/seat").text
