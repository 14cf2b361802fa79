"""One tournament: which games are played, and how each is played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from tabletop.bots.bot import Bot, Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.seen import Seen, Watcher
from tabletop.bots.shuffles import Shuffles
from tabletop.rules import registry
from tabletop.rules.game import Action, Position
from tabletop.rules.text.recorder import write


@dataclass(frozen=True, slots=True)
class Tournament:
    """A number of games between bots of these levels, one per seat; ``budget`` is each bot's for one decision.

    A round has as many games as there are seats.  In a round chance is the same, and every bot moves on by one seat
    from game to game.
    """

    game: str
    levels: tuple[str, ...]
    games: int
    seed: int
    budget: Budget

    def chance_of(self, number: int) -> int:
        """Return the seed of the chance in a game, games counted from 0."""
        return self.seed + number // len(self.levels)

    def order_of(self, number: int) -> tuple[int, ...]:
        """Return which bot sits at each seat in a game, seat 0 first."""
        seats = len(self.levels)
        return tuple((seat + number) % seats for seat in range(seats))


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game: ``scores`` and ``ranks`` by seat; ``record`` is its text, empty if none was kept."""

    number: int
    seed: int
    order: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    record: str = ""


class Watches(Protocol):
    """Follows a game for one seat."""

    def watch(self, positions: Sequence[Position], /) -> Seen:
        """Return what the seat has seen in a game from its beginning."""


class PlayGame(Protocol):
    """Plays one game of a tournament."""

    def __call__(self, tournament: Tournament, number: int, /) -> GameResult:
        """Return the result of the game of that number."""


def play(tournament: Tournament, number: int) -> GameResult:
    """Play a game of a tournament by the rules alone.

    With a budget of playouts the same tournament and number give the same game on any machine.
    """
    bots = [find_bot(tournament.game, tournament.levels[bot]) for bot in tournament.order_of(number)]
    return play_between(tournament, number, bots, [Watcher(seat) for seat in range(len(bots))])


def play_between(tournament: Tournament, number: int, bots: Sequence[Bot], watchers: Sequence[Watches]) -> GameResult:
    """Play a game of a tournament between these bots, seat 0 first; each knows what its watcher has seen."""
    game = registry.game(tournament.game)
    chance, rng = Shuffles(tournament.chance_of(number)), random.Random(f"{tournament.seed} {number}")
    positions: list[Position] = [game.new(names(tournament, tournament.order_of(number)))]
    actions: list[Action] = []
    while not (position := positions[-1]).over:
        seat = position.decider
        if seat is None:
            action = game.draw(position, chance)
        else:
            legal, seen = list(position.legal.thrifty()), watchers[seat].watch(positions)
            action = bots[seat].choose(position.view(seat), seen, legal, tournament.budget, rng).action
        actions.append(action)
        positions.append(position.after(action))
    return result(tournament, number, positions[-1], write(positions[0], actions))


def result(tournament: Tournament, number: int, end: Position, record: str = "") -> GameResult:
    """Return the result of a game of a tournament, given its last position."""
    score = end.score()
    return GameResult(
        number,
        tournament.chance_of(number),
        tournament.order_of(number),
        tuple(seat.points for seat in score),
        tuple(seat.rank for seat in score),
        record,
    )


def names(tournament: Tournament, order: Sequence[int]) -> list[str]:
    """Return the names of the seats in the records: level and number of the bot, from 1."""
    return [f"{tournament.levels[bot]} {bot + 1}" for bot in order]


CALL_AFTER_S = 30.0
"""Seconds without a finished game after which ``while_waiting`` is called."""


def play_all(
    tournament: Tournament,
    numbers: Iterable[int],
    play_one: PlayGame,
    executor: Executor,
    ahead: int,
    while_waiting: Callable[[], None] = lambda: None,
) -> Iterator[GameResult]:
    """Play the games of these numbers and yield the results as they come, with at most ``ahead`` games under way.

    ``while_waiting`` is called every CALL_AFTER_S seconds as long as no game ends.
    """
    left = iter(numbers)
    running: set[Future[GameResult]] = set()
    while True:
        fresh = islice(left, ahead - len(running))
        running |= {executor.submit(play_one, tournament, number) for number in fresh}
        if not running:
            return
        done, running = wait(running, CALL_AFTER_S, return_when=FIRST_COMPLETED)
        if not done:
            while_waiting()
        for future in done:
            yield future.result()
