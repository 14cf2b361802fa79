"""What colours tell stays readable for people who cannot rely on them or whose system forces its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from doubles.browsing import served
from doubles.memory_table import MemoryTable
from doubles.pages import CODE, Pages
from doubles.positions import NAMES, well_played
from tabletop.rules import registry

TELLING = "[data-piece]:not([data-walks]), .sym, .head, .disc, .dot, .pips i, .pawn, .die, .light"
"""The elements whose colour alone tells a material, a currency, heads, a seat, or how many are left."""
COLOURS = """what => [...document.querySelectorAll(`main :is(${what})`)].map((one) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    return `${one.className}: ${backgroundColor} ${backgroundImage}`;
})"""


def colours(page: Page) -> list[str]:
    """Return the colours of the elements that tell something by colour."""
    found: list[str] = page.evaluate(COLOURS, TELLING)
    return found


def assert_kept(page: Page) -> None:
    """Assert that a page keeps the colours that tell something."""
    usual = colours(page)
    page.emulate_media(forced_colors="active")
    assert usual
    assert colours(page) == usual


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_pieces_and_seats_look_as_usual(browser: Browser, name: str) -> None:
    """With forced colours, pieces and seats keep the colours that tell materials and currencies apart."""
    played = [one for one in well_played(registry.game(name), 1) if one.decider is not None]
    with served(browser, Pages(MemoryTable(registry.game(name), NAMES, position=played[-1]))) as table:
        assert_kept(table.phone(played[-1].decider))


def test_the_colours_to_choose_from_can_be_seen(browser: Browser) -> None:
    with served(browser, Pages(MemoryTable(registry.game("palazzo"), NAMES))) as table:
        page = table.phone()
        page.goto(f"{table.base}/join?code={CODE}")
        assert_kept(page)


def test_the_curves_of_a_full_table_differ_by_more_than_their_colour(browser: Browser) -> None:
    names = (*NAMES, "Dario", "Elena")
    end = well_played(registry.game("patrician"), 1, names)[-1]
    with served(browser, Pages(MemoryTable(registry.game("patrician"), names, position=end))) as table:
        page = table.phone()
        page.goto(f"{table.base}/after")
        dashes = page.locator(".chart polyline").evaluate_all(
            "all => all.map((one) => getComputedStyle(one).strokeDasharray)"
        )
        assert len(dashes) == len(set(dashes)) == len(names)
