"""Monte Carlo evaluation: the actions that seem best by rule of thumb are played out over many deals, on equal chance.

The cards that the seat cannot see are drawn again for every deal (``determinise``), and each action meets the same
deals and the same shuffles.  Sequential halving (Karnin, Koren and Somekh, “Almost Optimal Exploration in Multi-Armed
Bandits”, 2013) spends the budget on the better half of the actions, round by round.  Against noise, the rule of thumb
counts as one more estimate, and each estimate weighs as much as it is certain.  Thinking ends when the time is up, in
the middle of a playout if need be, or when more of it cannot matter: actions that are clearly behind are dropped, and
once certainty could gain hardly any points, the best one is done (the expected opportunity cost of Chick and Inoue,
“New Two-Stage and Sequential Procedures for Selecting the Best Simulated System”, 2001).

A bot that has learned what to expect first looks only a few turns ahead.  That takes a sixth of the time and scatters a
quarter as much, but stays wrong by some points on however many deals, so on later deals the bot plays to the end.
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
"""The most actions that are tried."""
MAX_DEFICIT_POINTS = 8.0
"""By how many points an action may be worse than the best by rule of thumb and still be tried; by twice as many if it
is the best of its kind."""
RULE_ERROR_POINTS = 3.0
"""The assumed standard error of the rule of thumb, in points."""
SCATTER_POINTS, NEAR_SCATTER_POINTS = 15.0, 4.0
"""The spread, in points, that is assumed between playouts while there are too few to measure it: for playouts to the
end of the game, and for those of a few turns."""
NEAR_DEALS = 8
"""The number of deals on which a bot that has learned what to expect looks only a few turns ahead."""
NEAR_ERROR_POINTS = 2.3
"""The standard error, in points, that the expectation a few turns ahead has on however many deals, measured on the
stored positions of ``bench.regret``."""
MAX_ESTIMATES = 3
"""How many estimates a decision reports."""
MIN_ERRORS_BEHIND = 2.5
"""How many standard errors behind the best an action is dropped."""
NEGLIGIBLE_POINTS = 0.1
"""Thinking ends when knowing the best action for certain would gain fewer points than this."""
MIN_DEALS = 2
"""The least number of deals that are tried before an action is dropped or thinking ends early."""
NORMAL = NormalDist()


class PossibleDeal(NamedTuple):
    """One possible deal: a position that fits what is known, and the shuffles from which all else is drawn."""

    position: Position
    chance: Shuffles


@dataclass(slots=True)
class TriedAction:
    """An action that is tried: its worth by rule of thumb, and its result on each deal; the first ``near`` results look
    only a few turns ahead."""

    action: Action
    worth: float
    near: int
    results: list[Result] = field(default_factory=list)

    def wins(self) -> float:
        """Return the mean share of the win."""
        return sum([playout.wins for playout in self.results]) / len(self.results)

    def lead(self) -> tuple[float, float]:
        """Return by how many points the seat ends ahead, and the standard error."""
        return combined(self._found([playout.lead for playout in self.results]))

    def beyond(self, other: TriedAction) -> tuple[float, float]:
        """Return by how many points it is better than another one on the same deals, and the standard error.

        The rule of thumb counts as one of the estimates.
        """
        return combined([(self.worth - other.worth, RULE_ERROR_POINTS), *self._compared(other)])

    def behind(self, other: TriedAction) -> tuple[float, float]:
        """Return by how many points it is worse than another one on the deals of both, and the standard error."""
        return combined(other._compared(self))

    def _compared(self, other: TriedAction) -> list[tuple[float, float]]:
        """Return by how much it beats another one on the same deals, from looking ahead and from playing to the end."""
        return self._found([one.lead - two.lead for one, two in zip(self.results, other.results, strict=False)])

    def _found(self, leads: Sequence[float]) -> list[tuple[float, float]]:
        """Return the estimates from looking ahead and from playing to the end, each with its standard error."""
        found = []
        if near := leads[: self.near]:
            mean, error = spread(near, NEAR_SCATTER_POINTS)
            found.append((mean, math.hypot(error, NEAR_ERROR_POINTS)))
        if ends := leads[self.near :]:
            found.append(spread(ends, SCATTER_POINTS))
        return found


def spread(values: Sequence[float], scatter: float) -> tuple[float, float]:
    """Return the mean and its standard error; as a few values would understate it, some spread is assumed."""
    count = len(values)
    mean = sum(values) / count
    squares = sum([(value - mean) ** 2 for value in values]) + 4 * scatter**2
    return mean, math.sqrt(squares / (count + 3) / count)


def combined(estimates: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Combine several estimates of one number, each with its standard error, into one with its standard error."""
    weighed = [(mean, 1 / error**2) for mean, error in estimates]
    sure = sum([weight for _, weight in weighed])
    return sum([mean * weight for mean, weight in weighed]) / sure, 1 / math.sqrt(sure)


def at_stake(ahead: float, error: float) -> float:
    """Return how many points it would gain to know for certain which of two actions is better.

    That is by how much the second one turns out to be better, on average, counting 0 whenever it is worse.
    """
    far = ahead / error
    return error * (NORMAL.pdf(far) - far * NORMAL.cdf(-far))


class SearchBot:
    """Plays the plausible actions out and does the best; on the first few deals, it looks only ``turns`` turns ahead.

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
        """Return the action that does best, with estimates of the best few."""
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
        """Draw a position that is possible given all that the seat knows."""
        return drawn(self._game, self._strategy, view, seen, rng)

    def _plausible(
        self, position: Position, legal: Sequence[Action], thorough: bool, rng: random.Random
    ) -> list[TriedAction]:
        """Return the actions to try: the best by rule of thumb, the best of each kind, then those close to the best.

        ``thorough``: include the second best however far behind it is, because people read how far that is.
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
        """Return the result of playing a deal out after an action.  Raises OutOfTime."""
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
    """The race between the actions that are tried: those still in it (``alive``, best first) and their playouts."""

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
        """Try the actions still alive on ``sweeps`` more deals, or until the time ``stop``; then keep the better half.

        Return False if more thinking cannot matter, or if there was not even time for one deal.
        """
        begun = len(self.alive[0].results)
        while len(self.alive[0].results) - begun < sweeps and self._sweep(stop):
            self._order()
            if not thorough and len(self.alive[0].results) >= MIN_DEALS and self._settled():
                return False
        self.alive = self.alive[: (len(self.alive) + 1) // 2]
        return bool(self.alive[0].results)

    def best_first(self) -> list[TriedAction]:
        """Return the actions that were tried, those still alive first."""
        others = [candidate for candidate in self._tried if candidate.results and candidate not in self.alive]
        return [*self.alive, *sorted(others, key=lambda candidate: candidate.lead()[0], reverse=True)]

    def _sweep(self, stop: float) -> bool:
        """Play each action out on the next deal; return False, with no result kept, if the time runs out first.

        The first deal may take all the time of the budget.
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
