"""Building: a new tile goes on top of a palazzo whose floors are all lower, stands alone, or goes to the box."""

from __future__ import annotations

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.position import PalazzoPosition
from tests.refusals import nearest_of
from tests.rules.palazzo.board import do, lay, lines, why

A, B = "B1.1 S3.2", "M2.1 S4.3"


def placing(*tiles: str, palazzi: tuple[str, ...] = (A, B)) -> PalazzoPosition:
    return lay(phase="place", pending=list(tiles), palazzi=[list(palazzi)])


def test_worked_example_5_a_won_floor_2_goes_neither_on_a_nor_on_b_but_alone_or_to_the_box() -> None:
    assert lines(placing("S2.2").legal) == ["place S2.2", "scrap S2.2"]


def test_worked_example_5_floor_4_goes_on_a_or_on_a_lone_2_and_not_on_b() -> None:
    position = placing("B4.1", palazzi=(A, B, "S2.2"))
    assert lines(position.legal) == ["place B4.1", "place B4.1 onto S2.2", "place B4.1 onto S3.2", "scrap B4.1"]


def test_worked_example_5_floor_5_goes_on_any() -> None:
    position = placing("B5.1", palazzi=(A, B, "S2.2"))
    assert len([line for line in lines(position.legal) if "onto" in line]) == 3


def test_gaps_are_fine_even_without_floor_1() -> None:
    assert do(placing("B5.1", palazzi=("S2.2",)), "place B5.1 onto S2.2").palazzi[0] == (("S2.2", "B5.1"),)


def test_there_is_always_room_for_one_palazzo_more() -> None:
    alone = [f"{material}{floor}.{windows}" for material in "BSM" for floor in (1, 2, 4, 5) for windows in (1, 2)]
    placed = do(placing("S3.2", palazzi=tuple(alone)), "place S3.2")
    assert placed.palazzi[0] == (*((tile,) for tile in alone), ("S3.2",))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("place B4.1 onto S4.3", "duplicate-floor"),
        ("place B4.1 onto M2.1", "duplicate-floor"),
        ("place B4.1 onto B1.1", "not-on-top"),
        ("place S2.2 onto S3.2", "not-on-top"),
        ("place S2.2 onto B1.1", "not-on-top"),
        ("place B4.1 onto S5.1", "not-your-palazzo"),
        ("place B4.1 onto R5a", "not-your-palazzo"),
        ("place S5.1", "not-in-pool"),
        ("place S5.1 onto M5.1", "not-in-pool"),
        ("scrap S5.1", "not-in-pool"),
        ("pass", "wrong-phase"),
    ],
)
def test_illegal_placements_are_refused_with_their_codes(line: str, code: str) -> None:
    assert why(placing("B4.1", "S2.2"), line) == code


def test_tiles_are_placed_one_by_one_in_any_order() -> None:
    position = placing("B4.1", "S2.2", palazzi=())
    assert do(position, "place S2.2", "place B4.1 onto S2.2").palazzi[0] == (("S2.2", "B4.1"),)
    assert do(position, "place B4.1", "place S2.2").palazzi[0] == (("B4.1",), ("S2.2",))


def test_a_discarded_tile_goes_to_the_box() -> None:
    position = do(placing("B4.1"), "scrap B4.1")
    assert position.box == ("B4.1",)
    assert (position.phase, position.decider) == ("action", 1)


def test_pending_twins_are_copies_but_twins_that_stand_alone_are_two_places() -> None:
    assert lines(placing("M3.1a", "M3.1b", palazzi=()).legal)[0].startswith("place M3.1")
    assert len(placing("M3.1a", "M3.1b", palazzi=()).legal) == 2
    assert len(placing("B4.1", palazzi=("M3.1a", "M3.1b")).legal) == 4
    assert len(placing("B4.1", palazzi=("B1.1 M3.1a", "M3.1b")).legal) == 4


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("place S2.2 onto S3.2", "place S2.2"),
        ("place B4.1 onto B1.1", "place B4.1 onto S3.2"),
        ("place B4.1 onto S4.3", "place B4.1"),
        ("place M3.1b", "place M3.1a"),
        ("scrap M3.1b", "scrap M3.1a"),
    ],
)
def test_the_nearest_legal_place_is_named(line: str, nearest: str) -> None:
    position = placing("B4.1", "S2.2", "M3.1a")
    reason = position.refusal(GAME.parse(line))
    assert reason is not None
    assert GAME.format(nearest_of(reason)) == nearest
    assert reason.nearest in position.legal
