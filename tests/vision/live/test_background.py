"""A place is empty only if the bare table is seen there, even if it has never been seen bare before."""

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.live.ground.background import Background

SHAPE = (60, 80)
OUTLINE = np.array([(30.0, 20.0), (40.0, 20.0), (40.0, 30.0), (30.0, 30.0)])
NO_HAND = np.zeros(SHAPE, dtype=np.bool_)


def veiled(slope: float) -> NDArray[np.uint8]:
    """Return a table on which the light increases by ``slope`` grey levels per px."""
    noise = np.random.default_rng(1).normal(0, 2, SHAPE)
    return np.clip(120 + slope * (np.arange(SHAPE[1]) - 35) + noise, 0, 255).astype(np.uint8)


def learned(small: NDArray[np.uint8], rows: slice = slice(16, 34), columns: slice = slice(34, 48)) -> Background:
    """Return the background learned from a table on which a card lay at first."""
    bare = np.ones(SHAPE, dtype=np.bool_)
    bare[rows, columns] = False
    background = Background(SHAPE)
    background.learn(small, bare)
    return background


def test_a_place_never_seen_bare_is_empty_where_light_that_changes_steadily_explains_it() -> None:
    small = veiled(3.0)
    assert small[20:30, 30:40].std() > 8
    assert learned(small).is_bare(small, OUTLINE, NO_HAND)


def test_a_faint_tag_in_light_that_changes_steadily_is_not_an_empty_place() -> None:
    small = veiled(3.0)
    background = learned(small)
    modules = np.kron(np.random.default_rng(2).integers(0, 2, (5, 5)), np.ones((2, 2)))
    small[20:30, 30:40] = np.clip(small[20:30, 30:40] + 24 * modules, 0, 255).astype(np.uint8)
    assert not background.is_bare(small, OUTLINE, NO_HAND)


def test_a_white_back_in_light_that_changes_steadily_is_not_an_empty_place() -> None:
    small = veiled(3.0)
    background = learned(small)
    small[18:32, 31:45] = np.clip(small[18:32, 31:45].astype(int) + 60, 0, 255).astype(np.uint8)
    assert not background.is_bare(small, OUTLINE, NO_HAND)


def test_a_bright_place_never_seen_bare_is_empty_where_the_light_around_it_is_as_bright() -> None:
    """A reflection on the bare table is as bright as its surroundings, while a piece differs from them."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    glow = 60 * np.exp(-((x - 46) ** 2 + (y - 18) ** 2) / (2 * 12.0**2))
    noise = np.random.default_rng(1).normal(0, 2, SHAPE)
    small = np.clip(120 + 0.5 * glow + noise, 0, 255).astype(np.uint8)
    background = learned(small, slice(19, 31), slice(29, 41))
    assert background.is_bare(small, OUTLINE, NO_HAND)
    covered = small.copy()
    covered[18:32, 28:42] = 165
    assert not background.is_bare(covered, OUTLINE, NO_HAND)


def test_a_remembered_place_is_empty_where_a_lamp_has_come_to_be_reflected() -> None:
    """A reflection fades out into the table around it; something white has an edge, and clipped light may hide it."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    glow = np.exp(-((x - 40) ** 2 + (y - 22) ** 2) / (2 * 18.0**2))
    table = 120 + np.random.default_rng(1).normal(0, 2, SHAPE)
    background = Background(SHAPE)
    background.learn(table.astype(np.uint8), ~NO_HAND)
    lit, clipped = (np.clip(table + light * glow, 0, 255).astype(np.uint8) for light in (60, 132))
    assert background.is_bare(lit, OUTLINE, NO_HAND)
    assert not background.is_bare(lit, OUTLINE, ~NO_HAND)
    assert not background.is_bare(clipped, OUTLINE, NO_HAND)
    covered = table.astype(np.uint8)
    covered[18:32, 28:42] = 145
    assert not background.is_bare(covered, OUTLINE, NO_HAND)


def test_a_place_remembered_in_the_reflection_of_a_lamp_is_empty_once_the_lamp_is_turned() -> None:
    """Where the reflection was, the bare table is as grey as around it; something that was laid there has an edge."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    glow = 60 * np.exp(-((x - 35) ** 2 + (y - 25) ** 2) / (2 * 8.0**2))
    table = 120 + np.random.default_rng(1).normal(0, 2, SHAPE)
    background = Background(SHAPE)
    background.learn((table + glow).astype(np.uint8), ~NO_HAND)
    dull = table.astype(np.uint8)
    assert background.is_bare(dull, OUTLINE, NO_HAND)
    assert not background.is_bare(dull, OUTLINE, ~NO_HAND)
    covered = dull.copy()
    covered[18:32, 28:42] -= 20
    assert not background.is_bare(covered, OUTLINE, NO_HAND)


def test_a_wide_place_on_which_a_small_coin_lies_is_not_spotless() -> None:
    """A faint coin that a wide place's average hardly shows still makes the place worth another look."""
    small = veiled(0.0)
    background = Background(SHAPE)
    background.learn(small, np.ones(SHAPE, dtype=np.bool_))
    wide = np.array([(10.0, 10.0), (60.0, 10.0), (60.0, 45.0), (10.0, 45.0)])
    assert background.is_spotless(small, wide, 6)
    laid = small.copy()
    laid[20:28, 30:38] -= 25
    assert background.is_bare(laid, wide, NO_HAND)
    assert not background.is_spotless(laid, wide, 6)


def test_half_a_place_that_is_bare_is_told_from_one_that_something_reaches_into() -> None:
    """A place of which another piece covers a third has one bare half; under a hand, or half covered, none."""
    small = veiled(0.0)
    background = Background(SHAPE)
    background.learn(small, np.ones(SHAPE, dtype=np.bool_))
    reached = small.copy()
    reached[15:35, 20:34] = 60
    assert not background.is_bare(reached, OUTLINE, NO_HAND)
    assert background.bare_halves(reached, OUTLINE, NO_HAND) == [(1, 0)]
    hand = NO_HAND.copy()
    hand[15:35, 20:34] = True
    assert background.bare_halves(reached, OUTLINE, hand) == []
    reached[15:35, 20:38] = 60
    assert background.bare_halves(reached, OUTLINE, NO_HAND) == []


def test_a_place_beside_the_edge_of_a_card_is_empty_where_the_card_goes_on_into_it() -> None:
    """Neither the edge of a zone card that ends in the place nor a reflection there is taken for a piece."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    paper = np.where((x < 43) & (y < 33), 150, 80)
    glow = 50 * np.exp(-((x - 48) ** 2 + (y - 25) ** 2) / (2 * 9.0**2))
    small = np.clip(paper + glow + np.random.default_rng(1).normal(0, 1.5, SHAPE), 0, 255).astype(np.uint8)
    background = learned(small, slice(18, 36), slice(27, 46))
    assert background.is_bare(small, OUTLINE, NO_HAND)
    covered = small.copy()
    covered[18:34, 28:43] = np.clip(covered[18:34, 28:43].astype(int) - 30, 0, 255)
    assert not background.is_bare(covered, OUTLINE, NO_HAND)


def test_a_table_learned_with_a_piece_on_it_is_forgotten_once_the_piece_is_read() -> None:
    """A piece missed at first is unlearned as background once it is read, so that its place can be empty."""
    bare = veiled(0.0)
    laid = bare.copy()
    laid[20:30, 30:40] = 180
    background = Background(SHAPE)
    background.learn(laid, np.ones(SHAPE, dtype=np.bool_))
    assert not background.is_bare(bare, OUTLINE, NO_HAND)
    background.unlearn(OUTLINE)
    assert background.is_bare(bare, OUTLINE, NO_HAND)


def test_a_table_learned_bare_is_not_forgotten_when_a_piece_is_laid_there() -> None:
    """Background that was learned before a visible change is kept when a piece is read in its place."""
    background = Background(SHAPE)
    background.learn(veiled(0.0), np.ones(SHAPE, dtype=np.bool_))
    changed = np.zeros(SHAPE, dtype=np.bool_)
    changed[16:34, 26:44] = True
    background.changed(changed)
    background.unlearn(OUTLINE)
    assert background.known.all()
