"""Matches between an oracle and the project: ``python -m tests.rules.oracle.campaign --game palazzo --seconds 9``.

Prints every difference with its seed, then one line of what was compared; exit status 1 if there was a difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping


def _palazzo(seed: int) -> Mapping[str, int]:
    from tests.rules.oracle.duel import match

    return match(seed)


def _piecepack(seed: int) -> Mapping[str, int]:
    from tests.rules.oracle.test_piecepack import match

    return match(seed)


def _patrician(seed: int) -> Mapping[str, int]:
    from tests.rules.oracle.test_patrician import match

    return match(seed)


MATCHES: dict[str, Callable[[int], Mapping[str, int]]] = {
    "palazzo": _palazzo,
    "piecepack": _piecepack,
    "patrician": _patrician,
}
"""Game → a function that plays one random game from a seed, counts comparisons and raises AssertionError."""


def main() -> int:
    """Play until the time is up; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=MATCHES, default="palazzo")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=1_000_000, help="the first seed")
    parser.add_argument("--differences", type=int, default=10, help="stop after this many")
    asked = parser.parse_args()
    until, counted, found, seed = time.monotonic() + asked.seconds, Counter[str](), 0, asked.seed
    while time.monotonic() < until and found < asked.differences:
        try:
            counted.update(MATCHES[asked.game](seed))
        except AssertionError as difference:
            found += 1
            print(f"seed {seed}: {difference}\n")
        seed += 1
    print(f"{asked.game}: {found} differences in {seed - asked.seed} matches; {dict(counted)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
