"""A piece belongs to the zone whose area, given by its marker, contains it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.layout import Columns, Pile, Spread
from tabletop.rules.table import Zone, ZoneShape
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.zones import arrange, zone_at
from tabletop.vision.kit import Kit
from tabletop.vision.scene import ReadBy, Sighting

PALAZZO = registry.game("palazzo")
assert PALAZZO.table is not None
ZONES = PALAZZO.table.zones(2)


def seen(payload: str, x: float, y: float, angle: float = 0.0, how: ReadBy = ReadBy.ZXING) -> Sighting:
    return Sighting(payload, x, y, angle, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0, how)


coordinate = st.floats(-500, 500)


@given(coordinate, coordinate, st.floats(-180, 180), coordinate, coordinate)
def test_a_markers_frame_and_the_tables_are_each_others_inverse(
    x: float, y: float, angle: float, px: float, py: float
) -> None:
    pose = MarkerPose(x, y, angle)
    assert pose.table(*pose.local(px, py)) == pytest.approx((px, py), abs=1e-6)


@given(coordinate, coordinate, st.floats(-180, 180))
def test_a_zone_goes_with_its_card_wherever_it_lies(x: float, y: float, angle: float) -> None:
    pose = MarkerPose(x, y, angle)
    tile = seen("PZ:B1.2", *pose.table(60, 0), angle)
    layout = arrange([seen("TT:WH", x, y, angle), tile], ZONES, Kit(PALAZZO))
    assert layout["warehouse"] == Spread(frozenset({"B1.2"}))


def test_each_shape_is_read_in_its_own_way() -> None:
    layout = arrange(
        [
            seen("TT:SEAT1", 0, 0),
            seen("TT:DIS", 500, 0),
            seen("PZ:B1.2", 60, 0),
            seen("PZ:M3.1A", 62, -28, 3),
            seen("PZ:S2.2", 110, 0),
            seen("PZ:R5A", 540, 0),
            seen("PZ:R5B", 541, 0, how=ReadBy.KEPT),
            seen("PZ:G3C", 0, 400),
            seen("PZ:ARCH", 0, 420),
        ],
        ZONES,
        Kit(PALAZZO),
    )
    assert layout["seat0"] == Columns(frozenset({("B1.2", "M3.1a"), ("S2.2",)}))
    assert layout["discards"] == Pile(("R5b", "R5a"))
    assert layout["table"] == Spread(frozenset({"G3c"}))
    assert set(layout) == {"seat0", "discards", "table"}


def under(payload: str, x: float, y: float, upon: str) -> Sighting:
    """Return a tag that is only kept, because another one lies on it."""
    return replace(seen(payload, x, y, how=ReadBy.KEPT), upon=upon)


@pytest.mark.parametrize(
    ("tiles", "columns"),
    [
        ([under("PZ:S2.2", 60, -28, "PZ:B4.1"), seen("PZ:B4.1", 64, -33)], {("B1.2", "S2.2", "B4.1")}),
        ([under("PZ:S2.2", 60, -28, "PZ:B4.1"), seen("PZ:B4.1", 80, -28)], {("B1.2", "S2.2"), ("B4.1",)}),
        (
            [under("PZ:S2.2", 60, -28, "PZ:B4.1"), under("PZ:B4.1", 61, -27, "PZ:M5.1"), seen("PZ:M5.1", 62, -30)],
            {("B1.2", "S2.2", "B4.1", "M5.1")},
        ),
        ([under("PZ:S2.2", 60, -28, "PZ:B4.1"), under("PZ:B4.1", 64, -33, "")], {("B1.2", "S2.2", "B4.1")}),
        ([under("PZ:S2.2", 160, 0, "PZ:B4.1"), under("PZ:B4.1", 160, 0, "PZ:S2.2")], {("B1.2",), ("S2.2",), ("B4.1",)}),
    ],
)
def test_a_tile_that_hides_another_one_is_built_on_it(tiles: list[Sighting], columns: set[tuple[str, ...]]) -> None:
    """A tile on most of another one belongs above it in its column, also while an arm hides both."""
    layout = arrange([seen("TT:SEAT1", 0, 0), seen("PZ:B1.2", 60, 0), *tiles], ZONES, Kit(PALAZZO))
    assert layout["seat0"] == Columns(frozenset(columns))


@pytest.mark.parametrize(
    "others", [("M2.2", "S2.2"), ("B2.1", "M2.1"), ("B3.3", "S3.2"), ("M3.3", "S2.3"), ("B2.3", "B3.2")]
)
def test_of_two_tiles_under_the_same_one_the_same_counts_in_every_run(others: tuple[str, str]) -> None:
    """If two tiles name the same tile above them, the later one by name is beneath it, whatever the order of sets."""
    tiles = [under(f"PZ:{tile}", 160, 0, "PZ:B4.1") for tile in others]
    layout = arrange([seen("TT:SEAT1", 0, 0), *tiles, seen("PZ:B4.1", 160, -3)], ZONES, Kit(PALAZZO))
    assert layout["seat0"] == Columns(frozenset({(others[0],), (others[1], "B4.1")}))


def test_a_table_of_another_set_letter_is_read_alike() -> None:
    layout = arrange([seen("TTB:WH", 0, 0), seen("PZB:B1.2", 60, 0)], ZONES, Kit(PALAZZO))
    assert layout.pieces("warehouse") == {"B1.2"}


def test_pieces_of_other_games_are_in_no_zone() -> None:
    assert arrange([seen("PA:ROM1", 0, 0), seen("PZ:X", 0, 0)], ZONES, Kit(PALAZZO)).pieces("table") == frozenset()


def test_where_areas_overlap_the_nearer_marker_has_the_piece() -> None:
    zones = [Zone(name, f"TT:{name}", Message(name), (-100, -100, 100, 100), ZoneShape.SPREAD) for name in ("A", "B")]
    poses = {"A": MarkerPose(0, 0, 0), "B": MarkerPose(60, 0, 0)}
    assert [zone_at(x, 0, zones, poses) for x in (20, 40, 130, 170)] == ["A", "B", "B", "table"]


def test_a_seat_across_the_table_has_its_palazzi_bottom_up() -> None:
    pose = MarkerPose(0, 0, 180)
    tiles = [seen("PZ:B1.2", *pose.table(60, 0), 178), seen("PZ:S2.2", *pose.table(61, -28), 183)]
    layout = arrange([seen("TT:SEAT2", 0, 0, 180), *tiles], ZONES, Kit(PALAZZO))
    assert layout["seat1"] == Columns(frozenset({("B1.2", "S2.2")}))


@pytest.mark.parametrize("turned", [0.0, 180.0])
@pytest.mark.parametrize("make", ["printed", "box"])
@pytest.mark.parametrize("off", [90.0, 180.0, 270.0])
@pytest.mark.parametrize("floors", [(0,), (1,), (4,), (1, 3)])
def test_a_tile_laid_upside_down_or_sideways_stands_in_its_palazzo(
    make: str, turned: float, off: float, floors: tuple[int, ...]
) -> None:
    """The majority of a palazzo's tiles shows which way is up, so a tile turned there is not a palazzo of its own."""
    kit = Kit(PALAZZO, make)
    tile = kit.sizes["tile"]
    sightings = [seen("TT:SEAT1", 0, 0, turned)]
    for floor, piece in enumerate(("B1.2", "M3.1A", "S4.1", "B5.1", "M5.1")):
        angle = off if floor in floors else 0.0
        tag = MarkerPose(0.0, -floor * tile.height, angle).table(tile.tag_x, tile.tag_y)
        aside = (100, -20) if turned == 0 else (-200, 120)
        sightings.append(seen(f"PZ:{piece}", tag[0] + aside[0], tag[1] + aside[1], angle))
    assert arrange(sightings, ZONES, kit)["seat0"] == Columns(frozenset({("B1.2", "M3.1a", "S4.1", "B5.1", "M5.1")}))


def test_a_palazzo_built_sideways_beside_others_is_one_palazzo() -> None:
    """Its tiles follow each other in the way that they face, so none of them counts as turned by mistake."""
    sideways = [seen(f"PZ:{piece}", 200 + 28 * floor, -60, 90) for floor, piece in enumerate(("B1.1", "S2.1"))]
    upright = [seen(f"PZ:{piece}", 60, -28 * floor) for floor, piece in enumerate(("B1.2", "M3.1A", "S4.1"))]
    seat = arrange([seen("TT:SEAT1", 0, 0), *upright, *sideways], ZONES, Kit(PALAZZO))["seat0"]
    assert seat == Columns(frozenset({("B1.2", "M3.1a", "S4.1"), ("B1.1", "S2.1")}))
