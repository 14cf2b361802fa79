"""Long matches between an oracle and the project: ``python -m tests.rules.oracle.campaign --game patrician --seconds 60``.

A game takes part when ``tests/rules/oracle/test_<game>.py`` has ``match(seed: int) -> dict[str, int]``: one whole
random game from that seed, which raises AssertionError at the first difference and returns what it counted.
Prints one line of JSON: the games played, what they counted, and the seeds that found a difference.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections import Counter


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", required=True, help="palazzo, piecepack or patrician")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=0, help="the first seed; the others follow it")
    asked = parser.parse_args()
    match = importlib.import_module(f"tests.rules.oracle.test_{asked.game}").match
    counted: Counter[str] = Counter()
    differing: dict[int, str] = {}
    started, seed = time.monotonic(), asked.first
    while time.monotonic() - started < asked.seconds:
        try:
            counted.update(match(seed))
        except AssertionError as difference:
            differing[seed] = str(difference)[:2000]
        seed += 1
    print(json.dumps({"game": asked.game, "games": seed - asked.first, **counted, "differences": differing}))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
