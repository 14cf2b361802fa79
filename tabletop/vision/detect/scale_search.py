"""Finds tags of unknown size: a picture is scanned at every second size, and closely at those in between.

From afar a tag is found though it is a tenth larger or smaller than assumed, and even aslant.  Which size it has, and
how aslant it is seen, is worked out only for the likeliest places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from tabletop.vision.detect.refine_plane import Squares
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.recognise.recogniser import RecognisedTag, Recogniser, Spotted
from tabletop.vision.scene import Unreadable
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES

SIZE_STEP = 1.21
"""The factor between one size at which a picture is searched and the next."""
NEARBY_SIZES = (1.07, 1.0, 1 / 1.07)
"""Sizes that are tried closely, as parts of that: a tag is recognised up to a twentieth larger or smaller."""
TAG_SIDES_MM = tuple(36 / SIZE_STEP**step for step in range(9))
"""Sides of a tag, mm, that are tried if the pieces' tags do not have the expected size."""
MIN_PIECE_MODULE_PX = 0.7
"""Px per module from which pieces are looked for if no decoder finds a first square."""
MAX_MODULE_PX = 5.0
"""Px per module above which decoders have read something, if anything can be read."""
MAX_MODULES_ACROSS = 2500
"""Modules along the longer side of a picture: 2 m of table for tags of 20 mm."""
SLANT_RATIO = 0.75
"""How much shorter things look in the direction in which a camera looks aslant: 41 degrees, and some around."""
Ways: TypeAlias = Sequence[float | None]
"""Directions across which all is taken to look shorter, degrees; None for a camera that looks straight down."""
STRAIGHT_WAYS: Ways = (None,)
ASLANT_WAYS: Ways = (0.0, 90.0)
"""The directions that are tried: first that of a phone held upright, then that of one held sideways."""
MIN_PLACE_SCORE = 0.34
"""The coarse score from which a place is examined closely; hardly any texture reaches it."""
MAX_PLACES = 80
"""At most this many places of one size are examined."""
MIN_GLANCE_SCORE = 0.24
"""How much a place has to look like a tag at a glance, to be compared with patterns."""
MIN_TAGS = 3
"""With this many tags the find is not chance."""
ENOUGH_TAGS = 6
"""Tags of one size after which it ends, when the next size shows less than half as many."""
ENOUGH_MARKERS = 4
"""Tags that tell the plane by themselves, after which it ends when the next size shows no more of them."""


class UnnamedTags(NamedTuple):
    """Places that look like tags of ours but match none of the wanted ones, on the plane where most of them look so."""

    plane: Plane
    places: tuple[Unreadable, ...]


class FirstSquares(NamedTuple):
    """What is recognised in a picture about which nothing is known: markers and pieces, and what has no name."""

    marks: Squares
    pieces: Squares
    unnamed: UnnamedTags | None


class Sized(NamedTuple):
    """What was seen on one plane, on which tags have ``size`` times the side that was looked for."""

    plane: Plane
    size: float
    found: Sequence[RecognisedTag]
    unnamed: Sequence[Unreadable]


class ScaleSearch(NamedTuple):
    """What a scale search found: each tag as it was recognised best, corners (4, 2) px by payload.

    Where the camera looks aslant, what is near and what is far away is recognised at different sizes.
    """

    all: Mapping[str, Array]
    unnamed_tags: UnnamedTags | None


def search_scales(
    recogniser: Recogniser,
    grey: Grey,
    planes: Iterable[Plane],
    ways: Sequence[Ways] = (STRAIGHT_WAYS,),
    marks: Callable[[str], bool] = lambda _: False,
) -> ScaleSearch:
    """Return the tags that are recognised when a picture is looked over on some planes, one size after another.

    ``ways``: how aslant the camera may look; those that come later are tried only if the earlier ones show nothing.
    ``marks`` says for a payload whether a few such tags are enough.
    """
    seen: dict[str, tuple[float, Array]] = {}
    unnamed: UnnamedTags | None = None
    spotted: list[Spotted] = []

    def looked(places: Spotted, ways: Ways) -> int:
        nonlocal unnamed
        count = 0
        for one in looked_over(recogniser, places, ways):
            count += len(one.found)
            for tag in one.found:
                if tag.payload not in seen or tag.score > seen[tag.payload][0]:
                    seen[tag.payload] = tag.score, one.plane.to_px(tag.corners)
            if one.unnamed and (unnamed is None or len(one.unnamed) > len(unnamed.places)):
                unnamed = UnnamedTags(one.plane, tuple(one.unnamed))
        return count

    most = marked = 0
    for plane in planes:
        spotted.append(recogniser.places(recogniser.view(plane).take(grey), MAX_PLACES, MIN_PLACE_SCORE))
        count, before = looked(spotted[-1], ways[0]), marked
        marked = sum(map(marks, seen))
        if (most >= ENOUGH_TAGS and count < most / 2) or marked == before >= ENOUGH_MARKERS:
            break
        most = max(most, count)
    for others in ways[1:]:
        if len(seen) < MIN_TAGS:
            for places in spotted:
                looked(places, others)
    return ScaleSearch({payload: corners for payload, (_, corners) in seen.items()}, unnamed)


def looked_over(recogniser: Recogniser, places: Spotted, ways: Ways = STRAIGHT_WAYS) -> Iterator[Sized]:
    """Iterate over what places show of tags that have about the recogniser's side."""
    if not len(places.scores):
        return
    sizes = [size for _ in ways for size in NEARBY_SIZES]
    planes = [resized(aslant(places.plane, way), 1 / size) for way in ways for size in NEARBY_SIZES]
    there = [places.on(plane) for plane in planes]
    alike = recogniser.alike(there)
    best, likely = alike.argmax(axis=0), alike.max(axis=0) > MIN_GLANCE_SCORE
    for number, (plane, size, each) in enumerate(zip(planes, sizes, there, strict=True)):
        mine: Mask = likely & (best == number)
        if mine.any():
            seen = recogniser.identified(each.some(mine))
            yield Sized(plane, size, seen.found, seen.doubts)


def from_above(shape: tuple[int, int], side: float, least: float) -> Iterator[Plane]:
    """Iterate over the planes of a camera straight above that show tags of ``side`` mm ever smaller.

    Down to ``least`` px per module; the large ones come first, which are quickly looked for.
    """
    module = MAX_MODULE_PX
    least = max(least, max(shape) / MAX_MODULES_ACROSS)
    while module >= least / NEARBY_SIZES[0]:
        step = side / TAG_MODULES / module
        yield Plane(np.diag((step, step, 1.0)), 0.0, shape)
        module /= SIZE_STEP


def aslant(plane: Plane, way: float | None) -> Plane:
    """Return the plane of which all is seen shorter across a direction, degrees from its x; itself for None."""
    if way is None:
        return plane
    turn = np.radians(way)
    axes = np.array([(np.cos(turn), np.sin(turn), 0), (-np.sin(turn), np.cos(turn), 0), (0, 0, 1)])
    return replace(plane, matrix=axes.T @ np.diag((1.0, 1 / SLANT_RATIO, 1.0)) @ axes @ plane.matrix)


def true_side(recogniser: Recogniser, grey: Grey, plane: Plane) -> float | None:
    """Return the side, mm, of tags that have another than the recogniser's; None if there are none."""
    middle = np.array(((plane.shape[1] - 1) / 2, (plane.shape[0] - 1) / 2))
    least = MIN_PIECE_MODULE_PX * TAG_MODULES * plane.mm_per_px(middle)
    planes = [resized(plane, recogniser.side / other) for other in TAG_SIDES_MM if other > least]
    seen = search_scales(recogniser, grey, planes).all
    if not seen:
        return None
    corners = plane.to_mm(np.array([*seen.values()]))
    return float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1))) * TAG_MODULES / CODE_MODULES


def resized(plane: Plane, factor: float) -> Plane:
    """Return a plane measured again: tags of some side have ``side * factor`` on it."""
    return plane if factor == 1 else replace(plane, matrix=np.diag((factor, factor, 1.0)) @ plane.matrix)
