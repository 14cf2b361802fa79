"""A table served to real browsers, and the phones that visit it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from doubles.clock import PATIENCE
from doubles.pages import Pages
from doubles.positions import phases
from tabletop.web.server import Server

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 640}}
"""The screen of the smallest phone that is still common."""
WAIT = 1000 * PATIENCE  # ms
UNHURRIED = """addEventListener("DOMContentLoaded", () => {
    const style = new CSSStyleSheet();
    style.replaceSync(".settling main { pointer-events: auto }");
    document.adoptedStyleSheets = [style];
})"""
"""A script that lets a page that has just changed be tapped at once (forms.js): nobody taps twice in tests, and waiting
takes time."""
TAUGHT = """if (location.protocol === "http:") localStorage.setItem("taught", "off")"""
"""A script that turns lessons off (lessons.js), because a lesson would come before the decision."""


class Table:
    """A served table, and browsers that visit it."""

    def __init__(self, browser: Browser, pages: Pages, port: int = 0) -> None:
        self.browser = browser
        self.pages = pages
        self.mailbox = pages.mailbox
        self.server = Server(pages.app, "127.0.0.1", port)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        self.base = f"http://table.local:{self.server.port}"
        self.contexts: list[BrowserContext] = []
        self.holders: dict[int, BrowserContext] = {}
        self.faults: list[str] = []

    def phone(
        self,
        seat: int | None = None,
        *,
        hurried: bool = False,
        new: bool = False,
        beside: bool = False,
        opened: bool = True,
        **more: Any,
    ) -> Page:
        """Return a page of a new phone; with a seat, at that seat's page unless it is not to be ``opened`` yet.

        ``hurried`` fingers may tap twice.

        With ``beside``, the phone that held the seat before stays (see ``sit``).

        A ``new`` player gets lessons, others do not.  Nothing moves unless that is requested, because drawing each step
        of a motion takes most of a browser's time.
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
        page.on("console", self._note_error)
        if seat is not None:
            self.sit(page, seat, beside=beside, opened=opened)
        return page

    def sit(self, page: Page, seat: int, *, beside: bool = False, opened: bool = True) -> None:
        """Give a phone a seat, and show the seat's page on it if it is to be ``opened``.

        A phone that had another seat before loads the page in half the time of a new one.  The phone that held the seat
        before is put away, because its browser would report that it is refused events; with ``beside`` it stays.
        """
        context, holder = page.context, self.holders.get(seat)
        if holder is not None and holder is not context and not beside:
            holder.close()
        self.holders = {other: one for other, one in self.holders.items() if one is not context} | {seat: context}
        context.add_cookies([{"name": "seat", "value": self.pages.room.claim(seat), "url": self.base}])
        if opened:
            page.goto(f"{self.base}/seat")
            page.wait_for_selector("html.live")

    def _note_error(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"{message.text} {message.location['url']}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.server.close()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


def draw_small(page: Page) -> None:
    """Draw a page at a tenth of its size and lay it out as before: drawing takes a quarter of a television's time.

    A mouse would miss what it points at, and another viewport is drawn in full again.
    """
    assert page.viewport_size is not None
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    metrics = {"width": width, "height": height, "screenWidth": width, "screenHeight": height}
    page.context.new_cdp_session(page).send(
        "Emulation.setDeviceMetricsOverride", {**metrics, "deviceScaleFactor": 1, "mobile": False, "scale": 0.1}
    )


@contextmanager
def served(browser: Browser, pages: Pages) -> Iterator[Table]:
    """Serve pages to browsers; at the end, no browser may have reported an error."""
    made = Table(browser, pages)
    try:
        yield made
    finally:
        made.close()
    assert not made.faults, made.faults


def become(table: Table, phase: str) -> int:
    """Bring the table into a phase and return who decides."""
    position = phases()[phase]
    table.mailbox.become(position)
    assert position.decider is not None
    return position.decider


def follow(table: Table, page: Page) -> None:
    """Wait until a page shows the newest event."""
    page.wait_for_function("on => document.body.dataset.on === on", arg=str(table.mailbox.snapshot.number))
