"""Bots that think in a process of their own at the lowest priority, which is ended if it hangs: no table waits."""

from __future__ import annotations

import logging
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from tabletop.bots.bot import Bot, Budget, Decision
from tabletop.bots.levels import LEVELS, find_bot
from tabletop.bots.seen import Seen
from tabletop.messages import Message
from tabletop.rules.game import Action, View

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "tabletop.bots.thinking.bot_child")
GRACE = 10.0
"""Seconds that an answer may take beyond its budget: the process begins, and everything else goes first."""
STEADY = "thrifty"
"""The level that stands in, in this process: it answers at once."""


class BotProcess:
    """One process in which the bots of a game think, one question at a time.

    It begins with the first question, and again after it was ended.
    """

    def __init__(self, game: str, command: Sequence[str] = COMMAND, grace: float = GRACE) -> None:
        self._game, self._command, self._grace = game, tuple(command), grace
        self._asking = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None

    def bot(self, level: str) -> Bot:
        """Return a bot of that level, which thinks there unless it answers at once.

        Raises ValueError naming the levels there are.
        """
        found = find_bot(self._game, level)
        return found if LEVELS.index(level) <= LEVELS.index(STEADY) else _Distant(self, level)

    def ask(self, level: str, *question: Any) -> Decision:
        """Return what a bot of the level decides; if no answer comes in time, what a thrifty one does, and say so."""
        view, seen, legal, budget, rng = question
        with self._asking:
            try:
                return self._answer(level, question, (budget.seconds or self._grace) + self._grace)
            except (EOFError, OSError, TimeoutError) as error:
                log.warning("the process of the bots gave no answer: %r", error)
                self._end()
        decision = find_bot(self._game, STEADY).choose(view, seen, legal, budget, rng)
        notice = Message("The {level} bot took too long; the {lower} one decided.", level=level, lower=STEADY)
        return replace(decision, notice=notice)

    def close(self) -> None:
        """End the process, whatever it does."""
        with self._asking:
            self._end()

    def _answer(self, level: str, question: object, seconds: float) -> Decision:
        line = self._line or self._begin()
        line.send((self._game, level, question))
        if not line.poll(seconds):
            raise TimeoutError(f"no answer within {seconds:g} s")
        decision: Decision = line.recv()
        return decision

    def _begin(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            # Its stdin is held by this process alone: when that ends, however it does, the other one ends as well.
            self._process = subprocess.Popen((*self._command, str(number)), stdin=subprocess.PIPE, pass_fds=(number,))
        self._line = Connection(ours.detach())
        return self._line

    def _end(self) -> None:
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdin is not None
            self._process.stdin.close()
        self._line = self._process = None


class _Distant:
    """A bot that thinks in the process."""

    def __init__(self, process: BotProcess, level: str) -> None:
        self._process, self._level = process, level

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return what is decided there."""
        if len(legal) == 1:
            return Decision(legal[0])
        return self._process.ask(self._level, view, seen, legal, budget, random.Random(rng.random()))
