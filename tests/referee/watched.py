"""A game played before a referee whose announcements are watched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.match import store
from tabletop.match.match import Step, Steps
from tabletop.referee.referee import Referee
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout
from tabletop.vision.scene import Scene
from tests.referee.support import NOW
from tests.referee.tables import table


class Watched:
    """A referee at a position, the scenes it is shown and the buttons pressed; its time advances by one each time."""

    def __init__(self, referee: Referee) -> None:
        self.referee, self.time = referee, 0.0

    @property
    def acts(self) -> list[str]:
        """The acts that count, in short notation."""
        game = self.referee.match.game
        return [game.format(game.action(dict(event.data))) for event in self.referee.match.events[1:]]

    def show(self, layout: Layout) -> None:
        """Let the referee see a layout."""
        self.time += 1
        self.referee.see(Scene(self.time, round(self.time), layout))

    def press(self, button: str, times: int = 1) -> None:
        """Press a button, then let the table be seen as it was."""
        for _ in range(times):
            self.time += 1
            self.referee.press(Press(button, Kind.PRESS, self.time))
            scene = self.referee.snapshot.scene
            assert scene is not None
            self.show(scene.layout)


@contextmanager
def playing(position: Position, folder: Path) -> Iterator[Watched]:
    """Yield a referee whose match is at a position and whose table has been seen."""
    journal, match = store.start(folder, position.game, [*position.names], NOW)
    match = replace(match, steps=Steps([Step(match.events[0], position)]))
    watched = Watched(Referee(match, journal, lambda: NOW))
    watched.show(table(position))
    yield watched
    journal.close()
