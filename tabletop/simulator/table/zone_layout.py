"""Where the zone cards of a table are laid by default, as data; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tabletop.rules.table import Zone
from tabletop.simulator.camera.projection import PiecePose

TABLE = (1150.0, 680.0)
"""Width and height of the table."""

PALAZZO: Mapping[str, PiecePose] = {
    # Seats 0 and 3 sit along the bottom, 1 and 2 along the top and turned about: clockwise 0, 1, 2, 3.
    "seat0": PiecePose(52, 642, 0),
    "seat3": PiecePose(620, 642, 0),
    "seat2": PiecePose(1098, 38, 180),
    "seat1": PiecePose(530, 38, 180),
    # Bids lie at the right hand of their seat, their long side away from it.
    "bid0": PiecePose(470, 640, -90),
    "bid3": PiecePose(1038, 640, -90),
    "bid2": PiecePose(680, 40, 90),
    "bid1": PiecePose(112, 40, 90),
    "quarry1": PiecePose(52, 256, 0),
    "quarry4": PiecePose(52, 372, 0),
    "warehouse": PiecePose(300, 289, 0),
    "quarry2": PiecePose(618, 256, 0),
    "quarry3": PiecePose(618, 372, 0),
    "row": PiecePose(860, 288, 0),
    "discards": PiecePose(860, 382, 0),
    "end": PiecePose(1000, 382, 0),
}
"""Where the centre of each zone's marker lies."""


def lay_zone_cards(
    zones: Sequence[Zone], rng: random.Random, places: Mapping[str, PiecePose] = PALAZZO
) -> dict[str, PiecePose]:
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
