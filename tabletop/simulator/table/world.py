"""A whole simulated table for one game: pieces, chance, camera and hands behind one face."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tabletop.rules.game import Action, Game, Json, Position
from tabletop.rules.text.position_text import format_position
from tabletop.simulator.camera.conditions import conditions
from tabletop.simulator.camera.drawing import Modules
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.table.hands import Push, Step, carry_out
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.simulator.table.simulation import simulation_of
from tabletop.simulator.table.tidy import tidy
from tabletop.simulator.table.zone_layout import lay_zone_cards
from tabletop.vision.tags import patterns

Choose = Callable[[Position], Action]
"""How a decider decides; it must not be told more than it may know by its maker."""


class World:
    """A simulated table with every piece of a game in its stack, deck or box, and a camera above it.

    ``seats`` are the names; ``seed`` decides what chance brings, where things lie and where the camera stands;
    ``chance`` says what comes instead, as a recorded game does; ``press`` is called with each button that is pushed.
    Raises ValueError for a harshness that does not exist and
    for a game that says nothing about its table.
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
        cover: str = "wood",
        options: Mapping[str, Json] | None = None,
        chance: Choose | None = None,
        press: Callable[[Push], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        known = simulation_of(game)
        if game.table is None or known is None:
            raise ValueError(f"{game.title} says nothing about its table, so there is nothing to simulate.")
        given = conditions(harsh)
        zones = game.table.zones(len(seats))
        marks = lay_zone_cards(zones, random.Random(f"zones {seed}"), known.places)
        self.game, self._gestures = game, known.gestures
        self.table = SimulatedTable(game.pieces, zones, game.table.sizes, marks, given, seed)
        self._chance = chance or drawn_from(seed)
        self.press = press
        self.arrange(game.new(list(seats), options))
        self.camera = SimulatedCamera(
            self.table, modules, game.tag, size=size, given=given, seed=seed, colour=colour, cover=cover, clock=clock
        )

    def draw(self, position: Position) -> Action:
        """Return what chance does next; the same position always brings the same, so what is put back comes again."""
        return self._chance(position)

    def bundle(self, position: Position, choose: Choose, brisk: bool = False) -> list[Action]:
        """Return the next decision with those that hands carry out together with it.

        Tiles that are bought are placed, and a claimed tile is placed, in the same movement.  ``brisk`` lays the
        five tiles of the setup, and the cards of the money row, in one movement each.
        """
        if position.decider is None:
            return self._dealt(position, brisk)
        actions = [choose(position)]
        position = position.after(actions[0])
        if actions[0].do == "buy":
            while position.phase == "place":
                actions.append(choose(position))
                position = position.after(actions[-1])
        elif actions[0].do == "claim":
            actions.append(choose(position))
        return actions

    def steps_for(self, position: Position, *actions: Action) -> list[Step]:
        """Return the steps that show these actions, which follow one another from ``position``, at the table."""
        return self._gestures(self.table, position, actions)

    def tidy_for(self, position: Position) -> list[Step]:
        """Return the steps after which everything lies as the position says."""
        return tidy(self.table, position)

    def perform(self, step: Step) -> None:
        """Do a step: to the table, or to a button."""
        carry_out(step, self.table)
        if isinstance(step, Push) and self.press is not None:
            self.press(step)

    def arrange(self, position: Position) -> None:
        """Lay everything as a position says at once, with no hand: a game that goes on from there."""
        for step in self.tidy_for(position):
            carry_out(step, self.table)

    def _dealt(self, position: Position, brisk: bool) -> list[Action]:
        """Return what chance does next; ``brisk``: up to where somebody decides or a light has to be waited for."""
        actions: list[Action] = []
        while position.decider is None and not position.over:
            actions.append(self.draw(position))
            if not brisk or position.phase == "deal" or "drawn" in position.to_json():
                break
            phase, position = position.phase, position.after(actions[-1])
            if position.phase != phase:
                break
        return actions


def drawn_from(seed: int) -> Choose:
    """Return chance that follows from the seed and the position alone: no stack has an order that anybody keeps."""

    def draw(position: Position) -> Action:
        return position.game.draw(position, random.Random(f"{seed} {format_position(position)}"))

    return draw


def modules(payload: str) -> Modules:
    """Return a tag's modules with its quiet zone, True where they are dark."""
    return np.pad(patterns.pattern(payload), patterns.QUIET)
