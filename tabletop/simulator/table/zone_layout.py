"""Where the zone cards of a table are laid by default, as data; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tabletop.rules.table import Zone
from tabletop.simulator.camera.projection import Pose

TABLE = (1150.0, 680.0)
"""Width and height of the table."""

PALAZZO: Mapping[str, Pose] = {
    # Seats 0 and 3 sit along the bottom, 1 and 2 along the top and turned about: clockwise 0, 1, 2, 3.
    "seat0": Pose(52, 642, 0),
    "seat3": Pose(620, 642, 0),
    "seat2": Pose(1098, 38, 180),
    "seat1": Pose(530, 38, 180),
    # Bids lie at the right hand of their seat, their long side away from it.
    "bid0": Pose(470, 640, -90),
    "bid3": Pose(1038, 640, -90),
    "bid2": Pose(680, 40, 90),
    "bid1": Pose(112, 40, 90),
    "quarry1": Pose(52, 256, 0),
    "quarry4": Pose(52, 372, 0),
    "warehouse": Pose(300, 289, 0),
    "quarry2": Pose(618, 256, 0),
    "quarry3": Pose(618, 372, 0),
    "row": Pose(860, 288, 0),
    "discards": Pose(860, 382, 0),
    "end": Pose(1000, 382, 0),
}
"""Where the centre of each zone's marker lies."""


def lay_zone_cards(zones: Sequence[Zone], rng: random.Random, places: Mapping[str, Pose] = PALAZZO) -> dict[str, Pose]:
    """Return where each zone's card lies this time: people lay cards a few mm and up to 3° off.

    Raises ValueError for a zone that has no place in ``places``.
    """
    homeless = [zone.name for zone in zones if zone.name not in places]
    if homeless:
        raise ValueError(f"The simulated table has no place for zone “{homeless[0]}”: say where its card lies.")
    return {
        zone.name: Pose(
            places[zone.name].x + rng.uniform(-2.5, 2.5),
            places[zone.name].y + rng.uniform(-2.5, 2.5),
            places[zone.name].angle + rng.triangular(-3, 3, 0),
        )
        for zone in zones
    }


def facing(zone: str) -> float:
    """Return the angle at which people lay pieces in a zone: upright for the seat whose zone it is."""
    return 180.0 if zone in {"seat1", "seat2", "bid1", "bid2"} else 0.0
