"""How much a first visit to a page loads, and how long it takes on a slow phone.

``python -m bench.first_load`` prints one JSON line per page.  Chromium is slowed down six times, and its network to 1.5
megabits per second with a round trip of 40 ms, like an old phone at the edge of the Wi-Fi.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from doubles.browsers import browser_path
from doubles.fake_photo_reader import FakePhotoReader
from doubles.finished_games import shelf_of_games
from doubles.memory_table import MemoryTable
from doubles.pages import HOST_CODE, Pages
from doubles.positions import NAMES, phases
from tabletop.rules.palazzo import GAME
from tabletop.web.server import Server

SLOWER = 6
BITS = 1_500_000
"""Bits per second, in each of both directions."""
LATENCY = 40
"""The round-trip time, ms."""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
LARGEST = """new Promise((tell) => new PerformanceObserver((list) => tell(list.getEntries().at(-1).startTime))
    .observe({type: 'largest-contentful-paint', buffered: true}))"""
ALIVE = "document.documentElement.classList.contains('live')"


def load(browser: Browser, base: str, path: str, tokens: Mapping[str, str]) -> dict[str, Any]:
    """Return bytes and milliseconds of a first visit."""
    # The pages forbid evaluated scripts, which the browser's driver needs for waiting.
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, bypass_csp=True
    )
    context.add_cookies([{"name": name, "value": token, "url": base} for name, token in tokens.items()])
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    rate = {"downloadThroughput": BITS / 8, "uploadThroughput": BITS / 8, "latency": LATENCY, "offline": False}
    session.send("Network.emulateNetworkConditions", rate)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    received: list[int] = []
    session.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
    page.goto(base + path)
    page.wait_for_function(f"!document.body.dataset.stamp || {ALIVE}")
    figures = {
        "bytes": sum(received),
        "first_paint_ms": round(page.evaluate(PAINTED)),
        "largest_paint_ms": round(page.evaluate(LARGEST)),
        "live_ms": round(page.evaluate("performance.now()")),
    }
    context.close()
    return figures


PATHS = ("/seat", "/", "/join", "/rules", "/host", "/host/history", "/games", "/games/people", "/games/finished",
         "/games/finished/replay", "/photo/table")  # fmt: skip
"""The pages that people open; the stage's sounds are synthesised, so they load nothing."""


def main() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as play:
        pages = Pages(
            MemoryTable(GAME, NAMES, seed=3),
            archive=shelf_of_games(Path(folder)),
            photo_reader=FakePhotoReader(),
        )
        pages.mailbox.become(position := phases()["choose"])
        tokens = {"seat": pages.room.claim(position.decider or 0), "host": pages.room.hosts.admit(HOST_CODE) or ""}
        server = Server(pages.app, "127.0.0.1", 0)
        threading.Thread(target=server.run, daemon=True).start()
        base = f"http://127.0.0.1:{server.port}"
        browser = play.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        load(browser, base, "/", tokens)
        for path in PATHS:
            print(json.dumps({"page": path, **load(browser, base, path, tokens)}), flush=True)
        browser.close()
        server.close()


if __name__ == "__main__":
    main()
