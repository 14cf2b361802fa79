"""Detects glare: overexposed spots that are large enough to hide a tag."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import BURNT_GREY, Colour, Floats, Grey
from tabletop.vision.geometry.plane import Array, Mask, Plane

MAX_BURNT_FRACTION = 0.12
"""Fraction of overexposed px in a tag above which light hides it."""
MIN_PAPER_MARGIN = 14
"""Grey levels by which paper has to be darker than white: otherwise a card looks like a spot."""
MIN_SPOT_MM2 = 80.0
"""Least area, mm², of an overexposed spot that may hide a tag."""
NEAREST_TAGS = 4
"""Number of nearest tags whose paper shows how bright paper is at a place."""
INNER_FRACTION = 0.7
"""Side of the axis-aligned square inside a tag, however it is turned, as a fraction of the tag's side."""
PAPER_QUANTILE, INK_QUANTILE = 0.95, 0.05
"""Quantiles of the grey levels in a tag that are those of its paper and its ink."""
MIN_FADED_GREY = 185.0
"""Grey level of ink from which light that is a little stronger hides a tag."""
MIN_PRINT_GREY, PRINT_QUANTILES = 8.0, (0.05, 0.95)
"""Least difference, grey levels, between these quantiles of a place with any print, however faint."""
WHITE_GREY = 255.0
"""Assumed grey level of paper if no tag shows it."""
MIN_TAGS = 4
"""Least number of tags that show whether a picture is overexposed: fewer may lie under one lamp."""
SEARCH_WIDTH_PX = 1000
"""Width to which a photograph is shrunk to search it for spots, px."""


def bright_spots(small: Grey, level: float, min_area: float) -> tuple[Mask, list[tuple[int, int, int, int]]]:
    """Return the mask of spots with at least ``level`` brightness and ``min_area`` px, and the spots' boxes.

    A box is left, top, width, height.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats((small >= level).astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= max(min_area, 1.0)
    large[0] = False
    boxes = [(int(x), int(y), int(w), int(h)) for x, y, w, h, _ in stats[large]]
    mask: Mask = large[labels]
    return mask, boxes


def is_glare(light: NDArray[np.uint8]) -> bool:
    """Return whether enough px of a tag are overexposed for light to be the reason why it cannot be read."""
    return float((light >= BURNT_GREY).mean()) > MAX_BURNT_FRACTION


def is_washed_out(grey: Grey, corners: Array) -> bool:
    """Return whether light hides the print of a tag, corners (4, 2) px."""
    inner = _within(grey, corners)
    return bool(inner.size) and is_glare(inner)


def is_overexposed(grey: Grey, tags: Array) -> bool:
    """Return whether the paper of most of some tags, corners (n, 4, 2) px, is so bright that print fades into it."""
    within = [inner for inner in (grey[square] for square in _squares(tags)) if inner.size]
    clear = 0
    for inner in within:
        # The maximum is checked first: hardly any tag has such a bright px, and the quantile takes longer.
        clear += int(inner.max()) < BURNT_GREY or float(np.quantile(inner, PAPER_QUANTILE)) < BURNT_GREY
        if clear >= len(within) / 2:
            return False
    return len(within) >= MIN_TAGS


def paper_of(grey: Grey, corners: Array) -> tuple[float, float, float, float] | None:
    """Return the middle of a tag, px, and the grey levels of its paper and ink; None if it is not in the picture."""
    (x, y), inner = corners.mean(axis=0), _within(grey, corners)
    if not inner.size:
        return None
    paper, ink = np.quantile(inner, (PAPER_QUANTILE, INK_QUANTILE)).tolist()
    return float(x), float(y), paper, ink


def paper_colour(colour: Colour, tags: Sequence[Array]) -> Floats | None:
    """Return the usual colour (3,) of the paper of tags, corners (4, 2) px; None if the picture shows none of them."""
    papers = []
    for inner in (
        colour[square].reshape(-1, 3).astype(np.float32) for square in _squares(np.reshape(tags, (-1, 4, 2)))
    ):
        if inner.size:
            light = inner.sum(axis=1)
            papers.append(inner[light >= np.quantile(light, PAPER_QUANTILE)].mean(axis=0))
    return np.median(papers, axis=0).astype(np.float32) if papers else None


def has_print(grey: Grey, corners: Array) -> bool:
    """Return whether there may be print in a place, corners (4, 2) px: overexposed paper shows nothing but noise."""
    inner = _within(grey, corners)
    return not inner.size or float(np.ptp(np.quantile(inner, PRINT_QUANTILES))) >= MIN_PRINT_GREY


def _within(grey: Grey, corners: Array) -> Grey:
    """Return the px of the axis-aligned square inside a tag."""
    return grey[_squares(corners[None])[0]]


def _squares(tags: Array) -> list[tuple[slice, slice]]:
    """Return the rows and columns of the axis-aligned squares inside tags, corners (n, 4, 2) px."""
    middles, along = tags.mean(axis=1), tags[:, 1] - tags[:, 0]
    half = 0.5 * INNER_FRACTION * np.hypot(along[:, 0], along[:, 1])[:, None]
    first, end = (np.maximum(np.rint(each), 0).astype(int).tolist() for each in (middles - half, middles + half + 1))
    return [(slice(top, bottom), slice(left, right)) for (left, top), (right, bottom) in zip(first, end, strict=True)]


def spots(grey: Grey, plane: Plane, papers: Array) -> list[Array]:
    """Return the boxes (4, 2) px around spots that light washes out in a photograph: brighter than paper there.

    Where paper is as bright, they count if the ink of a tag nearby is faded: in a card that is merely overexposed, tags
    stay dark.  ``papers`` (n, 4): x and y in px and the grey levels of paper and ink there, because light is uneven.
    """
    factor = min(1.0, SEARCH_WIDTH_PX / grey.shape[1])
    small = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    min_area = (plane.mm_per_px(np.array(grey.shape[::-1]) / 2) / factor) ** -2 * MIN_SPOT_MM2
    boxes = []
    for x, y, w, h in bright_spots(small, BURNT_GREY, min_area)[1]:
        middle = np.array((x + w / 2, y + h / 2)) / factor
        near = np.argsort(np.hypot(*(papers[:, :2] - middle).T))[:NEAREST_TAGS]
        paper, ink = float(np.median(papers[near, 2])), float(papers[near, 3].max())
        if paper + MIN_PAPER_MARGIN <= 255 or ink >= MIN_FADED_GREY:
            boxes.append(np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], dtype=np.float64) / factor)
    return boxes
