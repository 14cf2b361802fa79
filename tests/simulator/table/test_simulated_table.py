"""Pieces find room on the simulated table without covering a sticker, and palazzi keep apart from one another."""

from __future__ import annotations

import itertools
import math
import pickle
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules.layout import Columns, Spread
from tabletop.rules.palazzo import GAME
from tabletop.simulator.conditions import LEVELS, conditions
from tabletop.simulator.errors import BadRecord, BadScenario, NoSuchPiece, SimulatorError, TableFull, TableUnseen
from tabletop.simulator.play.scenario import Statement
from tabletop.simulator.play.scenario_table import ScenarioFailed
from tabletop.simulator.table.free_place import OVERLAPS_MM
from tabletop.simulator.table.plans.column_plan import GAPS, STEP_GAP_MM, Column, ColumnPlan, place_columns
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.vision.geometry.columns import Placed, ambiguous_neighbours, columns
from tests.simulator.perfect_eye import seen

TILES = sorted(piece for piece in GAME.pieces if GAME.pieces[piece].kind == "tile")
CARDS = sorted(piece for piece in GAME.pieces if GAME.pieces[piece].kind == "money")
TILE = GAME.table.sizes["tile"]
TILE_STEP = TILE.height + STEP_GAP_MM
Maker = Callable[..., SimulatedTable]


def covered(table: SimulatedTable) -> set[str]:
    """Return the pieces whose code (16.8 mm, without its quiet zone) lies partly under another piece."""
    hidden = set()
    for lying in table.lying.values():
        size = table.sizes[lying.kind]
        points = [lying.pose.out(size.tag_x + x, size.tag_y + y) for x in (-8.4, 0, 8.4) for y in (-8.4, 0, 8.4)]
        for other in table.lying.values():
            theirs = table.sizes[other.kind]
            if other.order > lying.order and any(
                abs(u) < theirs.width / 2 and abs(v) < theirs.height / 2
                for u, v in (other.pose.within(*point) for point in points)
            ):
                hidden.add(lying.piece)
    return hidden


def outside(table: SimulatedTable) -> set[str]:
    """Return the pieces whose sticker's centre is outside the area of their zone."""
    wrong = set()
    for lying in table.lying.values():
        size, zone = table.sizes[lying.kind], table.zones[lying.zone]
        u, v = table.marks[zone.marker].within(*lying.pose.out(size.tag_x, size.tag_y))
        if not (zone.area[0] < u < zone.area[2] and zone.area[1] < v < zone.area[3]):
            wrong.add(lying.piece)
    return wrong


@pytest.mark.parametrize("harsh", range(4))
def test_a_full_table_covers_no_sticker_and_leaves_no_zone(harsh: int, make_table: Maker) -> None:
    table, rng = make_table(seats=4, seed=harsh, harsh=harsh), random.Random(harsh)
    tiles, cards = list(TILES), list(CARDS)
    rng.shuffle(tiles)
    rng.shuffle(cards)
    for seat in range(4):
        for _ in range(8):
            table.put(cards.pop(), f"bid{seat}")
        for height in (3, 2, 1, 1):
            below = None
            for _ in range(height):
                tile = tiles.pop()
                table.put(tile, f"seat{seat}", onto=below)
                below = tile
    for quarry in range(1, 5):
        for _ in range(2):
            table.put(tiles.pop(), f"quarry{quarry}")
    for piece in ("C3", *tiles[:10]):
        table.put(piece, "warehouse")
    for number in range(1, 6):
        table.put(cards.pop(), "row")
        table.put(f"E{number}", "end")
    assert not covered(table)
    assert not outside(table)


@pytest.mark.parametrize("harsh", [0, 3])
def test_twenty_four_lone_tiles_find_room_at_one_seat(harsh: int, make_table: Maker) -> None:
    table = make_table(harsh=harsh)
    for tile in TILES[:24]:
        table.put(tile, "seat1")
    assert seen(table)["seat1"] == Columns(frozenset((tile,) for tile in TILES[:24]))
    assert not covered(table)
    assert not outside(table)


@pytest.mark.parametrize("harsh", [0, 3])
def test_where_room_is_scarce_lone_tiles_stand_nearer_and_apart(harsh: int, make_table: Maker) -> None:
    """32 lone tiles, eight more than with the usual gap, fit on a seat without any two being read as one palazzo."""
    table = make_table(harsh=harsh)
    for tile in TILES[:32]:
        table.put(tile, "seat1")
    assert not covered(table)
    assert not outside(table)
    placed = [Placed(tile, *table.lying[tile].pose) for tile in TILES[:32]]
    assert columns(placed, TILE.height, TILE.width) == {(tile,) for tile in TILES[:32]}


@pytest.mark.parametrize("harsh", range(4))
def test_nine_palazzi_of_three_and_four_floors_find_room_at_one_seat(harsh: int, make_table: Maker) -> None:
    """Palazzi pushed together for room are still read as nine."""
    table, left = make_table(harsh=harsh), iter(TILES)
    for height in (3, 4, 3, 4, 3, 4, 3, 4, 3):
        below = None
        for _ in range(height):
            table.put(tile := next(left), "seat1", onto=below)
            below = tile
    built = table.columns("seat1")
    assert not covered(table)
    assert not outside(table)
    placed = [Placed(tile, *table.lying[tile].pose) for column in built for tile in column]
    assert columns(placed, TILE.height, TILE.width) == frozenset(built)
    assert not ambiguous_neighbours(placed, TILE.height, TILE.width)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12).filter(lambda heights: sum(heights) <= 24))
def test_palazzi_never_overlap_and_stand_clearly_apart(heights: list[int]) -> None:
    columns = [Column([str(n)] * height) for n, height in enumerate(heights)]
    assert place_columns(columns, TILE, 340, 174)
    for one in columns:
        for other in columns:
            if one is not other and one.lane == other.lane and one.foot <= other.foot:
                assert one.foot + len(one.tiles) * TILE_STEP + GAPS[0].behind <= other.foot


@pytest.mark.parametrize("seed", range(12))
def test_palazzi_that_grow_where_room_is_scarce_are_never_laid_on_each_other(seed: int) -> None:
    """However 40 tiles come to a seat, no palazzo covers another, not even after a tile that found no room."""
    plan, rng = ColumnPlan("seat0", 340, 174), random.Random(seed)
    with suppress(TableFull):
        for tile in TILES[:40]:
            low = [column.tiles[-1] for column in plan.columns if len(column.tiles) < 5]
            plan.put(tile, rng.choice(low) if low and rng.random() < 0.7 else None, None, TILE, lambda: 0.0)
    for one, other in itertools.permutations(plan.columns, 2):
        if one.lane == other.lane and one.foot <= other.foot:
            assert one.foot + len(one.tiles) * TILE_STEP <= other.foot


@given(
    st.lists(st.tuples(st.sampled_from(TILES[:12]), st.integers(0, 11), st.booleans()), max_size=30), st.integers(0, 3)
)
def test_columns_hold_what_was_built_and_lie_where_they_say(moves: list[tuple[str, int, bool]], harsh: int) -> None:
    marks = {zone.marker: PiecePose(600, 400, 3) for zone in GAME.table.zones(2)}
    table = SimulatedTable(GAME, 2, LEVELS[harsh], 1, marks=marks)
    model: list[list[str]] = []
    for tile, number, away in moves:
        for column in model:
            if tile in column:
                column.remove(tile)
        model = [column for column in model if column]
        target = next((column for column in model if TILES[number] in column and len(column) < 5), None)
        if away:
            table.take(tile, "box")
            continue
        if target is None:
            table.put(tile, "seat0")
            model.append([tile])
        else:
            table.put(tile, "seat0", onto=TILES[number])
            target.append(tile)
    assert sorted(table.columns("seat0")) == sorted(tuple(column) for column in model)
    for column in model:
        for below, above in itertools.pairwise(column):
            across, along = table.lying[below].pose.within(table.lying[above].pose.x, table.lying[above].pose.y)
            assert abs(along + TILE_STEP) < 6
            assert abs(across) < 9


def test_pieces_face_down_are_not_seen_but_stay_in_their_zone(make_table: Maker) -> None:
    table = make_table()
    table.put("B1.1", "quarry1")
    table.turn("B1.1", face_up=False)
    assert seen(table)["quarry1"] == Spread(frozenset())
    assert table.where("B1.1") == "quarry1"


def test_the_same_seed_lays_the_same_table(make_table: Maker) -> None:
    tables = [make_table(seed=4), make_table(seed=4)]
    for table in tables:
        for tile in TILES[:6]:
            table.put(tile, "quarry2")
    assert tables[0].lying == tables[1].lying


def test_a_full_zone_is_named_with_the_piece(make_table: Maker) -> None:
    table = make_table()
    for card in CARDS[:5]:
        table.put(card, "row")
    with pytest.raises(TableFull, match="no room left in zone “row” for"):
        table.put(CARDS[5], "row")


def test_a_missing_piece_or_zone_is_named(make_table: Maker) -> None:
    table = make_table()
    with pytest.raises(NoSuchPiece, match="is not at this table"):
        table.take("B9.9", "box")
    with pytest.raises(NoSuchPiece, match="does not lie on the table"):
        table.nudge("B1.1", 1, 1)
    with pytest.raises(NoSuchPiece, match="no such zone"):
        table.put("B1.1", "garden")


def test_tiles_overlap_only_at_their_edges_where_room_is_scarce(make_table: Maker) -> None:
    """Tiles laid in a quarry until it is full overlap by 3 mm at most, apart from the inaccuracy of hands."""
    table = make_table(harsh=0)

    def fill() -> None:
        for tile in TILES:
            table.put(tile, "quarry1")

    with pytest.raises(TableFull):
        fill()
    most = OVERLAPS_MM[-1] + 5 * conditions(0).place_error
    lying = list(table.lying.values())
    assert len(lying) > 2
    for one, other in itertools.combinations(lying, 2):
        across, along = one.pose.within(other.pose.x, other.pose.y)
        assert abs(across) > TILE.width - most or abs(along) > TILE.height - most


def test_a_piece_that_is_laid_elsewhere_lies_free_in_its_zone(make_table: Maker) -> None:
    """A card laid elsewhere, away from a reflection, is beside its old place and not under other cards."""
    table = make_table(3)
    for card in CARDS[:4]:
        table.put(card, "bid0")
    before = table.lying[CARDS[0]].pose
    table.lay_elsewhere(CARDS[0])
    after = table.lying[CARDS[0]].pose
    assert table.where(CARDS[0]) == "bid0"
    assert math.hypot(after.x - before.x, after.y - before.y) > 15
    assert not covered(table)
    assert not outside(table)


@pytest.mark.parametrize(
    "error",
    [
        TableFull("seat1", "B5.2"),
        NoSuchPiece("B5.2", "is not at this table"),
        TableUnseen("No marker can be read."),
        BadScenario(3, "“jump” is not a word of a scenario."),
        ScenarioFailed(Statement(3, "nothing", (), ""), "something was accepted"),
        BadRecord(Path("game.txt"), "it is not a whole game."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_simulator_errors_survive_pickling(error: SimulatorError) -> None:
    """Every simulator error survives pickling unchanged, so that a process pool can raise it."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
