"""Any untagged object in a seat's area is reported, on wood, on a card or across its end; bare seats are certain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.rules import registry
from tabletop.rules.palazzo.components import TILES
from tabletop.vision.geometry.plane import Mask
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.untagged import beside_cards, find_untagged
from tabletop.vision.photo.untagged.area_from_above import AreaFromAbove
from tabletop.vision.photo.untagged.contrast import Things
from tabletop.vision.photo.untagged.tile_rims import rims, steepness
from tabletop.vision.scene import Cause, ReadBy, Sighting
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tests.vision.photo.untagged.seats import (
    LEFT,
    MARKER,
    PLANE,
    PX,
    RIGHT,
    doubted,
    doubted_beside,
    lay,
    lying,
    with_card,
    wood,
)


def grained() -> NDArray[np.uint8]:
    """Return wood whose grain varies within a finger's breadth."""
    rng = np.random.default_rng(1)
    grain = cv2.resize(rng.normal(0, 1, (125, 6)), (700 * PX, 500 * PX), interpolation=cv2.INTER_CUBIC)
    light = np.array((70, 120, 170)) * (1 + 0.09 * grain[..., None]) + rng.normal(0, 3, (*grain.shape, 3))
    result: NDArray[np.uint8] = np.clip(light, 0, 255).astype(np.uint8)
    return result


def tile(picture: NDArray[np.uint8], x: float, y: float, back: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Draw a tile that is turned over."""
    return lay(picture, (x - 18, y - 14, x + 18, y + 14), back, 3.0)


def reasons_of(picture: NDArray[np.uint8]) -> list[Cause]:
    """Return the reasons for doubts about a picture in which only the marker of seat 1 is read."""
    return [each.reason for each in doubted(picture)]


def test_edges_are_measured_where_structures_lie_though_their_tags_stick_in_a_corner() -> None:
    """Edges are measured at the outlines of structures and not around their tags, which are in a corner."""
    game, structures = registry.game("piecepack"), {"TM1": (300, 250), "TM2": (342, 250)}
    picture, tags = wood(), []
    for piece, (x, y) in structures.items():
        picture = lay(picture, (x - 21, y - 21, x + 21, y + 21), (225, 228, 230))
        one, two, three, four = (
            (PX * (x + 11 + a), PX * (y - 11 + b)) for a, b in ((-8, -8), (8, -8), (8, 8), (-8, 8))
        )
        tags.append(Sighting(f"PP:{piece}", x + 11, y - 11, 0.0, (one, two, three, four), 1.0, ReadBy.ZXING))
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    tally = PiecepackTally(make="printed")
    contents = PhotoContents(Picture("", grey, picture), Kit(game), PLANE, tags, tally)
    placed = contents.placed()
    assert {each.piece: (each.x, each.y) for each in placed} == structures
    edges = steepness(rims(picture, PLANE, tally.size(placed), placed, contents.faces()))
    assert edges is not None
    assert edges > 20


def test_a_seat_in_the_dark_is_in_doubt_though_light_falls_on_most_tags() -> None:
    """A candle at one seat shows nothing at another one, where a sleeve may be as dark as the table."""
    places = {"TT:SEAT1": MARKER, "PZ:B1.2": (560, 440), "PZ:S2.1": (600, 440), "PZ:M3.2": (640, 440)}
    picture, tags = wood(), [lying(payload, *place) for payload, place in places.items()]
    for x, y in places.values():
        picture = lay(picture, (x - 12, y - 12, x + 12, y + 12), (225, 228, 230))
    assert Cause.DARK not in [each.reason for each in doubted_beside(tags, picture)]
    picture[:, : 500 * PX] //= 5
    assert [each.reason for each in doubted_beside(tags, picture)].count(Cause.DARK) == 1


@pytest.mark.parametrize("ground", [wood, lambda: with_card(wood())])
def test_a_bare_seat_is_not_doubted(ground: Callable[[], NDArray[np.uint8]]) -> None:
    assert reasons_of(ground()) == []


def gingham(width: int) -> NDArray[np.uint8]:
    """Return a cloth of white, pale and dark green squares of a width in mm, slightly turned."""
    return bare_gingham(width).copy()


@cache
def bare_gingham(width: int) -> NDArray[np.uint8]:
    y, x = np.indices((500 * PX, 700 * PX)) / PX
    cos, sin = np.cos(np.radians(4.0)), np.sin(np.radians(4.0))
    dark = ((x * cos + y * sin) // width % 2 + (y * cos - x * sin) // width % 2) / 2
    cloth = (225, 228, 230) - dark[..., None] * np.array((175, 80, 170))
    soft = cv2.GaussianBlur(cloth, (0, 0), 0.6 * PX) + np.random.default_rng(5).normal(0, 2, cloth.shape)
    result: NDArray[np.uint8] = np.clip(soft, 0, 255).astype(np.uint8)
    return result


@pytest.mark.parametrize("width", [12, 24])
def test_a_card_as_white_as_the_squares_of_the_cloth_is_not_doubted(width: int) -> None:
    assert reasons_of(with_card(gingham(width))) == []


@pytest.mark.parametrize("width", [12, 24])
@pytest.mark.parametrize("x", [60, 240, 280])
def test_a_tile_face_down_on_such_a_card_or_beside_it_is_doubted(width: int, x: float) -> None:
    assert {*reasons_of(tile(with_card(gingham(width)), LEFT + x, MARKER[1] - 60, (60, 90, 160)))} == {"no-tag"}


def test_beside_a_card_the_table_alone_is_too_busy() -> None:
    """On a table of many colours only the part beside the card is reported as too busy."""
    patches = np.random.default_rng(4).uniform(0, 255, (50, 70, 3)).astype(np.uint8)
    [busy] = doubted(with_card(patches.repeat(10 * PX, axis=0).repeat(10 * PX, axis=1)))
    end = LEFT + 0.7 * (RIGHT - LEFT)
    assert busy.reason == Cause.BUSY
    assert min(x for x, _ in busy.corners) / PX == pytest.approx(end, abs=4)
    assert max(x for x, _ in busy.corners) / PX == pytest.approx(RIGHT, abs=4)


@pytest.mark.parametrize("back", [(40, 40, 45), (60, 90, 160), (150, 170, 190), (190, 190, 195)])
@pytest.mark.parametrize("card", [False, True])
def test_a_seat_whose_tiles_are_all_face_down_is_doubted(back: tuple[int, int, int], card: bool) -> None:
    """On wood and on a card, tiles of any colour are noticed although no read tile shows what one looks like."""
    picture = with_card(wood()) if card else wood()
    for x, y in ((LEFT + 60, MARKER[1] - 4), (LEFT + 60, MARKER[1] - 33), (LEFT + 110, MARKER[1] - 4)):
        picture = tile(picture, x, y, back)
    assert reasons_of(picture)


@pytest.mark.parametrize("colour", [(235, 236, 238), (120, 130, 140), (150, 200, 210)])
def test_a_sheet_across_the_end_of_a_card_is_reported(colour: tuple[int, int, int]) -> None:
    """A sheet half on the card and half on the table is reported, although neither ground surrounds it."""
    end = LEFT + 0.7 * (RIGHT - LEFT)
    picture = lay(with_card(wood()), (end - 50, MARKER[1] - 90, end + 45, MARKER[1] - 20), colour, 12.0)
    assert reasons_of(picture)


@pytest.mark.parametrize("sheet", [False, True])
def test_a_sheet_as_white_as_the_card_under_it_is_found_by_its_shadow(sheet: bool) -> None:
    """A sheet that differs from the card by few grey levels is found by its shadow, even beside a busy cloth."""
    places = [(LEFT + 40, MARKER[1] - 4), (LEFT + 90, MARKER[1] - 4)]
    picture = with_card(gingham(12))
    for x, y in places:
        tile(picture, x, y, (60, 90, 160))
    if sheet:
        x, y = places[0]
        lay(picture, (x - 20, y - 110, x + 50, y - 24), (120, 122, 124), 12.0)
        lay(picture, (x - 21, y - 111, x + 49, y - 25), (232, 235, 237), 12.0)
    read = [lying("TT:SEAT1", *MARKER, 40.0), *(lying(f"PZ:B{at}.1", *place) for at, place in enumerate(places, 1))]
    blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.5 * PX), np.uint8)
    assert [each.reason for each in doubted_beside(read, blurred)] == ["no-tag"] * sheet


def test_a_thing_partly_like_the_table_is_not_taken_for_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dark hand on dark cloth does not count as a card's part, because most of its surroundings are table."""
    box = np.array([(-18.0, -14.0), (18.0, -14.0), (18.0, 14.0), (-18.0, 14.0)]) + np.array(
        (LEFT + 120, MARKER[1] - 60)
    )

    def things(
        above: AreaFromAbove, area: NDArray[np.float64], *, card: bool = True, parts: Sequence[Mask] = ()
    ) -> Things:
        nowhere = np.zeros_like(above.free)
        return Things([] if parts else [box], nowhere, nowhere)

    for module in (find_untagged, beside_cards):
        monkeypatch.setattr(module, "things", things)
    hand = lay(np.full_like(wood(), 100), (LEFT + 80, MARKER[1] - 60, LEFT + 160, MARKER[1] + 20), (70, 100, 150))
    assert reasons_of(hand) == ["no-tag"]


@pytest.mark.parametrize("face_down", [False, True])
def test_a_pale_table_beside_a_white_card_full_of_tiles_is_not_doubted(face_down: bool) -> None:
    """Even where tiles leave little of the card in sight, only a tile face down on the table is reported."""
    rng = np.random.default_rng(1)
    soft = cv2.GaussianBlur(rng.normal(0, 60, (500 * PX, 700 * PX)), (0, 0), 10 * PX)
    picture = with_card(
        np.clip(200 + soft[..., None] + rng.normal(0, 3, (500 * PX, 700 * PX, 3)), 0, 255).astype(np.uint8)
    )
    tags = [lying("TT:SEAT1", *MARKER, 40.0)]
    for number, piece in enumerate(list(TILES)[:20]):
        x, y = LEFT + 24 + 43 * (number % 5), MARKER[1] + 5 - 28.5 * (number // 5)
        picture = lay(picture, (x - 18, y - 14, x + 18, y + 14), (90, 110, 200))
        tags.append(lying(f"PZ:{piece.upper()}", x, y))
    if face_down:
        picture = tile(picture, RIGHT - 50, MARKER[1] - 60, (120, 140, 150))
    assert {each.reason for each in doubted_beside(tags, picture)} == ({"no-tag"} if face_down else set())


HAND = (86, 108, 184)
"""The colour of a hand, which differs from the wood by less than the grain does."""


def test_a_hand_on_wood_that_differs_from_it_by_less_than_the_grain_is_doubted() -> None:
    """A hand that is unlike the rest of the wood, and unlike the marker's paper, is reported."""
    box = (LEFT + 40, MARKER[1] - 120, LEFT + 110, MARKER[1] + 20)
    paper = (MARKER[0] - 20, MARKER[1] - 20, MARKER[0] + 20, MARKER[1] + 20)
    bare = lay(grained(), paper, (225, 228, 230))
    assert reasons_of(bare) == []
    assert reasons_of(lay(bare.copy(), box, HAND, 10.0)) == ["no-tag"]
    assert reasons_of(lay(bare.copy(), box, (225, 228, 230), 10.0)) == ["no-tag"]


def checked(width: int) -> NDArray[np.uint8]:
    """Return a table-cloth of pale squares of a width in mm."""
    y, x = np.indices((500 * PX, 700 * PX))
    turn = np.radians(2)
    across, down = (
        (x * np.cos(turn) + y * np.sin(turn)) // (width * PX),
        (y * np.cos(turn) - x * np.sin(turn)) // (width * PX),
    )
    cloth = 235 - ((across % 2) + (down % 2))[..., None] * np.array((14, 20, 12))
    result: NDArray[np.uint8] = np.clip(cloth + np.random.default_rng(3).normal(0, 2, cloth.shape), 0, 255).astype(
        np.uint8
    )
    return result


@pytest.mark.parametrize(("ground", "left"), [(lambda: checked(9), 1), (lambda: np.full_like(wood(), 120), 2)])
def test_what_ends_as_a_tile_does_is_not_one_if_the_ground_itself_has_such_squares(
    monkeypatch: pytest.MonkeyPatch, ground: Callable[[], NDArray[np.uint8]], left: int
) -> None:
    """On a chequered cloth a tile-like outline must differ in colour as well; on a plain ground it is enough."""
    box = np.array([(-18.0, -14.0), (18.0, -14.0), (18.0, 14.0), (-18.0, 14.0)])
    on_cloth, on_card = (box + np.array((x, MARKER[1] - 60)) for x in (RIGHT - 40, LEFT + 60))
    monkeypatch.setattr(find_untagged, "untagged_tiles", lambda *_: [on_cloth, on_card])
    assert reasons_of(with_card(ground())) == ["no-tag"] * left
