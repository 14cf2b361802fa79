"""Another picture resolves a doubt by showing what is there, or that nothing is, and adds no doubt of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.tags import patterns
from tests.vision.score.pictures import (
    DENSITY,
    FIRST,
    ON_THE_TABLE,
    lying,
    no_tag,
    plane,
    reading,
    reasons,
    score_of,
    stand,
    stretched,
    unread_at,
)

Number = TypeVar("Number", np.uint8, np.float64)


def cloth(bright: float = 1.0, **things: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """Return a striped cloth, 1 px per mm, with coloured things on it: left, top, right, bottom in mm."""
    colour = np.full((400, 600, 3), 150.0)
    colour[::40] = colour[:, ::40] = 90
    return np.clip(bright * with_things(colour, things), 0, 255).astype(np.uint8)


def mat(**things: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """Return patches of such varied colours that none looks unfamiliar, with things on it as on a cloth."""
    patches = np.random.default_rng(1).uniform(0, 255, (20, 30, 3))
    return with_things(patches.repeat(20, axis=0).repeat(20, axis=1), things).astype(np.uint8)


def with_things(colour: NDArray[Number], things: Mapping[str, tuple[int, int, int, int]]) -> NDArray[Number]:
    for left, top, right, bottom in things.values():
        colour[top:bottom, left:right] = (60, 90, 140)
    return colour


def test_a_place_unread_in_one_picture_and_read_in_another_is_not_in_doubt() -> None:
    shown = reading(*stand(FIRST))
    blind = reading(*stand(FIRST, but=["B4.2"]), unread=[unread_at(60, 171)])
    assert reasons(score_of(blind)) == ["unknown"]
    assert score_of(blind, shown).sound


def test_a_card_whose_marker_is_hidden_is_a_doubt_until_another_picture_reads_the_marker() -> None:
    sheet = Unreadable(Cause.HIDDEN_SEAT, Message("Something covers a sheet here."), stretched(450, 80, 120, 80))
    hidden = reading(ON_THE_TABLE[0], *stand(FIRST), unread=[sheet], look=cloth())
    shown = reading(*ON_THE_TABLE, *stand(FIRST), look=cloth())
    assert shown.shrunk is not None
    cards = [np.array([(400.0, 0.0), (600.0, 0.0), (600.0, 170.0), (400.0, 170.0)])]
    assert reasons(score_of(hidden, shown)) == ["hidden-seat"]
    assert reasons(score_of(hidden, replace(shown, shrunk=shown.shrunk._replace(cards=cards)))) == []


def test_a_blurred_place_is_not_in_doubt_if_another_picture_shows_it_sharply() -> None:
    """The doubt stays if the other picture is blurred there as well; no seat has to be seen there."""
    blur = Unreadable(Cause.BLURRED, Message("The picture is blurred here."), stretched(450, 80, 60, 50))
    smeared, clear = (reading(ON_THE_TABLE[0], *stand(FIRST), unread=unread) for unread in ([blur], []))
    assert reasons(score_of(smeared)) == ["blurred"]
    assert reasons(score_of(smeared, clear)) == []
    assert reasons(score_of(smeared, smeared)) == ["blurred", "blurred"]


def test_what_looks_like_a_tag_is_not_one_if_another_picture_shows_its_place_clearly() -> None:
    """The doubt stays if every picture has it, or if the other one shows the place too small."""
    marked = (*ON_THE_TABLE, *stand(FIRST))
    doubtful, clear = reading(*marked, unread=[unread_at(300, 150)]), reading(*marked)
    assert score_of(doubtful, clear).sound
    assert set(reasons(score_of(doubtful, doubtful))) == {"unknown"}
    far = [lying(one.payload, one.x, one.y, one.angle, density=0.5) for one in marked]
    assert "unknown" in reasons(score_of(doubtful, reading(*far, seen=plane(0.5))))


def test_a_thing_as_large_as_two_tiles_is_explained_by_two_tags_in_another_picture() -> None:
    corners = tuple((x * DENSITY, y * DENSITY) for x, y in ((84, 155), (124, 155), (124, 215), (84, 215)))
    thing = Unreadable(Cause.NO_TAG, Message("Something lies here and shows no tag."), corners)
    shown = reading(*stand(FIRST))
    assert reasons(score_of(reading(*stand(FIRST, but=["B1.3", "S2.1"]), unread=[thing]))) == ["no-tag"]
    assert score_of(reading(*stand(FIRST, but=["B1.3", "S2.1"]), unread=[thing]), shown).sound
    half = reading(*stand(FIRST, but=["S2.1"]))
    assert "no-tag" in reasons(score_of(reading(*stand(FIRST, but=["B1.3", "S2.1"]), unread=[thing]), half))


def test_a_thing_as_large_as_many_tiles_is_not_explained_by_the_tag_at_its_middle() -> None:
    """A phone hides several tiles, one of which a finger hides in the other picture."""
    phone, finger = no_tag(104, 171, 116, 100), no_tag(60, 171, 36, 28)
    one = reading(*stand(FIRST, but=["B1.3", "S2.1", "B5.2", "B4.2"]), unread=[phone])
    other = reading(*stand(FIRST, but=["B4.2"]), unread=[finger])
    assert reasons(score_of(one, other)) == ["no-tag", "no-tag"]


@pytest.mark.parametrize(("size", "reasons_left"), [((160, 120), []), ((36, 28), ["no-tag"])])
def test_a_hand_that_is_gone_in_another_picture_is_no_doubt_and_a_tile_turned_over_is(
    size: tuple[int, int], reasons_left: Sequence[str]
) -> None:
    """A tile face down may go unnoticed in one picture, but something as large as a hand does not."""
    something = Unreadable(Cause.NO_TAG, Message("Something lies here and shows no tag."), stretched(300, 200, *size))
    handy, clear = reading(*stand(FIRST), unread=[something]), reading(*stand(FIRST))
    assert reasons(score_of(handy, clear)) == reasons_left
    assert set(reasons(score_of(handy, handy))) == {"no-tag"}


def test_two_pictures_with_a_finger_over_a_tile_somewhere_else_each_leave_no_doubt() -> None:
    def fingered(tile: str, x: int, y: int) -> PhotoReading:
        look = cloth(finger=(x - 22, y - 18, x + 22, y + 18))
        return reading(*stand(FIRST, but=[tile]), unread=[no_tag(x, y, 44, 36)], look=look)

    assert score_of(fingered("B1.3", 118, 212), fingered("B4.2", 46, 162)).sound


def test_what_covers_a_part_of_a_tile_may_hide_more_and_is_gone_in_another_picture() -> None:
    tiles = {each.payload: each.corners for each in stand(FIRST)}
    parts = [
        Unreadable(Cause.OVERLAID, Message("Something covers part of this."), tiles[one])
        for one in ("PZ:B2.3", "PZ:B5.2")
    ]
    assert score_of(*(reading(*stand(FIRST), unread=[part]) for part in parts)).sound


def test_two_fingers_that_point_at_one_tile_leave_no_doubt() -> None:
    """Fingers over different parts of a tile leave no doubt, since each picture resolves the other's."""
    corner = next(each.corners for each in stand(FIRST) if each.payload == "PZ:B1.3")
    one = reading(
        *stand(FIRST),
        unread=[Unreadable(Cause.OVERLAID, Message("Something covers part of this."), corner)],
        look=cloth(finger=(64, 206, 98, 240)),
    )
    other = reading(*stand(FIRST), unread=[no_tag(134, 196, 30, 24)], look=cloth(finger=(119, 184, 149, 208)))
    assert reasons(score_of(one)) == ["overlaid"]
    assert score_of(one, other).sound


def test_two_fingers_that_nearly_meet_leave_no_doubt_and_two_over_the_same_tile_do() -> None:
    """Fingers may share a box; a doubt is left only where both pictures look unlike the ground."""

    def fingered(top: int, **tile: tuple[int, int, int, int]) -> PhotoReading:
        look = with_things(cloth(), {"finger": (250, top, 350, top + 18), **tile})
        return reading(*stand(FIRST), unread=[no_tag(300, 200, 100, 60)], look=look)

    tile = (282, 178, 318, 222)
    assert score_of(fingered(172), fingered(210)).sound
    assert set(reasons(score_of(fingered(172, tile=tile), fingered(210, tile=tile)))) == {"no-tag"}


def card_on_wood(**things: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """Return a white card on wood as brown as the things on both."""
    table = np.full((400, 600, 3), (60, 90, 140), np.uint8)
    table[::40] = table[:, ::40] = (50, 75, 120)
    table[110:370, 180:480] = 255
    return with_things(table, things)


def test_hands_as_brown_as_the_table_on_a_white_card_stay_in_doubt() -> None:
    """A hand that looks like the ground has no visible end, so the two pictures resolve nothing."""

    def handed(left: int) -> PhotoReading:
        look = card_on_wood(hand=(left, 200, left + 70, 240))
        look[172:200, left + 10 : left + 46] = (200, 40, 40)
        return reading(*stand(FIRST), unread=[no_tag(300, 205, 130, 70)], look=look)

    assert set(reasons(score_of(handed(238), handed(294)))) == {"no-tag"}


def test_fingers_as_brown_as_the_table_leave_no_doubt_on_a_white_card() -> None:
    """Fingers as brown as the table are too narrow to hide a tile, and do not meet in the two pictures."""

    def fingered(top: int, tile: int) -> PhotoReading:
        look = card_on_wood(finger=(220, top, 380, top + 18))
        look[top - 28 : top, tile : tile + 36] = (200, 40, 40)
        return reading(*stand(FIRST), unread=[no_tag(300, 209, 160, 80)], look=look)

    assert score_of(fingered(176, 230), fingered(224, 330)).sound


def test_a_finger_of_which_one_edge_was_noticed_is_gone_in_another_picture() -> None:
    """The doubt is resolved, while a tile face down that the finger touches stays in doubt."""
    finger, tile = (240, 200, 360, 217), (284, 182, 316, 200)
    one = reading(*stand(FIRST), unread=[no_tag(300, 200, 32, 16)], look=mat(finger=finger))
    assert score_of(one, reading(*stand(FIRST), look=mat())).sound
    touching = reading(*stand(FIRST), unread=[no_tag(300, 191, 32, 18)], look=mat(finger=finger, tile=tile))
    assert reasons(score_of(touching, reading(*stand(FIRST), look=mat(tile=tile)))) == ["no-tag"]


def test_a_finger_of_which_less_than_a_third_of_a_tile_was_noticed_is_gone_in_another_picture() -> None:
    """The doubt is resolved by all of the finger connected with it, and not by one that is only near it."""
    finger, beside = (300, 200, 420, 217), (270, 236, 330, 254)
    one = reading(*stand(FIRST), unread=[no_tag(308, 201, 24, 12)], look=mat(finger=finger))
    assert score_of(one, reading(*stand(FIRST), look=mat())).sound
    near = reading(*stand(FIRST), unread=[no_tag(300, 216, 30, 20)], look=mat(finger=beside))
    assert reasons(score_of(near, reading(*stand(FIRST), look=mat()))) == ["no-tag"]


@pytest.mark.parametrize(("x", "left"), [(60, []), (46, ["no-tag"])])
def test_a_thing_is_explained_if_the_tiles_in_another_picture_leave_no_room_for_one_more(
    x: int, left: Sequence[str]
) -> None:
    """The box around a diagonal finger is larger than the two tiles that it covers."""
    one = reading(*stand(FIRST, but=["B2.3"]), unread=[no_tag(x, 186, 58, 60)], look=mat())
    assert reasons(score_of(one, reading(*stand(FIRST), look=mat()))) == left


@pytest.mark.parametrize("bright", [1.0, 0.8])
def test_a_tile_face_down_that_one_picture_alone_notices_stays_in_doubt(bright: float) -> None:
    """The tile looks alike in both pictures and unlike the ground; a finger or a false alarm does not."""
    tile = (282, 186, 318, 214)
    one = reading(*stand(FIRST), unread=[no_tag(300, 200, 44, 36)], look=cloth(tile=tile))
    assert reasons(score_of(one, reading(*stand(FIRST), look=cloth(bright, tile=tile)))) == ["no-tag"]
    assert score_of(one, reading(*stand(FIRST), look=cloth(bright))).sound
    seeming = reading(*stand(FIRST), unread=[no_tag(300, 200, 44, 36)], look=cloth())
    assert score_of(seeming, reading(*stand(FIRST), look=cloth(bright))).sound


def test_nothing_is_resolved_by_a_picture_that_hides_the_seats_marker() -> None:
    """Without its marker, a seat's area was not examined in that picture."""
    doubtful = reading(*ON_THE_TABLE, *stand(FIRST), unread=[unread_at(300, 220)])
    assert reasons(score_of(doubtful, reading(*ON_THE_TABLE[1:], *stand(FIRST)))) == ["unknown"]


def test_a_picture_that_hides_the_seats_marker_resolves_what_lies_where_it_shows_the_bare_table() -> None:
    """Bare table resolves the doubt even there, and a tile face down does not."""
    finger, tile = (282, 206, 318, 234), (282, 210, 318, 238)
    one = reading(*ON_THE_TABLE, *stand(FIRST), unread=[no_tag(300, 220, 44, 36)], look=cloth(finger=finger))
    assert score_of(one, reading(*ON_THE_TABLE[1:], *stand(FIRST), look=cloth())).sound
    turned = reading(*ON_THE_TABLE[1:], *stand(FIRST), look=cloth(tile=tile))
    assert reasons(score_of(one, turned)) == ["no-tag"]


def test_a_seat_stays_in_doubt_if_a_tile_at_the_edge_of_its_area_is_read_only_where_its_marker_is_hidden() -> None:
    """The tile's seat is uncertain, because two pictures are aligned to a few millimetres only."""
    at_the_edge = lying("PZ:M1.1", 160, 93)
    doubtful = reading(*ON_THE_TABLE, *stand(FIRST), unread=[no_tag(160, 93, 36, 28)])
    assert not score_of(doubtful, reading(*ON_THE_TABLE[1:], *stand(FIRST), at_the_edge)).seats[0].sure
    assert score_of(doubtful, reading(*ON_THE_TABLE, *stand(FIRST), at_the_edge)).seats[0].sure


def test_a_background_that_is_too_busy_is_resolved_by_a_picture_of_all_of_the_area_alone() -> None:
    """In a picture of a part, a tile face down may be in the rest."""
    busy = Unreadable(Cause.BUSY, Message("Too busy."), stretched(214, 165, 340, 150))
    doubtful = reading(*ON_THE_TABLE, *stand(FIRST), unread=[busy])
    assert score_of(doubtful, reading(*ON_THE_TABLE, *stand(FIRST))).sound
    cut = reading(*ON_THE_TABLE, *stand(FIRST), seen=plane(size=(350, 400)))
    assert reasons(score_of(doubtful, cut)) == ["busy"]


def test_a_tile_under_a_finger_that_nothing_noticed_is_not_gone() -> None:
    """A missing tile is a contradiction only where the other picture shows the ground."""
    before = reading(*ON_THE_TABLE, *stand(FIRST), look=cloth())
    x, y = next((round(each.x), round(each.y)) for each in stand(FIRST) if each.payload == "PZ:B5.2")
    finger = (x - 20, y - 40, x + 20, y + 16)
    for look, left in ((cloth(finger=finger), []), (cloth(), ["contradiction"])):
        after = reading(*ON_THE_TABLE, *stand(FIRST, but=["B5.2"]), look=look)
        assert reasons(score_of(before, after)) == left


def test_a_tile_is_gone_from_a_gap_only_if_another_picture_shows_the_ground_there() -> None:
    """A tile that was not read may be in the gap of a palazzo, but not on bare cloth."""
    column = (("B1.1", "B2.1", "B3.1a"),)
    whole = [*stand(column)]
    x, y = next((round(each.x), round(each.y)) for each in whole if each.payload == "PZ:B2.1")
    for look, is_gone in ((cloth(tile=(x - 16, y - 14, x + 16, y + 14)), False), (cloth(), True)):
        after = reading(*ON_THE_TABLE, *stand(column, but=["B2.1"]), look=look)
        found = score_of(reading(*ON_THE_TABLE, *whole, look=cloth()), after)
        assert (Cause.CONTRADICTION in reasons(found)) == is_gone


def test_a_tile_half_of_whose_tag_is_seen_beside_a_finger_is_not_gone_on_whatever_ground() -> None:
    """On a ground of any colours, the visible half of the tag alone shows that the tile is there."""
    x, y = next((round(each.x), round(each.y)) for each in stand(FIRST) if each.payload == "PZ:B5.2")
    tag = cv2.resize(patterns.draw(patterns.pattern("PZ:B5.2"), 8), (20, 20), interpolation=cv2.INTER_AREA)

    def shown(look: NDArray[np.uint8], *, tiled: bool, fingered: bool = False) -> NDArray[np.uint8]:
        if tiled:
            look[y - 10 : y + 10, x - 10 : x + 10] = tag[..., None]
        return with_things(look, {"finger": (x - 40, y - 14, x + 40, y + 1)} if fingered else {})

    before = reading(*ON_THE_TABLE, *stand(FIRST), look=shown(mat(), tiled=True))
    for after, left in (
        (shown(mat(), tiled=True, fingered=True), []),
        (shown(mat(), tiled=False, fingered=True), ["contradiction"]),
        (mat(), ["contradiction"]),
    ):
        assert reasons(score_of(before, reading(*ON_THE_TABLE, *stand(FIRST, but=["B5.2"]), look=after))) == left


def test_a_tile_in_whose_place_another_picture_reads_another_one_is_gone_however_alike_their_tags_look() -> None:
    """The similar part of the other tile's tag does not show that the first tile is there."""

    def shown(tile: str) -> PhotoReading:
        tag, look = patterns.draw(patterns.pattern(f"PZ:{tile}"), 8), cloth()
        look[150:170, 140:160] = cv2.resize(tag, (20, 20), interpolation=cv2.INTER_AREA)[..., None]
        return reading(*ON_THE_TABLE, *stand(FIRST), lying(f"PZ:{tile}", 150, 160), look=look)

    found = score_of(shown("S1.1"), shown("B1.1"))
    assert reasons(found) == [Cause.CONTRADICTION] * 2
    assert not found.seats[0].sure


@pytest.mark.parametrize("bright", [1.0, 0.6])
def test_a_finger_across_a_card_is_gone_in_another_picture_and_a_tile_face_down_is_not(bright: float) -> None:
    """The pictures' brightness is compared by the surroundings, of which the finger covers a lot."""

    def on_card(bright: float, **things: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        look = mat()
        look[60:390, 200:500] = 235
        return (bright * with_things(look, things)).astype(np.uint8)

    finger, tile = (200, 190, 500, 220), (284, 182, 316, 210)
    for thing, left in ((finger, []), (tile, ["no-tag"])):
        one = reading(*stand(FIRST), unread=[no_tag(300, 198, 32, 28)], look=on_card(1.0, thing=thing))
        clear = on_card(bright) if thing == finger else on_card(bright, tile=tile)
        assert reasons(score_of(one, reading(*stand(FIRST), look=clear))) == left


def test_paper_at_the_edge_of_a_tile_and_a_hand_in_the_other_picture_beside_that_tile_stay_in_doubt() -> None:
    """Paper and hand may hide the same tile, one in each picture."""
    tile = next(each for each in stand(FIRST) if each.payload == "PZ:B2.3")
    paper = Unreadable(Cause.OVERLAID, Message("Something covers part of this."), tile.corners)
    hand = no_tag(tile.x, tile.y + 60, 110, 70)
    assert score_of(reading(*stand(FIRST), unread=[paper]), reading(*stand(FIRST))).sound
    both = score_of(reading(*stand(FIRST), unread=[paper]), reading(*stand(FIRST), unread=[hand]))
    assert reasons(both) == ["overlaid", "no-tag"]


@pytest.mark.parametrize("reason", [Cause.OVERLAID, Cause.BUSY, Cause.DARK])
def test_what_may_hide_more_than_its_place_stays_in_doubt_while_all_pictures_have_it(reason: Cause) -> None:
    """Reading the tile under the paper's edge in both pictures says nothing about what the paper hides."""
    tiles = [*stand(FIRST)]
    doubt = Unreadable(reason, Message("More may be hidden."), tiles[0].corners)
    assert reasons(score_of(reading(*tiles, unread=[doubt]), reading(*tiles, unread=[doubt]))) == [reason, reason]
    assert reasons(score_of(reading(*tiles, unread=[doubt]), reading(*tiles))) == []
