"""Monte-Carlo evaluation: the actions that seem best by rule of thumb are played out over many deals, on equal chance.

The cards that the seat cannot see are drawn again for every deal (``determinise``), and each action meets the same
deals and the same shuffles.  Sequential halving (Karnin, Koren and Somekh, “Almost Optimal Exploration in Multi-Armed
Bandits”, 2013) spends the budget on the better half of the actions, round by round.  Noise is the enemy: the rule of
thumb counts as an estimate of its own, and is overruled only by as much as the playouts are surer than it is.  Thinking
ends when the time is over, in the middle of a playout if need be, or when more of it cannot matter: actions that are
clearly behind are dropped, and once certainty could bring hardly any more points, the best one is done (the expected
opportunity cost of Chick and Inoue, “New Two-Stage and Sequential Procedures for Selecting the Best Simulated System”,
2001).

A bot that has learned what to expect looks a few turns ahead first.  That takes a sixth of the time and varies a
quarter as much, but stays wrong by some points however often it looks; so after that the bot plays to the end.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import NamedTuple

from tabletop.bots.bot import Budget, Decision, Estimate
from tabletop.bots.playout import OutOfTime, Result, play_out, result
from tabletop.bots.seen import Seen
from tabletop.bots.shuffles import Shuffles
from tabletop.bots.strategy import Strategy
from tabletop.bots.thrifty_bot import drawn
from tabletop.rules.game import Action, Game, Position, View

MAX_TRIED_ACTIONS = 8
"""At most this many actions are tried."""
MAX_DEFICIT_POINTS = 8.0
"""Points by which an action may seem worse than the best by rule of thumb and yet be tried; twice as many if it is
the best of its kind."""
RULE_ERROR_POINTS = 3.0
"""The assumed standard error of the rule of thumb, in points."""
SCATTER_POINTS, NEAR_SCATTER_POINTS = 15.0, 4.0
"""The spread, in points, that is assumed between the playouts of two actions while there are too few to measure it: to
the end of the game, and for a few turns."""
NEAR_DEALS = 8
"""On how many deals a bot that has learned what to expect looks only a few turns ahead, before it plays to the end."""
NEAR_ERROR_POINTS = 2.3
"""The standard error, in points, of what is expected a few turns ahead, on however many deals: measured on the
stored positions of ``bench.regret``."""
MAX_ESTIMATES = 3
"""How many estimates a decision reports."""
MIN_ERRORS_BEHIND = 2.5
"""How many standard errors an action may be behind before it is dropped."""
NEGLIGIBLE_POINTS = 0.1
"""Thinking ends when knowing the best action for certain would bring fewer points than this."""
MIN_DEALS = 2
"""At least this many deals are tried before an action is dropped or thinking ends before its time."""
NORMAL = NormalDist()


class PossibleDeal(NamedTuple):
    """One possibility: a position that fits what is known, and the shuffles of everything that is drawn later."""

    position: Position
    chance: Shuffles


@dataclass(slots=True)
class TriedAction:
    """An action that is tried: what it is worth by rule of thumb, and how each deal went, on the first ``near`` of them
    as far as a few turns ahead."""

    action: Action
    worth: float
    near: int
    results: list[Result] = field(default_factory=list)

    def wins(self) -> float:
        """Return the mean share of the win."""
        return sum([playout.wins for playout in self.results]) / len(self.results)

    def lead(self) -> tuple[float, float]:
        """Return how far ahead the seat ends, in points, and the standard error."""
        return combined(self._found([playout.lead for playout in self.results]))

    def beyond(self, other: TriedAction) -> tuple[float, float]:
        """Return how much better it is than another one on the same deals, in points, and the standard error.

        The rule of thumb is weighed in.
        """
        return combined([(self.worth - other.worth, RULE_ERROR_POINTS), *self._compared(other)])

    def behind(self, other: TriedAction) -> tuple[float, float]:
        """Return how much worse it is than another one on the deals that both were tried on, and the standard error."""
        return combined(other._compared(self))

    def _compared(self, other: TriedAction) -> list[tuple[float, float]]:
        """Return how much better it did than another one on the same deals, by looking ahead and by playing on."""
        return self._found([one.lead - two.lead for one, two in zip(self.results, other.results, strict=False)])

    def _found(self, leads: Sequence[float]) -> list[tuple[float, float]]:
        """Return the estimates from looking ahead and from playing on, each with its standard error."""
        found = []
        if near := leads[: self.near]:
            mean, error = spread(near, NEAR_SCATTER_POINTS)
            found.append((mean, math.hypot(error, NEAR_ERROR_POINTS)))
        if ends := leads[self.near :]:
            found.append(spread(ends, SCATTER_POINTS))
        return found


def spread(values: Sequence[float], scatter: float) -> tuple[float, float]:
    """Return the mean and its standard error; a few values would understate it, so some spread is assumed."""
    count = len(values)
    mean = sum(values) / count
    squares = sum([(value - mean) ** 2 for value in values]) + 4 * scatter**2
    return mean, math.sqrt(squares / (count + 3) / count)


def combined(estimates: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Combine several estimates of one number, each with its standard error, into one with its own."""
    weighed = [(mean, 1 / error**2) for mean, error in estimates]
    sure = sum([weight for _, weight in weighed])
    return sum([mean * weight for mean, weight in weighed]) / sure, 1 / math.sqrt(sure)


def at_stake(ahead: float, error: float) -> float:
    """Return how many points it would bring to know for certain which of two actions is better.

    That is by how much the other one turns out to be better, on average, counting 0 whenever it is worse.
    """
    far = ahead / error
    return error * (NORMAL.pdf(far) - far * NORMAL.cdf(-far))


class SearchBot:
    """Plays the plausible actions out and does the best.  Given ``turns``, it looks no further on the first few deals.

    ``clock`` returns the time in seconds.
    """

    def __init__(
        self,
        game: Game,
        strategy: Strategy,
        turns: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._game, self._strategy, self._turns, self._clock = game, strategy, turns, clock
        self._near = 0 if turns is None else NEAR_DEALS

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return the action that does best, with what was found out about the best few."""
        if len(legal) == 1:
            return Decision(legal[0])
        begun, seed = self._clock(), rng.random()

        def deal(number: int) -> PossibleDeal:
            own = random.Random(f"{seed} {number}")
            return PossibleDeal(self.draw(view, seen, own), Shuffles(f"{seed} {number}"))

        first = deal(0)
        candidates = self._plausible(first.position, legal, budget.thorough, rng)
        if len(candidates) == 1:
            return Decision(candidates[0].action)
        race = _Race(candidates, [first], deal, self._play, budget.end(begun))
        rounds = max(1, math.ceil(math.log2(len(candidates))))
        for number in range(rounds):
            stop = begun + (budget.end(begun) - begun) * (number + 1) / rounds
            share = math.inf if budget.playouts is None else max(1, budget.playouts // rounds // len(race.alive))
            if not race.run(share, stop, budget.thorough):
                break
        if not race.alive[0].results:
            return Decision(candidates[0].action, playouts=race.playouts)
        best, *others = race.best_first()[:MAX_ESTIMATES]
        estimates = [self._estimate(candidate, best, first.position, budget.thorough) for candidate in (best, *others)]
        return Decision(race.alive[0].action, estimates, playouts=race.playouts)

    def draw(self, view: View, seen: Seen, rng: random.Random) -> Position:
        """Draw a position that is possible for all the seat knows."""
        return drawn(self._game, self._strategy, view, seen, rng)

    def _plausible(
        self, position: Position, legal: Sequence[Action], thorough: bool, rng: random.Random
    ) -> list[TriedAction]:
        """Return the actions to try, the best by rule of thumb first: of each kind the best, then whatever is near.

        ``thorough``: the second best as well, however far it is behind, for people read how far that is.
        """
        worth = self._strategy.weigh(position, legal)
        order = sorted(range(len(legal)), key=lambda at: (worth[at], rng.random()), reverse=True)
        most, far = worth[order[0]], math.inf if thorough else 2 * MAX_DEFICIT_POINTS
        kinds: dict[str, int] = {}
        for at in order:
            kinds.setdefault(legal[at].do, at)
        best = [at for at in kinds.values() if worth[at] > most - far]
        near = [at for at in order if worth[at] > most - MAX_DEFICIT_POINTS]
        chosen = [*dict.fromkeys([*order[: 2 if thorough else 1], *best, *near])][:MAX_TRIED_ACTIONS]
        return [TriedAction(legal[at], worth[at], self._near) for at in chosen]

    def _play(self, deal: PossibleDeal, action: Action, near: bool, until: float) -> Result:
        """Return how a deal continues after an action.  Raises OutOfTime."""
        seat = deal.position.decider
        assert seat is not None
        after, chance, turns = deal.position.after(action), deal.chance.again(), self._turns if near else None
        last = play_out(self._game, self._strategy, after, chance, turns, until, self._clock)
        return result(last, seat, self._strategy)

    def _estimate(self, candidate: TriedAction, best: TriedAction, position: Position, with_reasons: bool) -> Estimate:
        points, points_error = candidate.lead()
        behind = (0.0, 0.0) if candidate is best else candidate.behind(best)
        reasons = self._strategy.reasons(position, candidate.action) if with_reasons else ()
        return Estimate(candidate.action, points, points_error, candidate.wins(), *behind, reasons)


class _Race:
    """The actions that are tried, those still in it (``alive``) best first, and what was played out for them."""

    def __init__(
        self,
        tried: Sequence[TriedAction],
        deals: list[PossibleDeal],
        deal: Callable[[int], PossibleDeal],
        play: Callable[[PossibleDeal, Action, bool, float], Result],
        end: float,
    ) -> None:
        self.alive, self.playouts = [*tried], 0
        self._tried, self._deals, self._deal, self._play, self._end = tried, deals, deal, play, end

    def run(self, sweeps: float, stop: float, thorough: bool) -> bool:
        """Try what is alive on that many deals, or until the clock says ``stop``; then keep the better half.

        Return False once more thinking cannot matter, or if there was not even time for one deal.
        """
        begun = len(self.alive[0].results)
        while len(self.alive[0].results) - begun < sweeps and self._sweep(stop):
            self._order()
            if not thorough and len(self.alive[0].results) >= MIN_DEALS and self._settled():
                return False
        self.alive = self.alive[: (len(self.alive) + 1) // 2]
        return bool(self.alive[0].results)

    def best_first(self) -> list[TriedAction]:
        """Return those that were tried, what is still alive first."""
        others = [candidate for candidate in self._tried if candidate.results and candidate not in self.alive]
        return [*self.alive, *sorted(others, key=lambda candidate: candidate.lead()[0], reverse=True)]

    def _sweep(self, stop: float) -> bool:
        """Play each action out on the next deal; return False, with nothing noted, if the time is over before.

        The first deal may take all the time there is.
        """
        number = len(self.alive[0].results)
        stop = stop if number else self._end
        try:
            if number == len(self._deals):
                self._deals.append(self._deal(number))
            playouts = [
                self._play(self._deals[number], candidate.action, number < candidate.near, stop)
                for candidate in self.alive
            ]
        except OutOfTime:
            return False
        self.playouts += len(playouts)
        for candidate, playout in zip(self.alive, playouts, strict=True):
            candidate.results.append(playout)
        return True

    def _order(self) -> None:
        other = self.alive[0]
        self.alive.sort(key=lambda candidate: candidate.beyond(other)[0], reverse=True)

    def _settled(self) -> bool:
        """Drop the actions that are clearly behind; return whether too little is at stake among the rest."""
        first, *others = self.alive
        ahead = [(candidate, *first.beyond(candidate)) for candidate in others]
        close = [(candidate, mean, error) for candidate, mean, error in ahead if mean < MIN_ERRORS_BEHIND * error]
        self.alive = [first, *[candidate for candidate, _, _ in close]]
        return sum([at_stake(mean, error) for _, mean, error in close]) < NEGLIGIBLE_POINTS
