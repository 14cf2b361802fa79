"""The outcome of a tournament: shares of wins with their intervals, points, and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

from openskill.models import PlackettLuce

from tabletop.bots.bot import NORMAL_95
from tabletop.bots.tournament.games import GameResult, Tournament
from tabletop.rules.game import win_share


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of one bot: its share of wins (ties split) with the 95 % interval, and its mean points.

    ``rating`` and ``doubt`` are mean and standard deviation of its skill in openskill's Plackett–Luce model.
    """

    name: str
    share: float
    low: float
    high: float
    points: float
    rating: float
    doubt: float


def standings(tournament: Tournament, results: Sequence[GameResult]) -> list[Standing]:
    """Return the standing of each bot, in the order of the tournament's levels.

    Games of one round share their chance, so the interval is taken over the rounds that were completed.
    """
    seats = len(tournament.levels)
    shares: list[dict[int, list[float]]] = [{} for _ in range(seats)]
    points: list[list[int]] = [[] for _ in range(seats)]
    for result in results:
        for seat, bot in enumerate(result.order):
            shares[bot].setdefault(result.number // seats, []).append(win_share(result.ranks, seat))
            points[bot].append(result.scores[seat])
    ratings = _ratings(results, seats)
    found = []
    for bot, name in enumerate(named(tournament.levels)):
        share = mean([won for rounds in shares[bot].values() for won in rounds]) if results else 0.0
        low, high = _interval(share, [mean(won) for won in shares[bot].values() if len(won) == seats])
        average = mean(points[bot]) if points[bot] else 0.0
        found.append(Standing(name, share, low, high, average, *ratings[bot]))
    return found


def named(levels: Sequence[str]) -> list[str]:
    """Return the bots' names: their level, with a number if a level plays more than once."""
    return [
        f"{level} {levels[:at].count(level) + 1}" if levels.count(level) > 1 else level
        for at, level in enumerate(levels)
    ]


def report(tournament: Tournament, results: Sequence[GameResult], seconds: float) -> dict[str, Any]:
    """Return the protocol's document for a tournament with these games."""
    ordered = sorted(results, key=lambda result: result.number)
    return {
        "game": tournament.game,
        "seats": len(tournament.levels),
        "games": len(ordered),
        "seconds": round(seconds, 1),
        "bots": [_rounded(standing) for standing in standings(tournament, ordered)],
        "results": [
            {"seed": result.seed, "order": [*result.order], "scores": [*result.scores], "ranks": [*result.ranks]}
            for result in ordered
        ],
    }


def _rounded(standing: Standing) -> Mapping[str, Any]:
    return {
        "name": standing.name,
        "share": round(standing.share, 4),
        "low": round(standing.low, 4),
        "high": round(standing.high, 4),
        "points": round(standing.points, 2),
        "rating": round(standing.rating, 2),
        "doubt": round(standing.doubt, 2),
    }


def _interval(share: float, rounds: Sequence[float]) -> tuple[float, float]:
    """Return the normal interval for the mean of shares of whole rounds, within 0 … 1.

    One round won and one lost are added to the spread (after Agresti and Coull), because a few rounds that all went the
    same way prove nothing.
    """
    half = NORMAL_95 * stdev([*rounds, 0.0, 1.0]) / (len(rounds) + 2) ** 0.5
    return max(0.0, share - half), min(1.0, share + half)


def _ratings(results: Sequence[GameResult], bots: int) -> list[tuple[float, float]]:
    """Return each bot's rating and its standard deviation after these games; a bot alone keeps the initial one."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in range(bots)]
    for result in results if bots > 1 else ():
        sides = model.rate([[ratings[bot]] for bot in result.order], ranks=[*result.ranks])
        for bot, (rating,) in zip(result.order, sides, strict=True):
            ratings[bot] = rating
    return [(float(rating.mu), float(rating.sigma)) for rating in ratings]
