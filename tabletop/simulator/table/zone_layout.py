"""How the zone cards of a table are laid; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tabletop.rules.table import Zone
from tabletop.simulator.camera.projection import PiecePose

TABLE = (1150.0, 680.0)
"""Width and height of the table."""


def lay_zone_cards(zones: Sequence[Zone], rng: random.Random, places: Mapping[str, PiecePose]) -> dict[str, PiecePose]:
    """Return where each zone's card lies this time: people lay cards a few mm and up to 3° off.

    Raises ValueError for a zone that has no place in ``places``.
    """
    homeless = [zone.name for zone in zones if zone.name not in places]
    if homeless:
        raise ValueError(f"The simulated table has no place for zone “{homeless[0]}”: say where its card lies.")
    return {
        zone.name: PiecePose(
            places[zone.name].x + rng.uniform(-2.5, 2.5),
            places[zone.name].y + rng.uniform(-2.5, 2.5),
            places[zone.name].angle + rng.triangular(-3, 3, 0),
        )
        for zone in zones
    }


def facing(zone: str) -> float:
    """Return the angle at which people lay pieces in a zone: upright for the seat whose zone it is."""
    return 180.0 if zone in {"seat1", "seat2", "bid1", "bid2"} else 0.0
