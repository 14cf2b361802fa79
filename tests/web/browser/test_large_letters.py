"""Letters of twice the size, and screens of the smallest phones: no word and no number is broken within."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import HOST_CODE, Pages
from doubles.positions import NAMES, well_played
from tabletop.rules.game import Position
from tabletop.rules.registry import BUILT_IN, game
from tabletop.web.games.palazzo.choices import groups
from tabletop.web.seating.seating import MAX_NAME_LENGTH

TWICE = {"width": 195, "height": 422}
"""What a page zoomed to 200 % has of a common phone, in px."""
SMALLEST = {"width": 320, "height": 640}
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
"""Words and numbers that stand on two lines, or apart from their sign or the punctuation after them.

An address may be broken anywhere, and another word where its language breaks it, which not every browser knows.
"""


def broken(table: Table, page: Page, position: Position, *paths: str, within: str = "body") -> list[str]:
    """Return what is broken on pages, or makes one wider than the screen, at a position."""
    table.mailbox.become(position)
    found: list[str] = []
    for path in paths:
        page.goto(f"{table.base}/{path}", wait_until="domcontentloaded")
        page.wait_for_selector("html.js")
        found += page.evaluate(BROKEN, within)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"/{path} is too wide")
    return found


@pytest.mark.parametrize("name", BUILT_IN)
def test_letters_of_twice_the_size_break_no_word_or_number(browser: Browser, name: str) -> None:
    """German words are long; so is the sentence at the end, which has a button beside it."""
    played = well_played(game(name), 1)
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        seat = next(one.decider for one in played if one.decider is not None)
        page = table.phone(seat, viewport=TWICE, locale="de-DE")
        decides = [one for one in played if one.decider == seat][-1]
        assert broken(table, page, decides, "", "seat", "rules", "seat/listen") == []
        assert broken(table, page, played[-1], "", "seat") == []


def test_letters_of_twice_the_size_break_no_heading_on_the_smallest_phone(browser: Browser) -> None:
    """“Wertungsplättchen” and “Versteigerung” are long and cannot be moved to a line of their own."""
    for name, phase, paths in (("palazzo", "bid", ("", "rules")), ("patrician", "play", ("rules",))):
        played = next(one for one in well_played(game(name), 1) if one.phase == phase)
        with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
            page = table.phone(viewport=SMALLEST_TWICE, locale="de-DE")
            assert broken(table, page, played, *paths, within=HEADINGS) == []
            assert page.evaluate("getComputedStyle(document.body).hyphens") == "auto"


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_fullest_lists_break_no_word(browser: Browser, name: str) -> None:
    """Where the longest word of a choice, or on a card, does not fit beside a picture, it gets more room."""
    played = well_played(game(name), 2)
    with served(browser, Pages(MemoryTable(game(name), NAMES, seed=3))) as table:
        for phase in {one.phase for one in played if one.decider is not None}:
            fullest = max((one for one in played if one.phase == phase), key=lambda one: len(list(one.legal.thrifty())))
            for screen in (SMALLEST, TWICE):
                page = table.phone(fullest.decider, viewport=screen, locale="de-DE")
                assert broken(table, page, fullest, "seat") == [], (phase, screen)


def test_three_cards_to_take_beside_each_other_break_no_word(browser: Browser) -> None:
    """A phone of 360 px has room for “Dreiergruppe:” below each of them."""
    takes = [one for one in well_played(game("palazzo"), 2) if one.phase == "take"]
    makes_group = next(one for one in takes if any(_group(one, card) for card in one.to_json()["row"]))
    with served(browser, Pages(MemoryTable(game("palazzo"), NAMES, seed=3))) as table:
        page = table.phone(makes_group.decider, viewport=COMMON, locale="de-DE")
        assert broken(table, page, makes_group, "seat") == []
        assert "Dreiergruppe:" in page.locator("#do").inner_text()


def _group(position: Position, card: str) -> bool:
    """Return whether a card makes one more group of three for the seat that decides."""
    assert position.decider is not None
    hand = tuple(position.to_json()["seats"][position.decider]["hand"])
    return len(groups((*hand, card))) > len(groups(hand))


def test_a_phone_of_320_px_breaks_no_name_of_a_city(browser: Browser) -> None:
    """The cities of the table stand beside their towers and cards; Italian says at length that a city has no card."""
    played = well_played(game("patrician"), 1)
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES, seed=3))) as table:
        table.mailbox.become(played[-1])
        page = table.phone(0, viewport=SMALLEST, locale="it-IT")
        page.locator("#tab-table").tap()
        expect(page.locator("#table h3").first).to_be_visible()
        assert page.evaluate(BROKEN) == []


def test_letters_of_twice_the_size_break_no_word_of_what_a_host_enters(browser: Browser) -> None:
    """Each act is a button with a sentence and pieces."""
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
    """Names of one long word have to be broken; the word for the points is not."""
    names = ["W" * MAX_NAME_LENGTH, "M" * MAX_NAME_LENGTH]
    with served(browser, Pages(MemoryTable(game("palazzo"), names, seed=3))) as table:
        page = table.phone(viewport=SMALLEST, locale="de-DE")
        found = broken(table, page, well_played(game("palazzo"), 1, names)[-1], "")
        assert set(found) <= set(names)


def test_what_a_turret_brings_stays_on_one_line(browser: Browser) -> None:
    """It stands on the structure and would else cover what that is."""
    played = well_played(game("piecepack"), 1)
    moves = next(one for one in played if any(legal.do == "turret" for legal in one.legal.thrifty()))
    with served(browser, Pages(MemoryTable(game("piecepack"), NAMES, seed=3))) as table:
        table.mailbox.become(moves)
        page = table.phone(moves.decider)
        page.get_by_role("tab", name="Turret").tap()
        assert page.locator(".brings").count() > 0
        assert page.evaluate(BROKEN) == []
