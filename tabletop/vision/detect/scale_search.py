"""Finds tags of unknown size: searches for candidates at coarse steps of size, and refines these at finer ones.

The search for candidates finds a tag that is a tenth larger or smaller than assumed, or seen at an angle.  Size and
angle are determined only for the most promising places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np

from tabletop.vision.detect.refine_plane import Squares
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import axes_at
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser, Spotted
from tabletop.vision.scene import Unreadable
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES
from tabletop.vision.tags.payloads import is_marker

SIZE_STEP = 1.21
"""The factor between one size at which a picture is searched and the next."""
NEARBY_SIZES = (1.07, 1.0, 1 / 1.07)
"""Sizes at which places are examined closely, relative to that: a tag is recognised up to a twentieth larger or
smaller."""
TAG_SIDES_MM = tuple(36 / SIZE_STEP**step for step in range(9))
"""Sides of a tag, mm, that are tried if the pieces' tags do not have the expected size."""
MIN_PIECE_MODULE_PX = 0.7
"""Least px per module at which pieces are searched for if no decoder finds a first square."""
MAX_MODULE_PX = 5.0
"""Px per module above which decoders have read something, if anything can be read."""
MAX_MODULES_ACROSS = 2500
"""Most modules along the longer side of a picture: 2 m of table for tags of 20 mm."""
SLANT_RATIO = 0.75
"""Factor by which things look shorter in a camera's direction if it looks at an angle: 41 degrees, and some around."""
Directions: TypeAlias = Sequence[float | None]
"""Directions, degrees, across which everything is assumed to look shorter; None for a camera that looks straight
down."""
STRAIGHT_DOWN: Directions = (None,)
ASLANT: Directions = (0.0, 90.0)
"""The directions that are tried: first that of a phone held upright, then that of one held sideways."""
MIN_PLACE_SCORE = 0.34
"""Least candidate score of a place that is examined closely; hardly any texture reaches it."""
MAX_PLACES = 80
"""Most places that are examined at one size."""
MIN_GLANCE_SCORE = 0.24
"""Least likeness to a tag at a glance of a place that is compared with patterns."""
MIN_TAGS = 3
"""Least number of tags that are not found by chance."""
ENOUGH_TAGS = 6
"""Number of tags of one size after which the search ends if the next size shows less than half as many."""
ENOUGH_MARKERS = 4
"""Number of markers, which determine the plane by themselves, after which the search ends if the next size adds
none."""


class UnnamedTags(NamedTuple):
    """Places that look like tags of ours but match none of the wanted ones, on the plane that shows most of them.

    For a search of the same picture for another set: ``spotted``, the candidates on every searched plane, and
    ``found``, the corners (4, 2) px of the tags that were recognised, by payload.
    """

    plane: Plane
    places: tuple[Unreadable, ...]
    spotted: tuple[Spotted, ...] = ()
    found: Mapping[str, Array] = MappingProxyType({})


class FirstSquares(NamedTuple):
    """What is recognised in a picture about which nothing is known: markers, pieces, and unidentified places."""

    marks: Squares
    pieces: Squares
    unnamed: UnnamedTags | None


class Sized(NamedTuple):
    """What was recognised on one plane, on which tags have ``size`` times the recogniser's side."""

    plane: Plane
    size: float
    found: Sequence[RecognisedTag]
    unnamed: Sequence[Unreadable]


class ScaleSearch(NamedTuple):
    """The result of a scale search: the corners (4, 2) px of each tag at the size with its best score, by payload.

    If the camera looks at an angle, near and distant tags are recognised at different sizes.
    """

    all: Mapping[str, Array]
    unnamed_tags: UnnamedTags | None


def search_scales(
    recogniser: Recogniser,
    grey: Grey,
    planes: Iterable[Plane],
    directions: Sequence[Directions] = (STRAIGHT_DOWN,),
    marks: Callable[[str], bool] = lambda _: False,
    earlier: Sequence[Spotted] = (),
    *,
    faint: bool = True,
) -> ScaleSearch:
    """Return the tags that are recognised when a picture is searched on some planes, one size after another.

    ``directions``: possible directions of an angled view; later ones are tried only while fewer than ``MIN_TAGS`` are
    found.
    ``marks``: returns whether a payload is a marker, of which a few are enough.
    ``earlier``: candidates of a search of the same picture for another set, used again on the planes that are the same.
    ``faint`` as for ``Recogniser.identified``.
    """
    seen: dict[str, tuple[float, Array]] = {}
    unnamed: UnnamedTags | None = None
    spotted: list[Spotted] = []

    def read(places: Spotted, directions: Directions) -> int:
        nonlocal unnamed
        count = 0
        for sized in read_at_sizes(recogniser, places, directions, faint=faint):
            count += len(sized.found)
            for tag in sized.found:
                if tag.payload not in seen or tag.score > seen[tag.payload][0]:
                    seen[tag.payload] = tag.score, sized.plane.to_px(tag.corners)
            if unnamed is None or len(sized.unnamed) > len(unnamed.places):
                unnamed = UnnamedTags(sized.plane, tuple(sized.unnamed))
        return count

    max_count = marked = 0
    for plane in planes:
        spotted.append(_places_on(plane, recogniser, grey, earlier))
        count, before = read(spotted[-1], directions[0]), marked
        marked = sum(map(marks, seen))
        if (max_count >= ENOUGH_TAGS and count < max_count / 2) or marked == before >= ENOUGH_MARKERS:
            break
        max_count = max(max_count, count)
    for more_directions in directions[1:]:
        if len(seen) < MIN_TAGS:
            for places in spotted:
                read(places, more_directions)
    found = {payload: corners for payload, (_, corners) in seen.items()}
    return ScaleSearch(found, unnamed and unnamed._replace(spotted=tuple(spotted), found=found))


def clear_tags(recogniser: Recogniser, grey: Grey, earlier: Sequence[Spotted] = ()) -> ScaleSearch:
    """Return the clear tags that a photograph shows at any size; ``earlier`` as for ``search_scales``."""
    planes = from_above((grey.shape[0], grey.shape[1]), recogniser.side, MIN_PIECE_MODULE_PX)
    return search_scales(recogniser, grey, planes, marks=is_marker, earlier=earlier, faint=False)


def _places_on(plane: Plane, recogniser: Recogniser, grey: Grey, earlier: Iterable[Spotted]) -> Spotted:
    """Return the candidates on a plane: those of an earlier search if it was made on the same plane."""
    for places in earlier:
        if np.array_equal(places.plane.matrix, plane.matrix):
            return places
    return recogniser.places(recogniser.view(plane).take(grey), MAX_PLACES, MIN_PLACE_SCORE, pale=False)


def read_at_sizes(
    recogniser: Recogniser, places: Spotted, directions: Directions = STRAIGHT_DOWN, *, faint: bool = True
) -> Iterator[Sized]:
    """Iterate over what places show, at the nearby sizes and in the given directions, each place at its best one.

    ``faint`` as for ``Recogniser.identified``.
    """
    if not len(places.scores):
        return
    sizes = [size for _ in directions for size in NEARBY_SIZES]
    planes = [resized(aslant(places.plane, direction), 1 / size) for direction in directions for size in NEARBY_SIZES]
    on_planes = [places.on(plane) for plane in planes]
    alike = recogniser.alike(on_planes)
    best, likely = alike.argmax(axis=0), alike.max(axis=0) > MIN_GLANCE_SCORE
    for number, (plane, size, each) in enumerate(zip(planes, sizes, on_planes, strict=True)):
        is_best: Mask = likely & (best == number)
        if is_best.any():
            seen = recogniser.identified(each.subset(is_best), faint=faint)
            yield Sized(plane, size, seen.found, seen.doubts)


def from_above(shape: tuple[int, int], side: float, min_module_px: float) -> Iterator[Plane]:
    """Iterate over planes of a camera straight above that show tags of ``side`` mm smaller and smaller.

    They go down to ``min_module_px`` px per module; large tags come first because searching for them is fast.
    """
    module = MAX_MODULE_PX
    min_module_px = max(min_module_px, max(shape) / MAX_MODULES_ACROSS)
    while module >= min_module_px / NEARBY_SIZES[0]:
        step = side / TAG_MODULES / module
        yield Plane(np.diag((step, step, 1.0)), 0.0, shape)
        module /= SIZE_STEP


def aslant(plane: Plane, direction: float | None) -> Plane:
    """Return a plane on which everything looks shorter across a direction, degrees from x; the same plane for None."""
    if direction is None:
        return plane
    axes = np.eye(3)
    axes[:2, :2] = axes_at(np.radians(direction))
    return replace(plane, matrix=axes.T @ np.diag((1.0, 1 / SLANT_RATIO, 1.0)) @ axes @ plane.matrix)


def true_side(recogniser: Recogniser, grey: Grey, plane: Plane) -> float | None:
    """Return the side, mm, of tags whose side is not the recogniser's, None if none are found."""
    middle = np.array(((plane.shape[1] - 1) / 2, (plane.shape[0] - 1) / 2))
    min_side = MIN_PIECE_MODULE_PX * TAG_MODULES * plane.mm_per_px(middle)
    planes = [resized(plane, recogniser.side / other) for other in TAG_SIDES_MM if other > min_side]
    seen = search_scales(recogniser, grey, planes).all
    if not seen:
        return None
    corners = plane.to_mm(np.array([*seen.values()]))
    code_sides: list[float] = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1).tolist()
    return median(code_sides) * TAG_MODULES / CODE_MODULES


def resized(plane: Plane, factor: float) -> Plane:
    """Return a plane rescaled by a factor: a tag's side is ``factor`` times as long on it."""
    return plane if factor == 1 else replace(plane, matrix=np.diag((factor, factor, 1.0)) @ plane.matrix)
