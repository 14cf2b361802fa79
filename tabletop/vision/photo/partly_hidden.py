"""Finds tags that were read although something covers a part of them, which does not look like their pattern."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.decode.decode import straightened
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import side_lengths
from tabletop.vision.geometry.plane import Array
from tabletop.vision.tags.patterns import CODE_MODULES, Pattern

BLOCK_MODULES = 6
"""Side of a block that is compared at a time, modules: a fingertip hides as much."""
MIN_AGREEMENT_RATIO = 0.55
"""Least agreement of a visible block with its pattern, as a fraction of the usual agreement of the worst blocks of all
tags in the picture: if nothing covers them, they differ by a tenth, in hard light by a fifth."""
MAX_SIZE_RATIO, MIN_COMPANY, ALIKE_QUANTILE = 1.25, 4, 0.75
"""Largest ratio of the size of a tag to those it is compared with, the least number of these, and the quantile of their
agreement that counts as usual, because some of them may be covered.  The smaller tags of a picture taken at an angle
agree half as well as its larger ones."""
MIN_MODULE_PX = 1.5
"""Least px per module of a tag that is judged."""
MIRROR_GREY = 245.0
"""Grey level from which ink reflects a light."""


def hidden_in_part(grey: Grey, read: Sequence[tuple[Array, Pattern]]) -> list[bool]:
    """Return for each tag that was read whether something covers a part of it.

    Each is given as the corners (4, 2) px of its code and its pattern.  Small tags are never reported.
    """
    worst_blocks = [_worst_agreement(grey, corners, pattern) for corners, pattern in read]
    agreements = np.array([np.nan if each is None else each for each in worst_blocks])
    sides = np.array([side_lengths(corners).min() for corners, _ in read])
    return [
        bool(each < MIN_AGREEMENT_RATIO * _usual_agreement(agreements, sides / side))
        for each, side in zip(agreements, sides, strict=True)
    ]


def _usual_agreement(worst: Array, sizes: Array) -> float:
    """Return the usual agreement of tags of similar size; ``sizes``: those of all tags relative to the tag in question.

    ``worst``: the agreement of the worst block of each tag.
    """
    known = np.isfinite(worst)
    if not known.any():
        return 0.0
    usual = float(np.median(worst[known]))
    alike = worst[known & (sizes <= MAX_SIZE_RATIO) & (sizes >= 1 / MAX_SIZE_RATIO)]
    return min(usual, float(np.quantile(alike, ALIKE_QUANTILE))) if len(alike) >= MIN_COMPANY else usual


def _worst_agreement(grey: Grey, corners: Array, pattern: Pattern) -> float | None:
    """Return the agreement of the block that agrees least with a pattern, None if the tag is too small to tell."""
    if side_lengths(corners).min() < MIN_MODULE_PX * CODE_MODULES:
        return None
    seen = straightened(grey, corners).astype(np.float32)
    # Reflected light makes dark modules bright without anything lying there.
    mirrored = _mean((pattern & (seen >= MIRROR_GREY)).astype(np.float32))[_inner()] > 0
    return float(np.where(mirrored, 1, _agreement(seen, (~pattern).astype(np.float32))).min())


def _agreement(seen: NDArray[np.float32], light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the correlation of each block with the pattern, -1 to 1; per block because light may vary over a tag."""
    covariance = _mean(seen * light) - _mean(seen) * _mean(light)
    variances = [np.maximum(_mean(picture * picture) - _mean(picture) ** 2, 0) for picture in (seen, light)]
    correlation = covariance / np.sqrt(np.maximum(variances[0] * variances[1], 1e-6))
    return np.asarray(correlation[_inner()], np.float32)


def _mean(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(picture, (BLOCK_MODULES, BLOCK_MODULES)), np.float32)


def _inner() -> tuple[slice, slice]:
    """Return the range of blocks that lie wholly within a tag."""
    part = slice(BLOCK_MODULES // 2, CODE_MODULES - BLOCK_MODULES // 2 + 1)
    return part, part
