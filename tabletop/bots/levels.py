"""The levels at which bots play, by name: each is at least as strong as the one before."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from tabletop.bots.bot import Bot, Budget, Decision
from tabletop.bots.random_bot import RandomBot
from tabletop.bots.search_bot import SearchBot
from tabletop.bots.seen import Seen
from tabletop.bots.strategy import Strategy, strategy_of
from tabletop.bots.thrifty_bot import ThriftyBot
from tabletop.messages import N_, Message
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, View

log = logging.getLogger(__name__)

LOOKAHEAD_TURNS = 4
"""How many turns the strong bot looks ahead before it uses what it has learned to expect; only on later deals does it
play to the end."""


Clock: TypeAlias = Callable[[], float]
"""Returns the time, in seconds."""


def _strong(game: Game, learned: Strategy, clock: Clock) -> Bot:
    """Return a bot that looks a few turns ahead, or to the end if it has not learned what to expect."""
    return SearchBot(game, learned, LOOKAHEAD_TURNS if learned.outlook.value else None, clock)


MAKERS: Mapping[str, Callable[[Game, Strategy, Clock], Bot]] = {
    "random": lambda _game, strategy, _clock: RandomBot(strategy.kind_weights),
    "thrifty": lambda game, strategy, _clock: ThriftyBot(game, strategy),
    "sound": lambda game, strategy, clock: SearchBot(game, strategy, clock=clock),
    "strong": lambda game, strategy, clock: _strong(game, strategy.learned(), clock),
}
"""Level → the function that makes its bot, the simplest level first."""
LEVELS = tuple(MAKERS)
LEVEL_TITLES = {"random": N_("at random"), "thrifty": N_("thrifty"), "sound": N_("sound"), "strong": N_("strong")}
"""The names of the levels for people."""
DEMO_LEVELS = ("random", "thrifty")
"""The levels at which simulated people play, in turn: quick ones, so that a demo shows many different games."""
FAILED = N_("The computer’s player “{level}” failed; “{lower}” decided for it.")
"""The notice if a bot failed to answer."""


def level_name(level: str) -> Message:
    """Return the name of a level for people."""
    return Message(LEVEL_TITLES.get(level, level))


def no_level(level: str) -> Message:
    """Return the sentence that there is no level of that name, with the levels that exist."""
    return Message("There is no level “{level}”: choose {levels}.", level=level[:40], levels=LEVELS)


def find_bot(game: str, level: str, clock: Clock = time.perf_counter) -> Bot:
    """Return a new bot of that level for a game; ``clock`` tells it when its time is up.

    Raises ValueError naming the existing levels.
    """
    if level not in LEVELS:
        raise ValueError(no_level(level))
    rules, strategy = registry.game(game), strategy_of(game)
    return SteadyBot([(name, MAKERS[name](rules, strategy, clock)) for name in LEVELS[: LEVELS.index(level) + 1]])


class SteadyBot:
    """A bot that always answers: if it raises, the bot of the level below decides, and the decision says so."""

    def __init__(self, bots: Sequence[tuple[str, Bot]]) -> None:
        """``bots`` are the levels with their bots, the simplest first."""
        self._bots = bots

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return the choice of the highest level that makes one."""
        *below, (level, bot) = self._bots
        try:
            choice = bot.choose(view, seen, legal, budget, rng)
            if choice.action not in legal:
                raise ValueError(f"{choice.action} is not legal")
            return choice
        except Exception:
            if not below:
                raise
            log.exception("the %s bot failed", level)
        choice = SteadyBot(below).choose(view, seen, legal, budget, rng)
        notice = Message(FAILED, level=level_name(level), lower=level_name(below[-1][0]))
        return replace(choice, notice=choice.notice or notice)
