"""Simulated people at one running table: a thread that plays every seat that nobody has taken."""

from __future__ import annotations

import logging
import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from tabletop.bots.bot import Bot, Budget
from tabletop.bots.seen import Watcher
from tabletop.hardware.log_once import LogOnce
from tabletop.messages import Message
from tabletop.referee.mailbox import Mailbox
from tabletop.rules.game import Action, Position

log = logging.getLogger(__name__)

DECISION_PAUSE_S = 1.6
"""How long a simulated person seems to think, at speed 1."""
BOT_BUDGET = Budget(seconds=1.0)
"""How long a bot may really think."""


class TableBots(ABC):
    """Decides for the seats for which ``human(seat)`` is False; at ``speed`` 1 people can follow by eye.

    ``bot_of`` returns the bot of a seat.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        bot_of: Callable[[int], Bot],
        human: Callable[[int], bool],
        rng: random.Random,
        speed: float = 1.0,
    ) -> None:
        self.mailbox = mailbox
        self.speed = speed
        self.stopping = threading.Event()
        self._bot_of, self._human, self._rng = bot_of, human, rng
        self._watchers: dict[int, Watcher] = {}
        self._notices: list[Message] = []
        self._thread = threading.Thread(target=self._run, name="table bots", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self.stopping.set()
        if self._thread.is_alive():
            self._thread.join(5)

    @abstractmethod
    def turn(self) -> bool:
        """Do the next thing; return False if a person has to decide or the game is over."""

    def waits_for_people(self, position: Position) -> bool:
        """Return whether a person has to decide, or the game is over."""
        return position.over or (position.decider is not None and self._human(position.decider))

    def choose(self, position: Position) -> Action:
        """Return the choice of the deciding seat's bot, made from that seat's view and the legal actions."""
        seat = position.decider
        assert seat is not None
        past = [step.position for step in self.mailbox.snapshot.match.steps]
        seen = self._watchers.setdefault(seat, Watcher(seat)).watch(past, position)
        legal = list(position.legal.thrifty())
        decision = self._bot_of(seat).choose(position.view(seat), seen, legal, BOT_BUDGET, self._rng)
        if decision.notice:
            log.warning("%s", decision.notice)
            self._notices.append(decision.notice)
        return decision.action

    def pause(self, seconds: float) -> None:
        """Wait for ``seconds`` divided by the speed, or until the bots are stopped."""
        self.stopping.wait(seconds / self.speed)

    def _run(self) -> None:
        log_once = LogOnce(log, "a simulated person failed")
        while not self.stopping.is_set():
            try:
                went_on = self.turn()
                # Told after the action is done, because doing it would remove the notice again.
                while self._notices:
                    self.mailbox.tell(self._notices.pop(0))
                if not went_on:
                    self.mailbox.wait(self.mailbox.snapshot.revision, 0.5)
                log_once.reset()
            except Exception as error:
                # A bot that fails must not end the game for the others.
                log_once.log(error)
                self.stopping.wait(1.0)


class PageBots(TableBots):
    """Bots that enter their actions as on pages, and wait until people have moved their pieces."""

    def turn(self) -> bool:
        """Make one decision, if it is a bot's turn and the table is tidy."""
        snapshot = self.mailbox.snapshot
        position = snapshot.position
        if snapshot.match.paused or snapshot.over or snapshot.todo or position.decider is None:
            return False
        if self.waits_for_people(position):
            return False
        self.pause(DECISION_PAUSE_S)
        if self.waits_for_people(position):  # somebody has taken the seat meanwhile
            return False
        action = self.choose(position)
        if self.waits_for_people(position):
            return False
        self.mailbox.act(action, on=snapshot.number, id=f"simulated {snapshot.number}", seat=position.decider)
        return True
