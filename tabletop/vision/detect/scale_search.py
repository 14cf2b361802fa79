"""Sizes of which nothing is known: a picture is read at one after another, until most tags are recognised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.scene import Unreadable
from tabletop.vision.tags.patterns import ACROSS

STEP = 1.1
"""From one size to the next: a tag is recognised when it is up to a twentieth larger or smaller than assumed."""
MOST_MODULE = 5.0
"""Px a module above which decoders have read something, if anything can be read."""
MOST_ACROSS = 2500
"""Modules along the longer side of a picture: 2 m of table for tags of 20 mm."""
SHORTER = 0.75
"""How much shorter things look in the direction in which a camera looks aslant: 41 degrees, and some around."""
ASLANT = (0.0, 90.0)
"""The directions across which that is tried: that of a telephone held upright first, then of one held on its side."""
SURE = 3
"""Tags from which on a size is not chance: when the next one shows less than half as many, no other shows more."""
MOST_LOOKS = 5
"""So many sizes at most are read, of those at which most places look like tags from afar."""


class UnnamedTags(NamedTuple):
    """Places that look like tags of ours and are none that was looked for, on the plane on which most of them do."""

    plane: Plane
    places: tuple[Unreadable, ...]


class ScaleSearch(NamedTuple):
    """What a scale search found: the tags of the best size, and those of all sizes, each as it was recognised best.

    Both are corners (4, 2) px by payload.  Where the camera looks aslant, what is near and what is far away is
    recognised at different sizes.
    """

    best: Mapping[str, Array]
    all: Mapping[str, Array]
    unnamed_tags: UnnamedTags | None


def search_scales(
    recogniser: Recogniser, grey: Grey, planes: Iterable[Plane], looks: int | None = MOST_LOOKS
) -> ScaleSearch:
    """Return the tags that are recognised when a picture is read on the planes that promise most.

    ``looks``: so many planes at most are read; None: any number, for tags that are few beside others of another side.
    """
    looked = [(recogniser.promise(recogniser.view(plane).take(grey)), plane) for plane in planes]
    looked.sort(key=lambda one: -one[0])
    most: dict[str, Array] = {}
    seen: dict[str, tuple[float, Array]] = {}
    unnamed_tags: UnnamedTags | None = None
    for promise, plane in looked[:looks]:
        if not promise:
            break
        found, doubts = recogniser.read(recogniser.view(plane).take(grey))
        if doubts and (unnamed_tags is None or len(doubts) > len(unnamed_tags.places)):
            unnamed_tags = UnnamedTags(plane, doubts)
        px = {one.payload: plane.to_px(one.corners) for one in found}
        for one in found:
            if one.payload not in seen or one.score > seen[one.payload][0]:
                seen[one.payload] = one.score, px[one.payload]
        if len(px) > len(most):
            most = px
        elif len(most) >= SURE and len(px) < len(most) / 2:
            break
    return ScaleSearch(most, {payload: corners for payload, (_, corners) in seen.items()}, unnamed_tags)


def from_above(shape: tuple[int, int], side: float, least: float, way: float | None = None) -> Iterator[Plane]:
    """Iterate over the planes of a camera straight above that show tags of ``side`` mm ever smaller.

    Down to ``least`` px a module; the large ones come first, which are quickly looked for.  ``way``: the camera looks
    aslant, so that all is shorter across that direction, degrees from the picture's width.
    """
    turn = np.radians(way or 0.0)
    axes = np.array([(np.cos(turn), np.sin(turn), 0), (-np.sin(turn), np.cos(turn), 0), (0, 0, 1)])
    longer = axes.T @ np.diag((1.0, 1.0 if way is None else 1 / SHORTER, 1.0)) @ axes
    module = MOST_MODULE
    while module >= max(least, max(shape) / MOST_ACROSS):
        step = side / ACROSS / module
        yield Plane(np.diag((step, step, 1.0)) @ longer, 0.0, shape)
        module /= STEP


def resized(plane: Plane, factors: Iterable[float]) -> Iterator[Plane]:
    """Iterate over a plane measured again and again: tags of some side have ``side * factor`` on it."""
    for factor in factors:
        yield replace(plane, matrix=np.diag((factor, factor, 1.0)) @ plane.matrix)
