"""A better plane once more of the table is read: what few markers in one corner told is wrong at the other end.

A tag is recognised as a square on the plane as it is known, so that a wrong plane confirms itself a little; reading and
fitting by turns leads to the true one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tabletop.vision.detect.detector import SETTLED, Detection, Detector, carried, sighting
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Plane, aligned, fit
from tabletop.vision.recognise.recogniser import RecognisedTag
from tabletop.vision.scene import Unreadable
from tabletop.vision.tags.payloads import is_marker


def refined(
    detector: Detector, grey: Grey, plane: Plane, found: Sequence[RecognisedTag], doubts: Sequence[Unreadable]
) -> Detection | None:
    """Return what was just read on the plane that all tags together give; None where that is the same.

    The new plane keeps the frame of the old one: what lies where it lay keeps its place as well as it can.
    """
    counts = Counter(one.payload for one in found)
    seen = [one for one in found if counts[one.payload] == 1]
    better = fit([*detector.squares(grey, plane, seen).values()], plane.shape)
    if better is None:
        return None
    better = aligned(better, [(plane.to_px(one.corners), one.corners) for one in seen if is_marker(one.payload)])
    if _apart(plane, better) < SETTLED:
        return None
    moved = [one._replace(corners=better.to_mm(plane.to_px(one.corners))) for one in seen]
    return Detection(
        better,
        tuple(sighting(one, better, "recognised", one.certainty) for one in moved),
        tuple(carried(one, plane, better) for one in doubts),
        doubles=tuple(sorted(payload for payload, count in counts.items() if count > 1)),
    )


def _apart(plane: Plane, better: Plane) -> float:
    """Return how far apart two planes have what is seen near the edges of their picture, mm."""
    height, width = plane.shape
    x, y = np.meshgrid(np.linspace(0.1, 0.9, 5) * width, np.linspace(0.1, 0.9, 5) * height)
    px = np.stack([x.ravel(), y.ravel()], axis=1)
    return float(np.abs(plane.to_mm(px) - better.to_mm(px)).max())
