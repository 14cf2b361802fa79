"""A closer look at where pieces count: on small parts of a photograph tags are found that its whole passes over.

Among dark cards that lie close together the frames between tags look more like one from afar than some tags do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tabletop.vision.detect.detection import sighting
from tabletop.vision.detect.detector import Detector, is_sure
from tabletop.vision.detect.overlap import Spot
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.recogniser import RecognisedTag
from tabletop.vision.scene import Sighting

PART = 200.0
"""Side of a part that is looked at by itself, mm."""


def look_closer(
    detector: Detector, grey: Grey, plane: Plane, read: Sequence[Sighting], areas: Iterable[Array]
) -> list[Sighting]:
    """Return the tags in areas (corners, 2), mm, that were not ``read``, lie beside those that were and are sure.

    What is believed in the company of others is not: so many places look like a tag on small parts.
    """
    known = {each.payload for each in read}
    taken = [Spot(each.x, each.y, detector.sizes[each.payload], 0.0) for each in read]
    found: dict[str, list[RecognisedTag]] = defaultdict(list)
    for part in _parts(areas):
        for one in detector.region(grey, plane, part, markers=False, faint=True)[0]:
            spot, same = detector.spot(one), found[one.payload]
            free = not any(spot.overlaps(other) for other in taken)
            again = any(spot.overlaps(detector.spot(other)) for other in same)
            if one.payload not in known and is_sure(one) and free and not again:
                same.append(one)
    # What is seen in two places lies in none of them for sure.
    once = [some[0] for some in found.values() if len(some) == 1]
    return [sighting(one.payload, one.corners, plane, one.certainty) for one in once]


def _parts(areas: Iterable[Array]) -> Iterator[Box]:
    """Iterate over boxes of about one size that cover areas."""
    for area in areas:
        (left, top), (right, bottom) = area.min(axis=0).tolist(), area.max(axis=0).tolist()
        columns, rows = max(1, round((right - left) / PART)), max(1, round((bottom - top) / PART))
        xs, ys = np.linspace(left, right, columns + 1).tolist(), np.linspace(top, bottom, rows + 1).tolist()
        yield from (
            (x, y, xs[column + 1], ys[row + 1]) for column, x in enumerate(xs[:-1]) for row, y in enumerate(ys[:-1])
        )
