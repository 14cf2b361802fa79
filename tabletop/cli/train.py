"""``tabletop train``: the weights of a game's strong bot, learned from games against itself."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from tabletop.cli.common.files import put, writable
from tabletop.cli.common.players import players, players_options
from tabletop.cli.common.shared_options import game_of, game_option


@click.command()
@game_option
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The seed of all chance; it is stored in the file."
)
@click.option(
    "--rounds", type=click.IntRange(0), default=80, show_default=True, help="How often the weights are adjusted."
)
@click.option("--pairs", type=click.IntRange(1), default=12, show_default=True, help="Pairs of games in each round.")
@click.option(
    "--games",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    help="How many games to learn from what a position is worth.",
)
@players_options
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    callback=writable,
    help="The file to write.",
)
def command(
    game: str, seed: int, rounds: int, pairs: int, games: int, workers: int | None, dask: str | None, out: Path
) -> None:
    """Train a game's strong bot in games against itself.

    The same seed makes the same file, wherever the games are played.  To use the file, put it as learned.json into the
    package that contains the game's strategy.
    """
    from tabletop.bots.strategy import strategy_of
    from tabletop.bots.tournament.workers import in_order
    from tabletop.bots.training import train

    rules, strategy = game_of(game), strategy_of(game)
    if not strategy.weights:
        raise click.UsageError(f"The bots of {rules.title} have nothing to learn.")

    def tell(number: int) -> None:
        click.echo(f"\rround {number} of {rounds}", err=True, nl=number == rounds)
        sys.stderr.flush()

    with players(workers, dask, "Nothing was written.") as found:
        run = partial(in_order, found.executor)
        text = train(rules, strategy, seed, rounds=rounds, pairs=pairs, games=games, tell=tell, run=run)
    put(out, text)
