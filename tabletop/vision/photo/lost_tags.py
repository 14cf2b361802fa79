"""Finds tags that the coarse search misses, by trying every place where one may lie.

Among cards that lie close together, and between dark tiles, its surroundings drown a tag.  Such a tag can only lie next
to other cards, or on a piece whose outline is visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import ceil

import cv2
import numpy as np

from tabletop.vision.detect.detection import sighted
from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.overlap import Spot
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.photo.closer_look import new_tags, spots_of
from tabletop.vision.recognise.patches import FINE_MODULE_PX, MAX_COLUMNS, PATCH_MODULES
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser, Spotted
from tabletop.vision.scene import Sighting
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES

STEP_SIDES = 0.075
"""Distance between tried places, as a fraction of a tag's side: two modules."""
MIN_DISTANCE_SIDES, MAX_DISTANCE_SIDES = CODE_MODULES / TAG_MODULES, 1.6
"""Range of distances, in sides, from the middle of a tag that was read to the next one: any nearer, they would
overlap."""
PART_SIDE_MM = 150.0
"""Side of a part of the picture that is cut out at a time, mm."""
MAX_OUTLINE_MM2 = 60_000.0
"""Largest outline of pieces, mm²: a shadow over the whole area of a seat is larger."""
MAX_PLACES = MAX_COLUMNS // (PATCH_MODULES * FINE_MODULE_PX)
"""Most places that are tried at a time: of more, recognition would examine only the first."""


def find_lost(
    detector: Detector,
    grey: Grey,
    plane: Plane,
    read: Sequence[Sighting],
    company: Sequence[Sighting],
    outlines: Iterable[Array] = (),
    *,
    around: bool,
) -> tuple[Sighting, ...]:
    """Return sure tags that were not ``read`` within ``outlines`` (n, 2), mm, of things without a visible tag.

    They have the side of the tags in ``company``, of which there is at least one, and the angle of these in any quarter
    turn.  ``around``: search all around the company as well.
    """
    side = detector.sizes[company[0].payload]
    recogniser = detector.recogniser(side)
    if recogniser is None:
        return ()
    parts = _parts(_places(side, spots_of(detector, read), company if around else (), outlines))
    tried = chain.from_iterable(_read_at_places(recogniser, grey, plane, places, company) for places in parts)
    return sighted(new_tags(detector, (tag for tag in tried if tag.is_sure), read), plane)


def _read_at_places(
    recogniser: Recogniser, grey: Grey, plane: Plane, places: Array, company: Sequence[Sighting]
) -> Sequence[RecognisedTag]:
    """Return the tags at places (n, 2), mm, in one part of the picture, at the angle of the nearest in ``company``."""
    reach = 2 * recogniser.side
    (left, top), (right, bottom) = (places.min(axis=0) - reach).tolist(), (places.max(axis=0) + reach).tolist()
    seen = recogniser.view(plane).take(grey, (left, top, right, bottom)).seen
    middles = np.array([(each.x, each.y) for each in company])
    nearest = np.linalg.norm(places[:, None] - middles, axis=2).argmin(axis=1)
    turns = np.radians([each.angle for each in company])[nearest] % (np.pi / 2)
    # Without a candidate score, no place is searched all around: the next one that is tried is only two modules away.
    scores = np.zeros(len(places), np.float32)
    return recogniser.read_at(Spotted(seen, plane, places, turns, scores)).found


def _places(side: float, taken: Sequence[Spot], company: Sequence[Sighting], outlines: Iterable[Array]) -> Array:
    """Return the places (n, 2), mm, around the company and within outlines at which another tag may lie."""
    reach, step = MAX_DISTANCE_SIDES * side, STEP_SIDES * side
    shapes = [outline for outline in outlines if cv2.contourArea(outline.astype(np.float32)) <= MAX_OUTLINE_MM2]
    middles = np.array([(each.x, each.y) for each in company]).reshape(-1, 2)
    points = np.concatenate([middles - reach, middles + reach, *shapes])
    if not len(points):
        return points
    low = points.min(axis=0)
    width, height = np.ceil((points.max(axis=0) - low) / step).astype(int) + 1
    wanted = np.zeros((height, width), np.uint8)
    for middle in middles:
        _disc(wanted, (middle - low) / step, reach / step, 1)
    for shape in shapes:
        cv2.fillConvexPoly(wanted, np.round((shape - low) / step).astype(np.int32), 1)
    for spot in taken:
        _disc(wanted, (np.array((spot.x, spot.y)) - low) / step, MIN_DISTANCE_SIDES * (side + spot.side) / 2 / step, 0)
    rows, columns = np.nonzero(wanted)
    places: Array = np.column_stack([columns, rows]) * step + low
    return places


def _disc(mask: Grey, middle: Array, radius: float, value: int) -> None:
    column, row = np.round(middle).astype(int).tolist()
    cv2.circle(mask, (column, row), round(radius), value, cv2.FILLED)


def _parts(places: Array) -> Iterator[Array]:
    """Iterate over places (n, 2), mm, by parts of the table, with at most ``MAX_PLACES`` at a time."""
    cells = np.floor(places / PART_SIDE_MM).astype(int)
    for cell in np.unique(cells, axis=0):
        part = places[(cells == cell).all(axis=1)]
        yield from np.array_split(part, ceil(len(part) / MAX_PLACES))
