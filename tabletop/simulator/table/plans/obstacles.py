"""The obstacles for a grid that outgrows its area: other cards, pieces of other grids, and the table's edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tabletop.rules.table import ZoneShape
from tabletop.simulator.table.plans.grid_plan import Obstacle
from tabletop.simulator.table.pose import PiecePose
from tabletop.vision.tags.catalogue import MARKER_MM

if TYPE_CHECKING:
    from tabletop.simulator.table.simulated_table import SimulatedTable

EMPTY_AREA_WEIGHT = 0.2
"""The weight of the area of another grid, relative to the pieces that lie there."""
FLOOR_REACH_MM = 2000.0
"""The width of the floor around a table that counts as an obstacle."""

Points = Iterable[tuple[float, float]]


def obstacles(table: SimulatedTable, zone: str) -> Iterator[Obstacle]:
    """Iterate over the obstacles for a grid in a zone, in that zone's own frame."""
    frame, (width, height) = table.fields[zone].origin, table.extent
    for name, area in table.fields.items():
        if name != zone:
            corners = [area.origin.out(x, y) for x in (0, area.width) for y in (0, area.height)]
            yield _around(frame, corners, EMPTY_AREA_WEIGHT if area.zone.shape is ZoneShape.GRID else 1.0)
    for mark in table.marks.values():
        yield _around(frame, _corners(mark, MARKER_MM, MARKER_MM))
    for lying in table.lying.values():
        if lying.zone != zone and lying.zone in table.zones and table.zones[lying.zone].shape is ZoneShape.GRID:
            size = table.sizes[lying.kind]
            yield _around(frame, _corners(lying.pose, size.width, size.height), is_piece=True)
    straight = frame._replace(angle=90.0 * round(frame.angle / 90))
    for left, top in ((-FLOOR_REACH_MM, -FLOOR_REACH_MM), (width, -FLOOR_REACH_MM)):
        yield _around(straight, [(left, top), (left + FLOOR_REACH_MM, height + FLOOR_REACH_MM)])
    for left, top in ((-FLOOR_REACH_MM, -FLOOR_REACH_MM), (-FLOOR_REACH_MM, height)):
        yield _around(straight, [(left, top), (width + FLOOR_REACH_MM, top + FLOOR_REACH_MM)])


def _corners(pose: PiecePose, width: float, height: float) -> list[tuple[float, float]]:
    return [pose.out(x, y) for x in (-width / 2, width / 2) for y in (-height / 2, height / 2)]


def _around(frame: PiecePose, corners: Points, weight: float = 1.0, *, is_piece: bool = False) -> Obstacle:
    xs, ys = zip(*(frame.within(x, y) for x, y in corners), strict=True)
    return Obstacle(min(xs), min(ys), max(xs), max(ys), weight, is_piece)
