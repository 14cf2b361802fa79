"""Finds a place of one picture of a table in another picture, by the tags that both show."""

from __future__ import annotations

import numpy as np

from tabletop.vision.geometry.plane import Array, Plane, aligned
from tabletop.vision.photo.read_photo import PhotoReading

SAME_PLACE_MM = 12.0
"""Distance, mm, below which things in two pictures are in the same place."""
MAX_COMMON_TAGS = 4
"""Most common tags that are used to find a place of one picture in another."""


def laid_on(one: PhotoReading, other: PhotoReading, place: Array, *, roughly: bool = False) -> Plane | None:
    """Return the other picture's plane aligned with this one's around a place, mm; None if too few tags are in both.

    ``roughly``: a single tag is enough, which puts distant places a centimetre off.
    """
    here = {each.payload: each for each in one.sightings}
    shared = [each for each in other.sightings if each.payload in here]
    if len(shared) < (1 if roughly else 2) or one.plane is None or other.plane is None:
        return None
    # The nearest tags are best: far away, two pictures taken at an angle fit each other less well.
    shared.sort(key=lambda each: float(np.hypot(here[each.payload].x - place[0], here[each.payload].y - place[1])))
    pairs = [
        (np.array(each.corners), one.plane.to_mm(np.array(here[each.payload].corners)))
        for each in shared[:MAX_COMMON_TAGS]
    ]
    laid = aligned(other.plane, pairs)
    while len(pairs) > 2:
        off = [float(np.hypot(*(laid.to_mm(px) - mm).mean(axis=0))) for px, mm in pairs]
        if max(off) <= SAME_PLACE_MM:
            break
        del pairs[int(np.argmax(off))]  # it was moved between the pictures
        laid = aligned(other.plane, pairs)
    return laid
