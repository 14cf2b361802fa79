"""How people did across games: how often they won, their averages and best scores, and against whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from tabletop.match.archive import Summary


class InGame(NamedTuple):
    """A person's results in one kind of game: games played and won, mean and most points, and the game of the most."""

    title: str
    games: int
    wins: int
    average: float
    best: int
    best_in: str


class Against(NamedTuple):
    """How often two people met, and how often the one was ahead of the other or behind."""

    name: str
    games: int
    ahead: int
    behind: int


class PersonRecord(NamedTuple):
    """The results of all people of one name in finished games; kinds of games and opponents, most frequent first."""

    name: str
    games: int
    wins: int
    kinds: list[InGame]
    against: list[Against]


class _SeatIn(NamedTuple):
    game: Summary
    seat: int


def records(summaries: Iterable[Summary]) -> list[PersonRecord]:
    """Return everybody who finished a game, most wins first; a shared victory counts for all who share it.

    A name means one person whatever its case, and is shown as it was last written.  Games that were ended early have
    no winner and are left out, as are games with two seats of one name.
    """
    played: dict[str, list[_SeatIn]] = defaultdict(list)
    shown: dict[str, str] = {}
    for game in sorted(summaries, key=lambda summary: summary.started):
        keys = [name.casefold() for name in game.names]
        if not game.over or game.ended or len(set(keys)) < len(keys):
            continue
        for seat, key in enumerate(keys):
            played[key].append(_SeatIn(game, seat))
            shown[key] = game.names[seat]
    people = [_person(shown[key], results, shown) for key, results in played.items()]
    return sorted(people, key=lambda person: (-person.wins, -person.games, person.name))


def _person(name: str, results: list[_SeatIn], shown: dict[str, str]) -> PersonRecord:
    kinds: dict[str, list[_SeatIn]] = defaultdict(list)
    met: dict[str, list[int]] = defaultdict(list)
    for game, seat in results:
        kinds[game.title].append(_SeatIn(game, seat))
        own = game.scores[seat].rank
        for other, rival in enumerate(game.names):
            if other != seat:
                met[rival.casefold()].append(game.scores[other].rank - own)
    against = [
        Against(shown[key], len(some), sum(lead > 0 for lead in some), sum(lead < 0 for lead in some))
        for key, some in met.items()
    ]
    ordered = sorted(
        (_in_game(title, some) for title, some in kinds.items()), key=lambda kind: (-kind.games, kind.title)
    )
    return PersonRecord(
        name,
        len(results),
        _wins(results),
        ordered,
        sorted(against, key=lambda opponent: (-opponent.games, opponent.name)),
    )


def _in_game(title: str, results: list[_SeatIn]) -> InGame:
    points = [game.scores[seat].points for game, seat in results]
    best = max(results, key=lambda result: result.game.scores[result.seat].points)
    return InGame(title, len(results), _wins(results), sum(points) / len(points), max(points), best.game.name)


def _wins(results: list[_SeatIn]) -> int:
    return sum(game.scores[seat].rank == 1 for game, seat in results)
