"""Derives from the markers where zone cards lie, and which areas are quiet: unknown things in them are not reported.

Such areas are stores, and towers of pieces without tags.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import cv2
import numpy as np

from tabletop.vision.detect.detection import sighting
from tabletop.vision.geometry.boxes import Place
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.live.track import Track, placed
from tabletop.vision.scene import Sighting

MAX_LEAN_MM = 26.0
"""Distance beyond such an area, mm, at which something that stands in it may appear: a tower of eight wooden floors
leans that much outward in the picture, 300 mm from the point below a camera 900 mm above the table."""
MAX_CARD_SHIFT_MM = 6.0
"""Largest shift, mm, of the corners of a zone card that has not moved: it is as large as a hand, and its marker shows
its angle only roughly."""

AreasOf: TypeAlias = Callable[[Sequence[Sighting]], Sequence[Array]]
"""Returns the areas, corners (4, 2) in mm, for the sightings of markers."""


class QuietAreas:
    """The quiet areas of one table, according to its markers' present places."""

    def __init__(self, areas_of: AreasOf | None) -> None:
        self._areas_of = areas_of
        self._areas: list[Array] = []

    def lay(self, markers: Iterable[Track], plane: Plane) -> None:
        """Update the areas to the places of the markers."""
        if self._areas_of is not None:
            marks = [
                sighting(marker.found.payload, marker.found.corners, plane, marker.certainty) for marker in markers
            ]
            self._areas = [np.asarray(area, np.float32) for area in self._areas_of(marks)]

    def holds(self, place: Place, beyond: float = 0.0) -> bool:
        """Return whether a place lies in one of the areas, or at most that many mm beyond it."""
        return any(cv2.pointPolygonTest(area, place, measureDist=True) >= -beyond for area in self._areas)


class ZoneCards:
    """The zone cards of one table; ``outlines``: their corners (4, 2) by marker, mm from its middle, upright."""

    def __init__(self, outlines: Mapping[str, Array]) -> None:
        self._outlines = outlines
        self._lying: dict[str, Array] = {}

    def are_missing(self, markers: Iterable[Track]) -> bool:
        """Return whether any card's marker is not read: that card may be laid at any time."""
        return not self._outlines.keys() <= {marker.found.payload for marker in markers if not marker.reason}

    def lay(self, markers: Iterable[Track]) -> list[Array]:
        """Update the places of the cards; return the corners (4, 2), mm, of those that did not lie there before."""
        laid = []
        for tag in (marker.found for marker in markers if not marker.reason and marker.found.payload in self._outlines):
            card, before = placed(self._outlines[tag.payload], tag), self._lying.get(tag.payload)
            if before is None or np.hypot(*(card - before).T).max() > MAX_CARD_SHIFT_MM:
                self._lying[tag.payload] = card
                laid.append(card)
        return laid
