"""Identifies foreign things on the table: pieces of other games, and foreign codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import dist

import numpy as np

from tabletop.vision.detect.detector import Detector
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box, Place, box, holds
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.scene import Cause, Unreadable

SEARCH_RADIUS_MM = 45.0
"""Distance around a doubtful place at which a foreign code is searched for, mm."""
SAME_PLACE_MM = 3.0
"""Distance, mm, below which two doubts are the same thing."""
UNKNOWN_CODE = "?"
"""The name of any foreign code."""


class ForeignTags:
    """Names the things at doubtful places; a thing keeps its name as long as it lies there.

    ``games``: returns a recogniser of the tags of other games.
    """

    def __init__(self, detector: Detector, games: Callable[[], Recogniser] | None) -> None:
        self._detector, self._games = detector, games
        self._recogniser: Recogniser | None = None
        self._names: dict[Place, str] = {}
        self._codes: list[Place] = []

    @property
    def codes(self) -> int:
        """The number of foreign codes on the table."""
        named = [place for place, name in self._names.items() if name == UNKNOWN_CODE]
        return len(named) + sum(
            all(dist(place, other) > SEARCH_RADIUS_MM / 2 for other in named) for place in self._codes
        )

    def begin(self, codes: Sequence[Place]) -> None:
        """Forget everything, and start with these places of foreign codes from a reading of the whole picture."""
        self._names, self._codes = {}, list(codes)

    def changed(self, grey: Grey, plane: Plane, part: Box) -> None:
        """Search a part of the table that has changed for large foreign codes; small ones appear as doubtful places."""
        kept = [place for place in self._codes if not holds(part, place)]
        seen = self._detector.decoding.foreign(grey, plane, part, large=True)
        self._codes = kept + [_middle(plane, code) for code in seen]

    def named(self, grey: Grey, plane: Plane, places: Sequence[Place]) -> list[str]:
        """Return a name for every doubtful place: a payload of another game, ``UNKNOWN_CODE``, or empty."""
        before, self._names = self._names, {}
        for place in places:
            known = (name for other, name in before.items() if dist(place, other) < SAME_PLACE_MM)
            name = next(known, None)
            self._names[place] = self._name_at(grey, plane, place) if name is None else name
        return [self._names[place] for place in places]

    def named_doubts(self, grey: Grey, plane: Plane, doubts: Sequence[Unreadable]) -> list[Unreadable]:
        """Return the doubtful places with the payloads of other games' pieces that lie there, without foreign codes."""
        named = zip(doubts, self.named(grey, plane, [doubt.place for doubt in doubts]), strict=True)
        return [
            replace(doubt, reason=Cause.FOREIGN if name else doubt.reason, payload=name)
            for doubt, name in named
            if name != UNKNOWN_CODE
        ]

    def _name_at(self, grey: Grey, plane: Plane, place: Place) -> str:
        if self._games is not None:
            self._recogniser = self._recogniser or self._games()
            near = box(place, self._recogniser.side * 1.5)
            for tag in self._recogniser.read(self._recogniser.view(plane).take(grey, near)).found:
                if dist(tag.place, place) < self._recogniser.side / 2:
                    return tag.payload
        codes = self._detector.decoding.foreign(grey, plane, box(place, SEARCH_RADIUS_MM))
        return UNKNOWN_CODE if any(dist(_middle(plane, code), place) < SEARCH_RADIUS_MM / 2 for code in codes) else ""


def _middle(plane: Plane, corners: Array) -> Place:
    x, y = np.mean(plane.to_mm(corners), axis=0)
    return float(x), float(y)
