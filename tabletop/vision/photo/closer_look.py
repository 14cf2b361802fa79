"""Reads the areas where pieces count again in small parts, which finds tags that reading the whole photograph misses.

Among dark cards close together, the frames between tags look more like a tag in the coarse search than some tags do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from tabletop.vision.detect.detection import sighted
from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.overlap import Spot
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Sighting

PART_SIDE_MM = 200.0
"""Side of a part that is read by itself, mm."""


class CloserLook(NamedTuple):
    """The tags that a closer look found: sure ones, and likely ones, which may be chance among many tried places."""

    sure: tuple[Sighting, ...] = ()
    likely: tuple[Sighting, ...] = ()

    def without(self, read: Iterable[Sighting]) -> CloserLook:
        """Return this without the likely tags that have been read since."""
        known = {each.payload for each in read}
        return self._replace(likely=tuple(each for each in self.likely if each.payload not in known))


def look_closer(
    detector: Detector, grey: Grey, plane: Plane, read: Sequence[Sighting], areas: Iterable[Array]
) -> CloserLook:
    """Return the tags in areas (corners, 2), mm, that were not ``read`` and do not overlap those that were.

    Tags that are accepted only in the company of others count as likely.
    """
    parts = (detector.region(grey, plane, part, markers=False, hidden=True, faint=True) for part in _parts(areas))
    new = new_tags(detector, chain.from_iterable(found for found, _ in parts), read)
    sure, likely = (sighted([tag for tag in new if tag.is_sure == wanted], plane) for wanted in (True, False))
    return CloserLook(sure, likely)


def new_tags(detector: Detector, tags: Iterable[RecognisedTag], read: Sequence[Sighting]) -> list[RecognisedTag]:
    """Return those tags that were not ``read`` and do not overlap any that were, each once; tags may be repeated.

    A tag that is seen in two different places is left out.
    """
    known, taken = {each.payload for each in read}, spots_of(detector, read)
    found: dict[str, list[RecognisedTag]] = defaultdict(list)
    for tag in tags:
        spot, same_payload = detector.spot(tag), found[tag.payload]
        is_free = not any(spot.overlaps(other) for other in taken)
        is_repeat = any(spot.overlaps(detector.spot(other)) for other in same_payload)
        if tag.payload not in known and is_free and not is_repeat:
            same_payload.append(tag)
    return [seen[0] for seen in found.values() if len(seen) == 1]


def spots_of(detector: Detector, read: Iterable[Sighting]) -> list[Spot]:
    """Return the spots of tags that were read."""
    return [Spot(each.x, each.y, detector.sizes[each.payload], 0.0) for each in read]


def _parts(areas: Iterable[Array]) -> Iterator[Box]:
    """Iterate over boxes of similar size that cover areas."""
    for area in areas:
        (left, top), (right, bottom) = area.min(axis=0).tolist(), area.max(axis=0).tolist()
        columns, rows = max(1, round((right - left) / PART_SIDE_MM)), max(1, round((bottom - top) / PART_SIDE_MM))
        xs, ys = np.linspace(left, right, columns + 1).tolist(), np.linspace(top, bottom, rows + 1).tolist()
        yield from (
            (x, y, xs[column + 1], ys[row + 1]) for column, x in enumerate(xs[:-1]) for row, y in enumerate(ys[:-1])
        )
