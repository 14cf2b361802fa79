"""Health and setup in a phone's browser: they fit, are accessible, and follow the presses at the table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from doubles.browsing import UNHURRIED, WAIT
from doubles.clock import PATIENCE
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.messages import Message
from tabletop.vision.aim.assessment import Aim, Hint, ZoneAim
from tabletop.web.server import Server
from tests.web.browser.browsing import LOOKS, RULES, Colours, barriers
from tests.web.pages.maintained import Bench

LARGE_LETTERS = 195
"""The width in px of a common phone zoomed to 200 %."""


class Served:
    """A server with the pages of safe mode, and the host's browser."""

    def __init__(self, browser: Browser, folder: Path, scheme: Colours) -> None:
        self.bench = Bench(folder, "The pins cannot be used.")
        self.bench.room.hosts.code = "FRESH234"
        self.server = Server(self.bench.app, "127.0.0.1", 0)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        self.base = f"http://127.0.0.1:{self.server.port}"
        self.rules = RULES if scheme == "light" else LOOKS
        self.context = browser.new_context(viewport={"width": 320, "height": 640}, color_scheme=scheme, locale="en-GB")
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script(UNHURRIED)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def close(self) -> None:
        self.context.close()
        self.server.close()
        self.thread.join(PATIENCE)

    def well(self) -> None:
        """Assert that the page fits the screen, even at 200 %, and that axe-core finds no barrier."""
        for width in (LARGE_LETTERS, 320):
            self.page.set_viewport_size({"width": width, "height": 640})
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        assert barriers(self.page, self.rules) == []


@pytest.fixture(params=["light", "dark"])
def served(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    made = Served(browser, tmp_path, request.param)
    yield made
    made.close()
    assert made.faults == []


def test_a_host_walks_from_safe_mode_to_a_configuration(served: Served, tmp_path: Path) -> None:
    """A press at the real panel leads the page to the next step, and the camera's findings appear as they change."""
    page, wizard = served.page, served.bench.wizard
    page.goto(served.base)
    served.well()
    page.get_by_role("link", name="Set up and try out").click()
    page.get_by_label("Code").fill("fresh234")
    page.get_by_role("button", name="Become the host").click()
    expect(page.get_by_label("Seat 1")).to_be_visible()
    served.well()
    for seat, name in enumerate(("Ada", "Ben", ""), start=1):
        page.get_by_label(f"Seat {seat}", exact=True).fill(name)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".ask")).to_have_text("Press the button that is lit: Money")
    wizard.press(Press("MONEY", Kind.PRESS, 0.0))
    expect(page.locator(".ask")).to_have_text("Press the button that is lit: Build")
    served.well()
    page.get_by_role("button", name="3. Camera").click()
    zones = (ZoneAim("row", Message("Money row"), 3.0, 1.0), ZoneAim("wh", Message("Warehouse")))
    wizard.see(wizard.draft.source, Aim(zones, (Hint("no-marker", Message("No zone card can be read.")),)))
    expect(page.get_by_text("No zone card can be read.")).to_be_visible()
    served.well()
    page.get_by_role("button", name="4. Sheets to print").click()
    expect(page.locator("[data-step=sheets]")).to_be_visible()
    expect(page.get_by_text("Warehouse")).to_be_visible()
    served.well()
    page.get_by_role("button", name="5. Finish").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".verdict")).to_contain_text("table.toml has been saved")
    served.well()
    assert 'seats = ["Ada", "Ben"]' in (tmp_path / "table.toml").read_text()


def test_the_list_is_shown_and_the_table_started_again(served: Served) -> None:
    page = served.page
    page.goto(f"{served.base}/health")
    page.get_by_label("Code").fill("fresh234")
    page.get_by_role("button", name="Become the host").click()
    expect(page.get_by_text("Reseat the cable.")).to_be_visible()
    served.well()
    page.get_by_role("button", name="Start the table").click()
    expect(page.get_by_text("This page comes back by itself.")).to_be_visible()
    assert served.bench.leaving.wait(PATIENCE)  # it leaves once the page has its answer
    assert served.bench.left == 1
