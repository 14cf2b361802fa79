"""``tabletop analyse``: how a game's chances changed and which decisions cost most."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tabletop.cli.common.files import check_apart, put, writable
from tabletop.cli.common.progress import Progress
from tabletop.cli.common.record_files import course_of
from tabletop.cli.common.shared_options import level_option, thinking_options

if TYPE_CHECKING:
    from tabletop.bots.bot import Budget
    from tabletop.bots.hints import JudgedDecision
    from tabletop.rules.game import Game

MAX_COSTLY_DECISIONS = 3
PROGRESS_INTERVAL = 10
"""Decisions between two lines of progress, if they are quick."""


@click.command()
@level_option
@thinking_options
@click.option("--seed", type=int, default=1, show_default=True, help="The seed for the bot's random choices.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=writable,
    help="Also write the graph to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
def command(level: str, budget: Budget, seed: int, svg: Path | None, as_json: bool, file: str) -> None:
    """Show how a game's chances changed and which decisions cost most.

    FILE is a full record, or - for stdin.  Each decision is judged by what its seat could know at the time.  Points are
    the lead over the best other seat that is expected at the end.
    """
    from tabletop.bots.hints import analyse
    from tabletop.bots.levels import find_bot
    from tabletop.cli.common.graph import graph

    check_apart("--svg", svg, Path(file))
    record, (positions, actions) = course_of(file)
    if record.view is not None:
        raise click.UsageError("This record contains only what one seat saw; the analysis needs the full record.")
    judged, progress = [], Progress(PROGRESS_INTERVAL)
    for decision in analyse(find_bot(record.game, level), positions, actions, budget, seed):
        judged.append(decision)
        progress.tell(len(judged), f"{decision.number} of {len(actions)} actions")
    if not judged:
        raise click.ClickException(f"The level “{level}” does not look ahead, or there was nothing to decide.")
    game = positions[0].game
    click.echo(json.dumps(_document(record.seats, judged, game)) if as_json else _text(record.seats, judged, game))
    if svg is not None:
        put(svg, graph(record.seats, judged))


def _costly(judged: list[JudgedDecision]) -> list[JudgedDecision]:
    return sorted(
        (decision for decision in judged if decision.cost > 0), key=lambda decision: decision.cost, reverse=True
    )[:MAX_COSTLY_DECISIONS]


def _document(names: tuple[str, ...], judged: list[JudgedDecision], game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "seats": [*names],
        "decisions": [
            {
                "number": decision.number,
                "seat": decision.seat,
                "played": decision.played.action.to_json(),
                "best": decision.best.action.to_json(),
                "points": round(decision.best.points, 2),
                "wins": round(decision.best.wins, 3),
                "cost": round(decision.cost, 2),
                "error": round(decision.error, 2),
            }
            for decision in judged
        ],
        "costliest": [decision.number for decision in _costly(judged)],
    }


def _text(names: tuple[str, ...], judged: list[JudgedDecision], game: Game) -> str:
    from tabletop.bots.bot import NORMAL_95
    from tabletop.cli.common.graph import curve

    wide = max(map(len, names))
    lines = [f"{name:<{wide}}  {curve(judged, seat)}" for seat, name in enumerate(names)]
    lines.insert(0, "Share of wins that each seat could expect at its decisions, from the first to the last:")
    costly = _costly(judged)
    lines.append("The costliest decisions:" if costly else "No decision was clearly worse than another.")
    for decision in costly:
        lines.append(
            f"  action {decision.number}, {names[decision.seat]}: {game.format(decision.played.action)} "
            f"cost {decision.cost:.1f} ± {NORMAL_95 * decision.error:.1f} points against "
            + game.format(decision.best.action)
            + (f" ({'; '.join(decision.best.reasons)})" if decision.best.reasons else "")
        )
    return "\n".join(lines)
