"""Finds tags that were read although something covers a part of them, which does not look like their pattern.

Also finds tiles that lie beneath others, so that only a strip of them is visible.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.decode.decode import straightened
from tabletop.vision.frame import Colour, Grey
from tabletop.vision.geometry.boxes import axes_at
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.photo.untagged_edges import (
    MIN_EDGE_RATIO,
    MIN_EDGE_SLOPE,
    MIN_GROUND_RATIO,
    MIN_SIDE_FRACTION,
    PITCH_MM,
    SIDE_FRACTION,
    SLACK_MM,
    EdgeMap,
    edge_map,
    faces_beside,
    median_steepness,
)
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
STRIP_MM, STRIP_MARGIN_MM = (6.0, 11.0), 4.0
"""Range of the height of the strip of a tile that another one leaves visible, mm: more than the side of a tile seen at
an angle or a gap between tiles, and less than what shows enough of its tag; and the margin around the strip that is
examined, mm."""
MIN_STRIP_FREE = 0.9
"""Least fraction of such a strip that no other tile covers."""


def hidden_in_part(grey: Grey, read: Sequence[tuple[Array, Pattern]]) -> list[bool]:
    """Return for each tag that was read whether something covers a part of it.

    Each is given as the corners (4, 2) px of its code and its pattern.  Small tags are never reported.
    """
    worst_blocks = [_worst_agreement(grey, corners, pattern) for corners, pattern in read]
    agreements = np.array([np.nan if each is None else each for each in worst_blocks])
    sides = np.array([_side(corners) for corners, _ in read])
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


def _side(corners: Array) -> float:
    """Return the shortest side of a tag, px."""
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min())


def _worst_agreement(grey: Grey, corners: Array, pattern: Pattern) -> float | None:
    """Return the agreement of the block that agrees least with a pattern, None if the tag is too small to tell."""
    if _side(corners) < MIN_MODULE_PX * CODE_MODULES:
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


def strips_beneath(
    colour: Colour,
    plane: Plane,
    tiles: Sequence[Placed],
    size: tuple[float, float],
    usual: float | None,
    faces: Sequence[Array],
) -> list[Array]:
    """Return the outlines (4, 2) mm of strips above and below tiles that are parts of other tiles beneath them.

    A strip has an edge like those of tiles on every side, and is as wide as one.  ``size``: a tile's height and
    width, mm; ``usual``: the steepness of tiles' edges; ``faces``: the outlines (4, 2) mm of everything that was read.
    """
    if usual is None:
        return []
    (height, width), (_, far) = size, STRIP_MM
    half = np.array((width / 2, far / 2)) + STRIP_MARGIN_MM
    found = []
    for tile in tiles:
        middle = np.array((tile.x, tile.y))
        others = faces_beside(middle, height, faces)
        for turn in (0.0, np.pi):
            axes = axes_at(np.radians(tile.angle) + turn)
            edges = edge_map(colour, plane, middle + axes[1] * (height + far) / 2, axes, half)
            # Among noise as steep as the tiles' own edges, a strip would be found anywhere.
            is_clear = usual >= MIN_GROUND_RATIO * median_steepness(edges)
            high = _strip_height(edges, others, width, max(MIN_EDGE_RATIO * usual, MIN_EDGE_SLOPE))
            if high is not None and is_clear:
                ends = np.array([(-1, 0), (1, 0), (1, 1), (-1, 1)]) * (width / 2, high) + (0, height / 2)
                found.append(middle + ends @ axes)
    return found


def _strip_height(edges: EdgeMap, others: Sequence[Array], width: float, min_slope: float) -> float | None:
    """Return the height, mm, of a strip with edges on both sides and at both ends, None if there is none.

    The map begins ``STRIP_MARGIN_MM`` above the strip and beside its ends.
    """
    slack, first, middle = (round(mm / PITCH_MM) for mm in (SLACK_MM, STRIP_MARGIN_MM, width / 2 + STRIP_MARGIN_MM))
    reach, across = round(SIDE_FRACTION * width / 2 / PITCH_MM), round(width / 2 / PITCH_MM)
    flat = cv2.dilate(edges.down, np.ones((2 * slack + 1, 1), np.uint8)) >= min_slope
    steep = cv2.dilate(edges.across, np.ones((1, 2 * slack + 3), np.uint8)) >= min_slope
    free = (edges.sight & ~edges.grid.within(others))[:, middle - reach : middle + reach].mean(axis=1)
    far = flat[:, middle - reach : middle + reach].mean(axis=1)
    ends = steep[:, (middle - across, middle + across)]
    if far[first] < MIN_SIDE_FRACTION:
        return None
    low, high = (first + round(mm / PITCH_MM) for mm in STRIP_MM)
    for row in range(low, min(high, len(far))):
        inside = slice(first + slack, row - slack)
        if free[inside].mean() < MIN_STRIP_FREE:
            return None
        if min(float(far[row]), float(ends[inside].mean(axis=0).min())) >= MIN_SIDE_FRACTION:
            return (row - first) * PITCH_MM
    return None
