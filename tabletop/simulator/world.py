"""A complete simulated table for one game: pieces, chance, camera and hands behind one interface."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain

import numpy as np

from tabletop.rules.game import Action, Game, Json, Position
from tabletop.rules.layout import Anywhere
from tabletop.rules.text.position_text import format_position
from tabletop.simulator.camera.drawing import Modules
from tabletop.simulator.camera.lens import CameraModel
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.conditions import conditions
from tabletop.simulator.table.gestures import gestures
from tabletop.simulator.table.hands import Push, Step, TurnLamp, carry_out
from tabletop.simulator.table.movements import Choose, Movements, Pace
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.simulator.table.tidy import tidy
from tabletop.vision.tags import patterns


class World:
    """A simulated table with every piece of a game in its stack, deck or box, and a camera above it.

    ``seats`` are the names; ``seed`` determines what chance brings, where things lie and where the camera is;
    ``chance`` decides what comes instead, as a recorded game does; ``make`` is the make of the pieces (by default the
    game's first); ``press`` is called with each push of a button.  Raises ValueError for a harshness or a make that
    does not exist and for a game without a table.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: int = 0,
        harsh: int = 1,
        size: tuple[int, int] = (2304, 1296),
        colour: bool = False,
        *,
        make: str = "",
        options: Mapping[str, Json] | None = None,
        chance: Choose | None = None,
        press: Callable[[Push], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        given = conditions(harsh)
        self.game = game
        self.table = SimulatedTable(game, len(seats), given, seed, make)
        assert game.table is not None  # a table of a game without one cannot be simulated
        self._rules = game.table
        self._movements = Movements(game.table, self.table.make)
        self._chance = chance or drawn_from(seed)
        self.press = press
        beginning = game.new(list(seats), options)
        anywhere = (there.pieces for there in beginning.layout().values() if isinstance(there, Anywhere))
        self.table.keep(sorted(chain.from_iterable(anywhere)))
        self.arrange(beginning)
        self._make_camera = partial(
            SimulatedCamera, self.table, modules, size=size, given=given, seed=seed, colour=colour,
            clock=clock,
        )  # fmt: skip

    @cached_property
    def camera(self) -> SimulatedCamera:
        """The camera, set up when it is first used, because a table that nobody looks at needs no picture."""
        return self._make_camera()

    def photograph(self, model: CameraModel) -> bytes:
        """Return the JPEG that another camera takes of the table as it is."""
        return self._make_camera(size=model.size, colour=True, stands=model).photograph()

    @property
    def least_modules(self) -> float:
        """The px per module of the smallest tags of pieces at the zone corner where the picture's scale is smallest."""
        side = min(size.tag for size in self.table.sizes.values() if size.tag)
        areas = self.table.fields.values()
        corners = [area.origin.out(x, y) for area in areas for x in (0, area.width) for y in (0, area.height)]
        return min(self.camera.model.scale_at(*corner) for corner in corners) * side / patterns.TAG_MODULES

    def draw(self, position: Position) -> Action:
        """Return what chance does next, always the same in a position, so that a piece that is put back comes again."""
        return self._chance(position)

    def bundle(self, position: Position, choose: Choose, pace: Pace = Pace.CALM) -> list[Action]:
        """Return the next action of a seat or chance, with those that hands do in the same movement."""
        return self._movements.next(position, lambda at: self.draw(at) if at.decider is None else choose(at), pace)

    def steps_for(self, position: Position, *actions: Action) -> list[Step]:
        """Return the steps that show these actions, which follow one another from ``position``, at the table."""
        return gestures(self.table, self._rules, position, actions)

    def tidy_for(self, position: Position) -> list[Step]:
        """Return the steps after which everything lies as the position says."""
        return tidy(self.table, position)

    def perform(self, step: Step) -> None:
        """Do a step to the table or the lamp, or push a button."""
        carry_out(step, self.table)
        if isinstance(step, TurnLamp):
            self.camera.turn_lamp()
        if isinstance(step, Push) and self.press is not None:
            self.press(step)

    def arrange(self, position: Position) -> None:
        """Lay everything as a position says at once, without hands, for a game that continues from there."""
        for step in self.tidy_for(position):
            carry_out(step, self.table)


def drawn_from(seed: int) -> Choose:
    """Return chance that depends only on the seed and the position: no order of a stack is stored anywhere."""

    def draw(position: Position) -> Action:
        return position.game.draw(position, random.Random(f"{seed} {format_position(position)}"))

    return draw


def modules(payload: str) -> Modules:
    """Return a tag's modules with its quiet zone, True where they are dark."""
    return np.pad(patterns.pattern(payload), patterns.QUIET_MODULES)
