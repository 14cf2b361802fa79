"""Does a demo that plays game after game stay the same size in memory?

``python -m tests.campaigns.demo_memory [--games 8] [--seconds 120]`` plays that many games of Palazzo at a simulated
table, each for that many seconds at most, and prints the process's memory each time the next game has begun.
The last line is JSON; the exit status is 1 if after half of the games that follow the process held over a tenth more
than after the third: a single measurement may fall into the middle of reading a picture.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tabletop.hardware.diagnostics.linux import memory_mb
from tabletop.match.event import EventKind
from tabletop.runtime.demo import Demo

SETTLED = 3
"""Games after which the caches are filled."""


def main() -> int:
    """Play, measure, print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    held: list[int] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tabletop-")))
        table = (
            Demo("palazzo", seats=3, humans=0, seed=asked.seed, harsh=1, size=(2304, 1296), speed=20.0)
            .session(folder, stack)
            .table
        )
        for number in range(1, asked.games + 1):
            snapshot, until = table.mailbox.snapshot, time.monotonic() + asked.seconds
            while not snapshot.over and time.monotonic() < until:
                snapshot = table.mailbox.wait(snapshot.revision, 1.0) or snapshot
            table.mailbox.decide(EventKind.END, {}, id=f"end {number}")
            table.begin_same()
            held.append(int(memory_mb("VmRSS", file="proc/self/status")))
            print(f"game {number}: {snapshot.number} events, {held[-1]} MB", flush=True)
    later = held[SETTLED:]
    flat = not later or statistics.median(later) <= 1.1 * held[SETTLED - 1]
    print(json.dumps({"megabytes": held, "flat": flat}))
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())
