"""Simulated people at a live table: a thread that plays for every seat that no person has taken."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Mapping, Sequence

from tabletop.hardware.pins import MockFingers
from tabletop.players.player import Player
from tabletop.referee.desk import Desk
from tabletop.rules.game import Action, Position
from tabletop.simulator.fingers import HOLD
from tabletop.simulator.hands import HandIn, HandOut, Push, Step
from tabletop.simulator.people import People
from tabletop.simulator.world import World
from tabletop.vision.frame import Frame

log = logging.getLogger(__name__)

PAUSE = 1.6
"""Seconds that a simulated person thinks at speed 1."""
MOVE = 0.5
"""Seconds that a hand takes to come or to go at speed 1."""
SETTLE = 1.0
"""Seconds in which the eyes see a table that stands still, whatever the speed."""


class SharedCamera:
    """The simulated camera of a table that other threads move pieces on."""

    name = "simulated"
    about = "a camera model above a simulated table"

    def __init__(self, world: World, lock: threading.RLock) -> None:
        self._world, self._lock = world, lock

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a frame of the table as it is."""
        with self._lock:
            return self._world.camera.capture(after, timeout)

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


class Crowd:
    """Plays at a live table.

    ``human(seat)`` tells which seats people have taken: for those the crowd decides nothing, but its hands lay on the
    table what they chose on their pages.  ``speed`` 1 can be followed by eye.
    """

    def __init__(
        self,
        world: World,
        lock: threading.RLock,
        desk: Desk,
        fingers: MockFingers,
        people: Mapping[int, Player],
        human: Callable[[int], bool],
        rng: random.Random,
        speed: float = 1.0,
    ) -> None:
        self._world, self._lock, self._desk, self._fingers = world, lock, desk, fingers
        self._players, self._human, self._rng, self._speed = people, human, rng, speed
        self._people = People(world, lambda: desk.snapshot, self._perform, self._settle)
        self._stop = threading.Event()
        self._pushing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="crowd", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def push(self, button: str) -> None:
        """Press a button of the panel and let it go, as the demo page does for whoever clicks."""
        with self._pushing:
            self._fingers.press(button)
            self._stop.wait(HOLD)
            self._fingers.release(button)
            self._stop.wait(HOLD)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                if not self._turn():
                    self._desk.wait(self._desk.snapshot.revision, 0.5)
            except Exception:
                log.exception("a simulated person stumbled")
                self._stop.wait(1.0)

    def _turn(self) -> bool:
        """Do what is to be done next; return False where a person has to decide or the game is over."""
        snapshot = self._desk.snapshot
        position = snapshot.position
        with self._lock:
            untidy = self._world.tidy_for(position)
        if untidy:
            self._perform(untidy)
            self._settle()
            return True
        if position.over or snapshot.paused:
            return False
        if position.decider is not None and self._human(position.decider):
            return False
        with self._lock:
            actions = self._world.bundle(position, self._choose)
        self._stop.wait(PAUSE / self._speed if position.decider is not None else 0.3 / self._speed)
        # Somebody may have taken the seat, or taken something back, meanwhile.
        if actions and self._desk.snapshot.number == snapshot.number:
            self._people.show(position, actions)
        return True

    def _choose(self, position: Position) -> Action:
        assert position.decider is not None
        legal = list(position.legal.thrifty())
        return self._players[position.decider].choose(position.view(position.decider), legal, self._rng)

    def _perform(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if self._stop.is_set():
                return
            if isinstance(step, Push):
                self.push(step.button)
                self._settle()
                continue
            with self._lock:
                self._world.perform(step)
            if isinstance(step, HandIn | HandOut):
                self._stop.wait(MOVE / self._speed)

    def _settle(self) -> None:
        """Wait until nothing new was said for as long as the eyes need to see a still table."""
        revision = self._desk.snapshot.revision
        while not self._stop.is_set() and (news := self._desk.wait(revision, SETTLE)) is not None:
            revision = news.revision
