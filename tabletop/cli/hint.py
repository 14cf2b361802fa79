"""``tabletop hint``: what a seat could do at the end of a record."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import click

from tabletop.cli.common.progress import report_if_slow
from tabletop.cli.common.record_files import course_of
from tabletop.cli.common.shared_options import level_option, thinking_options

if TYPE_CHECKING:
    from tabletop.bots.bot import Budget
    from tabletop.bots.hints import Suggestion
    from tabletop.rules.game import Game


@click.command()
@click.option("--seat", type=click.IntRange(1), required=True, help="The seat that gets the hint, counted from 1.")
@level_option
@thinking_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True), default="-")
def command(seat: int, level: str, budget: Budget, as_json: bool, file: str) -> None:
    """Suggest what a seat could do at the end of a record.

    FILE is the record; without it, stdin is read.  The hint uses only what the seat sees and has seen, not what others
    hide.  Points are the lead over the best other seat that is expected at the end.
    """
    from tabletop.bots.hints import NoAdvice, hint
    from tabletop.bots.levels import find_bot

    record, (positions, _) = course_of(file)
    if seat > len(record.seats):
        raise click.BadParameter(f"the game has {len(record.seats)} seats.", param_hint="--seat")
    if record.view is not None and record.view != seat - 1:
        raise click.UsageError("This record contains only what somebody else saw, without this seat's hand.")
    try:
        with report_if_slow("Thinking"):
            suggestion = hint(find_bot(record.game, level), positions, seat - 1, budget, random.Random(1))
    except NoAdvice as error:
        raise click.ClickException(str(error)) from None
    if suggestion.notice:
        click.echo(suggestion.notice, err=True)
    game = positions[-1].game
    click.echo(json.dumps(_document(suggestion)) if as_json else _text(suggestion, game))


def _document(suggestion: Suggestion) -> dict[str, Any]:
    """Return the protocol's document; an action that the bot did not try has no figures."""
    if not suggestion.estimates:
        unknown = {"points": None, "error": None, "wins": None, "why": ""}
        return {"actions": [{"action": suggestion.action.to_json(), **unknown}], "clear": suggestion.clear}
    return {
        "actions": [
            {
                "action": estimate.action.to_json(),
                "points": round(estimate.points, 2),
                "error": round(estimate.points_error, 2),
                "wins": round(estimate.wins, 3),
                "why": " ".join(estimate.reasons),
            }
            for estimate in suggestion.estimates
        ],
        "clear": suggestion.clear,
    }


def _text(suggestion: Suggestion, game: Game) -> str:
    """Return the hint as lines; each error is the half-width of a 95 % interval."""
    from tabletop.bots.bot import NORMAL_95

    if not suggestion.estimates:
        return game.format(suggestion.action)
    lines = [
        f"{estimate.points:+6.1f} ± {NORMAL_95 * estimate.points_error:4.1f} points, wins {estimate.wins:4.0%}"
        + (
            f", {-estimate.behind:+.1f} ± {NORMAL_95 * estimate.behind_error:.1f} against the first"
            if estimate.behind_error
            else ""
        )
        + f": {game.format(estimate.action)}"
        + (f" ({'; '.join(estimate.reasons)})" if estimate.reasons else "")
        for estimate in suggestion.estimates
    ]
    return "\n".join(lines if suggestion.clear else [*lines, "No clear difference between the first two."])
