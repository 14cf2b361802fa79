"""Markers far from all that was read: a few tags in one corner do not say how large things look at the other end.

With a wide lens, or if the camera leans, tags at the other end may look a third larger or smaller than the plane has
them there, and nothing of them would be recognised or reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from tabletop.vision.detect.refine_plane import OnPlane
from tabletop.vision.detect.scale_search import resized
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Plane, Square
from tabletop.vision.geometry.scale_uncertainty import scale_uncertainty
from tabletop.vision.recognise.recogniser import RecognisedTag, Recogniser
from tabletop.vision.tags.payloads import is_marker

DISTANT_SIZES = (0.91, 1.1, 0.83, 1.21, 0.75)
"""How large markers may look on a wrong plane, as parts of what they are; each is recognised a twentieth around."""
MIN_SPREAD = 0.25
"""The share of the picture between the tags that were read from which on the plane is well known in all of it."""
MIN_UNCERTAINTY = 0.01
"""How uncertain a plane has sizes at the picture's edges if it may be wrong there: of 257 planes of 3 to 23 tags beside
each other that had them more certain, none had a tag at the other end more than 0.031 too large or too small."""


def distant_markers(
    recognisers: Iterable[Recogniser], grey: Grey, seen: OnPlane, squares: Sequence[Square]
) -> list[tuple[Plane, RecognisedTag]]:
    """Return markers that were not read, each with a plane on which it has the right size.

    ``squares`` are the tags that were read, as they lie in the picture.
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
    """Return the share of the picture that lies between the tags."""
    px = seen.plane.to_px(np.concatenate([tag.corners for tag in seen.found]))
    height, width = seen.plane.shape
    return float(cv2.contourArea(cv2.convexHull(px.astype(np.float32)))) / (height * width)
