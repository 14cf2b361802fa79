"""What all campaigns share: a budget of time and randomness, and one line of JSON at the end.

``python -m tests.campaigns.NAME --seconds 60 --seed 7`` runs one; its exit status is 1 if it found a fault.  The tests
run each for a second (``test_campaigns.py``).
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST_FAULTS = 20
"""Number of faults that are listed; once it is reached a campaign ends."""


HANG = 5.0
"""Seconds after which an answer counts as a hang."""
SCHEDULED = Path("/proc/thread-self/schedstat")
"""File in which Linux counts, in ns, how long this thread ran and how long it waited for a processor."""


@dataclass
class Budget:
    """The time a campaign may take, in seconds, and its source of randomness."""

    seconds: float
    seed: int
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def left(self) -> bool:
        """Return whether there is time left."""
        return time.monotonic() - self.begun < self.seconds

    def rounds(self) -> Iterator[int]:
        """Count rounds from 0 until the time is over, at least one."""
        number = 0
        while number == 0 or self.left():
            yield number
            number += 1


@dataclass
class Tally:
    """A campaign's counts and the faults it found."""

    counts: dict[str, Any] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def count(self, what: str, number: int = 1) -> None:
        """Add to one of the counts."""
        self.counts[what] = self.counts.get(what, 0) + number

    def check(self, holds: bool, fault: str) -> None:
        """Note a fault unless ``holds``."""
        if not holds:
            self.count("faulty")
            if len(self.faults) < MOST_FAULTS:
                self.faults.append(fault)

    def most(self, what: str, value: float) -> None:
        """Raise a figure to ``value`` if that is larger."""
        self.counts[what] = max(self.counts.get(what, value), value)

    @contextmanager
    def input(self, what: object) -> Iterator[None]:
        """Count a hostile input; an exception in the block is a fault, and so is taking too long.

        Time in which other programs had the processor does not count.
        """
        begun = time.monotonic() - waited()
        try:
            yield
        except Exception:
            self.check(False, f"{what!r:.300}: {traceback.format_exc(limit=-3)}")
        took = time.monotonic() - waited() - begun
        self.count("inputs")
        self.most("slowest_ms", round(1000 * took))
        self.check(took < HANG, f"{what!r:.300}: took {took:.1f} s")

    @property
    def enough(self) -> bool:
        """True once the list of faults is full."""
        return len(self.faults) >= MOST_FAULTS


def waited() -> float:
    """Return for how many seconds this thread has waited for a processor; 0 if the system does not say."""
    try:
        return int(SCHEDULED.read_text("ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


class Tracebacks(logging.Handler):
    """A logging handler that counts each traceback the program logs as a fault."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(logging.ERROR)
        self._tally = tally

    def emit(self, record: logging.LogRecord) -> None:
        """Note a traceback as a fault."""
        self._tally.check(not record.exc_info, f"logged: {self.format(record)[-600:]}")


Campaign = Callable[[Budget, Tally], None]


def run(campaign: Campaign, seconds: float, seed: int) -> Tally:
    """Run a campaign; return its tally."""
    budget, tally = Budget(seconds, seed), Tally()
    handler = Tracebacks(tally)
    logging.getLogger().addHandler(handler)
    try:
        campaign(budget, tally)
    finally:
        logging.getLogger().removeHandler(handler)
    return tally


def main(
    campaign: Campaign,
    about: str | None,
    arguments: list[str] | None = None,
    own: argparse.ArgumentParser | None = None,
) -> None:
    """Run a campaign as a command: print its line of JSON and exit with its status.

    ``own``: a parser with this campaign's own options, which then appear in the help as well.
    """
    parser = argparse.ArgumentParser(description=(about or "").split("\n")[0], parents=[own] if own else [])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=1, help="what all chance is drawn from")
    chosen = parser.parse_args(arguments)
    begun = time.monotonic()
    tally = run(campaign, chosen.seconds, chosen.seed)
    name = campaign.__module__ if campaign.__module__ != "__main__" else sys.argv[0].rpartition("/")[2]
    line = {
        "campaign": name.removesuffix(".py").rpartition(".")[2],
        "seed": chosen.seed,
        "seconds": round(time.monotonic() - begun, 1),
        **tally.counts,
        "faults": tally.faults,
    }
    print(json.dumps(line), flush=True)
    sys.exit(1 if tally.faults else 0)
