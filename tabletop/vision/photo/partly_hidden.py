"""Tags that were read though something lies over a part of them: where they do not look like their pattern."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.decode.decode import straightened
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array
from tabletop.vision.tags.patterns import CODE_MODULES, Pattern

BLOCK_MODULES = 6
"""Modules along the side of what is compared at a time: a fingertip hides as much."""
MIN_AGREEMENT_RATIO = 0.55
"""A block is hidden that agrees with its pattern less than so much of what is usual of the worst blocks of the tags in
the picture: without anything over them they differ by a tenth, in hard light by a fifth."""
MAX_SIZE_RATIO, MIN_COMPANY, ALIKE_QUANTILE = 1.25, 4, 0.75
"""How many times as large or small as a tag those are that agree as well as it does, how many of them there have to be,
and the part of them that agrees less than is usual of them: some of them may be covered.  The smaller tags of a picture
seen aslant agree half as well as its larger ones."""
MIN_MODULE_PX = 1.5
"""The px per module from which a tag is seen well enough to tell."""
MIRROR_GREY = 245.0
"""Ink as bright as this mirrors a light."""


def hidden_in_part(grey: Grey, read: Sequence[tuple[Array, Pattern]]) -> list[bool]:
    """Return for each tag that was read whether something covers part of it.

    Each comes with the corners (4, 2) px of its code.  A small one shows nothing.
    """
    worst = [_worst(grey, corners, pattern) for corners, pattern in read]
    told = np.array([np.nan if each is None else each for each in worst])
    sides = np.array([_side(corners) for corners, _ in read])
    return [
        bool(each < MIN_AGREEMENT_RATIO * _usual(told, sides / side)) for each, side in zip(told, sides, strict=True)
    ]


def _usual(worst: Array, sizes: Array) -> float:
    """Return the usual agreement of tags of size one; ``sizes`` are those of all tags, ``worst`` how far they agree."""
    known = np.isfinite(worst)
    if not known.any():
        return 0.0
    usual = float(np.median(worst[known]))
    alike = worst[known & (sizes <= MAX_SIZE_RATIO) & (sizes >= 1 / MAX_SIZE_RATIO)]
    return min(usual, float(np.quantile(alike, ALIKE_QUANTILE))) if len(alike) >= MIN_COMPANY else usual


def _side(corners: Array) -> float:
    """Return the shortest side of a tag, px."""
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min())


def _worst(grey: Grey, corners: Array, pattern: Pattern) -> float | None:
    """Return the agreement of the block that agrees least with a pattern, None if the tag is too small to tell."""
    if _side(corners) < MIN_MODULE_PX * CODE_MODULES:
        return None
    seen = straightened(grey, corners).astype(np.float32)
    # Where light is mirrored nothing needs to lie: what is dark is bright there.
    mirrored = _mean((pattern & (seen >= MIRROR_GREY)).astype(np.float32))[_inner()] > 0
    return float(np.where(mirrored, 1, _agreement(seen, (~pattern).astype(np.float32))).min())


def _agreement(seen: NDArray[np.float32], light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the agreement of each block with the pattern, -1 to 1, wherever one fits: light may vary over a tag."""
    both = _mean(seen * light) - _mean(seen) * _mean(light)
    spread = [np.maximum(_mean(one * one) - _mean(one) ** 2, 0) for one in (seen, light)]
    like = both / np.sqrt(np.maximum(spread[0] * spread[1], 1e-6))
    return np.asarray(like[_inner()], np.float32)


def _mean(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(picture, (BLOCK_MODULES, BLOCK_MODULES)), np.float32)


def _inner() -> tuple[slice, slice]:
    """Return where blocks lie wholly within a tag."""
    part = slice(BLOCK_MODULES // 2, CODE_MODULES - BLOCK_MODULES // 2 + 1)
    return part, part
