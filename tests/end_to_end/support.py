"""Openings of Palazzo games, and tables that are seen through a simulated camera."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.scenario import parse
from tabletop.simulator.play.scenario_table import play
from tabletop.simulator.play.seen_table import SeenTable

SMALL = (1920, 1080)
"""The smallest picture size, px, from which a table is guaranteed to be read."""

SETUP = (
    "reveal B1.1", "reveal S1.2", "reveal M1.3", "reveal B2.2", "reveal S2.1",
    "deal 0 C2a+N4b+N5a+R5a", "deal 1 G3b+N7c+R3a+R6b",
)  # fmt: skip
ROW = ("money", "reveal C2c", "reveal G4a", "reveal G5b")
BUILT = ("build", "reveal M2.1", "reveal S1.3", "buy S2.1 pay N4b+N5a", "place S2.1")
AUCTION = ("build", "reveal M1.1", "reveal S1.3", "auction")


def played(text: str, folder: Path, *, harsh: int = 1, seed: int = 1) -> SeenTable:
    """Play a scenario on a table that is seen through frames; raise ScenarioFailed if an expectation is not met."""
    scenario = parse(text, GAME)
    with closing(
        SeenTable(
            scenario.game,
            scenario.seats,
            folder,
            seed=seed,
            harsh=harsh,
            size=SMALL,
            make=scenario.make,
            opening=scenario.opening,
        )
    ) as ground:
        ground.tick(1.0)
        play(scenario, ground)
    return ground
