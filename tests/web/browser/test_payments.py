"""Of all ways to pay, the cheapest is shown first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import SMALL, Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases, play, rebuilding
from tabletop.rules.palazzo.state import State
from tabletop.rules.registry import game
from tests.web.games import test_piecepack


def values(page: Page, form: str) -> Iterator[list[int]]:
    """Iterate over the lists of payments in a form, each as the values of its payments."""
    for box in page.locator(f"{form} .three:has([data-key^=o])").all():
        yield [int(text.strip("=+ ")) for text in box.locator("[data-key^=o] > b").all_inner_texts()]


@pytest.mark.parametrize(("phase", "form"), [("choose", "#buy"), ("bid", "#raise"), ("action", "#rebuild")])
def test_the_cheapest_payments_come_first(table: Table, phase: str, form: str) -> None:
    """Payments are sorted from the cheapest, and are above the cards of the hand."""
    position = rebuilding(phases()[phase])
    table.mailbox.become(position)
    page = table.phone(position.decider, **SMALL)
    page.evaluate("document.querySelectorAll('#do details').forEach((one) => (one.open = true))")
    lists = list(values(page, form))
    assert lists
    for one in lists:
        assert one == sorted(one)
    cheapest = page.locator(f"{form} [data-key^=o]").last.bounding_box()
    hand = page.locator(f"{form} .currency").first.bounding_box()
    assert cheapest
    assert hand
    assert cheapest["y"] + cheapest["height"] <= hand["y"]
    if phase == "action":
        held = cast(State, position).hands[position.decider or 0]
        assert lists[0][0] == min(int(card[1]) for card in held)
        page.locator(f"{form} [data-key^=o]").first.tap()
        expect(page.locator(f"{form} input[name=pay]:checked")).to_have_count(1)


def test_the_cheapest_payments_of_the_piecepack_come_first(browser: Browser) -> None:
    """The suggested payments are above the single coins."""
    with served(browser, Pages(MemoryTable(game("piecepack"), NAMES, seed=3))) as table:
        bought = (one for one in test_piecepack.a_game(7) if any(a.do == "purchase" for a in one.legal.thrifty()))
        position = next(bought)
        table.mailbox.become(position)
        page = table.phone(position.decider, **SMALL)
        offer = page.locator("#buy [data-key^=o]").last.bounding_box()
        coin = page.locator("#buy input[name='pay[]']").first.bounding_box()
        assert offer
        assert coin
        assert offer["y"] + offer["height"] <= coin["y"]


def test_who_cannot_raise_reads_why_beside_the_button_to_pass(table: Table) -> None:
    """The reason is 4 px above “Pass”, and a hand that was laid whole is called “No cards.”."""
    facts = phases()["bid"].to_json()
    facts["discards"] += facts["seats"][facts["turn"]["seat"]]["hand"]
    facts["seats"][facts["turn"]["seat"]]["hand"] = []
    table.mailbox.become(position := game("palazzo").load(facts))
    page = table.phone(position.decider, **SMALL)
    why, passing = (page.locator(one).bounding_box() for one in ("#do p.closed", "#do [data-key=pass]"))
    assert why
    assert passing
    assert why["y"] + why["height"] + 4 <= passing["y"]
    expect(page.locator("#do > .hollow")).to_have_text("No cards.")


def test_what_the_cards_of_a_currency_are_worth_stands_beside_the_first_of_them(table: Table) -> None:
    """However wide the screen is, the line is not broken between the two."""
    table.mailbox.become(position := phases()["bid"])
    page = table.phone(position.decider, **SMALL)
    apart = """() => [...document.querySelectorAll("#raise .currency")].map((one) => {
        const [worth, card] = ["p", ".tap"].map((it) => one.querySelector(it).getBoundingClientRect());
        return Math.max(worth.top - card.bottom, card.top - worth.bottom) > 0 || card.left < worth.right - 1;
    })"""
    for width in range(320, 420, 20):
        page.set_viewport_size({"width": width, "height": 640})
        assert not any(found := page.evaluate(apart)), width
        assert len(found) > 2


def test_undo_gives_way_to_what_a_payment_is_worth_on_a_small_screen(table: Table) -> None:
    """It would be cut off below the button that pays; it is back once nothing is ticked."""
    table.mailbox.become(phases()["action"])
    now = table.mailbox.snapshot
    table.mailbox.act(now.position.game.action({"do": "build"}), on=now.number, id="build", seat=now.position.decider)
    page = table.phone(now.position.decider, **SMALL)
    undo, tile = page.locator("#do > [data-key=undo]"), page.locator("#buy label:has(input[name='tiles[]'])").first
    expect(undo).to_be_visible()
    tile.tap()
    page.wait_for_selector("#buy-sum .fact")
    expect(undo).to_be_hidden()
    tile.tap()
    expect(undo).to_be_visible()


def test_a_payment_that_is_chosen_looks_so_and_a_second_tap_takes_it_back(table: Table) -> None:
    """On a small phone its cards may be out of sight below the bar that pays."""
    table.mailbox.become(position := phases()["choose"])
    page = table.phone(position.decider, **SMALL)
    offers, ticked = page.locator("#buy .offered > button"), page.locator("#buy input[name='pay[]']:checked")
    chosen = page.locator("#buy .offered > [aria-pressed=true]")
    expect(chosen).to_have_count(0)
    offers.first.tap()
    expect(offers.first).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_have_count(1)
    table.mailbox.show(say=())
    expect(chosen).to_have_count(1)
    offers.first.tap()
    expect(chosen).to_have_count(0)
    expect(ticked).to_have_count(0)


def test_the_bar_that_pays_never_hides_the_card_that_was_tapped_last(table: Table) -> None:
    """Where the bar grows at the tap, the cards above it scroll as far as needed."""
    tops = """() => {
        const [bar, ...cards] = [...document.querySelectorAll("#raise .paybar, #raise .tap:has(input)")].reverse();
        return [bar.getBoundingClientRect().top, ...cards.map((one) => one.getBoundingClientRect().bottom)];
    }"""
    hands = (one for one in play(1) if one.phase == "bid" and len(cast(State, one).hands[one.decider or 0]) == 17)
    table.mailbox.become(position := next(hands))
    page = table.phone(position.decider, viewport={"width": 320, "height": 568})
    bar, *cards = page.evaluate(tops)
    card = len(cards) - next(at for at, bottom in enumerate(cards) if bottom <= bar) - 1
    box = page.locator("#raise .tap:has(input)").nth(card).bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#raise .tap input").nth(card)).to_be_checked()
    page.wait_for_selector("#raise .live .fact")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")
    grown, *cards = page.evaluate(tops)
    assert grown < bar
    assert cards[len(cards) - card - 1] <= grown + 1
