"""Grids, towers, heaps, stores and stacked pieces lie as people would lay them, and hands can produce any layout."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from tabletop.messages import Message
from tabletop.rules.game import Piece
from tabletop.rules.layout import Anywhere, Grid, Heap, Layout, Pile, Spread, Tower
from tabletop.rules.table import CardSpot, Size, Table, TableReading, Zone, ZoneMark, ZoneShape
from tabletop.simulator.conditions import LEVELS
from tabletop.simulator.errors import NoSuchPiece
from tabletop.simulator.table.changes import changes_to, tower_changes
from tabletop.simulator.table.hands import TakePiece, carry_out
from tabletop.simulator.table.simulated_table import SimulatedTable
from tests.simulator.perfect_eye import seen

TILE, FLOOR, COIN = Size(42, 42, thick=6.4), Size(28, 22), Size(28, 28, round=True)
PIECES = {
    **{f"T{n}": Piece(f"T{n}", "tile") for n in range(1, 10)},
    **{f"C{n}": Piece(f"C{n}", "coin") for n in range(1, 7)},
    **{f"K{n}": Piece(f"K{n}", "floor", "black") for n in range(4)},
    **{f"W{n}": Piece(f"W{n}", "floor", "white") for n in range(4)},
    "P1": Piece("P1", "turret"),
}


class Shapes(Table):
    """A table of a made-up game with a zone of every shape."""

    makes: Mapping[str, Mapping[str, Size]] = {
        "printed": {"tile": TILE, "coin": COIN, "floor": FLOOR, "turret": Size(21, 21)},
        "box": {"tile": TILE, "coin": COIN, "floor": Size(16, 16, tag=0, thick=9), "turret": Size(21, 21)},
    }
    extent = (1150.0, 720.0)

    def zones(self, seats: int) -> list[Zone]:
        return [
            Zone("plot0", "TT:PLOT1", Message("Plot"), (24, -264, 384, -28), ZoneShape.GRID),
            Zone("plot1", "TT:PLOT2", Message("Plot"), (24, -264, 384, -28), ZoneShape.GRID),
            Zone("left", "TT:BOL", Message("Left"), (28, -24, 58, 134), ZoneShape.TOWER),
            Zone("right", "TT:BOL", Message("Right"), (60, -24, 90, 134), ZoneShape.TOWER),
            Zone("bank", "TT:BANK", Message("Bank"), (24, -24, 184, 26), ZoneShape.SPACES),
            Zone("discards", "TT:BANK", Message("Discards"), (188, -24, 244, 26), ZoneShape.HEAP),
            Zone("store", "TT:BANK", Message("Store"), (-24, 30, 244, 100), ZoneShape.STORE),
            Zone("reserve0", "TT:PLOT1", Message("Reserve"), (24, -24, 240, 84), ZoneShape.SPREAD),
            Zone("reserve1", "TT:PLOT2", Message("Reserve"), (24, -24, 240, 84), ZoneShape.SPREAD),
            Zone("store0", "TT:PLOT1", Message("Die and turret"), (244, 40, 384, 84), ZoneShape.STORE),
            Zone("store1", "TT:PLOT2", Message("Die and turret"), (244, 40, 384, 84), ZoneShape.STORE),
            Zone("pile", "TT:DIS", Message("Pile"), (24, -24, 94, 46), ZoneShape.PILE),
        ]

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        return {
            "TT:PLOT1": CardSpot(32, 626),
            "TT:PLOT2": CardSpot(400, 94, 180, 180),
            "TT:BOL": CardSpot(520, 300),
            "TT:BANK": CardSpot(876, 420),
            "TT:DIS": CardSpot(876, 260),
        }

    def open_buttons(self, position: Any) -> frozenset[str]:
        return frozenset()

    def marks(self, position: Any) -> Mapping[str, ZoneMark]:
        return {}

    def read(self, position: Any, seen: Layout, intent: str | None, confirmed: bool) -> TableReading:
        return TableReading()


def shapes(make: str = "printed", harsh: int = 1) -> SimulatedTable:
    game: Any = SimpleNamespace(name="shapes", title="Shapes", tag="SH", pieces=PIECES, table=Shapes())
    return SimulatedTable(game, 2, LEVELS[harsh], 1, make)


def laid(table: SimulatedTable, layout: Layout) -> SimulatedTable:
    """Return a table after hands have produced a layout on it."""
    for zone, arrangement in layout.items():
        for change in changes_to(table, zone, arrangement):
            carry_out(change, table)
    for change in tower_changes(table, layout):
        carry_out(change, table)
    return table


LAYOUT = Layout(
    {
        "plot0": Grid(frozenset({("T1", (0, 0)), ("T2", (1, 0)), ("T3", (1, 1))}), frozenset({("P1", "T2")})),
        "plot1": Grid(frozenset({("T4", (3, 3)), ("T5", (3, 4))})),
        "left": Tower(("black", "white", "black")),
        "right": Tower(()),
        "bank": Spread(frozenset({"C1", "C2", "C3"})),
        "discards": Heap(frozenset({"C4", "C5"})),
        "pile": Pile(("T6", "T7")),
        "reserve0": Spread(frozenset()),
        "reserve1": Spread(frozenset()),
        "store": Spread(frozenset()),
        "store0": Spread(frozenset()),
        "store1": Spread(frozenset()),
    }
)


def test_hands_bring_about_what_a_layout_says() -> None:
    """A layout of any zone shapes can be produced by hands, after which no change is left to do."""
    table = laid(shapes(), LAYOUT)
    assert seen(table) == LAYOUT
    assert not tower_changes(table, LAYOUT)
    assert not [change for zone, there in LAYOUT.items() for change in changes_to(table, zone, there)]


def test_a_floor_that_moves_is_the_one_that_was_taken_off() -> None:
    """Moving the top floor between towers is one change, which keeps that very piece."""
    table = laid(shapes(), LAYOUT)
    top = table.tower("left")[-1]
    after = Layout({**LAYOUT, "left": Tower(("black", "white")), "right": Tower(("black",))})
    [change] = tower_changes(table, after)
    assert change.piece == top
    assert seen(laid(table, after)) == after


@pytest.mark.parametrize("zone", ["plot0", "plot1"])
def test_a_grid_lies_edge_to_edge_as_its_seat_sees_it(zone: str) -> None:
    """Neighbouring cells touch: x grows to the right and y away from the seat, at whichever edge it sits."""
    table = shapes(harsh=0)
    for piece, cell in (("T1", (0, 0)), ("T2", (1, 0)), ("T3", (0, 1))):
        table.put(piece, zone, cell=cell)
    first, right, up = (table.lying[piece].pose for piece in ("T1", "T2", "T3"))
    assert first.within(right.x, right.y) == pytest.approx((42.3, 0), abs=2.5)
    assert first.within(up.x, up.y) == pytest.approx((0, -42.3), abs=2.5)


def test_a_grid_that_would_leave_its_area_is_pushed_back_as_a_whole() -> None:
    """A palazzo that grows to one side is moved as a whole to stay within its area, as long as it fits."""
    table = shapes()
    for column in range(8):
        table.put(f"T{column + 1}", "plot0", cell=(column, 0))
    table.put("P1", "plot0", upon="T1")
    area = table.fields["plot0"]
    for piece in table.cells("plot0"):
        x, _ = area.origin.within(table.lying[piece].pose.x, table.lying[piece].pose.y)
        assert 18 < x < area.width - 18
    assert plot(table).upon == frozenset({("P1", "T1")})


def test_a_turret_that_is_laid_elsewhere_lies_on_another_quarter_of_its_tile() -> None:
    """A turret laid elsewhere, away from a reflection, takes another quarter, never that of the tile's tag."""
    table = shapes()
    table.put("T1", "plot0", cell=(0, 0))
    table.put("P1", "plot0", upon="T1")
    quarters = set()
    for _ in range(3):
        right, down = table.lying["T1"].pose.within(*table.lying["P1"].pose[:2])
        quarters.add((right > 0, down > 0))
        table.lay_elsewhere("P1")
    assert quarters == {(False, True), (True, True), (False, False)}
    assert plot(table).upon == frozenset({("P1", "T1")})


def test_a_tile_that_is_laid_elsewhere_is_turned_round_in_its_cell() -> None:
    """Turned away from a reflection, a tile has its tag in another corner, which its turret leaves free."""
    table = shapes()
    table.put("T1", "plot0", cell=(0, 0))
    table.put("P1", "plot0", upon="T1")
    before = table.lying["T1"].pose
    table.lay_elsewhere("T1")
    after = table.lying["T1"].pose
    assert abs(after.angle - before.angle - 180) < 10
    assert math.hypot(after.x - before.x, after.y - before.y) < 10
    right, down = after.within(*table.lying["P1"].pose[:2])
    assert right < 0 < down
    assert plot(table).upon == frozenset({("P1", "T1")})


def plot(table: SimulatedTable, zone: str = "plot0") -> Grid:
    """Return the grid that perfect vision sees in a zone."""
    found = seen(table)[zone]
    assert isinstance(found, Grid)
    return found


def corners(table: SimulatedTable, piece: str, zone: str) -> list[tuple[float, float]]:
    """Return where the corners of a tile are in the coordinates of a zone, mm."""
    pose, half = table.lying[piece].pose, TILE.width / 2
    out = [pose.out(x, y) for x in (-half, half) for y in (-half, half)]
    return [table.fields[zone].origin.within(x, y) for x, y in out]


@pytest.mark.parametrize("zone", ["plot0", "plot1"])
def test_a_grid_that_is_higher_than_its_area_is_turned_by_a_quarter(zone: str) -> None:
    """Seven rows are laid along the seat to fit the area, and the grid, with tiles added later, reads the same."""
    table = shapes()
    for y in range(7):
        table.put(f"T{y + 1}", zone, cell=(0, y))
    table.put("T8", zone, cell=(1, 6))
    area = table.fields[zone]
    spots = [spot for piece in table.cells(zone) for spot in corners(table, piece, zone)]
    assert all(-4 < x < area.width + 4 and -4 < y < area.height + 4 for x, y in spots)
    assert dict(plot(table, zone).cells) == {f"T{y + 1}": (0, y) for y in range(7)} | {"T8": (1, 6)}


def test_a_grid_keeps_away_from_the_pieces_of_another_one() -> None:
    """Grids that have outgrown their areas keep at least a third of a tile's side between them."""
    table = shapes()
    for number in range(4):
        table.put(f"T{number + 1}", "plot0", cell=(number // 2, number % 2 * 6))
    for number in range(4):
        table.put(f"T{number + 5}", "plot1", cell=(number // 2, number % 2 * 6))
    theirs = [spot for number in range(5, 9) for spot in corners(table, f"T{number}", "plot0")]
    own = [spot for number in range(1, 5) for spot in corners(table, f"T{number}", "plot0")]
    assert min(y for _, y in own) - max(y for _, y in theirs) > TILE.width / 3


def test_a_piece_upon_another_goes_along_and_leaves_its_tag_free() -> None:
    """A turret lies on the lower left quarter at the height of its structure, and moves with it."""
    table = shapes(harsh=0)
    table.put("T1", "plot0", cell=(0, 0))
    table.put("P1", "plot0", upon="T1")
    turret, structure = table.lying["P1"], table.lying["T1"]
    assert structure.pose.within(turret.pose.x, turret.pose.y) == pytest.approx((-10.5, 10.5), abs=1.5)
    assert turret.lift == TILE.thick
    for x in range(1, 9):
        table.put(f"T{x + 1}", "plot0", cell=(-x, 0))
    turret, structure = table.lying["P1"], table.lying["T1"]
    assert structure.pose.within(turret.pose.x, turret.pose.y) == pytest.approx((-10.5, 10.5), abs=1.5)
    assert turret.order > structure.order


def test_printed_floors_lie_behind_one_another_and_wooden_ones_on_one_another() -> None:
    """A tower of printed floors is a column on the table; one of wood grows upward and has no tags to read."""
    flat, wood = laid(shapes(harsh=0), LAYOUT), laid(shapes("box", harsh=0), LAYOUT)
    area = flat.fields["left"]
    at = [area.origin.within(flat.lying[p].pose.x, flat.lying[p].pose.y)[1] for p in flat.tower("left")]
    assert at == pytest.approx([147, 125, 103], abs=2)
    assert [wood.lying[piece].lift for piece in wood.tower("left")] == [0, 9, 18]
    assert "left" not in seen(wood)


def test_a_store_takes_anything() -> None:
    """A store accepts more pieces than it has room for."""
    table = shapes()
    for piece in PIECES:
        table.put(piece, "store")
    assert table.pieces_in("store") == set(PIECES)


def test_an_unknown_make_is_refused_with_those_that_exist() -> None:
    """The error for an unknown make names the makes that exist."""
    with pytest.raises(ValueError, match="no make “stone” of Shapes: there are printed, box"):
        shapes("stone")


def test_a_turret_needs_a_structure_on_the_table() -> None:
    """A turret cannot be laid upon a structure that is not on the table."""
    with pytest.raises(NoSuchPiece, match="T9"):
        shapes().put("P1", "plot0", upon="T9")


def test_a_turret_is_set_aside_when_its_structure_is_taken() -> None:
    """When a structure is taken, its turret goes to the seat's store."""
    table = shapes()
    table.put("T1", "plot0", cell=(0, 0))
    table.put("P1", "plot0", upon="T1")
    table.take("T1", "hand0")
    assert table.where("P1") == "store0"
    assert table.upon("P1") is None


def test_a_structure_on_its_way_stays_in_the_hand_that_took_it() -> None:
    """A structure that was bought but not yet built is taken off its place."""
    table = shapes()
    table.put("T1", "plot0", cell=(0, 0))
    [change] = changes_to(table, "pending", Anywhere(frozenset({"T1", "T2"})), ["T1", "T2"])
    assert change == TakePiece("T1", "pending")
