"""The end on the stage: the score is counted first, then the winner is named and celebrated."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Page, expect

from doubles.browsing import Table, follow
from doubles.positions import well_played
from tabletop.rules.palazzo import GAME

COUNTED = 30_000
"""More ms than it takes to count every palazzo of the game that is shown here."""


def last_move(table: Table, motion: Literal["no-preference", "reduce"]) -> Page:
    """Return a television on which a game has just ended."""
    before, after = well_played(GAME, 1)[-2:]
    table.mailbox.become(before)
    page = table.phone(viewport={"width": 1280, "height": 720}, is_mobile=False, reduced_motion=motion)
    page.clock.install()
    page.goto(table.base)
    page.wait_for_selector("html.live")
    table.mailbox.become(after)
    follow(table, page)
    return page


def test_who_has_won_is_not_said_before_it_is_shown(table: Table) -> None:
    """The name would take the suspense from the counting; confetti falls once it is said."""
    page = last_move(table, "no-preference")
    expect(page.locator(".status .now")).to_be_hidden()
    assert page.locator(".confetti").count() == 0
    page.clock.run_for(COUNTED)
    expect(page.locator(".status .now")).to_be_visible()
    assert page.locator(".confetti").count() > 0


def test_a_calm_screen_says_at_once_who_has_won(table: Table) -> None:
    page = last_move(table, "reduce")
    expect(page.locator(".status .now")).to_be_visible()
    page.clock.run_for(COUNTED)
    assert page.locator(".confetti").count() == 0
