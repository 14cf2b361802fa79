"""Make the README's still pictures: start the demo, play for a while, take screenshots of the pages in a browser.

    .venv/bin/python docs/make_pictures.py

Needs chromium.  It writes to ``docs/pictures/``; commit what became better.  ``docs/make_animation.py`` makes
the animated one.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
PORT = 8093
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}


def main() -> None:
    """Start the demo, take the pictures, end the demo."""
    PICTURES.mkdir(exist_ok=True)
    demo_options = ["--port", str(PORT), "--speed", "6", "--seed", "3", "--bind", "127.0.0.1"]
    command = [sys.executable, "-m", "tabletop", "demo", *demo_options]
    demo = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert demo.stdout is not None
        code = next(found[1] for line in demo.stdout if (found := re.search(r"code=(\w+)&seat=0", line)))
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            take(browser, code)
    finally:
        demo.terminate()
        demo.wait()


def take(browser: Browser, code: str) -> None:
    """Take screenshots of the table and of a seat once the game is under way."""
    base = f"http://127.0.0.1:{PORT}"
    table = browser.new_page(viewport=WIDE, device_scale_factor=1)
    table.goto(base)
    until_event(table, 60)
    phone = browser.new_page(viewport=PHONE, device_scale_factor=2)
    phone.goto(f"{base}/join?code={code}&seat=0")
    phone.get_by_role("button").last.click()
    phone.wait_for_url("**/seat")
    until_choosing(phone)
    phone.locator("#buy input[name='tiles[]']").first.click()
    phone.locator("#buy .group[data-key^=o]").first.click()
    phone.wait_for_selector("#buy-sum[data-ok=true]")
    phone.evaluate("scrollTo(0, 0)")
    save(phone, "seat")
    phone.locator("#tab-auction").click()
    phone.locator("[data-key=auction]").click()
    table.wait_for_selector(".auction .leads")
    # The first bids lie on the table by then, and no hand covers them.
    phone.wait_for_selector("#do [data-key=pass], #status:not(:has-text('bid'))", timeout=60_000)
    time.sleep(2)
    save(table, "table")


def until_choosing(phone: Page) -> None:
    """Play the simplest game until the seat may buy something."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and not phone.locator("#buy").count():
        for way in ("build", "pass"):
            button = phone.locator(f"#do [data-key={way}]")
            if button.count():
                button.first.click()
        for way in ("#do .cardpick", "#do .sites button", "#do .option"):
            if phone.locator(way).count():
                phone.locator(way).first.click()
        time.sleep(0.5)


def until_event(page: Page, number: int) -> None:
    """Wait until the match has reached that event."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        if int(page.locator("[data-on]").first.get_attribute("data-on") or 0) >= number:
            return
        time.sleep(1)


def save(page: Page, name: str) -> None:
    """Save a screenshot, packed as tightly as PNG allows."""
    raw = page.screenshot()
    picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    cv2.imwrite(str(PICTURES / f"{name}.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
