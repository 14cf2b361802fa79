"""Finds the easy tags on one plane after another, searching for candidates again only if the plane has changed much.

While a plane is being refined step by step, the picture need not be read completely each time.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.vision.detect.refine_plane import OnPlane, moved
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import MIN_GLANCE_SCORE, Recogniser, Spotted
from tabletop.vision.recognise.rectified import Cutting

MAX_SHIFT_MM = 25.0
"""Largest shift, mm, near the picture's edges between two planes that may share candidates: beyond it, tags there look
larger or smaller."""
ENOUGH_TAGS = 16
"""Number of clear tags that determine a plane well enough to read the picture on it: faint ones are not needed."""


class Glance:
    """Searches one picture for the tags of recognisers, given by the side of their tags, mm."""

    def __init__(self, grey: Grey, recognisers: Mapping[float, Recogniser]) -> None:
        self._grey = grey
        self._recognisers = recognisers
        self._plane: Plane | None = None
        self._places: dict[float, Spotted] = {}

    def found_on(self, plane: Plane) -> OnPlane:
        """Return the tags that are easily found on a plane."""
        if self._plane is None or moved(self._plane, plane) > MAX_SHIFT_MM:
            self._plane = plane
            self._places.clear()
            cut: Cutting | None = None
            for side, each in self._recognisers.items():
                image = each.view(plane).take(self._grey, cut=cut)
                cut = image.seen
                self._places[side] = each.hidden_places(image)
        easy = {side: places.subset(places.scores >= MIN_GLANCE_SCORE) for side, places in self._places.items()}
        tags: list[RecognisedTag] = []
        for faint in (False, True):
            if len(tags) < ENOUGH_TAGS:
                tags = [
                    tag
                    for side, places in easy.items()
                    for tag in self._recognisers[side].identified(places.on(plane), faint=faint).found
                ]
        return OnPlane(plane, tags)

    def candidates_on(self, plane: Plane) -> Mapping[float, Spotted] | None:
        """Return all candidates on a plane by side, None if the last search was on a plane that differs too much."""
        if self._plane is None or moved(self._plane, plane) > MAX_SHIFT_MM:
            return None
        return {side: places.on(plane) for side, places in self._places.items()}
