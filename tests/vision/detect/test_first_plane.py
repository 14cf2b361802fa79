"""The first plane of a picture: one square that is a little off must not hide all others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tabletop.vision.decode.tag_decoder import Decoded
from tabletop.vision.detect.detector import Detector
from tests.vision.small_table import MARKERS, TILES, camera, picture


def test_one_decoded_marker_with_a_corner_off_hides_no_other(detector: Detector) -> None:
    """On the plane of such a square alone, the other markers look too large or too small to be recognised."""
    grey = picture([*MARKERS, *TILES], view=camera(tilt=14))
    lone = next(one for one in detector.decoding.large(grey).tags if one.tag.payload == "TT:Q4")
    shifted = lone.corners.copy()
    shifted[2] += 1.5 * np.sign(shifted[2] - shifted.mean(axis=0))
    seen = {one.payload for one in detector.detect(grey, decoded=Decoded((replace(lone, corners=shifted),))).sightings}
    assert seen == {one.payload for one in [*MARKERS, *TILES]}
