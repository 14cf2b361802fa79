"""How strong the bots are: games between them, row by row, as the table in ``docs/bots.md`` has it.

``python -m bench.strength --out FOLDER`` plays the rows that are not whole there and prints the table; after an
interruption the same command goes on.  ``--playouts 32`` or ``--seconds 1`` (of processor time) is what each bot may
think about a decision; each budget has folders of its own.  ``--rows palazzo-2,…`` plays some rows only, ``--games 0``
plays nothing and prints what there is.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from tabletop.bots.bot import NORMAL_95, Bot, Budget
from tabletop.bots.levels import LEVELS, find_bot
from tabletop.bots.seen import Seen, Watcher
from tabletop.bots.strategy import strategy_of
from tabletop.bots.tournament.games import GameResult, Tournament, Watches, play_all, play_between
from tabletop.bots.tournament.kept import SETTING, KeptTournament
from tabletop.bots.tournament.standings import standings
from tabletop.bots.tournament.workers import processes
from tabletop.rules import registry
from tabletop.rules.game import Position


class Row(NamedTuple):
    """Games of which the first player is measured: who plays, how many games, and what must come out."""

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
    """Sees all hands; what is still to be drawn it does not know."""

    def watch(self, positions: Sequence[Position], /) -> Seen:
        """Return where every card of a hand is."""
        hidden = positions[-1].hidden(None)
        return Seen({place: cards for place, cards in hidden.items() if place.endswith(".hand")}, complete=True)


def bot_of(game: str, player: str) -> Bot:
    """Return the bot that a row calls so."""
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


def play_row(folder: Path, row: Row, budget: Budget, games: int, workers: int) -> None:
    """Play the games of a row that are not kept yet."""
    tournament = Tournament(row.game, row.players, games, 1, budget)
    kept = KeptTournament(folder, tournament, frames=False)
    done = {one.number for one in kept.results()}
    left = [number for number in range(games) if number not in done]
    with processes(workers) as pool:
        for one in play_all(tournament, left, play, pool, 2 * workers) if left else ():
            kept.add(one)
            print(f"{folder.name} game {one.number + 1}: {one.order} {one.scores}", file=sys.stderr, flush=True)


def table(out: Path) -> str:
    """Return what there is as a table in Markdown."""
    lines = ["| row | a decision | games | wins | 95 % | points ahead | must be |", "|---|---|---|---|---|---|---|"]
    for folder in sorted(out.iterdir()) if out.exists() else ():
        row = ROWS.get(folder.name.partition("@")[0])
        if row is not None and (folder / SETTING).exists():
            said = json.loads((folder / SETTING).read_bytes())
            setting = Tournament(row.game, row.players, said["games"], said["seed"], Budget(**said["budget"]))
            results = KeptTournament(folder, setting, frames=False).results()
            lines += [_line(folder.name, setting, results, row.wanted)] if results else []
    return "\n".join(lines)


def _line(name: str, setting: Tournament, results: Sequence[GameResult], wanted: str) -> str:
    row, _, budget = name.partition("@")
    first = standings(setting, results)[0]
    seats, rounds = len(setting.levels), dict[int, list[float]]()
    for one in results:
        seat = one.order.index(0)
        best = max(points for at, points in enumerate(one.scores) if at != seat)
        rounds.setdefault(one.number // seats, []).append(one.scores[seat] - best)
    ahead = [mean(points) for points in rounds.values() if len(points) == seats] or [0.0]
    half = NORMAL_95 * stdev(ahead) / len(ahead) ** 0.5 if len(ahead) > 1 else 0.0
    return (
        f"| {row} | {budget} | {len(results)} | {first.share:.1%} | {first.low:.1%} … {first.high:.1%} "
        f"| {mean(ahead):+.1f} ± {half:.1f} | {wanted} |"
    )


def main() -> None:
    """Play what is missing and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--games", type=int, help="instead of as many as each row has")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--playouts", type=int, default=32)
    parser.add_argument("--seconds", type=float)
    asked = parser.parse_args()
    budget = Budget(asked.seconds) if asked.seconds else Budget(playouts=asked.playouts)
    spelt = f"{asked.seconds:g} s" if asked.seconds else f"{asked.playouts} playouts"
    for name in asked.rows.split(",") if asked.games != 0 else ():
        row = ROWS[name]
        play_row(asked.out / f"{name}@{spelt}", row, budget, asked.games or row.games, asked.workers)
    print(table(asked.out))


if __name__ == "__main__":
    main()
