"""What a game says about its simulated table: where its zone cards are laid, and how each act is done by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tabletop.rules.game import Action, Game, Position
from tabletop.rules.registry import Layer
from tabletop.simulator.camera.projection import PiecePose
from tabletop.simulator.table.hands import Step
from tabletop.simulator.table.simulated_table import SimulatedTable

Gestures: TypeAlias = Callable[[SimulatedTable, Position, Sequence[Action]], list[Step]]
"""Gives the steps that show some actions, done together from a position, at the table."""

SIMULATIONS = Layer("tabletop.games.simulator", "tabletop.simulator.{game}", "SIMULATION")


class Simulation(NamedTuple):
    """One game's part of the simulator."""

    places: Mapping[str, PiecePose]
    """Where the centre of each zone's marker lies."""
    gestures: Gestures


def simulation_of(game: Game) -> Simulation | None:
    """Return the game's part, None for a game that is played on its pages alone."""
    found = SIMULATIONS.part(game.name) if game.table is not None else None
    return found if isinstance(found, Simulation) else None
