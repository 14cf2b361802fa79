"""What perfect vision would see on a simulated table: no picture is read, so nothing is misread."""

from __future__ import annotations

from statistics import median

from tabletop.rules.layout import Arrangement, Cell, Columns, Grid, Heap, Layout, Pile, Spread, Tower
from tabletop.rules.table import ZoneShape
from tabletop.simulator.table.plans.grid_plan import GridPlan
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.vision.geometry.grid import MAX_CELL_OFFSET


def seen(table: SimulatedTable) -> Layout:
    """Return every piece with a visible tag in its zone; a tower of bare wood is not reported."""
    found: dict[str, list[str]] = {zone: [] for zone in table.zones}
    for lying in sorted(table.lying.values(), key=lambda lying: lying.order):
        if lying.zone in found and lying.face_up and lying.piece in table.pieces and table.sizes[lying.kind].tag:
            found[lying.zone].append(lying.piece)
    bare = any(not size.tag for size in table.sizes.values())
    towers = {zone for zone, one in table.zones.items() if bare and one.shape is ZoneShape.TOWER}
    return Layout({zone: _arranged(table, zone, names) for zone, names in found.items() if zone not in towers})


def _arranged(table: SimulatedTable, zone: str, names: list[str]) -> Arrangement:
    """Return the arrangement of the pieces that are seen in a zone, from the lowest one up."""
    match table.zones[zone].shape:
        case ZoneShape.COLUMNS:
            columns = (tuple(tile for tile in column if tile in names) for column in table.columns(zone))
            return Columns(frozenset(column for column in columns if column))
        case ZoneShape.GRID:
            cells, askew = _gridded(table, zone, names)
            upon = frozenset((name, lower) for name in names if (lower := table.upon(name)) is not None)
            return Grid(frozenset(cells.items()), upon, askew)
        case ZoneShape.TOWER:
            return Tower(tuple(table.pieces[piece].like for piece in table.tower(zone) if piece in names))
        case ZoneShape.PILE:
            return Pile(tuple(names))
        case ZoneShape.HEAP:
            return Heap(frozenset(names))
        case _:
            return Spread(frozenset(names))


def _gridded(table: SimulatedTable, zone: str, names: list[str]) -> tuple[dict[str, Cell], frozenset[str]]:
    """Return the cells of a grid's pieces, and those between two cells; a grid pushed as a whole keeps its cells."""
    plan = table._plans[zone]
    assert isinstance(plan, GridPlan)
    pushes: dict[str, tuple[float, float]] = {}
    for piece in plan.cells.keys() & set(names):
        here, spot = table.lying[piece].pose, table.fields[zone].pose(*plan.place(piece)[1:4])
        side = table.sizes[table.lying[piece].kind].width + plan.GAP
        x, y = PiecePose(0, 0, spot.angle).within(here.x - spot.x, here.y - spot.y)
        pushes[piece] = x / side, -y / side
    across, up = (median(push[axis] for push in pushes.values()) if pushes else 0.0 for axis in (0, 1))
    cells, askew = {}, set()
    for piece, (right, away) in pushes.items():
        step = round(right - across), round(away - up)
        if max(abs(right - across - step[0]), abs(away - up - step[1])) > MAX_CELL_OFFSET:
            askew.add(piece)
        else:
            cells[piece] = (plan.cells[piece][0] + step[0], plan.cells[piece][1] + step[1])
    return cells, frozenset(askew)
