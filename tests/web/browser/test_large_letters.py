"""With text of twice the size, and on the smallest phones, no word and no number is broken."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from doubles.browsing import Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import HOST_CODE, Pages
from doubles.positions import NAMES, well_played
from tabletop.rules.game import Position
from tabletop.rules.registry import BUILT_IN, game
from tabletop.web.games.palazzo.choices import groups
from tabletop.web.seating.seating import MAX_NAME_LENGTH
from tests.web.browser.browsing import resize

TWICE: ViewportSize = {"width": 195, "height": 422}
"""The viewport in px of a common phone zoomed to 200 %."""
SMALLEST: ViewportSize = {"width": 320, "height": 640}
COMMON = {"width": 360, "height": 740}
SMALLEST_TWICE = {"width": 160, "height": 320}
HEADINGS = "h1, h2, h3"
BROKEN = r"""within => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const there = node.parentElement;
        const hidden = !there.checkVisibility() || there.closest("legend")?.offsetWidth === 1;
        if (hidden || there.closest(".away, .word, .address, svg") || !there.closest(within ?? "body")) continue;
        for (const { 0: word, index } of node.data.matchAll(/[+−]?[\p{L}\p{N}]+[,:;!?]*/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
        }
    }
    return found;
}"""
"""Words and numbers on two lines, or on another line than their sign or the punctuation after them.

Addresses may be broken anywhere, other words where their language hyphenates, which not every browser can.
"""


def broken(table: Table, page: Page, position: Position, *paths: str, within: str = "body") -> list[str]:
    """Return what is broken on pages at a position, or makes a page wider than the screen."""
    table.mailbox.become(position)
    found: list[str] = []
    for path in paths:
        page.goto(f"{table.base}/{path}", wait_until="domcontentloaded")
        page.wait_for_selector("html.js")
        found += broken_on(page, within)
    return found


def broken_on(page: Page, within: str = "body") -> list[str]:
    """Return what is broken on a page as it is, and whether it is wider than the screen."""
    found: list[str] = page.evaluate(BROKEN, within)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append(f"{page.url} is too wide")
    return found


@pytest.mark.parametrize("name", BUILT_IN)
def test_letters_of_twice_the_size_break_no_word_or_number(browser: Browser, name: str) -> None:
    """At 200 % no word is broken in German, whose words are long, on a seat's pages and at the end of the game."""
    played = well_played(game(name), 1)
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        seat = next(one.decider for one in played if one.decider is not None)
        decides = [one for one in played if one.decider == seat][-1]
        table.mailbox.become(decides)
        page = table.phone(seat, viewport=TWICE, locale="de-DE")
        assert broken_on(page) == []
        assert broken(table, page, decides, "", "rules", "seat/listen") == []
        assert broken(table, page, played[-1], "", "seat") == []


def test_letters_of_twice_the_size_break_no_heading_on_the_smallest_phone(browser: Browser) -> None:
    """No word of a heading is broken there, not even a long one such as “Wertungsplättchen”."""
    for name, phase, paths in (("palazzo", "bid", ("", "rules")), ("patrician", "play", ("rules",))):
        played = next(one for one in well_played(game(name), 1) if one.phase == phase)
        with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
            page = table.phone(viewport=SMALLEST_TWICE, locale="de-DE")
            assert broken(table, page, played, *paths, within=HEADINGS) == []
            assert page.evaluate("getComputedStyle(document.body).hyphens") == "auto"


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_fullest_lists_break_no_word(browser: Browser, name: str) -> None:
    """In the longest lists of choices, long words beside pictures and on cards get enough width."""
    played = well_played(game(name), 2)
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        page = table.phone(locale="de-DE")
        for phase in {one.phase for one in played if one.decider is not None}:
            fullest = max((one for one in played if one.phase == phase), key=lambda one: len(list(one.legal.thrifty())))
            table.mailbox.become(fullest)
            assert fullest.decider is not None
            table.sit(page, fullest.decider)
            for screen in (SMALLEST, TWICE):
                resize(page, screen)
                assert broken_on(page) == [], (phase, screen)


def test_with_text_of_twice_the_size_no_sentence_of_a_choice_is_one_narrow_column(browser: Browser) -> None:
    """What a card of Patrician brings stands below its picture where less than 6.5rem is left beside it."""
    plays = [one for one in well_played(game("patrician"), 2) if one.phase == "play"]
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES, seed=3))) as table:
        table.mailbox.become(plays[8])
        page = table.phone(plays[8].decider, viewport=TWICE)
        widths = page.locator("#do .option > span:last-child").evaluate_all("all => all.map((one) => one.offsetWidth)")
        assert len(widths) == 3
        assert min(widths) > 100


def test_three_cards_to_take_beside_each_other_break_no_word(browser: Browser) -> None:
    """A phone of 360 px has room for “Dreiergruppe:” below each of three cards."""
    takes = [one for one in well_played(game("palazzo"), 2) if one.phase == "take"]
    makes_group = next(one for one in takes if any(_group(one, card) for card in one.to_json()["row"]))
    with served(browser, Pages(MemoryTable(game("palazzo"), NAMES, seed=3))) as table:
        table.mailbox.become(makes_group)
        page = table.phone(makes_group.decider, viewport=COMMON, locale="de-DE")
        assert broken_on(page) == []
        assert "Dreiergruppe:" in page.locator("#do").inner_text()


def _group(position: Position, card: str) -> bool:
    """Return whether a card makes one more group of three for the seat that decides."""
    assert position.decider is not None
    hand = tuple(position.to_json()["seats"][position.decider]["hand"])
    return len(groups((*hand, card))) > len(groups(hand))


def test_a_phone_of_320_px_breaks_no_name_of_a_city(browser: Browser) -> None:
    """City names fit beside their towers and cards, even in Italian, where “no card” is long."""
    played = well_played(game("patrician"), 1)
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES, seed=3))) as table:
        table.mailbox.become(played[-1])
        page = table.phone(0, viewport=SMALLEST, locale="it-IT")
        page.locator("#tab-table").tap()
        expect(page.locator("#table h3").first).to_be_visible()
        assert page.evaluate(BROKEN) == []


def test_letters_of_twice_the_size_break_no_word_of_what_a_host_enters(browser: Browser) -> None:
    """The host's buttons for acts, with a sentence and pieces on each, break no word."""
    decides = next(one for one in well_played(game("piecepack"), 1)[80:] if one.phase == "action")
    with served(browser, Pages(MemoryTable(game("piecepack"), NAMES, seed=3))) as table:
        page = table.phone(viewport=TWICE, locale="de-DE")
        host = table.pages.room.hosts.admit(HOST_CODE)
        page.context.add_cookies([{"name": "host", "value": str(host), "url": table.base}])
        table.mailbox.become(decides)
        page.goto(f"{table.base}/host")
        page.locator("#tab-correct").tap()
        page.locator("#correct summary").first.tap()
        expect(page.locator("#correct button.option").first).to_be_visible()
        assert page.evaluate(BROKEN) == []


def test_a_phone_of_320_px_breaks_no_points_beside_long_names(browser: Browser) -> None:
    """Long names may be broken, but the word for the points beside them is not."""
    names = ("W" * MAX_NAME_LENGTH, "M" * MAX_NAME_LENGTH)
    with served(browser, Pages(MemoryTable(game("palazzo"), names, seed=3))) as table:
        page = table.phone(viewport=SMALLEST, locale="de-DE")
        found = broken(table, page, well_played(game("palazzo"), 1, names)[-1], "")
        assert set(found) <= set(names)


def test_what_a_turret_brings_stays_on_one_line(browser: Browser) -> None:
    """What a turret would score is one line and does not cover the structure's name."""
    played = well_played(game("piecepack"), 1)
    moves = next(one for one in played if any(legal.do == "turret" for legal in one.legal.thrifty()))
    with served(browser, Pages(MemoryTable(game("piecepack"), NAMES, seed=3))) as table:
        table.mailbox.become(moves)
        page = table.phone(moves.decider)
        page.get_by_role("tab", name="Turret").tap()
        assert page.locator(".brings").count() > 0
        assert page.evaluate(BROKEN) == []
