"""Whether the stage moves smoothly and nothing on it shifts, measured by the browser's own trace.

``python -m bench.motion [--game palazzo] [--seed 5] [--acts 60] [--slower 4]`` prints one JSON document.  A TV of 720p
shows a game, the processor slowed down by a factor; every action is followed until nothing moves any more.  Frames are
those that the browser drew from when the first piece began to move until the last one lay still: it reports the
milliseconds between them, and the median of how long the first one took.  The browser also counts layout shifts.
"""

from __future__ import annotations

import argparse
import json
import random
from itertools import pairwise
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from doubles.browsers import browser_path
from doubles.browsing import Table, served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules import registry

TV: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "has_touch": False,
    "is_mobile": False,
    "reduced_motion": "no-preference",
}
SMOOTH, LONGEST = 33.4, 100.0
"""The longest time between frames, ms, for 95 of 100 frames and for all of them."""
TRACED = "disabled-by-default-devtools.timeline.frame,devtools.timeline.frame,blink.user_timing"
DRAWN, MOVES, RESTS = "DrawFrame", "moves", "rests"
"""The names in the browser's trace of a drawn frame, the beginning of a motion, and its end."""
SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (shifted += one.value)))
        .observe({ type: "layout-shift" });
}"""
MARKED = """() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        performance.mark("moves");
        const made = animate.apply(this, how);
        made.finished.finally(() => performance.mark("rests"));
        return made;
    };
}"""
STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"
LOOKS = 50
"""Milliseconds between two checks whether the page is still: checking in every frame would slow it down."""


def frames(page: Page, session: CDPSession, act: Any) -> list[float]:
    """Do something and return when motion was requested and when each of its frames was drawn, ms; empty for none."""
    collected: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda event: collected.extend(event["value"]))
    session.on("Tracing.tracingComplete", lambda _event: ended.append(True))
    session.send("Tracing.start", {"transferMode": "ReportEvents", "categories": TRACED})
    act()
    page.wait_for_function(STILL, polling=LOOKS)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    times = {
        name: sorted(event["ts"] / 1000 for event in collected if event["name"] == name)
        for name in (DRAWN, MOVES, RESTS)
    }
    if not times[MOVES] or not times[RESTS]:
        return []
    begun, end = times[MOVES][0], times[RESTS][-1]
    return [begun, *(time for time in times[DRAWN] if begun < time <= end)]


def play(table: Table, page: Page, session: CDPSession, acts: int, seed: int) -> list[list[float]]:
    """Do that many actions and return the result of :func:`frames` for each one that moved something."""
    rng, found = random.Random(seed), list[list[float]]()
    for number in range(acts):
        now = table.mailbox.snapshot
        if now.over:
            break
        choices = list(now.position.legal.thrifty())
        kind = rng.choice(sorted({choice.do for choice in choices}))
        chosen = rng.choice([choice for choice in choices if choice.do == kind])

        def act() -> None:
            table.mailbox.act(chosen, on=now.number, id=f"motion-{number:04d}", seat=now.position.decider)  # noqa: B023
            page.wait_for_function(
                "on => document.body.dataset.on === on", arg=str(table.mailbox.snapshot.number), polling=LOOKS
            )

        found.append(frames(page, session, act))
    return [times for times in found if len(times) > 1]


def report(moved: list[list[float]]) -> dict[str, Any]:
    """Return how smooth the frames are, and how long the motion took to begin after it was requested."""
    if not moved:
        return {"frames": 0}
    begins = sorted(times[1] - times[0] for times in moved)
    every = sorted(later - earlier for times in moved for earlier, later in pairwise(times[1:]))
    smooth = sum(gap <= SMOOTH for gap in every) / len(every)
    over = sum(gap > LONGEST for gap in every)
    return {
        "frames": len(every),
        "median_ms": round(every[len(every) // 2], 1),
        "within_33_ms": round(smooth, 3),
        "over_100_ms": over,
        "longest_ms": round(every[-1], 1),
        "begins_after_ms": round(begins[len(begins) // 2], 1),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--game", default="palazzo", choices=registry.BUILT_IN)
    options.add_argument("--seed", type=int, default=5)
    options.add_argument("--acts", type=int, default=60)
    options.add_argument("--slower", type=float, default=4.0)
    asked = options.parse_args()
    pages = Pages(MemoryTable(registry.game(asked.game), NAMES, seed=4), press=None)
    for seat in range(len(NAMES)):
        pages.room.claim(seat)
    arguments = ["--no-sandbox", "--host-resolver-rules=MAP table.local 127.0.0.1"]
    with sync_playwright() as driver, served(
        driver.chromium.launch(executable_path=browser_path(), args=arguments), pages
    ) as table:  # fmt: skip
        page = table.phone(**TV, bypass_csp=True)
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": asked.slower})
        page.goto(table.base)
        page.wait_for_selector("html.live")
        page.evaluate(SHIFTS)
        page.evaluate(MARKED)
        moved = play(table, page, session, asked.acts, asked.seed)
        shift = page.evaluate("shifted")
    print(json.dumps({"game": asked.game, "slower": asked.slower, **report(moved), "layout_shift": round(shift, 4)}))


if __name__ == "__main__":
    main()
