"""Simulated people at a running simulated table, whose hands lay pieces and press buttons like real ones."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from tabletop.bots.bot import Bot
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.referee.mailbox import Mailbox
from tabletop.rules.game import Position
from tabletop.simulator.errors import TableFull
from tabletop.simulator.play.faults import mislaying_steps
from tabletop.simulator.play.people import People
from tabletop.simulator.play.table_bots import DECISION_PAUSE_S, TableBots
from tabletop.simulator.table.fingers import PRESS_S
from tabletop.simulator.table.hands import HandIn, HandOut, Push, Step
from tabletop.simulator.world import World

DRAW_PAUSE_S = 0.3
"""How long people wait before they turn something up, at speed 1."""
HAND_PAUSE_S = 0.5
"""How long a hand takes to come or go, at speed 1."""
SETTLE_S = 1.0
"""How long vision takes at most to notice that the table is still, at any speed."""
MISTAKE_PAUSE_S = 12.0
"""How long a piece that was mislaid on purpose stays there after it was noticed, so that people can read about it."""
MAX_MISTAKE_WAIT_S = 60
"""The longest that people wait for the table to notice it, enough even on a busy machine, seconds."""
HESITATION_ROUNDS = 2
"""How many times SETTLE_S people wait, if something was not understood, before they help."""


class BotDriver(TableBots):
    """Plays at the simulated table with simulated hands.

    It decides nothing for seats that people have taken, but its hands lay on the table what they chose on their pages.
    """

    def __init__(
        self,
        world: World,
        lock: threading.RLock,
        mailbox: Mailbox,
        fingers: MockFingers,
        *,
        bot_of: Callable[[int], Bot],
        human: Callable[[int], bool],
        rng: random.Random,
        speed: float = 1.0,
    ) -> None:
        super().__init__(mailbox, bot_of, human, rng, speed)
        self._world, self._lock, self._fingers = world, lock, fingers
        self._pushing = threading.Lock()
        self._careless = threading.Event()

    def push(self, button: str, seconds: float = PRESS_S) -> None:
        """Press a button of the panel for that long, as the demo page does when somebody clicks or holds it."""
        with self._pushing:
            self._fingers.press(button)
            self.stopping.wait(seconds)
            self._fingers.release(button)
            self.stopping.wait(PRESS_S)

    def mislay(self) -> None:
        """Lay a piece where it does not belong as soon as a seat decides; it is put right once that was noticed."""
        self._careless.set()

    def turn(self) -> bool:
        """Tidy up what the record asks for; otherwise show the next decision or turn up what comes next."""
        snapshot = self.mailbox.snapshot
        position = snapshot.position
        if self._careless.is_set() and position.decider is not None:
            self._careless.clear()
            self._lay_wrongly(position)
            return True
        with self._lock:
            untidy = self._world.tidy_for(position)
        if untidy:
            self._perform(untidy)
            self._settle()
            return True
        if snapshot.match.paused or snapshot.over or self.waits_for_people(position):
            return False
        actions = self._world.bundle(position, self.choose)  # takes seconds: not under the lock
        self.pause(DECISION_PAUSE_S if position.decider is not None else DRAW_PAUSE_S)
        # Meanwhile somebody may have taken the seat, or undone something.
        if self.mailbox.snapshot.number == snapshot.number and not self.waits_for_people(position):
            # Not stored: it would be a reference cycle that keeps a finished table's pictures alive.
            People(self._world, lambda: self.mailbox.snapshot, self._perform, self._settle, HESITATION_ROUNDS).show(
                position, actions
            )
        return True

    def _lay_wrongly(self, position: Position) -> None:
        """Lay a piece where it does not belong, and leave it there until the table has reported it for a while."""
        with self._lock:
            steps = mislaying_steps(self._world.table, position, self._rng)
        with suppress(TableFull):  # a piece that was taken up is put back by the next turn
            self._perform(steps)
        for _ in range(MAX_MISTAKE_WAIT_S):
            if self.mailbox.snapshot.todo or self.stopping.wait(1.0):
                break
        self.stopping.wait(MISTAKE_PAUSE_S)

    def _perform(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if self.stopping.is_set():
                return
            if isinstance(step, Push):
                self.push(step.button)
                self._settle()
                continue
            with self._lock:
                self._world.perform(step)
            if isinstance(step, HandIn | HandOut):
                self.pause(HAND_PAUSE_S)

    def _settle(self) -> None:
        """Wait until the referee has shown nothing new for as long as vision needs to notice a still table."""
        revision = self.mailbox.snapshot.revision
        while not self.stopping.is_set() and (news := self.mailbox.wait(revision, SETTLE_S)) is not None:
            revision = news.revision
