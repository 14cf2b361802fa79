"""Bots in a separate process of the lowest priority, which is ended if it hangs, so that no table waits for it."""

from __future__ import annotations

import contextlib
import logging
import random
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from tabletop.bots.bot import Bot, Budget, Decision
from tabletop.bots.levels import FAILED, LEVELS, find_bot, level_name
from tabletop.bots.seen import Seen
from tabletop.messages import N_, Message
from tabletop.processes.child import Child
from tabletop.processes.child_on_demand import ChildOnDemand
from tabletop.rules.game import Action, View

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "tabletop.bots.thinking.bot_child")
ANSWER_TIMEOUT_S = 10.0
"""How long the process may leave questions unanswered before it is ended, seconds."""
LATE_S = 0.05
"""How long to wait for an answer beyond the budget, seconds."""
OVERHEAD_S = 0.1
"""The seconds of the budget that are reserved for sending question and answer, and for a busy processor."""
FALLBACK_LEVEL = "thrifty"
"""The level that stands in if the process does not answer: it decides in this process, at once."""
LATE = N_("The computer’s player “{level}” took too long; “{lower}” decided for it.")
"""The notice if no answer came in time."""


class BotProcess:
    """One process in which the bots of a game think, one question at a time.

    It starts when a bot that needs it is requested, and again after it was ended, until ``close`` is called.
    """

    def __init__(
        self, game: str, command: Sequence[str] = COMMAND, grace: float = ANSWER_TIMEOUT_S, late: float = LATE_S
    ) -> None:
        self._game, self._grace, self._late = game, grace, late
        self._process = ChildOnDemand(command)
        self._asking = threading.Lock()
        self._number = 0
        self._asked: Child | None = None
        self._unanswered: float | None = None

    @property
    def pid(self) -> int | None:
        """The process ID, None while there is no process."""
        child = self._process.child
        return None if child is None else child.pid

    def bot(self, level: str) -> Bot:
        """Return a bot of that level; it thinks in the process unless its level answers at once.

        Raises ValueError naming the existing levels.
        """
        bot = find_bot(self._game, level)
        if LEVELS.index(level) <= LEVELS.index(FALLBACK_LEVEL):
            return bot
        with self._asking, contextlib.suppress(OSError):  # without a process, thrifty answers the questions
            self._process.running()  # it gets ready before the first question
        return _Distant(self, level)

    def ask(
        self, level: str, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random
    ) -> Decision:
        """Return the decision of a bot of the level; if no answer comes in time, that of a thrifty one with a notice
        that says so."""
        with self._asking:
            try:
                return self._answer(level, view, seen, legal, budget, rng)
            except (EOFError, OSError) as error:
                log.warning("the process of the bots gave no answer: %r", error)
                why = LATE if isinstance(error, TimeoutError) else FAILED
        decision = find_bot(self._game, FALLBACK_LEVEL).choose(view, seen, legal, budget, rng)
        return replace(decision, notice=Message(why, level=level_name(level), lower=level_name(FALLBACK_LEVEL)))

    def close(self) -> None:
        """End the process, whatever it is doing; no other one is started."""
        self._process.close()  # this also ends a question that is waiting for its answer
        with self._asking:
            self._end()

    def _answer(
        self, level: str, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random
    ) -> Decision:
        """Ask and wait for the answer; late answers to earlier questions are skipped."""
        now = time.monotonic()
        until = now + (self._grace if budget.seconds is None else budget.seconds + self._late)
        self._number += 1
        try:
            child = self._process.running()
            if child is not self._asked:
                self._asked, self._unanswered = child, None
            child.send((self._number, self._game, level, (view, seen, legal, _less(budget), rng)), self._grace)
            self._unanswered = self._unanswered or now
            return self._received(child, until)
        except _Late:
            if self._unanswered is not None and time.monotonic() - self._unanswered >= self._grace:
                self._end()
            raise
        except (EOFError, OSError):
            self._end()
            raise

    def _received(self, child: Child, until: float) -> Decision:
        """Return the answer to the newest question.  Raises _Late if it does not come by ``until``."""
        while True:
            try:
                (number, decision), _ = child.receive(max(0.0, until - time.monotonic()))
            except TimeoutError:
                raise _Late("the time is over") from None
            self._unanswered = None
            if number == self._number:
                return cast("Decision", decision)

    def _end(self) -> None:
        self._process.end()
        self._asked = self._unanswered = None


class _Late(TimeoutError):
    """Raised if there is no answer yet; the process may still be thinking."""


def _less(budget: Budget) -> Budget:
    """Return a smaller budget, so that the answer comes in time."""
    if budget.seconds is None:
        return budget
    return replace(budget, seconds=max(budget.seconds - OVERHEAD_S, budget.seconds / 2))


class _Distant:
    """A bot that thinks in the separate process."""

    def __init__(self, process: BotProcess, level: str) -> None:
        self._process, self._level = process, level

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return the decision of the process."""
        if len(legal) == 1:
            return Decision(legal[0])
        return self._process.ask(self._level, view, seen, legal, budget, random.Random(rng.random()))
