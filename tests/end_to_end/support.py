"""Grounds for scenarios that are seen through the camera."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tabletop.rules.palazzo import GAME
from tabletop.simulator.ground import SeenGround
from tabletop.simulator.scenario import parse
from tabletop.simulator.staging import play

SMALL = (1920, 1080)
"""The smallest camera picture that a table is promised to be read from."""


def played(text: str, folder: Path, *, harsh: int = 1, seed: int = 1) -> SeenGround:
    """Play a scenario on a table that is seen through frames; raises ScenarioFailed where it does not come true."""
    scenario = parse(text, GAME)
    with closing(
        SeenGround(GAME, scenario.seats, folder, seed=seed, harsh=harsh, size=SMALL, opening=scenario.opening)
    ) as ground:
        ground.tick(1.0)
        play(scenario, ground)
    return ground
