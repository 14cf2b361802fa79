"""``tabletop demo``: a whole table with no hardware."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tabletop.cli.common.shared_options import (
    Between,
    camera_size,
    check_make,
    for_seats,
    game_of,
    game_option,
    levels,
    make_option,
    seats_option,
)

if TYPE_CHECKING:
    from tabletop.simulator.play.tournament import Outcome, TournamentSetting

REPORTED_COUNTS = ("games", "finished", "frames", "actions", "wrong", "missed", "questions", "corrections")
"""The counts in a report, in the order in which they are printed."""

HEADLESS_OPTIONS = ("as_json", "games", "record", "hasty")
"""The options that work only with ``--headless``."""
PAGES_OPTIONS = ("speed", "port", "bind")
"""The options that work only without it."""
RECORDED_OPTIONS = ("game", "seats", "bots")
"""The options whose answers a record contains."""
DEFAULT_SEAT_COUNT = 3
"""How many seats play if no option says so."""


@click.command()
@game_option
@seats_option("How many seats play.  [default: 3, or what --humans and --bots need, or the nearest the game allows]")
@click.option(
    "--humans",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="How many seats, starting with the first, wait for people; bots play the others until somebody takes them.",
)
@click.option(
    "--bots",
    callback=levels,
    help="The levels of the bots, seat by seat after those of --humans, in turn if there are more seats, such as "
    "strong,sound.  [default: random,thrifty]",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides how everything is shuffled and placed.")
@click.option("--speed", type=Between(0.1, 20), default=1.0, show_default=True, help="How fast the hands move.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="The port of the pages; 0: any free one.",
)
@click.option("--bind", default="127.0.0.1", show_default=True, help="0.0.0.0 lets phones on the same network join.")
@click.option(
    "--harsh",
    type=click.IntRange(0, 3),
    default=1,
    show_default=True,
    help="How difficult the pictures are, from 0 (clean) to 3 (worse than in reality).",
)
@click.option(
    "--camera-size",
    type=camera_size,
    default="2304x1296",
    show_default=True,
    help="The size of the simulated camera's picture, in px.",
)
@click.option(
    "--headless", is_flag=True, help="Play through camera frames as fast as possible, without pages, then report."
)
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many games (with --headless).")
@click.option(
    "--record",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Replay this record (with --headless): the same seats, the same actions and the same chance.",
)
@make_option()
@click.option("--hasty", is_flag=True, help="Let every other seat do whole turns in one movement (with --headless).")
@click.option("--json", "as_json", is_flag=True, help="Report as one JSON document (with --headless).")
@click.pass_context
def command(
    context: click.Context, game: str, seats: int | None, humans: int, seed: int, speed: float, port: int, bind: str,
    harsh: int, camera_size: tuple[int, int], headless: bool, games: int, bots: tuple[str, ...] | None,
    record: Path | None, make: str, hasty: bool, as_json: bool,
) -> None:  # fmt: skip
    """Play at a simulated table in your browser, without any hardware.

    The program sees the table only through rendered camera frames and acts on it only through mock pins.  Without
    options, bots play at a pace you can follow: open the printed address to watch, and take a seat there to join in.
    """
    _check_together(context, headless, record is not None)
    if record is not None:
        game, seats = _recorded(record)
    seats = _seats(game, seats, humans, headless, len(bots or ()))
    check_make(game_of(game), make)
    bots = bots or _default_levels()
    if headless:
        from tabletop.simulator.play.tournament import TournamentSetting

        kinds = tuple(bots[number % len(bots)] for number in range(seats))
        settings = [
            TournamentSetting(game, seed + number, kinds, harsh, camera_size, record, make, hasty)
            for number in range(games)
        ]
        context.exit(0 if _headless(settings, as_json) else 1)
    from tabletop.runtime.demo import Demo, DemoError
    from tabletop.runtime.page_server import PagesLost

    try:
        demo = Demo(
            game, seats=seats, humans=humans, seed=seed, harsh=harsh, size=camera_size, speed=speed, make=make,
            levels=bots,
        )  # fmt: skip
        demo.run(bind, port, click.echo)
    except (DemoError, PagesLost) as error:
        raise click.ClickException(str(error)) from None


def _check_together(context: click.Context, headless: bool, recorded: bool) -> None:
    """Raise UsageError for an option that would have no effect together with the others."""
    useless = dict.fromkeys(PAGES_OPTIONS, "without") if headless else dict.fromkeys(HEADLESS_OPTIONS, "with")
    for option in context.command.params:
        if context.get_parameter_source(option.name or "") is not ParameterSource.COMMANDLINE:
            continue
        if option.name in useless:
            raise click.UsageError(f"{option.opts[0]} works only {useless[option.name]} --headless.")
        if recorded and option.name in RECORDED_OPTIONS:
            raise click.UsageError(f"The record says who plays what: leave {option.opts[0]} out.")


def _recorded(path: Path) -> tuple[str, int]:
    """Return the game of a record and its number of seats.  Raise UsageError if it cannot be played again."""
    from tabletop.simulator.errors import BadRecord
    from tabletop.simulator.play.recorded_game import RecordedGame

    try:
        recorded = RecordedGame(path)
    except BadRecord as error:
        raise click.UsageError(str(error)) from None
    return recorded.game, len(recorded.names)


def _seats(name: str, seats: int | None, humans: int, headless: bool, bots: int) -> int:
    """Return how many seats play; ``bots`` is how many levels were named.

    Raise UsageError for numbers that do not fit this game or each other.
    """
    game = game_of(name)
    if seats is None:
        wanted = max(DEFAULT_SEAT_COUNT, humans + bots)
        seats = min(game.seat_range, key=lambda number: abs(number - wanted))
    for_seats(game, seats)
    if humans > seats:
        raise click.UsageError(f"There are {seats} seats, so at most {seats} people can play, not {humans}.")
    if bots > seats - humans:
        raise click.UsageError(f"There are {seats} seats, {humans} of them for people, so {bots} bots are too many.")
    if headless and humans:
        raise click.UsageError("--headless has no pages for people to play on: leave --humans out.")
    if headless and game.table is None:
        raise click.UsageError(
            f"{game.title} has no simulated table yet; without --headless it is played on its pages."
        )
    return seats


def _default_levels() -> tuple[str, ...]:
    from tabletop.bots.levels import DEMO_LEVELS

    return DEMO_LEVELS


def _headless(settings: Sequence[TournamentSetting], as_json: bool) -> bool:
    """Play the games and report; return whether every one was finished and read without a mistake."""
    from tabletop.simulator.errors import SimulatorError
    from tabletop.simulator.play.tournament import play_games, report

    outcomes: list[Outcome] = []
    begun = time.monotonic()
    try:
        for outcome in play_games(settings):
            outcomes.append(outcome)
            click.echo(_line(outcome, len(outcomes), len(settings)), err=True)
    except SimulatorError as error:
        raise click.ClickException(str(error)) from None
    summary = report(outcomes, time.monotonic() - begun)
    if as_json:
        click.echo(json.dumps(summary))
    else:
        click.echo(", ".join(f"{summary[name]} {name}" for name in REPORTED_COUNTS) + f" in {summary['seconds']} s")
    return bool(summary["finished"] == len(settings) and not summary["wrong"] and not summary["missed"])


def _line(outcome: Outcome, number: int, games: int) -> str:
    """Return the line to print about a game as soon as it is over."""
    tally = outcome.tally
    troubles = "".join(f"\n    {problem}" for problem in (*tally.problems, *tally.asked))
    return (
        f"game {number} of {games} (seed {outcome.seed}): {' '.join(map(str, outcome.scores))} points, "
        f"{tally.actions} actions in {tally.frames} frames, {outcome.seconds:.1f} s, "
        f"{tally.wrong} wrong, {tally.missed} missed, {tally.questions} questions{troubles}"
    )
