"""Lays the zone cards of a table; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tabletop.rules.table import CardSpot
from tabletop.simulator.table.pose import PiecePose


def lay_zone_cards(setting: Mapping[str, CardSpot], rng: random.Random) -> dict[str, PiecePose]:
    """Return marker → pose, with people's inaccuracy: up to 2.5 mm off in x and y, and up to 3°."""
    return {
        marker: PiecePose(
            spot.x + rng.uniform(-2.5, 2.5), spot.y + rng.uniform(-2.5, 2.5), spot.turn + rng.triangular(-3, 3, 0)
        )
        for marker, spot in setting.items()
    }
