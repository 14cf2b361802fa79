"""Fixtures that make small simulated tables."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.conditions import conditions
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.simulator.table.zone_layout import lay_zone_cards
from tabletop.simulator.world import modules


@pytest.fixture
def make_table() -> Callable[..., SimulatedTable]:
    """A function that makes an empty table of Palazzo."""

    def make(seats: int = 3, seed: int = 1, harsh: int = 1) -> SimulatedTable:
        marks = lay_zone_cards(GAME.table.setting(seats), random.Random(seed))
        return SimulatedTable(GAME, seats, conditions(harsh), seed, marks=marks)

    return make


@pytest.fixture
def make_camera() -> Callable[..., SimulatedCamera]:
    """A function that puts a camera with a small picture above a table."""

    def make(
        table: SimulatedTable, harsh: int = 1, size: tuple[int, int] = (768, 432), **more: object
    ) -> SimulatedCamera:
        return SimulatedCamera(table, modules, size=size, given=conditions(harsh), seed=1, **more)  # type: ignore[arg-type]

    return make
