"""Hands over the table: while a hand is there no unknown place counts as bare; once it has left, places may."""

from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.frame import Frame
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.live.ground.background import Background
from tabletop.vision.live.ground.surface import TableSurface

SHAPE = (60, 80)
CARD = np.array([(30.0, 20.0), (40.0, 20.0), (40.0, 30.0), (30.0, 30.0)])
"""The outline of a card that was there when the table was first seen, in mm as in px."""
ARM = np.s_[0:32, 22:48]


def table(arm: int = 0) -> NDArray[np.uint8]:
    """Return a plain table, with an arm of that grey over the card's place unless it is 0."""
    small = np.clip(120 + np.random.default_rng(1).normal(0, 2, SHAPE), 0, 255).astype(np.uint8)
    if arm:
        small[ARM] = arm
    return small


def passed() -> NDArray[np.bool_]:
    """Return the mask of what an arm that comes or leaves changes in the picture."""
    mask = np.zeros(SHAPE, dtype=np.bool_)
    mask[ARM] = True
    return mask


def seen(picture: NDArray[np.uint8]) -> Frame:
    """Return a frame whose small picture is as large as the full one."""
    return Frame(picture, picture, 0.0, 1)


def test_a_tag_that_is_washed_out_is_hidden_by_light_though_the_small_picture_shows_it_darker() -> None:
    """Glare is judged on the full picture, since in the small one white px are averaged with darker ones."""
    surface = TableSurface(Plane(np.eye(3), 0.0, SHAPE), SHAPE)
    lit = table()
    lit[22:26, 30:36] = 255
    blurred = np.full(SHAPE, 200, np.uint8)
    assert surface.hidden_by(Frame(lit, blurred, 0.0, 1), CARD) == "glare"
    assert surface.hidden_by(Frame(table(), blurred, 0.0, 1), CARD) == "face-down"


def test_a_place_never_seen_bare_is_not_an_empty_place_under_an_arm_and_may_be_one_once_it_has_left() -> None:
    """If a card is taken under an arm, the known table around its place shows when the arm has left."""
    surface = TableSurface(Plane(np.eye(3), 0.0, SHAPE), SHAPE)
    surface.learn(table(), [CARD])
    surface.changed(table(arm=170), passed())
    assert not surface.is_bare(table(arm=170), CARD)
    assert surface.hidden_by(seen(table(arm=170)), CARD) == "covered"
    assert [surface.is_handled_at(place) for place in ((35.0, 25.0), (70.0, 50.0))] == [True, False]
    surface.changed(table(), passed())
    assert surface.is_bare(table(), CARD)
    assert not surface.is_handled_at((35.0, 25.0))


def test_an_arm_that_rests_where_the_table_was_never_seen_bare_is_not_learned_as_the_table() -> None:
    """When a table is cleared under a resting arm, nothing foreign is reported after the arm has left."""
    surface = TableSurface(Plane(np.eye(3), 0.0, SHAPE), SHAPE)
    board = np.array([(26.0, 8.0), (44.0, 8.0), (44.0, 28.0), (26.0, 28.0)])
    surface.learn(table(), [board])
    surface.changed(table(arm=60), passed())
    surface.learn(table(arm=60), [])
    surface.changed(table(), passed())
    surface.changed(table(), np.zeros(SHAPE, dtype=np.bool_))
    surface.learn(table(), [])
    assert surface.strange(table(), [], []) == []


WIDE = (120, 160)
STILL = np.zeros(WIDE, dtype=np.bool_)
CUP, ANOTHER_CUP = np.s_[50:72, 70:92], np.s_[58:80, 76:98]


def wide(*things: tuple[slice, slice], lines: int = 120) -> NDArray[np.uint8]:
    """Return a larger table with grey lines printed on it, and dark objects on it."""
    small = np.full(WIDE, 120.0)
    small[::55] = lines
    for thing in things:
        small[thing] = 60
    return np.clip(small + np.random.default_rng(1).normal(0, 2, WIDE), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("thing", [np.s_[0:72, 70:92], CUP], ids=["an arm", "a cup"])
def test_what_was_on_the_table_when_it_was_first_seen_and_left_was_not_the_table(thing: tuple[slice, slice]) -> None:
    """After such an object has left nothing foreign is reported there, and a card taken there counts as gone."""
    surface = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE)
    card = CARD + np.array((46, 36))
    surface.learn(wide(thing), [])
    surface.changed(wide(), STILL)
    for _ in range(2):
        assert surface.strange(wide(), [], []) == []
        surface.learn(wide(), [])
    assert surface.is_bare(wide(), card)
    assert len(surface.strange(wide(ANOTHER_CUP), [], [])) == 1


def with_card(hand: int = 0) -> NDArray[np.uint8]:
    """Return that table with a card; with ``hand``, an arm in a sleeve as grey as the table reaches over the card."""
    small = wide().astype(np.float64)
    small[24:42, 40:130] += 80
    if hand:
        small[0:50, 70:92] = 120
        small[CUP] = hand
    return np.clip(small, 0, 255).astype(np.uint8)


def test_an_arm_that_lay_over_the_edges_of_a_card_at_first_was_not_the_table() -> None:
    """The card's edges that appear when the arm leaves are not reported as something foreign."""
    surface = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE)
    surface.learn(with_card(hand=60), [])
    surface.changed(with_card(), STILL)
    for _ in range(2):
        assert surface.strange(with_card(), [], []) == []
        surface.learn(with_card(), [])
    assert surface.is_bare(with_card(), CARD + np.array((46, 20)))


def test_an_arm_that_comes_to_rest_over_the_edges_of_a_card_is_not_taken_for_the_table() -> None:
    """A resting arm over a card's edges stays reported."""
    surface = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE)
    surface.learn(with_card(), [])
    for _ in range(3):
        surface.changed(with_card(hand=60), STILL)
        surface.learn(with_card(hand=60), [])
        assert surface.strange(with_card(hand=60), [], []) != []
    assert surface.strange(with_card(), [], []) == []
    assert surface.is_bare(with_card(), CARD + np.array((46, 20)))


def test_what_came_onto_the_table_stays_strange_as_long_as_it_is_there() -> None:
    """A foreign object stays reported, whatever is printed on the table beneath it."""
    surface = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE)
    surface.learn(wide(lines=170), [])
    for _ in range(3):
        surface.changed(wide(CUP, lines=170), STILL)
        surface.learn(wide(CUP, lines=170), [])
        assert [one.reason for one in surface.strange(wide(CUP, lines=170), [], [])] == ["unknown"]


def test_the_table_between_two_cards_is_known_again_after_a_sheet_of_paper_lay_over_it() -> None:
    """The sheet, as white as the cards, hides their edges; after it is taken away, nothing foreign is reported."""
    surface = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE)
    cards, covered = wide().astype(np.float64), wide().astype(np.float64)
    for left, right in ((20, 70), (86, 140)):
        cards[20:100, left:right] += 80
        covered[20:100, left:right] += 80
    covered[30:80, 60:100] = cards[30:80, 60:100].max(axis=1, keepdims=True)
    free, sheet = (np.clip(picture, 0, 255).astype(np.uint8) for picture in (cards, covered))
    surface.learn(free, [])
    for picture in (sheet, sheet, free, free):
        surface.changed(picture, STILL)
        reported = surface.strange(picture, [], [])
        surface.learn(picture, [])
    assert reported == []
    assert surface.spots(free, []) == []


def test_a_tile_under_a_sheet_as_white_as_the_card_on_which_it_lies_is_not_gone() -> None:
    """The sheet hides the card's edge as well; a tile that was taken leaves the edge in sight."""
    surface = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE)
    card, tile = wide(), np.array([(60.0, 40.0), (75.0, 40.0), (75.0, 55.0), (60.0, 55.0)])
    card[20:100, 20:90] += 80
    under_sheet = card.copy()
    under_sheet[30:90, 50:120] = card[30:90, 20:21]
    surface.learn(card, [tile])
    assert surface.is_bare(card, tile)
    assert not surface.is_bare(under_sheet, tile)


def test_an_arm_that_moves_over_a_table_of_which_little_is_known_is_taken_to_be_there() -> None:
    """If nothing shows that an arm has left, nothing under it counts as gone."""
    surface = TableSurface(Plane(np.eye(3), 0.0, SHAPE), SHAPE)
    surface.learn(table(), [CARD, np.array([(22.0, 0.0), (48.0, 0.0), (48.0, 20.0), (22.0, 20.0)])])
    surface.changed(table(), passed())
    assert not surface.is_bare(table(), CARD)


def test_a_lamp_that_something_mirrors_where_the_table_was_not_burnt_is_reported_as_glare() -> None:
    """A new reflection is reported even beside a piece, but not on the piece or where the table reflected before."""
    surface, lamp = TableSurface(Plane(np.eye(3), 0.0, SHAPE), SHAPE), np.s_[20:32, 42:56]
    glossy = table()
    glossy[lamp] = 255
    surface.learn(table(), [CARD])
    beside = [((35.0, 25.0), 20.0)]
    (told,) = surface.strange(glossy, beside, [CARD])
    assert told.reason == "glare"
    assert np.hypot(*np.subtract(told.place, (48.5, 25.5))) < 1.0
    upon = np.array([(40.0, 18.0), (58.0, 18.0), (58.0, 34.0), (40.0, 34.0)])
    assert surface.strange(glossy, beside, [CARD, upon]) == []
    always = TableSurface(Plane(np.eye(3), 0.0, SHAPE), SHAPE)
    always.learn(glossy, [CARD])
    assert always.strange(glossy, beside, [CARD]) == []


def test_a_lamp_that_something_mirrors_partly_over_a_known_piece_is_reported_as_glare() -> None:
    """A reflection that overlaps a known piece only slightly is reported."""
    surface = TableSurface(Plane(np.eye(3), 0.0, SHAPE), SHAPE)
    surface.learn(table(), [])
    for left, reported in ((37, True), (32, False)):
        glossy = table()
        glossy[20:30, left : left + 11] = 255
        assert bool(surface.strange(glossy, [((35.0, 25.0), 20.0)], [CARD])) is reported


PIECE = np.array([(60.0, 40.0), (84.0, 40.0), (84.0, 80.0), (60.0, 80.0)])


@pytest.mark.parametrize(
    ("thing", "found"),
    [(np.s_[50:68, 92:110], [(100, 58)]), (np.s_[40:80, 85:92], []), (np.s_[50:68, 70:80], [])],
    ids=["a coin beside a piece", "its shadow", "print on it"],
)
def test_a_coin_beside_a_piece_hides_the_bare_table(thing: tuple[slice, slice], found: list[tuple[int, int]]) -> None:
    """Something as wide as a coin beside a piece is reported; narrower things, and the piece's own outline, are not."""
    surface = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE)
    surface.learn(wide(), [])
    assert surface.spots(wide(np.s_[40:80, 60:84], thing), [PIECE]) == [pytest.approx(place, abs=2) for place in found]


def test_a_picture_is_compared_with_the_bare_table_once_and_all_pieces_are_drawn_once() -> None:
    """What hides the table, reflects a lamp or lies beside a piece is asked of each picture that is read."""
    surface, small, pieces = TableSurface(Plane(np.eye(3), 0.0, WIDE), WIDE), wide(CUP), [CARD]
    with (
        patch.object(surface.overview, "covering", side_effect=surface.overview.covering) as drawn,
        patch.object(Background, "_wrong", autospec=True, side_effect=Background._wrong) as compared,
    ):
        surface.learn(wide(), pieces)
        assert len(surface.strange(small, [], pieces)) == 1
        surface.spots(small, pieces)
    assert sum(call.args[0] is pieces for call in drawn.mock_calls) == 1
    assert sum(call.args[2] is ... for call in compared.mock_calls) == 1
