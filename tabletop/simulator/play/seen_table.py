"""A complete simulated table: world, camera loop, mock pins, referee and journal, in simulated time.

Headless games and scenarios are played on it; the referee sees both only through camera frames and pins.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabletop.hardware.panel import panel_file
from tabletop.match import store
from tabletop.referee.camera_loop import CameraLoop
from tabletop.referee.referee import Referee
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Action, Game
from tabletop.simulator.play.playground import Playground
from tabletop.simulator.table.fingers import Clock, Fingers
from tabletop.simulator.table.hands import Step
from tabletop.simulator.table.movements import Choose
from tabletop.simulator.world import World
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker_for import tracker_for


class SeenTable:
    """A table with a referee that sees it through the real camera loop; its journal is kept in ``folder``.

    ``opening`` are actions done before the camera looks; the pieces (of a ``make``) are laid accordingly.  ``seed``
    decides what chance brings (unless ``chance`` does) and where things and the camera are, ``harsh`` is the level of
    the conditions, ``size`` that of the pictures, px; ``colour`` adds a colour picture for people to each frame,
    ``hasty`` makes every other seat hurry.
    Raises Illegal for seats or an opening that the game refuses, ValueError for a game without a table.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        folder: Path,
        *,
        seed: int = 0,
        harsh: int = 1,
        size: tuple[int, int] = (2304, 1296),
        colour: bool = False,
        make: str = "",
        opening: Sequence[Action] = (),
        chance: Choose | None = None,
        hasty: bool = False,
    ) -> None:
        self.clock = Clock()
        self.world = World(game, names, seed, harsh, size, colour, make=make, chance=chance, clock=self.clock)
        self._journal, match = store.start(folder, game, names, 0.0)
        self.referee = Referee(match, self._journal, self.clock)
        self.fingers = Fingers(panel_file.load(), self.clock, lambda: self.referee.snapshot.signals, self.referee.press)
        self.tracker = tracker_for(Kit(game, make), len(names), lambda: self.snapshot.position)
        self.loop = CameraLoop(self.world.camera, self.tracker, self.referee, self.clock)
        self.playground = Playground(self.world, self.referee, self.loop, self.fingers.push, self.clock, hasty)
        for action in opening:
            self._open(action)
        if opening:
            self.world.arrange(self.snapshot.position)

    @property
    def snapshot(self) -> Snapshot:
        """What the referee shows now."""
        return self.referee.snapshot

    def perform(self, step: Step) -> None:
        """Do one step at the table or the panel; a frame is taken after a push and when a hand comes or goes."""
        self.playground.perform([step])

    def tick(self, seconds: float) -> None:
        """Let that much time pass, during which frames are taken and read."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.playground.tick()

    def centre(self, zone: str) -> tuple[float, float]:
        """Return the middle of a zone, mm."""
        return self.world.table.centre(zone)

    def close(self) -> None:
        """Release the pins and close the journal."""
        self.fingers.close()
        self._journal.close()

    def _open(self, action: Action) -> None:
        now = self.snapshot
        answer = self.referee.act(action, on=now.number, id=f"opening {now.number}", seat=now.position.decider)
        if answer.error is not None:
            raise answer.error
