"""A tracker of the small table that tests show pictures to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tabletop.rules.layout import Layout, Spread
from tabletop.vision.geometry.outlines import shape
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.scene import Scene, Sighting
from tests.vision.small_table import KIT, MARKERS, PATTERNS, SIZES, TILES, frame

ALL = frozenset(one.payload for one in [*MARKERS, *TILES])


def together(sightings: Sequence[Sighting]) -> Layout:
    """Return a layout in which everything lies in one zone."""
    return Layout({"table": Spread(frozenset(one.payload for one in sightings))})


class Watched:
    """A tracker that is shown one picture after another, each for a number of frames."""

    def __init__(self) -> None:
        self.tracker = TableTracker(
            PATTERNS, SIZES, together, shapes={payload: shape(payload, KIT) for payload in PATTERNS}
        )
        self.number = 0

    def show(self, grey: np.ndarray, frames: int = 5) -> list[Scene]:
        """Show a picture for some frames, and return the scenes reported meanwhile."""
        told = []
        for _ in range(frames):
            self.number += 1
            scene = self.tracker.look(frame(grey, self.number))
            told += [scene] if scene is not None else []
        return told

    @property
    def standing(self) -> Scene:
        assert self.tracker.standing is not None
        return self.tracker.standing

    def lying(self) -> frozenset[str]:
        """Return the pieces that the tracker has in its layout."""
        return self.standing.layout.pieces("table")
