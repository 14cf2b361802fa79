"""Whole games at the simulated table: every game, make of pieces and number of seats, half of the people hasty.

``python -m tests.campaigns.tables --seconds 900 --seed 1 --harsh 3``: one game after the other, each through rendered
frames and mock pins, until the time is over; the seed grows by one with each round over all tables.  Each game's result
is printed on stderr.  The line at the end has an entry for each table, and for all: acts, how many were misread,
missed and asked about, the seconds from the last hand's leaving to the event, and the tracker's processor time per
frame.  Faults are: anything misread, more missed or asked about than ``ALLOWED``, late events, or a make whose frames
take more than ``MOST_TIME`` times as long as the first table's (in proportion to the pixels of a larger picture).
``--only box`` plays the tables whose names contain that.  ``--keep FILE`` appends every finished game to a file; games
in it count and are not played again.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.bots.levels import DEMO_LEVELS
from tabletop.rules import registry
from tabletop.rules.game import Action, Position
from tabletop.simulator.play.seen_table import SeenTable
from tabletop.simulator.play.tournament import TournamentSetting, people, set_up
from tabletop.simulator.table.movements import Choose
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.live.tracker_for import MIN_AWAITED_MM
from tabletop.vision.scene import Scene
from tests.campaigns import harness
from tests.campaigns.harness import Budget, Tally

WIDE, NARROW = (2304, 1296), (1920, 1080)
ALLOWED = {0: (math.inf, 200), 1: (math.inf, 200), 2: (1000, 100), 3: (1000, 100)}
"""By harshness: one in how many acts may be missed, and one in how many asked about."""
USUAL_DELAY, MOST_DELAY = 1.2, 3.0
"""Most seconds of simulated time from the last hand's leaving to the event: the median and the 95th percentile."""
MOST_TIME = 1.4
"""How many times as long as at the first table the tracker may take for a frame elsewhere."""
MIN_ACTS, MIN_FRAMES = 20, 900
"""Least acts for delays to mean something, and least frames for a table's processor time to mean something.

The first frames take the most time, because all of the table is read.
"""


class Place(NamedTuple):
    """One of the tables at which games are played."""

    game: str
    make: str
    seats: int

    @property
    def name(self) -> str:
        return f"{self.game} {self.make} {self.seats}"

    def setting(self, seed: int, harsh: int) -> TournamentSetting:
        """Return how a game is played here; bad light gets the smaller picture, except with small tags."""
        kit = Kit(registry.game(self.game), self.make)
        small = min(entry.size_mm for entry in kit.pieces) < MIN_AWAITED_MM
        players = tuple(DEMO_LEVELS[seat % len(DEMO_LEVELS)] for seat in range(self.seats))
        size = WIDE if harsh < 2 or small else NARROW
        return TournamentSetting(self.game, seed, players, harsh, size, None, self.make, hasty=True)


class PlayedGame(NamedTuple):
    """The counts of one game; kept as a line of JSON."""

    table: str
    seed: int
    harsh: int
    over: bool
    acts: int
    wrong: int
    missed: int
    questions: int
    tracker_s: float
    frames: int
    delays: list[float]
    problems: list[str]
    asked: list[str]

    @property
    def counts(self) -> dict[str, int]:
        """The counts that are added up over all games."""
        return {"acts": self.acts, "wrong": self.wrong, "missed": self.missed, "questions": self.questions}


class TimeOver(Exception):
    """The campaign's time is over in the middle of a game."""


class TimedTracker:
    """A tracker that measures its frames' processor time, s."""

    def __init__(self, tracker: TableTracker) -> None:
        self.seconds, self.frames = 0.0, 0
        self._tracker = tracker

    def look(self, frame: Any) -> Scene | None:
        """Process a frame, as trackers do."""
        begun = time.process_time()
        scene = self._tracker.look(frame)
        self.seconds, self.frames = self.seconds + time.process_time() - begun, self.frames + 1
        return scene

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tracker, name)


def places(only: str = "") -> list[Place]:
    """Return the tables whose names contain ``only``: games, makes and seats in the registry's order."""
    tables = [(game, game.table) for game in registry.games() if game.table is not None]
    every = [
        Place(game.name, make, seats)
        for game, table in tables
        for make in table.makes
        for seats in range(game.seat_range[0], game.seat_range[-1] + 1)
    ]
    return [place for place in every if only in place.name]


def played(place: Place, seed: int, harsh: int, budget: Budget) -> PlayedGame:
    """Play a game at a table of its own and return its counts."""
    setting = place.setting(seed, harsh)
    with tempfile.TemporaryDirectory() as folder, closing(set_up(setting, Path(folder))) as ground:
        tracker = TimedTracker(ground.tracker)
        ground.loop.look_with(tracker)  # type: ignore[arg-type]  # it looks as any tracker does
        over, seen = play(ground, setting, budget), ground.playground.tally
    return PlayedGame(
        place.name, seed, harsh, over, seen.actions, seen.wrong, seen.missed, seen.questions,
        tracker.seconds, tracker.frames, seen.delays, seen.problems, seen.asked,
    )  # fmt: skip


def kept(file: Path | None) -> list[PlayedGame]:
    """Return the games kept in a file; none if there is no file yet."""
    if file is None or not file.exists():
        return []
    return [PlayedGame(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def play(ground: SeenTable, setting: TournamentSetting, budget: Budget) -> bool:
    """Play a game; return whether it ended before the time was over."""
    choose = people(setting, lambda: ground.snapshot.match)
    try:
        ground.playground.play(partial(_in_time, budget, choose))
    except TimeOver:
        return False
    return True


def _in_time(budget: Budget, choose: Choose, position: Position) -> Action:
    if not budget.left():
        raise TimeOver
    return choose(position)


def campaign(budget: Budget, tally: Tally, harsh: int = 1, only: str = "", keep: Path | None = None) -> None:
    """Play round after round at every table until the time is over; ``keep``: the file of finished games."""
    known = {(game.table, game.seed): game for game in kept(keep) if game.harsh == harsh}
    tables: dict[str, dict[str, Any]] = {}
    tally.counts.update(harsh=harsh, games=0, acts=0, wrong=0, missed=0, questions=0, tables=tables)
    delays: list[float] = []
    for seed, place in _rounds(budget, places(only)):
        game = known.get((place.name, seed))
        if game is None:
            game = played(place, seed, harsh, budget)
            print(f"{place.name}, seed {seed}: {game.counts}{'' if game.over else ', not over'}", *game.problems,
                  *game.asked, sep="\n    ", file=sys.stderr, flush=True)  # fmt: skip
            if keep is not None and game.over:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(game._asdict()) + "\n")
        delays += game.delays
        row = tables.setdefault(
            place.name, {"games": 0, **dict.fromkeys(game.counts, 0), "tracker_s": 0.0, "frames": 0}
        )
        _add(row, {"games": int(game.over), **game.counts, "tracker_s": game.tracker_s, "frames": game.frames})
        _add(tally.counts, {"games": int(game.over), **game.counts})
        tally.check(not game.wrong, f"{place.name}, seed {seed}: {game.problems}")
    _judge(tally, tables, delays, harsh)


def _rounds(budget: Budget, tables: list[Place]) -> Iterator[tuple[int, Place]]:
    for number in budget.rounds():
        yield budget.seed + number // len(tables), tables[number % len(tables)]


def _add(counts: dict[str, Any], more: dict[str, float]) -> None:
    for name, value in more.items():
        counts[name] += value


def _judge(tally: Tally, tables: dict[str, dict[str, Any]], delays: list[float], harsh: int) -> None:
    """Compare the counts with what is allowed."""
    counts = tally.counts
    for what, one_in in zip(("missed", "questions"), ALLOWED[harsh], strict=True):
        allowed = math.ceil(counts["acts"] / one_in)
        counts[f"{what}_per_1000"] = round(1000 * counts[what] / max(1, counts["acts"]), 2)
        tally.check(counts[what] <= allowed, f"{counts[what]} {what}, {allowed} allowed")
    for row in tables.values():
        row["tracker_ms"] = round(1000 * row.pop("tracker_s") / max(1, row["frames"]), 1)
    if len(delays) >= MIN_ACTS:
        counts["delay_median"] = round(statistics.median(delays), 2)
        counts["delay_95"] = round(statistics.quantiles(delays, n=20)[-1], 2)
        tally.check(counts["delay_median"] <= USUAL_DELAY, "events come late")
        tally.check(counts["delay_95"] <= MOST_DELAY, "some events come late")
    some = {name: row["tracker_ms"] for name, row in tables.items() if row["frames"] >= MIN_FRAMES}
    px = {place.name: math.prod(place.setting(1, harsh).size) for place in places()}
    for name, took in some.items():
        first, most = next(iter(some.items()))
        tally.check(took <= MOST_TIME * most * px[name] / px[first], f"{name}: a frame takes {took} ms")


def main() -> None:
    """Read this campaign's own options and run it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--harsh", type=int, choices=sorted(ALLOWED), default=1, help="how hard the light is")
    parser.add_argument("--only", default="", help="play at tables whose names hold this text")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep games there, and do not play them again")
    chosen, _ = parser.parse_known_args()

    def tables(budget: Budget, tally: Tally) -> None:
        campaign(budget, tally, chosen.harsh, chosen.only, chosen.keep)

    harness.main(tables, __doc__, own=parser)


if __name__ == "__main__":
    main()
