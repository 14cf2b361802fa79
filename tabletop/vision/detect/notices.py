"""What the eyes tell people about a whole picture: that the camera was moved, sees no marker, or nothing at all."""

from __future__ import annotations

import numpy as np

from tabletop.vision.frame import Grey

NO_MARKER = "No marker is visible."
ONE_MARKER = "Only one marker is visible: places far from it are not sure."
BUMPED = "The camera was moved; the table has been found again."
LOST = "The camera was moved and the table cannot be found: no marker is visible."
DARK = "It is too dark to see the table: nothing is taken for changed until there is light again."
WHITE = "The camera is dazzled and sees only white: nothing is taken for changed until it sees the table again."

BLACKEST = 16.0
"""A picture of which nearly all is darker than this, grey levels, shows nothing."""
WHITEST = 245.0
"""A picture of which nearly all is brighter than this shows nothing, either."""
NEARLY = 0.02
"""What may be otherwise in such a picture: a lit phone, a window."""


def blind(small: Grey) -> str:
    """Return why nothing can be seen in a picture, empty where it shows something."""
    if float(np.quantile(small, 1 - NEARLY)) < BLACKEST:
        return DARK
    return WHITE if float(np.quantile(small, NEARLY)) > WHITEST else ""
