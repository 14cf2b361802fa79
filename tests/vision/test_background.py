"""The bare table: a place is empty only where the table itself is seen, also where it was never seen before."""

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.background import Background

SHAPE = (60, 80)
OUTLINE = np.array([(30.0, 20.0), (40.0, 20.0), (40.0, 30.0), (30.0, 30.0)])
NO_HAND = np.zeros(SHAPE, dtype=np.bool_)


def veiled(slope: float) -> NDArray[np.uint8]:
    """Return a table over which light rises steadily by so many grey levels a px."""
    noise = np.random.default_rng(1).normal(0, 2, SHAPE)
    return np.clip(120 + slope * (np.arange(SHAPE[1]) - 35) + noise, 0, 255).astype(np.uint8)


def learned(small: NDArray[np.uint8]) -> Background:
    """Return what is known of a table on which a card lay when it was first seen."""
    bare = np.ones(SHAPE, dtype=np.bool_)
    bare[16:34, 34:48] = False
    background = Background(SHAPE)
    background.learn(small, bare)
    return background


def test_a_place_never_seen_bare_is_empty_where_light_that_changes_steadily_explains_it() -> None:
    small = veiled(3.0)
    assert small[20:30, 30:40].std() > 8
    assert learned(small).is_bare(small, OUTLINE, NO_HAND)


def test_a_faint_tag_in_light_that_changes_steadily_is_no_empty_place() -> None:
    small = veiled(3.0)
    background = learned(small)
    modules = np.kron(np.random.default_rng(2).integers(0, 2, (5, 5)), np.ones((2, 2)))
    small[20:30, 30:40] = np.clip(small[20:30, 30:40] + 24 * modules, 0, 255).astype(np.uint8)
    assert not background.is_bare(small, OUTLINE, NO_HAND)


def test_a_white_back_in_light_that_changes_steadily_is_no_empty_place() -> None:
    small = veiled(3.0)
    background = learned(small)
    small[18:32, 31:45] = np.clip(small[18:32, 31:45].astype(int) + 60, 0, 255).astype(np.uint8)
    assert not background.is_bare(small, OUTLINE, NO_HAND)
