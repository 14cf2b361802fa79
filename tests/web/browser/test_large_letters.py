"""Letters of twice the size, and screens of the smallest phones: no word and no number is broken within."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from doubles.browsing import Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, well_played
from tabletop.rules.game import Position
from tabletop.rules.registry import BUILT_IN, game

TWICE = {"width": 195, "height": 422}
"""What a page zoomed to 200 % has of a common phone, in px."""
BROKEN = r"""() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement.checkVisibility() || node.parentElement.closest(".away, .word, svg")) continue;
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
        }
    }
    return found;
}"""
"""Words and numbers that stand on two lines."""


def broken(table: Table, page: Page, position: Position, *paths: str) -> list[str]:
    """Return what is broken on pages, or makes one wider than the screen, at a position."""
    table.mailbox.become(position)
    found: list[str] = []
    for path in paths:
        page.goto(f"{table.base}/{path}", wait_until="domcontentloaded")
        page.wait_for_selector("html.js")
        found += page.evaluate(BROKEN)
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
        assert broken(table, page, decides, "", "seat") == []
        assert broken(table, page, played[-1], "", "seat") == []


def test_a_phone_of_320_px_breaks_no_name_of_a_city(browser: Browser) -> None:
    """With many cards to take the city stands below its card."""
    played = well_played(game("patrician"), 1)
    takes = max((one for one in played if one.phase == "take"), key=lambda one: len(list(one.legal.thrifty())))
    with served(browser, Pages(MemoryTable(game("patrician"), NAMES, seed=3))) as table:
        page = table.phone(takes.decider, viewport={"width": 320, "height": 640}, locale="it-IT")
        assert broken(table, page, takes, "seat") == []
