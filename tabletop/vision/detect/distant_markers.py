"""Finds markers far from the tags that were read, whose size in the picture the plane predicts wrongly.

A few tags in one corner do not show how large tags look at the other end.  With a wide lens or a tilted camera, tags
there may look a third larger or smaller than on the plane, and would be neither recognised nor reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from tabletop.vision.detect.refine_plane import OnPlane
from tabletop.vision.detect.scale_search import resized
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.geometry.plane_fit import Square
from tabletop.vision.geometry.scale_uncertainty import scale_uncertainty
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.tags.payloads import is_marker

DISTANT_SIZES = (0.91, 1.1, 0.83, 1.21, 0.75)
"""Sizes at which markers may appear on a wrong plane, as fractions of their own; each covers a twentieth around it."""
MIN_SPREAD = 0.25
"""Fraction of the picture enclosed by the tags that were read above which the plane is well known everywhere."""
MIN_UNCERTAINTY = 0.015
"""Relative uncertainty of sizes at the picture's edges above which the plane may be wrong there: of 592 planes of 3 to
59 tags side by side with less, none showed a tag at the other end more than 0.039 too large or too small, and tags
are recognised up to a twentieth larger or smaller."""


def distant_markers(
    recognisers: Iterable[Recogniser], grey: Grey, seen: OnPlane, squares: Sequence[Square]
) -> list[tuple[Plane, RecognisedTag]]:
    """Return markers that were not read, each with a plane on which it has the right size.

    ``squares``: the tags that were read, with their corners in the picture.
    """
    if not seen.found or _spread(seen) >= MIN_SPREAD or scale_uncertainty(seen.plane, squares) < MIN_UNCERTAINTY:
        return []
    names = {tag.payload for tag in seen.found}
    found: dict[str, tuple[Plane, RecognisedTag]] = {}
    for recogniser in recognisers:
        for size in DISTANT_SIZES:
            plane = resized(seen.plane, 1 / size)
            for tag in recogniser.read(recogniser.view(plane).take(grey)).found:
                if is_marker(tag.payload) and tag.payload not in names:
                    known = found.get(tag.payload)
                    if known is None or tag.score > known[1].score:
                        found[tag.payload] = plane, tag
    return [*found.values()]


def _spread(seen: OnPlane) -> float:
    """Return the fraction of the picture inside the convex hull of the tags."""
    px = seen.plane.to_px(np.concatenate([tag.corners for tag in seen.found]))
    height, width = seen.plane.shape
    return float(cv2.contourArea(cv2.convexHull(px.astype(np.float32)))) / (height * width)
