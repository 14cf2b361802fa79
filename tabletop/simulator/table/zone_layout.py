"""How the zone cards of a table are laid, and whose zones they bear; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping

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


def owner(zone: str, zones: Collection[str], seats: int) -> int | None:
    """Return the seat that a zone belongs to: its number, if there is one such zone for each seat and no more.

    So ``seat0`` and ``hand0`` belong to seats, and ``quarry1`` and ``stack1`` do not.
    """
    word = zone.rstrip("0123456789")
    number = zone.removeprefix(word)
    if not number or f"{word}0" not in zones or f"{word}{seats}" in zones:
        return None
    return int(number)
