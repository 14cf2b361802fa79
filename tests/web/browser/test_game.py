"""A whole game on three phones, from the code on the table page to the final score, by taps alone."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import PHONE, TAUGHT, UNHURRIED, WAIT
from doubles.pages import CODE
from doubles.positions import NAMES
from tabletop.match.journal_file import read_events
from tests.ports import free_port

STATE = """[Number(document.body.dataset.on), document.querySelector("[data-mine=yes]") !== null,
    document.querySelector("#status .over") !== null]"""
OFFERED = """ways => Object.keys(ways).filter(way => document.querySelector("#do " + ways[way]))"""
WAYS = {
    "buy": "#buy .group[data-key^=o]", "bid": "#raise .group[data-key^=o]", "auction": "button[data-key=auction]",
    "pass": "[data-key=pass]", "take": ".cardpick", "place": ".sites button", "claim": "button.option",
    "money": "[data-key=money]", "build": "[data-key=build]",
}  # fmt: skip
"""Kind of act → the elements to tap for it; a purchase takes the first way to pay."""
SHOWS = "number => Number(document.body.dataset.on) >= number"
ROOT = Path(__file__).parents[3]


class KillableTable:
    """A table in its own process, and three phones."""

    def __init__(self, chromium: Browser, folder: Path, seed: int) -> None:
        self.folder, self._seed, self.port = folder, seed, free_port()
        self.base = f"http://table.local:{self.port}"
        self.start()
        self._browser = chromium
        self.contexts = [self._context() for _ in range(len(NAMES) + 1)]
        self.watcher = self.contexts[-1].new_page()
        self.watcher.goto(self.base)
        self.phones = [context.new_page() for context in self.contexts[:-1]]

    def _context(self) -> Any:
        context = self._browser.new_context(**PHONE, locale="en-GB", reduced_motion="reduce")
        context.add_init_script(TAUGHT)
        context.set_default_timeout(WAIT)
        context.add_init_script(UNHURRIED)
        return context

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.web.served_table", str(self.folder), str(self.port), str(self._seed)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.kill()


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[KillableTable]:
    made = KillableTable(browser, tmp_path, seed=11)
    yield made
    made.close()


class People:
    """Three people at their phones, each of whom looks at their own page and taps what it offers."""

    def __init__(self, table: KillableTable, seed: int) -> None:
        self.table, self.phones = table, table.phones
        self._rng = random.Random(seed)
        self.done: list[str] = []
        self.newest = 0

    def deciding(self) -> Page | None:
        """Return the phone whose turn it is, once all show the same event; None when the game is over."""
        pages: list[Page] = [*self.phones, self.table.watcher]
        while True:
            states = [page.evaluate(STATE) for page in pages]
            self.newest = max(on for on, _mine, _over in states)
            behind = [page for page, (on, _mine, _over) in zip(pages, states, strict=True) if on < self.newest]
            if not behind:
                break
            behind[0].wait_for_function(SHOWS, arg=self.newest)
        if states[0][2]:
            return None
        mine: list[Page] = [page for page, (_on, mine, _over) in zip(self.phones, states[:-1], strict=True) if mine]
        assert len(mine) == 1, [page.locator("#status").inner_text() for page in self.phones]
        return mine[0]

    def act(self, page: Page) -> str:
        """Do something on the page whose turn it is, wait until the page shows it, and return its kind."""
        kind = self._choose(page)
        page.wait_for_function(SHOWS, arg=self.newest + 1)
        self.done.append(kind)
        return kind

    def _choose(self, page: Page) -> str:
        do, offered = page.locator("#do"), page.evaluate(OFFERED, WAYS)
        if "buy" in offered and self._rng.random() < 0.6:
            do.locator("#buy input[name='tiles[]']").first.tap()
            do.locator(WAYS["buy"]).first.tap()
            expect(do.locator("#buy-sum")).to_have_attribute("data-ok", "true")
            do.get_by_role("button", name="Buy", exact=True).tap()
            return "buy"
        if "bid" in offered and self._rng.random() < 0.6:
            do.locator(WAYS["bid"]).first.tap()
            expect(do.locator("#bid-sum")).to_have_attribute("data-ok", "true")
            do.get_by_role("button", name="Raise").tap()
            return "bid"
        kind = next((way for way in ("auction", "pass", "take", "place", "claim") if way in offered), "build")
        if kind == "build" and "money" in offered and self._rng.random() < 0.25:
            kind = "money"
        if kind == "auction" and (tab := do.get_by_role("tab", name="Or auction")).count():
            tab.tap()
        do.locator(WAYS[kind]).first.tap()
        return kind


def sit_down(table: KillableTable) -> None:
    """Open the join address on each phone and take a seat."""
    expect(table.watcher.locator("#join")).to_contain_text(CODE)
    for seat, page in enumerate(table.phones):
        page.goto(f"{table.base}/join?code={CODE}")
        page.locator(f".seatpick.seat-{seat}").tap()
        page.get_by_role("button", name="Sit down").tap()
        page.wait_for_url("**/seat")
        page.wait_for_selector("html.live")


def take_back_with_a_vote(people: People, asker: Page) -> None:
    """Ask to undo something that revealed pieces, and let all others agree on their phones."""
    people.deciding()
    asker.locator("[data-key=undo]").first.tap()
    for page in people.phones:
        if page is not asker:
            page.get_by_role("button", name="Agree").tap()
    asker.wait_for_function(SHOWS, arg=people.newest + 1)


def test_a_whole_game_by_taps_through_a_vote_a_lost_network_and_a_power_cut(table: KillableTable) -> None:
    """Three phones join by code and play to the final score.

    On the way a build is undone by a vote, one phone loses the network for a while, and the table loses its power in
    the middle of an auction.
    """
    sit_down(table)
    people = People(table, seed=2)
    voted = killed = looked = False
    while (page := people.deciding()) is not None:
        if not looked and page.locator("#do details.closed").count():
            for gathered in page.locator("#do summary.big", has_text="Why not").all()[:1]:
                gathered.tap()
            page.locator("#do details.closed summary").first.tap()
            expect(page.locator("#do details.closed p").first).to_contain_text("Rule")
            looked = True
        if not killed and people.done[-1:] == ["bid"]:
            table.kill()
            for one in people.phones:
                expect(one.locator("#offline")).to_be_visible()
            table.start()
            for one in people.phones:
                expect(one.locator("#offline")).to_be_hidden()
            killed = True
            continue
        kind = people.act(page)
        if not voted and kind == "build":
            away = next(one for one in people.phones if one is not page)
            away.context.set_offline(True)
            expect(away.locator("#offline")).to_be_visible()
            away.context.set_offline(False)
            expect(away.locator("#offline")).to_be_hidden()
            take_back_with_a_vote(people, page)
            voted = True
    assert voted
    assert killed
    assert looked
    assert {"money", "take", "build", "buy", "auction", "bid", "pass", "claim", "place"} <= set(people.done)
    for page in people.phones:
        page.get_by_role("link", name="Final score").first.tap()
        expect(page.locator(".winner")).to_be_visible()
    (path,) = table.folder.glob("*.tabletop")
    scores = read_events(path)[1].position.score()
    shown = people.phones[0].locator(".people .score")
    expect(shown).to_have_count(len(scores))
    points = [int(text.split()[0].replace("−", "-")) for text in shown.all_inner_texts()]
    assert sorted(points) == sorted(score.points for score in scores)
