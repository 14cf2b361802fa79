"""A table for scenarios whose referee is always given what truly lies on it, so that only the referee is tested."""

from __future__ import annotations

from pathlib import Path

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.match import store
from tabletop.match.journal import Journal
from tabletop.referee.referee import Referee
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.layout import Layout
from tabletop.simulator.play.scenario import Scenario
from tabletop.simulator.table.hands import Push, Step
from tabletop.simulator.world import World
from tabletop.vision.scene import Scene
from tests.simulator.perfect_eye import seen

TINY = (320, 180)
"""The size, px, of a camera picture that no test reads."""


class PerfectGround:
    """Gives a referee the true layout of the simulated table whenever no hand is over it."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self._folder = folder
        self._journal, match = store.start(folder, scenario.game, list(scenario.seats), 0.0)
        self.now = 0.0
        self._last: Layout | None = None
        self._pressed = False
        self._referee = Referee(match, self._journal, lambda: self.now)
        self._world = World(scenario.game, scenario.seats, size=TINY, make=scenario.make, press=self._press)
        for action in scenario.opening:
            now = self._referee.snapshot
            answer = self._referee.act(action, on=now.number, id=str(now.number), seat=now.position.decider)
            assert answer.ok, answer.error
        self._world.arrange(scenario.position)
        self.tick(1.0)

    @property
    def snapshot(self) -> Snapshot:
        return self._referee.snapshot

    def centre(self, zone: str) -> tuple[float, float]:
        return self._world.table.centre(zone)

    def perform(self, step: Step) -> None:
        self._world.perform(step)

    def tick(self, seconds: float) -> None:
        self.now += seconds
        layout = seen(self._world.table)
        if not self._world.table.hands and (layout != self._last or self._pressed):
            self._last, self._pressed = layout, False
            self._referee.see(Scene(self.now, int(self.now * 100), layout))

    def restart(self) -> None:
        """Close the program and resume the match from its journal, without any other memory."""
        self._journal.close()
        newest = store.unfinished(self._folder)
        assert newest is not None
        self._journal, match, damage = Journal.open(newest)
        assert not damage
        self._referee = Referee(match, self._journal, lambda: self.now)
        self._last = None
        self.tick(1.0)

    def close(self) -> None:
        self._journal.close()

    def _press(self, push: Push) -> None:
        self._referee.press(Press(push.button, Kind.PRESS, self.now))
        self._pressed = True
        self.tick(0.5)
