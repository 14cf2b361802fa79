"""``tabletop tournament``: bots against each other, each in every seat, on equal chance."""

from __future__ import annotations

import csv
import io
import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tabletop.cli.common.files import put, writable
from tabletop.cli.common.players import players, players_options
from tabletop.cli.common.progress import Progress
from tabletop.cli.common.shared_options import BadSettings, for_seats, game_of, game_option, levels, thinking_options

if TYPE_CHECKING:
    from tabletop.bots.bot import Budget
    from tabletop.bots.tournament.games import GameResult, Tournament

PROGRESS_STEPS = 20
"""How often a tournament reports its progress, if it is quick."""


@click.command()
@game_option
@click.option(
    "--bots",
    required=True,
    callback=levels,
    metavar="LEVEL,LEVEL[,…]",
    help="Who plays, one level per seat: random, thrifty, …",
)
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="How many games.")
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The seed of all chance and of the bots' random choices."
)
@thinking_options
@click.option("--frames", is_flag=True, help="Play at the simulated table, through camera frames and mock pins.")
@players_options
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep results and records in this folder; after an interruption, the same command continues there.",
)
@click.option(
    "--csv",
    "table",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=writable,
    help="Also write one line per game to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    game: str, bots: tuple[str, ...], games: int, seed: int, budget: Budget, frames: bool, workers: int | None,
    dask: str | None, out: Path | None, table: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Play bots against each other and print the results.

    The games come in rounds: all games of a round have the same chance, and every bot plays every seat once.  The share
    of wins is printed with its 95 % interval; the ratings are openskill's.
    """
    from tabletop.bots.tournament.games import Tournament
    from tabletop.bots.tournament.standings import report
    from tabletop.bots.tournament.tournament_folder import KeptTournament, OtherTournament, locked_folder

    for_seats(game_of(game), len(bots))
    tournament = Tournament(game, bots, games, seed, budget)
    with ExitStack() as stack:
        try:
            if out is not None:
                stack.callback(os.close, locked_folder(out))
            kept = None if out is None else KeptTournament(out, tournament, frames)
            done = [] if kept is None else [result for result in kept.results() if result.number < games]
        except OtherTournament as error:
            raise BadSettings(str(error)) from None
        begun, progress = time.monotonic(), Progress(games // PROGRESS_STEPS)
        for result in _played(tournament, {result.number for result in done}, frames, workers, dask):
            if kept is not None:
                kept.add(result)
            done.append(result)
            progress.tell(len(done), f"{len(done)} of {games} games, {time.monotonic() - begun:.0f} s")
    summary = report(tournament, done, time.monotonic() - begun)
    click.echo(json.dumps(summary) if as_json else _text(summary))
    if table is not None:
        put(table, _csv(tournament, done))


def _played(
    tournament: Tournament, done: set[int], frames: bool, workers: int | None, dask: str | None
) -> Iterator[GameResult]:
    from tabletop.bots.tournament.games import play, play_all

    play_one = play
    if frames:
        if game_of(tournament.game).table is None:
            raise click.UsageError("This game has no simulated table: leave --frames out.")
        from tabletop.simulator.play.tournament import play_of_tournament as play_one
    left = [number for number in range(tournament.games) if number not in done]
    kept = "With --out the games so far are kept, and the same command continues there."
    with players(workers, dask, kept) as found:
        yield from play_all(tournament, left, play_one, found.executor, 2 * found.at_once, found.while_waiting)


def _csv(tournament: Tournament, results: list[GameResult]) -> str:
    from tabletop.bots.tournament.standings import named

    names, text = named(tournament.levels), io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "seed", *(f"{name} {what}" for name in names for what in ("seat", "points", "rank"))])
    for result in sorted(results, key=lambda result: result.number):
        at = {bot: seat for seat, bot in enumerate(result.order)}
        facts = [(at[bot] + 1, result.scores[at[bot]], result.ranks[at[bot]]) for bot in range(len(names))]
        writer.writerow([result.number + 1, result.seed, *(fact for three in facts for fact in three)])
    return text.getvalue()


def _text(summary: dict[str, Any]) -> str:
    lines = [f"{summary['games']} games of {summary['game']}, {summary['seats']} seats, {summary['seconds']} s"]
    lines += [f"{'bot':<12} {'wins':>7}  {'95 %':>15} {'points':>8} {'rating':>15}"]
    for standing in summary["bots"]:
        interval = f"{standing['low']:.1%} … {standing['high']:.1%}"
        rating = f"{standing['rating']:.1f} ± {standing['doubt']:.1f}"
        lines.append(
            f"{standing['name']:<12} {standing['share']:>7.1%}  {interval:>15} {standing['points']:>8.1f} {rating:>15}"
        )
    return "\n".join(lines)
