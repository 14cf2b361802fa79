"""How pieces are arranged in any game's zones: what was taken, what a tower is, what lies on which cell or piece."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import cos, radians, sin

import pytest

from tabletop.rules.layout import Arrangement, Grid, Heap, Layout, Spread, Tower
from tabletop.vision.geometry.zones import arrange
from tabletop.vision.kit import Kit
from tabletop.vision.scene import ReadBy, Sighting
from tests.vision.geometry.lying import KIT, SIDE, ZONES, Tiles, laid, sighting

MARKERS = {"TT:WH": (0, 2000), "TT:DIS": (500, 2000), "TT:END": (1000, 2000), "TT:SEAT1": (0, 0), "TT:SEAT2": (600, 0)}


def seen(*sightings: Sighting, kit: Kit = KIT) -> Layout:
    """Return the layout of a table with all its zone cards and these tags."""
    marks = [sighting(marker, x, y) for marker, (x, y) in MARKERS.items()]
    return arrange([*marks, *sightings], ZONES, kit)


# spaces


@pytest.mark.parametrize(("x", "y"), [(62, 2003), (85, 2000), (60, 2040)], ids=["all", "half", "a third"])
def test_in_spaces_a_piece_that_another_one_lies_on_was_taken(x: float, y: float) -> None:
    """When a card is replaced by another in one movement, only the new one lies there, even if it is half beside."""
    layout = seen(laid("C0", 60, 2000, how=ReadBy.KEPT), laid("C1", x, y, 4))
    assert layout["market"] == Spread(frozenset({"C1"}))


@pytest.mark.parametrize(
    ("under", "over"),
    [
        (laid("C0", 60, 2000, how=ReadBy.KEPT), laid("C1", 130, 2000)),
        (laid("C0", 60, 2000, how=ReadBy.KEPT), laid("C1", 100, 2000)),
        (laid("C0", 60, 2000, how=ReadBy.KEPT), laid("C1", 62, 2000, how=ReadBy.KEPT)),
        (laid("C0", 60, 2000), laid("C1", 62, 2000)),
    ],
    ids=["beside", "edge on edge", "both covered", "both read"],
)
def test_in_spaces_nothing_was_taken_that_no_piece_is_seen_to_lie_on(under: Sighting, over: Sighting) -> None:
    """A tag under a hand or in glare stays, and so does one that is still read."""
    assert seen(under, over)["market"] == Spread(frozenset({"C0", "C1"}))


def test_elsewhere_a_piece_may_lie_under_another() -> None:
    """A covered piece in a heap or a store is still there."""
    layout = seen(laid("C0", 550, 2000, how=ReadBy.KEPT), laid("C1", 552, 2000), laid("C2", 560, 2080))
    assert layout["heap"] == Heap(frozenset({"C0", "C1"}))
    assert layout["store"] == Spread(frozenset({"C2"}))


# towers


def test_a_tower_is_what_lies_in_its_strip_from_the_foot_up() -> None:
    """Floors apart, crooked or half overlapping are listed by colour from the foot up."""
    layout = seen(laid("K1", 1040, 1960, 8), laid("W0", 1036, 1929, -5), laid("K0", 1044, 1913), laid("W2", 1039, 1880))
    assert layout["tower"] == Tower(("black", "white", "black", "white"))


def test_of_two_floors_that_lie_on_each_other_the_covered_one_is_below() -> None:
    """A remembered floor is below the one that hides it, even if its tag seems to be higher."""
    layout = seen(laid("K1", 1040, 1960), laid("W0", 1040, 1937, how=ReadBy.KEPT), laid("K0", 1040, 1941))
    assert layout["tower"] == Tower(("black", "white", "black"))


def test_an_empty_strip_is_an_empty_tower_and_a_card_in_it_is_not_a_floor() -> None:
    """A piece that is not a floor is in no tower."""
    layout = seen(laid("C0", 1049, 1900))
    assert layout["tower"] == Tower(())
    assert layout.pieces("table") == {"C0"}


def test_towers_of_pieces_without_tags_are_not_seen() -> None:
    """With wooden floors, which the camera cannot read, towers are not in the layout."""
    assert "tower" not in seen(laid("C0", 60, 2000), kit=Kit(Tiles(), "box"))


# grids


def palazzo(
    cells: Mapping[str, tuple[float, float]], lean: float = 0.0, side: float = SIDE, shake: float = 0.0, seed: int = 1
) -> list[Sighting]:
    """Return the tags of tiles on these cells, turned by quarters, each up to ``shake`` mm off."""
    rng, turn = random.Random(seed), radians(lean)
    tags = []
    for piece, (right, up) in cells.items():
        x, y = side * right, -side * up
        place = (150 + x * cos(turn) - y * sin(turn), -150 + x * sin(turn) + y * cos(turn))
        off = rng.uniform(-shake, shake), rng.uniform(-shake, shake)
        tags.append(laid(piece, place[0] + off[0], place[1] + off[1], lean + rng.choice((0, 90, 180, 270))))
    return tags


def grid_of(found: Arrangement) -> Grid:
    """Return the arrangement of a zone, asserting that it is a grid."""
    assert isinstance(found, Grid)
    return found


def shape(grid: object) -> dict[str, tuple[int, int]]:
    """Return the cells of a grid relative to its tile T0."""
    assert isinstance(grid, Grid)
    cells = dict(grid.cells)
    return {piece: (x - cells["T0"][0], y - cells["T0"][1]) for piece, (x, y) in cells.items()}


ELL = {"T0": (0, 0), "T1": (1, 0), "T2": (2, 0), "T3": (0, 1), "T4": (0, 2)}


@pytest.mark.parametrize("lean", [0, 7, -20, 41])
@pytest.mark.parametrize("side", [SIDE, 0.88 * SIDE, 1.12 * SIDE])
def test_tiles_lie_on_cells_by_their_middles_however_each_is_turned(lean: float, side: float) -> None:
    """Cells follow from the tiles' middles, with tags in a corner, quarter turns and an unknown size."""
    for seed in range(20):
        grid = grid_of(seen(*palazzo(ELL, lean, side, 3.0, seed))["seat0"])
        assert shape(grid) == ELL
        assert not grid.askew


def test_a_tile_between_two_cells_is_askew_and_on_neither() -> None:
    """Up to 0.3 of a side off, a tile is on the nearest cell; beyond that it is on none."""
    grid = grid_of(seen(*palazzo(ELL | {"T5": (1.38, 1.0)}))["seat0"])
    assert grid.askew == {"T5"}
    assert shape(grid) == ELL
    assert shape(seen(*palazzo(ELL | {"T5": (1.2, 1.0)}))["seat0"]) == ELL | {"T5": (1, 1)}


def test_a_tile_apart_lies_on_a_cell_of_the_same_grid_or_is_askew() -> None:
    """A tile at a corner or across a gap is read where it is, so that the rules can refuse it."""
    assert shape(seen(*palazzo(ELL | {"T5": (2, 2)}))["seat0"]) == ELL | {"T5": (2, 2)}
    assert shape(seen(*palazzo(ELL | {"T5": (4, 0)}))["seat0"]) == ELL | {"T5": (4, 0)}
    assert grid_of(seen(*palazzo(ELL | {"T5": (4.5, 0)}))["seat0"]).askew == {"T5"}


def test_two_tiles_on_one_cell_are_both_reported_on_it() -> None:
    """During an exchange, both the old tile and the new one on top of it are on the cell."""
    grid = grid_of(seen(*palazzo(ELL | {"T5": (2.1, 0)}))["seat0"])
    assert shape(grid) == ELL | {"T5": (2, 0)}


def test_a_tile_that_is_only_remembered_does_not_lie_where_another_one_is_read() -> None:
    """When a palazzo is pushed, a remembered tile leaves a cell on which another is read; a turret on a tile stays."""
    kept = laid("T0", 100, -100, how=ReadBy.KEPT)
    pushed = [laid("T1", 100 + 0.6 * SIDE, -100), laid("T2", 100 + 1.6 * SIDE, -100)]
    turret = laid("P0", 100 + 0.6 * SIDE - 10, -90, how=ReadBy.KEPT)
    grid = grid_of(seen(kept, *pushed, turret)["seat0"])
    assert isinstance(grid, Grid)
    assert {piece for piece, _ in grid.cells} == {"T1", "T2"}
    assert not grid.askew
    assert grid.upon == {("P0", "T1")}


def test_a_palazzo_grows_beyond_its_area_by_edges() -> None:
    """A tile that shares an edge with a palazzo belongs to it wherever it lies, and so does the next one."""
    row = {f"T{number}": (number, 0.0) for number in range(9)}
    turned = [laid(piece, 60, -60 + SIDE * number, 3) for number, piece in enumerate(row)]
    grid = grid_of(seen(*turned)["seat0"])
    assert shape(grid) == {piece: (0, -number) for number, piece in enumerate(row)}


def test_a_palazzo_grows_into_the_area_of_the_next_one() -> None:
    """Tiles in another area that share edges only with the palazzo are its own, and tiles apart belong to the area."""
    marks = [sighting(marker, *place) for marker, place in (MARKERS | {"TT:SEAT2": (370, 0)}).items()]
    across = [laid(f"T{number}", 300 + SIDE * number, -100) for number in range(5)]
    theirs = [laid("T5", 650, -100), laid("T6", 650, -100 - SIDE), laid("T7", 660, -230)]
    layout = arrange([*marks, *across, *theirs], ZONES, KIT)
    assert layout.pieces("seat0") == {"T0", "T1", "T2", "T3", "T4"}
    assert layout.pieces("seat1") == {"T5", "T6", "T7"}


def long_palazzi() -> tuple[list[Sighting], list[Sighting], list[Sighting]]:
    """Return the markers of two areas with a strip between them, and a palazzo of each.

    The second one reaches through the strip far into the first one's area, in which there is a single tile.
    """
    marks = [sighting(marker, *place) for marker, place in (MARKERS | {"TT:SEAT2": (420, 0)}).items()]
    return marks, [laid("T0", 60, -60)], [laid(f"T{number}", 290 + SIDE * number, -100) for number in range(1, 8)]


def test_a_palazzo_grows_over_the_strip_between_two_areas_into_the_other_one() -> None:
    """A tile outside all zones connects those on its two sides, and a tile apart is the other palazzo."""
    marks, first, second = long_palazzi()
    layout = arrange([*marks, *first, *second], ZONES, KIT)
    assert layout.pieces("seat0") == {"T0"}
    assert layout.pieces("seat1") == {f"T{number}" for number in range(1, 8)}


@pytest.mark.parametrize("unread", ["T0", "T3", "T5"])
def test_a_palazzo_that_outgrew_its_area_is_known_by_its_tiles(unread: str) -> None:
    """The record says whose palazzo it is, even if the area's own tile or one of the palazzo's is not read."""
    marks, first, second = long_palazzi()
    homes = {"T0": "seat0", **{f"T{number}": "seat1" for number in range(1, 8)}}
    tiles = [one for one in [*first, *second] if not one.payload.endswith(unread)]
    layout = arrange([*marks, *tiles], ZONES, KIT, lambda: homes)
    assert layout.pieces("seat0") == {"T0"} - {unread}
    assert layout.pieces("seat1") == {f"T{number}" for number in range(1, 8)} - {unread}


def test_a_new_tile_beside_a_palazzo_in_the_area_of_the_next_one_is_of_that_palazzo() -> None:
    """The record tells two palazzi apart even if they touch, and a new tile belongs to the one that it touches."""
    marks, _, second = long_palazzi()
    first = [laid("T0", 290, -100)]
    homes = {"T0": "seat0", **{f"T{number}": "seat1" for number in range(1, 8)}}
    layout = arrange([*marks, *first, *second, laid("T8", 290 + 2 * SIDE, -100 - SIDE)], ZONES, KIT, lambda: homes)
    assert layout.pieces("seat0") == {"T0"}
    assert layout.pieces("seat1") == {f"T{number}" for number in range(1, 9)}


def test_a_tile_that_was_carried_into_another_palazzo_lies_there() -> None:
    """A single tile of one palazzo among those of another one is at the other seat."""
    marks, first, second = long_palazzi()
    homes = {"T0": "seat0", "T8": "seat0", **{f"T{number}": "seat1" for number in range(1, 8)}}
    carried = laid("T8", 290 + 7 * SIDE, -100 - SIDE)
    layout = arrange([*marks, *first, *second, carried], ZONES, KIT, lambda: homes)
    assert layout.pieces("seat0") == {"T0"}
    assert layout.pieces("seat1") == {f"T{number}" for number in range(1, 9)}


def test_a_tile_that_touches_two_palazzi_belongs_to_neither() -> None:
    """A tile between two palazzi is in no zone, so that the players are asked."""
    bridge = seen(laid("T0", 384, -100), laid("T1", 426, -100), laid("T2", 468, -100), laid("T3", 650, -100),
                  laid("T4", 608, -100), laid("T5", 566, -100), laid("T6", 517, -100))  # fmt: skip
    assert bridge.pieces("seat0") == {"T0", "T1", "T2"}
    assert bridge.pieces("seat1") == {"T3", "T4", "T5"}
    assert bridge.pieces("table") == {"T6"}


def test_a_turret_lies_upon_the_tile_whose_outline_holds_it() -> None:
    """A turret's tag must be within exactly one tile's outline; otherwise the turret is on no tile."""
    tiles = palazzo(ELL)
    assert grid_of(seen(*tiles, laid("P0", 152, -140))["seat0"]).upon == {("P0", "T0")}
    between = grid_of(seen(*tiles, laid("P0", 150 + SIDE / 2 + 1, -150))["seat0"])
    assert not between.upon
    assert between.askew == {"P0"}
    assert seen(*tiles, laid("P1", 560, 2080)).pieces("store") == {"P1"}


def test_a_turret_upon_a_tile_beyond_the_area_lies_upon_it_as_well() -> None:
    """A turret belongs to the grid of its tile, even outside the zone's area."""
    column = [laid(f"T{number}", 60, -60 + SIDE * number) for number in range(4)]
    layout = seen(*column, laid("P2", 60, -60 + SIDE * 3))
    assert grid_of(layout["seat0"]).upon == {("P2", "T3")}
    assert "P2" not in layout.pieces("table")


def test_an_empty_palazzo_is_an_empty_grid() -> None:
    """A zone whose card is seen is in the layout even if it is empty."""
    assert seen()["seat0"] == Grid(frozenset())


def order_of(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Return the same tags in another order."""
    return random.Random(4).sample(sightings, len(sightings))


def test_the_order_in_which_tags_are_read_means_nothing() -> None:
    """The layout does not depend on the order of the tags."""
    tags = [*palazzo(ELL | {"T5": (1.4, 1.0)}, 12, SIDE, 2), laid("K1", 1040, 1960), laid("W0", 1036, 1929)]
    assert seen(*order_of(tags)) == seen(*tags)
