"""How the zone cards of a table are laid; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tabletop.rules.table import CardSpot
from tabletop.simulator.table.pose import PiecePose


def lay_zone_cards(setting: Mapping[str, CardSpot], rng: random.Random) -> dict[str, PiecePose]:
    """Return where each marker lies this time: people lay cards a few mm and up to 3° off."""
    return {
        marker: PiecePose(
            spot.x + rng.uniform(-2.5, 2.5), spot.y + rng.uniform(-2.5, 2.5), spot.turn + rng.triangular(-3, 3, 0)
        )
        for marker, spot in setting.items()
    }
