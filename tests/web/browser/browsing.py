"""A table served to real browsers: phones that come to it, and what is asked of every page that they show."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page

from tabletop.web.server import Server
from tests.clock import PATIENCE
from tests.web.positions import phases

if TYPE_CHECKING:
    from tests.web.conftest import Pages

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 640}}
"""The smallest phone that is still common."""
WAIT = 1000 * PATIENCE  # ms
UNHURRIED = """addEventListener("DOMContentLoaded", () => {
    const style = new CSSStyleSheet();
    style.replaceSync(".settling main { pointer-events: auto }");
    document.adoptedStyleSheets = [style];
})"""
"""Lets a page that has just changed be tapped at once: nobody taps twice here, and many would wait (forms.js)."""
TAUGHT = """if (location.protocol === "http:") localStorage.setItem("taught", "off")"""
"""Lets a player know everything: what is new would stand before the decision (lessons.js)."""
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
LOOKS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]}}
"""What colours and room decide: enough for a state that was looked at whole in other colours, on another screen."""


SCREENS = (((320, 640), "light", RULES), ((1920, 1080), "dark", LOOKS))
"""What every state of a page is looked at on: a screen, its colours, and what axe-core is asked."""


class Table:
    """A served table, and browsers that come to it."""

    def __init__(self, browser: Browser, pages: Pages, port: int = 0) -> None:
        self.browser = browser
        self.pages = pages
        self.mailbox = pages.mailbox
        self.server = Server(pages.app, "127.0.0.1", port)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        self.base = f"http://table.local:{self.server.port}"
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []

    def phone(self, seat: int | None = None, *, hurried: bool = False, new: bool = False, **more: Any) -> Page:
        """Return a page of a new phone; with a seat, at that seat's page; ``hurried`` fingers may tap twice.

        A ``new`` player is taught what happens for the first time; any other one knows it.  Nothing moves unless that
        is asked for: drawing each step of a motion takes most of a browser's time.
        """
        context = self.browser.new_context(**{**PHONE, "locale": "en-GB", "reduced_motion": "reduce", **more})
        if not new:
            context.add_init_script(TAUGHT)
        context.set_default_timeout(WAIT)
        if not hurried:
            context.add_init_script(UNHURRIED)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))
        if seat is not None:
            token = self.pages.room.claim(seat)
            context.add_cookies([{"name": "seat", "value": token, "url": self.base}])
            page.goto(f"{self.base}/seat")
            page.wait_for_selector("html.live")
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.server.close()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


@contextmanager
def served(browser: Browser, pages: Pages) -> Iterator[Table]:
    """Serve pages to browsers; in the end none of these may have found a fault in them."""
    made = Table(browser, pages)
    yield made
    made.close()
    assert made.faults == []


def on_screens(page: Page) -> Iterator[tuple[int, dict[str, Any]]]:
    """Show a page on each of the screens; give how wide that is, and what axe-core is asked there."""
    for (width, height), colours, rules in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        yield width, rules


def hasten(page: Page) -> None:
    """Let everything on a page move as it does, but fifty times as fast: each moment of a motion has to be drawn."""
    browser = page.context.new_cdp_session(page)
    browser.send("Animation.enable")
    browser.send("Animation.setPlaybackRate", {"playbackRate": 50})


def become(table: Table, phase: str) -> int:
    """Bring the table into a phase and return who decides."""
    position = phases()[phase]
    table.mailbox.become(position)
    assert position.decider is not None
    return position.decider


def follow(table: Table, page: Page) -> None:
    """Wait until a page shows the newest event."""
    page.wait_for_function("on => document.body.dataset.on === on", arg=str(table.mailbox.snapshot.number))


def press(page: Page, what: str, key: str) -> None:
    """Go on from thing to thing by the keyboard until one is reached, and press a key on it."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate("what => document.activeElement.matches(what)", what):
            page.keyboard.press(key)
            return
    raise AssertionError(f"no key leads to {what}")


SHOWN = """html => {
    const { documentElement, body } = new DOMParser().parseFromString(html, "text/html");
    document.documentElement.lang = documentElement.lang;
    document.body = body;
    body.getBoundingClientRect();
    return document.fonts.ready.then(() => null);
}"""
"""Shows another page of the same kind, without loading styles and scripts again."""
SETTLED = """() => Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished.catch(() => null))).then(() => null)"""
"""Waits for the end of every motion that has one: words that are still fading in have no colour to judge."""


def barriers(page: Page, rules: dict[str, Any] = RULES) -> list[list[str]]:
    """Return what axe-core holds against the page by WCAG 2.2 AA once nothing moves: rule and first element."""
    page.evaluate(SETTLED)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = page.evaluate(
        """async rules => (await axe.run(rules)).violations.map(({id, nodes}) => [id, nodes[0].html.slice(0, 160)])""",
        {**rules, "resultTypes": ["violations"]},
    )
    return found


def small_targets(page: Page) -> list[str]:
    """Return what can be tapped and is smaller than 48 px."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll(
            "button, a.button, label.button, summary, select, input[type=range], .tap:has(input), label > .pick")]
        .filter((one) => one.checkVisibility())
        .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 47.5)
        .map((one) => one.outerHTML.slice(0, 120))"""
    )
    return found


def assert_fits(page: Page, where: tuple[object, ...]) -> None:
    """Assert that a page, with everything unfolded, fits the width of each screen and can be used by everybody."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for width, rules in on_screens(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        assert small_targets(page) == [], where
        assert barriers(page, rules) == [], where
