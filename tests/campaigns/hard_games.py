"""The hard games of ``docs/reading-measured.md``: are they still understood in the light that once was too hard?

``python -m tests.campaigns.hard_games [--only TEXT]`` plays the games in ``records`` again at ``--harsh 3`` before a
camera of 1920 × 1080, each with the table and the light of its seed; ``--only seed-24`` plays those with that in their
names.  It prints what ``tabletop demo --headless`` prints; the exit status is 1 if anything was wrong or missed.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tabletop.simulator.play.recorded_game import RecordedGame
from tabletop.simulator.play.tournament import TournamentSetting, play_games

RECORDS = Path(__file__).parent / "records"
"""Folder of whole games, recorded when stacks and deck still had an order of their own."""


def settings(only: str = "") -> list[TournamentSetting]:
    """Return the settings of the recorded games whose names contain ``only``."""
    found = []
    for path in sorted(path for path in RECORDS.glob("*.txt") if only in path.stem):
        seed = re.search(r"seed-(\d+)", path.stem)
        assert seed is not None, path
        names = RecordedGame(path).names
        found.append(TournamentSetting("palazzo", int(seed[1]), ("",) * len(names), 3, (1920, 1080), path))
    return found


def main() -> None:
    """Play the games and print how each went; the exit status is 1 if anything was wrong or missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="part of the names of the games to be played")
    troubles = 0
    games = settings(parser.parse_args().only)
    for setting, outcome in zip(games, play_games(games), strict=True):
        tally = outcome.tally
        troubles += tally.wrong + tally.missed
        assert setting.record is not None
        print(
            f"{setting.record.stem}: {tally.actions} actions in {tally.frames} frames, {outcome.seconds:.0f} s, ",
            end="",
        )
        print(f"{tally.wrong} wrong, {tally.missed} missed, {tally.questions} questions", flush=True)
        for problem in (*tally.problems, *tally.asked):
            print(f"    {problem}")
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main()
