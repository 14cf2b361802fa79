"""The strength of the bots, from games between them: the rows of the table in ``docs/bots.md``.

``python -m bench.strength --seconds 1 --rows palazzo-2`` plays the games that the row does not have yet and prints the
table.  After an interruption the same command resumes, because each result is kept as a line of a file in
``bench/results/strength``.  ``--seconds`` (of processor time) or ``--playouts 16`` is the budget of a bot for each
decision; each budget has its own file.  ``--games 40`` plays at most that many, ``--games 0`` plays none and prints the
stored results.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from tabletop.bots.bot import NORMAL_95, Bot, Budget
from tabletop.bots.levels import LEVELS, find_bot
from tabletop.bots.seen import Seen, Watcher
from tabletop.bots.strategy import strategy_of
from tabletop.bots.tournament.games import GameResult, Tournament, Watches, play_all, play_between
from tabletop.bots.tournament.standings import standings
from tabletop.bots.tournament.tournament_folder import ResultFile
from tabletop.bots.tournament.workers import processes
from tabletop.rules import registry
from tabletop.rules.game import Position

KEPT = Path(__file__).parent / "results" / "strength"
"""The folder with one file of results for each row and budget, named after them: ``palazzo-2@1s.jsonl``."""
SEED = 1


class Row(NamedTuple):
    """Games that measure the first player: the players, how many games support a claim, and the wanted result."""

    game: str
    players: tuple[str, ...]
    games: int
    wanted: str


CHEATER, OPENSPIEL, OPENSPIEL_OURS = "cheater", "openspiel", "openspiel+"
ROWS: Mapping[str, Row] = {
    "palazzo-2": Row("palazzo", ("strong", "thrifty"), 200, "wins ≥ 65 %"),
    "patrician-2": Row("patrician", ("strong", "thrifty"), 200, "wins ≥ 65 %"),
    "piecepack-2": Row("piecepack", ("strong", "thrifty"), 200, "wins ≥ 65 %"),
    "palazzo-3": Row("palazzo", ("strong", *["thrifty"] * 2), 120, "wins clear of 33.3 %"),
    "palazzo-4": Row("palazzo", ("strong", *["thrifty"] * 3), 120, "wins clear of 25 %"),
    "palazzo-sound": Row("palazzo", ("strong", "sound"), 200, "wins ≥ 55 %, clear of 50 %"),
    "palazzo-cheater": Row("palazzo", ("strong", CHEATER), 200, "at most 5 points behind"),
    "palazzo-openspiel": Row("palazzo", ("strong", OPENSPIEL), 200, "wins ≥ 50 %"),
    "palazzo-openspiel+": Row("palazzo", ("strong", OPENSPIEL_OURS), 200, "wins ≥ 50 %"),
}


class AllSeeing:
    """A watcher that knows all hands, but not what is still to be drawn."""

    def watch(self, positions: Sequence[Position], /) -> Seen:
        """Return the places of the cards in all hands."""
        hidden = positions[-1].hidden(None)
        return Seen({place: cards for place, cards in hidden.items() if place.endswith(".hand")}, complete=True)


def bot_of(game: str, player: str) -> Bot:
    """Return the bot that has this name in a row."""
    if player.startswith(OPENSPIEL):
        from bench.openspiel import OpenSpielBot

        return OpenSpielBot(registry.game(game), strategy_of(game).learned(), player == OPENSPIEL_OURS)
    return find_bot(game, LEVELS[-1] if player == CHEATER else player, time.process_time)


def play(tournament: Tournament, number: int) -> GameResult:
    """Play a game of a row."""
    players = [tournament.levels[bot] for bot in tournament.order_of(number)]
    watchers: list[Watches] = [
        AllSeeing() if player == CHEATER else Watcher(seat) for seat, player in enumerate(players)
    ]
    return play_between(tournament, number, [bot_of(tournament.game, player) for player in players], watchers)


def played_by() -> str:
    """Return the version of the bots: Git's hash of their folder.  Exits if they have uncommitted changes."""
    git = ["git", "-C", str(Path(__file__).parents[1])]
    if subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "tabletop/bots"], check=False).returncode:
        sys.exit("The bots here are not those of any commit: commit them first, so that results can name them.")
    answer = subprocess.run([*git, "rev-parse", "--short=8", "HEAD:tabletop/bots"], check=True, capture_output=True)
    return answer.stdout.decode().strip()


def budget_of(spelt: str) -> Budget:
    """Return the budget in a file's name: ``0.3s`` or ``16playouts``."""
    amount, unit = re.fullmatch(r"([0-9.]+)(s|playouts)", spelt, re.ASCII).groups()  # type: ignore[union-attr]
    return Budget(float(amount)) if unit == "s" else Budget(playouts=int(amount))


def play_row(file: ResultFile, tournament: Tournament, workers: int) -> None:
    """Play the games of a row that are not kept yet."""
    done = {result.number for result in file.read()}
    left = [number for number in range(tournament.games) if number not in done]
    if not left:
        return
    bots = played_by()
    with processes(workers) as pool:
        for result in play_all(tournament, left, play, pool, 2 * workers):
            file.add(result, bots=bots)
            print(
                f"{file.path.stem} game {result.number + 1}: {result.order} {result.scores}",
                file=sys.stderr,
                flush=True,
            )


def table(out: Path) -> list[str]:
    """Return the stored results as the lines of a table in Markdown."""
    lines = [
        "| who plays | a decision | games | wins of *strong* | 95 % | points ahead | wanted |",
        "|---|" + 6 * "---|",
    ]
    for name, row in ROWS.items():
        for path in sorted(out.glob(f"{name}@*.jsonl")):
            spelt = path.stem.partition("@")[2]
            results = sorted(ResultFile(path).read(), key=lambda result: result.number)
            if results:
                setting = Tournament(row.game, row.players, row.games, SEED, budget_of(spelt))
                lines.append(_line(setting, results, row, re.sub(r"(?<=\d)(?=[a-z])", " ", spelt)))
    return lines


def versions(out: Path) -> list[str]:
    """Return a line for each file that says how many of its games each version of the bots played."""
    counts = {
        path.stem: Counter(json.loads(line)["bots"] for line in ResultFile(path).lines())
        for path in out.glob("*.jsonl")
    }
    return [f"{name}: {', '.join(f'{n} by {bots}' for bots, n in found.items())}" for name, found in counts.items()]


def _line(setting: Tournament, results: Sequence[GameResult], row: Row, budget: str) -> str:
    first = standings(setting, results)[0]
    seats, rounds = len(setting.levels), dict[int, list[float]]()
    for result in results:
        seat = result.order.index(0)
        best = max(points for at, points in enumerate(result.scores) if at != seat)
        rounds.setdefault(result.number // seats, []).append(result.scores[seat] - best)
    ahead = [mean(points) for points in rounds.values() if len(points) == seats] or [0.0]
    half = NORMAL_95 * stdev(ahead) / len(ahead) ** 0.5 if len(ahead) > 1 else 0.0
    return (
        f"| {', '.join(row.players)} ({registry.game(row.game).title}) | {budget} | {len(results)} of {row.games} "
        f"| {100 * first.share:.1f} % | {100 * first.low:.1f} … {100 * first.high:.1f} "
        f"| {mean(ahead):+.1f} ± {half:.1f} | {row.wanted} |"
    )


def main() -> None:
    """Play what is missing and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=KEPT)
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--games", type=int, help="instead of as many as each row has")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--playouts", type=int, default=32)
    parser.add_argument("--seconds", type=float)
    asked = parser.parse_args()
    spelt = f"{asked.seconds:g}s" if asked.seconds else f"{asked.playouts}playouts"
    asked.out.mkdir(parents=True, exist_ok=True)
    for name in asked.rows.split(","):
        row = ROWS[name]
        games = row.games if asked.games is None else asked.games
        tournament = Tournament(row.game, row.players, games, SEED, budget_of(spelt))
        play_row(ResultFile(asked.out / f"{name}@{spelt}.jsonl"), tournament, asked.workers)
    print("\n".join([*table(asked.out), "", *versions(asked.out)]))


if __name__ == "__main__":
    main()
