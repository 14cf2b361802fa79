"""The overhead of playing a tournament on several cores, compared with as many independent tournaments.

``python -m bench.tournaments --games 1000 --rounds 3`` plays a tournament of thrifty bots with one worker per core, in
turn with as many tournaments of one worker each, which begin together and share the games; the slowest of them counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from statistics import median

COMMAND = (sys.executable, "-m", "tabletop", "tournament", "--game", "palazzo", "--bots", "thrifty,thrifty")


def seconds(*tournaments: tuple[int, int]) -> float:
    """Return the seconds until all tournaments, each given as (games, workers), have ended."""
    begun = time.monotonic()
    running = [
        subprocess.Popen(
            [*COMMAND, "--games", str(games), "--workers", str(workers), "--seed", str(seed)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for seed, (games, workers) in enumerate(tournaments, 1)
    ]
    statuses = [process.wait() for process in running]
    if any(statuses):
        raise RuntimeError("A tournament ended with an error.")
    return time.monotonic() - begun


def main() -> None:
    """Print what each round took, and the median of the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games in all")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="workers, and tournaments beside")
    chosen = parser.parse_args()
    ratios: list[float] = []
    for _ in range(chosen.rounds):
        together = seconds((chosen.games, chosen.cores))
        apart = seconds(*[(chosen.games // chosen.cores, 1)] * chosen.cores)
        ratios.append(apart / together)
        print(f"together {together:6.1f} s   apart {apart:6.1f} s   {ratios[-1]:.0%}", flush=True)
    print(f"{chosen.games} games on {chosen.cores} cores: {median(ratios):.0%} of independent processes (median)")


if __name__ == "__main__":
    main()
