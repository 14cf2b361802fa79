"""Finds a free place for a piece in a zone, as people choose one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from tabletop.rules.table import Size, ZoneShape
from tabletop.simulator.errors import TableFull
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.slots import card_room, has_rows, is_card, is_fan, slots

if TYPE_CHECKING:
    from tabletop.simulator.table.simulated_table import SimulatedTable

MIN_MOVE_MM = 25.0
"""How far at least a piece is moved that is laid elsewhere: nearer, the same glare would fall on it."""
OVERLAPS_MM = (1.5, 3.0)
"""How far pieces may overlap each other's edge: usually, and if room is scarce; stickers stay free."""
MIN_FAN_STEP_MM = (14.0, 15.0)
"""How far to the right, or down, a card of a fan must lie from each other one."""


class FreePlace(NamedTuple):
    """A place for a piece, and the factor by which people are less exact there than usual."""

    pose: PiecePose
    inaccuracy: float = 1.0


def free_place(
    table: SimulatedTable, piece: str, size: Size, zone: str, away_from: PiecePose | None = None
) -> FreePlace:
    """Return a free place in a zone for a piece of that size, MIN_MOVE_MM away from a pose if one is given.

    Raises TableFull.
    """
    area, own, room = table.fields[zone], zone in table.owners, card_room(table.sizes)
    middle = area.pose(area.width / 2, area.height / 2)
    if area.zone.shape in (ZoneShape.PILE, ZoneShape.HEAP):
        return FreePlace(middle, 2.0)
    fan = is_fan(area, size, own)
    # A card among tiles lies to their right.
    reserved = room if has_rows(area, room, own) else 0.0
    if reserved and is_card(size):
        return FreePlace(area.pose(area.width - reserved / 2, area.height / 2))
    for overlap in OVERLAPS_MM:
        for x, y in slots(area, size, reserved, fan):
            pose = area.pose(x, y)
            elsewhere = away_from is None or math.hypot(pose.x - away_from.x, pose.y - away_from.y) >= MIN_MOVE_MM
            if elsewhere and _is_clear(table, pose, size, overlap, fan):
                # People who fan cards are careful that all can be seen.
                return FreePlace(pose, 0.6 if fan else 1.0)
    if area.zone.shape is ZoneShape.STORE:
        return FreePlace(middle, 4.0)
    raise TableFull(zone, piece)


def _is_clear(table: SimulatedTable, pose: PiecePose, size: Size, overlap: float, fan: bool) -> bool:
    """Return whether a piece laid there leaves every other one visible; in a fan only the places must differ."""
    for other in table.lying.values():
        across, along = pose.within(other.pose.x, other.pose.y)
        theirs = table.sizes[other.kind]
        wide, high = (size.width + theirs.width) / 2 - overlap, (size.height + theirs.height) / 2 - overlap
        if fan and theirs.height > theirs.width:
            wide, high = MIN_FAN_STEP_MM
        if abs(across) < wide and abs(along) < high:
            return False
    return True
