"""Detects pictures that show nothing: black, white, or without edges."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tabletop.messages import Message
from tabletop.vision.frame import Grey
from tabletop.vision.scene import Notice

BLACK_GREY, WHITE_GREY = 16.0, 245.0
"""Grey levels: a picture shows nothing if nearly all of it is darker than the first or brighter than the second."""
MAX_OTHER_FRACTION = 0.02
"""Largest fraction of such a picture that may look different: a lit phone, a window."""
MAX_SMOOTH_STEP = 2.0
"""Mean difference, grey levels, between neighbouring px of the shrunk picture below which it has no edges."""
SENTENCES: Mapping[str, Message] = {
    "black": Message("The picture is black: is the lens covered, or the light off?"),
    "white": Message("The picture is white: there is far too much light, or the exposure is wrong."),
    "edgeless": Message("Nothing in the picture has an edge: it is badly out of focus, or the lens is fogged up."),
}
"""The sentence for each reason."""
BLIND_NOTICES: Mapping[str, Notice] = {"black": Notice.DARK, "white": Notice.DAZZLED}
"""The notice for each reason if a camera that watches a table sees nothing."""


def blindness(grey: Grey) -> str:
    """Return why a picture shows nothing: ``black``, ``white`` or ``edgeless``; empty if it shows something."""
    sampled = grey[:: max(1, grey.shape[0] // 270), :: max(1, grey.shape[1] // 480)].astype(np.float32)
    if float(np.quantile(sampled, 1 - MAX_OTHER_FRACTION)) < BLACK_GREY:
        return "black"
    if float(np.quantile(sampled, MAX_OTHER_FRACTION)) > WHITE_GREY:
        return "white"
    return "edgeless" if max(np.abs(np.diff(sampled, axis=axis)).mean() for axis in (0, 1)) < MAX_SMOOTH_STEP else ""
