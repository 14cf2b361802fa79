"""Tags that are easily found, on one plane after another, which are looked for again only where planes differ much.

A plane of which little is known comes out bit by bit; for that not all of a picture needs to be read each time.
"""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.vision.detect.refine_plane import OnPlane, moved
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.recogniser import GLANCE_GATE, RecognisedTag, Recogniser, Spotted

MUCH = 25.0
"""A plane that has something near the picture's edges this many mm elsewhere shows tags there at another size."""


class Glance:
    """Looks at one picture for the tags of some recognisers."""

    def __init__(self, grey: Grey, recognisers: Iterable[Recogniser]) -> None:
        self._grey = grey
        self._recognisers = [*recognisers]
        self._plane: Plane | None = None
        self._places: list[Spotted] = []

    def at(self, plane: Plane) -> OnPlane:
        """Return what is easily found on a plane."""
        if self._plane is None or moved(self._plane, plane) > MUCH:
            self._plane = plane
            self._places = [
                each.places(each.view(plane).take(self._grey), gate=GLANCE_GATE) for each in self._recognisers
            ]
        found: list[RecognisedTag] = []
        for each, places in zip(self._recognisers, self._places, strict=True):
            found += each.identified(places.on(plane)).found
        return OnPlane(plane, found)
