"""Whether the stage moves smoothly and nothing on it shifts: frames in the browser's own trace, over whole games.

``python -m bench.motion [--game palazzo] [--seed 5] [--acts 60] [--slower 4]`` prints one JSON document.  A TV of 720p
shows a game, the processor slowed down so many times; every act is followed until nothing moves any more.  Frames are
those that the browser drew in between: the milliseconds from each to the next.  The browser also counts layout shifts.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from tabletop.rules import registry
from tests.web.browser.browsing import Table, served
from tests.web.conftest import Pages
from tests.web.memory_table import MemoryTable
from tests.web.positions import NAMES

TV: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "has_touch": False, "is_mobile": False}
SMOOTH, LONGEST = 33.4, 100.0
"""Milliseconds: what 95 of 100 frames should stay within, and all of them."""
TRACED = "disabled-by-default-devtools.timeline.frame,devtools.timeline.frame"
DRAWN = "DrawFrame"
"""What the browser's trace calls a frame that it has drawn."""
SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (shifted += one.value)))
        .observe({ type: "layout-shift" });
}"""
MOVES = "() => document.getAnimations().some((one) => one.playState === 'running')"
RESTS = "() => document.getAnimations().every((one) => one.playState !== 'running')"


def frames(page: Page, session: CDPSession, act: Any) -> Iterator[float]:
    """Do something and iterate over the milliseconds between the frames that are drawn until all is at rest."""
    told: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda event: told.extend(event["value"]))
    session.on("Tracing.tracingComplete", lambda _event: ended.append(True))
    session.send("Tracing.start", {"transferMode": "ReportEvents", "categories": TRACED})
    act()
    moved = page.evaluate(MOVES)
    page.wait_for_function(RESTS)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    drawn = sorted(event["ts"] / 1000 for event in told if event["name"] == DRAWN)
    if moved:
        yield from (later - earlier for earlier, later in pairwise(drawn))


def play(table: Table, page: Page, session: CDPSession, acts: int, seed: int) -> list[float]:
    """Let so many things happen and return the milliseconds between the frames in which they moved."""
    rng, found = random.Random(seed), list[float]()
    for number in range(acts):
        now = table.desk.snapshot
        if now.over:
            break
        choices = list(now.position.legal.thrifty())
        kind = rng.choice(sorted({one.do for one in choices}))
        chosen = rng.choice([one for one in choices if one.do == kind])

        def act() -> None:
            table.desk.act(chosen, on=now.number, id=f"motion-{number:04d}", seat=now.position.decider)  # noqa: B023
            page.wait_for_function("on => document.body.dataset.on === on", arg=str(table.desk.snapshot.number))

        found += frames(page, session, act)
    return found


def report(spans: Iterable[float]) -> dict[str, Any]:
    """Return how smooth the frames are."""
    every = sorted(spans)
    if not every:
        return {"frames": 0}
    smooth = sum(one <= SMOOTH for one in every) / len(every)
    over = sum(one > LONGEST for one in every)
    return {
        "frames": len(every),
        "median_ms": round(every[len(every) // 2], 1),
        "within_33_ms": round(smooth, 3),
        "over_100_ms": over,
        "longest_ms": round(every[-1], 1),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--game", default="palazzo", choices=registry.BUILT_IN)
    options.add_argument("--seed", type=int, default=5)
    options.add_argument("--acts", type=int, default=60)
    options.add_argument("--slower", type=float, default=4.0)
    given = options.parse_args()
    pages = Pages(MemoryTable(registry.game(given.game), NAMES, seed=4), press=None)
    for seat in range(len(NAMES)):
        pages.room.claim(seat)
    arguments = ["--no-sandbox", "--host-resolver-rules=MAP table.local 127.0.0.1"]
    with sync_playwright() as driver, served(
        driver.chromium.launch(executable_path="/usr/bin/chromium", args=arguments), pages
    ) as table:  # fmt: skip
        page = table.phone(**TV, bypass_csp=True)
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": given.slower})
        page.goto(table.base)
        page.wait_for_selector("html.live")
        page.evaluate(SHIFTS)
        spans = play(table, page, session, given.acts, given.seed)
        shift = page.evaluate("shifted")
    print(json.dumps({"game": given.game, "slower": given.slower, **report(spans), "layout_shift": round(shift, 4)}))


if __name__ == "__main__":
    main()
