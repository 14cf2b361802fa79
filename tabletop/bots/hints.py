"""Hints for a seat, and the analysis of a game: what a bot would have done, and what each decision cost."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tabletop.bots.bot import NORMAL_95, Bot, Budget, Decision, Estimate
from tabletop.bots.seen import Watcher
from tabletop.messages import EMPTY, Message, SeatRef
from tabletop.rules.game import Action, Position


class NoAdvice(ValueError):
    """Raised if a seat cannot be advised now; the text is a :class:`Message` that says why."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested action, with estimates of the best few, best first (empty if the bot does not look ahead).

    ``clear`` is False if the first two are too close to call.
    ``notice`` is to be shown with it, for example that a simpler bot stood in.
    """

    action: Action
    estimates: Sequence[Estimate]
    clear: bool
    notice: Message = EMPTY


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """One decision of a game, compared with what the bot would have done.

    Attributes:
        number: the number of the action in the record, from 1.
        seat: the seat that decided, from 0.
        played: the estimate of the action that was done.
        best: the estimate of the action that the bot thinks best; the same action if it agrees.
    """

    number: int
    seat: int
    played: Estimate
    best: Estimate

    @property
    def cost(self) -> float:
        """The points that the decision gave away; 0 if the bot agrees, or if the difference is not clear."""
        gap = self.played.behind - self.best.behind
        return gap if gap > NORMAL_95 * self.error else 0.0

    @property
    def error(self) -> float:
        """The standard error of the cost; the error of the better of the two is 0, as it is not behind."""
        return math.hypot(self.best.behind_error, self.played.behind_error)


def hint(bot: Bot, positions: Sequence[Position], seat: int, budget: Budget, rng: random.Random) -> Suggestion:
    """Return what the seat could do in the last of these positions, judged only by what it may know.

    Raises NoAdvice if the seat has nothing to decide.
    """
    position = positions[-1]
    if position.over:
        raise NoAdvice(Message("The game is over: there is nothing to decide."))
    if position.decider is None:
        raise NoAdvice(Message("Chance decides now: turn up what is due first."))
    if position.decider != seat:
        decider = SeatRef(position.decider, position.names[position.decider])
        raise NoAdvice(Message("{name} decides now (seat {number}).", name=decider, number=position.decider + 1))
    decision = _ask(bot, positions, Watcher(seat), list(position.legal.thrifty()), budget, rng)
    estimates = decision.estimates
    clear = len(estimates) < 2 or estimates[1].behind > NORMAL_95 * estimates[1].behind_error
    return Suggestion(decision.action, estimates, clear, decision.notice)


def analyse(
    bot: Bot, positions: Sequence[Position], actions: Sequence[Action], budget: Budget, seed: int
) -> Iterator[JudgedDecision]:
    """Judge each decision of a game in which there was a choice, by what its seat could know then.

    The bot is first asked for the best action, then to compare that with what was done, so that both are tried on the
    same deals.
    """
    watchers = [Watcher(seat) for seat in range(len(positions[0].names))]
    for number, (position, played) in enumerate(zip(positions, actions, strict=False), 1):
        if position.decider is None:
            continue
        legal, past = list(position.legal.thrifty()), positions[:number]
        if len(legal) < 2:
            continue
        rng, watcher = random.Random(f"{seed} {number}"), watchers[position.decider]
        decision = _ask(bot, past, watcher, legal, budget, rng)
        beside = decision
        if decision.action != played:
            beside = _ask(bot, past, watcher, [decision.action, played], budget, rng)
        known = {estimate.action: estimate for estimate in (*decision.estimates, *beside.estimates)}
        if decision.action in known and played in known:
            yield JudgedDecision(number, position.decider, known[played], known[decision.action])


def _ask(
    bot: Bot,
    positions: Sequence[Position],
    watcher: Watcher,
    legal: Sequence[Action],
    budget: Budget,
    rng: random.Random,
) -> Decision:
    position = positions[-1]
    assert position.decider is not None
    all_of_it = replace(budget, thorough=True)
    return bot.choose(position.view(position.decider), watcher.watch(positions), legal, all_of_it, rng)
