"""Monte-Carlo evaluation: what seems best by rule of thumb is played out over many deals, on equal chance for each.

The cards that the seat cannot see are drawn again for every deal (``determinise``), and each action meets the same
deals and the same shuffles.  Sequential halving (Karnin, Koren and Somekh, “Almost Optimal Exploration in Multi-Armed
Bandits”, 2013) spends the budget on the better half of the actions, round by round.  Noise is the enemy: the rule of
thumb counts as an estimate of its own, and is overruled only by as much as the playouts are surer than it is.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.bots.bot import Budget, Decision, Estimate
from tabletop.bots.playout import Result, play_out, result
from tabletop.bots.seen import Seen
from tabletop.bots.shuffles import Shuffles
from tabletop.bots.strategy import Strategy
from tabletop.bots.thrifty_bot import drawn
from tabletop.rules.game import Action, Game, Position, View

MOST = 8
"""So many actions are tried at most."""
SPAN = 8.0
"""Points by which an action may seem worse than the best by rule of thumb and yet be tried."""
TRUST = 3.0
"""The standard error, in points, that the rule of thumb is taken to have."""
SCATTER = 15.0
"""By how many points playouts of one action scatter, as long as there are too few to tell."""
TOLD = 3
"""So many estimates are told."""


class PossibleDeal(NamedTuple):
    """What may be: a position that fits what is known, and the shuffles of all that is drawn later."""

    position: Position
    chance: Shuffles


@dataclass(slots=True)
class TriedAction:
    """An action that is tried: what it is worth by rule of thumb, and how each deal went."""

    action: Action
    worth: float
    results: list[Result] = field(default_factory=list)

    def mean(self) -> Result:
        """Return the mean of the results."""
        count = len(self.results)
        return Result(sum([one.lead for one in self.results]) / count, sum([one.wins for one in self.results]) / count)

    def beyond(self, other: TriedAction) -> float:
        """Return how much better it is than another one on the same deals, in points, the rule of thumb weighed in."""
        pairs = zip(self.results, other.results, strict=True)
        mean, error = spread([one.lead - two.lead for one, two in pairs])
        sure, trusted = 1 / error**2, 1 / TRUST**2
        return (mean * sure + (self.worth - other.worth) * trusted) / (sure + trusted)


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, which few values understate: so some scatter is taken for granted."""
    count = len(values)
    mean = sum(values) / count
    squares = sum([(value - mean) ** 2 for value in values]) + 4 * SCATTER**2
    return mean, math.sqrt(squares / (count + 3) / count)


class SearchBot:
    """Plays the plausible actions out, to the end of the game or for so many ``turns``, and does the best."""

    def __init__(self, game: Game, strategy: Strategy, turns: int | None = None) -> None:
        self._game, self._strategy, self._turns = game, strategy, turns

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return the action that does best, with what was found out about the best few."""
        if len(legal) == 1:
            return Decision(legal[0])
        end = budget.end()
        seed = rng.random()

        def deal(number: int) -> PossibleDeal:
            own = random.Random(f"{seed} {number}")
            return PossibleDeal(drawn(self._game, self._strategy, view, seen, own), Shuffles(f"{seed} {number}"))

        deals = [deal(0)]
        candidates = self._plausible(deals[0].position, legal, rng)
        if len(candidates) == 1:
            return Decision(candidates[0].action)
        rounds = max(1, math.ceil(math.log2(len(candidates))))
        alive, begun = candidates, time.perf_counter()
        for number in range(rounds):
            stop = begun + (end - begun) * (number + 1) / rounds
            sweeps = math.inf if budget.playouts is None else max(1, budget.playouts // rounds // len(alive))
            first = len(alive[0].results)
            while len(alive[0].results) - first < sweeps:
                at = len(alive[0].results)
                if at == len(deals):
                    deals.append(deal(at))
                if not self._sweep(alive, deals[at], stop if at else math.inf):
                    break
            prior = candidates[0]
            order = sorted(alive, key=lambda one: one.beyond(prior), reverse=True)
            alive = [one for place, one in enumerate(order) if place < (len(alive) + 1) // 2 or one is prior]
        return Decision(alive[0].action, self._told(alive, candidates, deals[0].position))

    def _plausible(self, position: Position, legal: Sequence[Action], rng: random.Random) -> list[TriedAction]:
        """Return the actions to try, the best by rule of thumb first: of each kind the best, then whatever is near."""
        worth = self._strategy.weigh(position, legal)
        order = sorted(range(len(legal)), key=lambda at: (worth[at], rng.random()), reverse=True)
        kinds: dict[str, int] = {}
        for at in order:
            kinds.setdefault(legal[at].do, at)
        near = [at for at in order if worth[at] > worth[order[0]] - SPAN]
        chosen = [*dict.fromkeys([order[0], *kinds.values(), *near])][:MOST]
        return [TriedAction(legal[at], worth[at]) for at in chosen]

    def _sweep(self, alive: Sequence[TriedAction], deal: PossibleDeal, stop: float) -> bool:
        """Play each candidate out on a deal; return False, with nothing noted, if the time is over before."""
        found = []
        for candidate in alive:
            if time.perf_counter() > stop:
                return False
            position = deal.position.after(candidate.action)
            seat = deal.position.decider
            assert seat is not None
            last = play_out(self._game, self._strategy, position, deal.chance.again(), self._turns)
            found.append(result(last, seat, self._strategy))
        for candidate, one in zip(alive, found, strict=True):
            candidate.results.append(one)
        return True

    def _told(self, alive: Sequence[TriedAction], tried: Sequence[TriedAction], position: Position) -> list[Estimate]:
        others = [one for one in tried if one.results and one not in alive]
        others.sort(key=lambda one: one.mean().lead, reverse=True)
        return [self._estimate(one, position) for one in [*alive, *others][:TOLD] if one.results]

    def _estimate(self, candidate: TriedAction, position: Position) -> Estimate:
        points, points_error = spread([one.lead for one in candidate.results])
        wins = candidate.mean().wins
        wins_error = math.sqrt(max(wins * (1 - wins), 0.01) / len(candidate.results))
        reasons = self._strategy.reasons(position, candidate.action)
        return Estimate(candidate.action, points, points_error, wins, wins_error, reasons)
