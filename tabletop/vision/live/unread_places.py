"""Keeps the places of a table where something may lie that is not read.

They look like a tag, look unlike the bare table, or are spots, where only a small thing may lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box, Place, holds, ring, square
from tabletop.vision.geometry.plane import Mask
from tabletop.vision.live.ground.surface import DOUBT_RADIUS_MM, TableSurface
from tabletop.vision.live.quiet_areas import MAX_LEAN_MM, AreasOf, QuietAreas
from tabletop.vision.live.tracks import TagTracks
from tabletop.vision.scene import Cause, Unreadable


class UnreadPlaces:
    """The places of one table that are not read.

    ``reach``: how far the largest piece reaches from the middle of its tag, mm; ``quiet`` returns the areas in which
    nothing unknown is reported.
    """

    def __init__(self, tracks: TagTracks, reach: float, quiet: AreasOf | None) -> None:
        self._tracks, self._reach, self._quiet = tracks, reach, QuietAreas(quiet)
        self._like_tags, self._strange, self.spots = list[Unreadable](), list[Unreadable](), list[Place]()

    @property
    def reported(self) -> list[Unreadable]:
        """The places to report: those that look like a tag, and those that look unlike the bare table."""
        return self._like_tags + self._strange

    def to_search(self, but: Cause | None = None) -> list[Place]:
        """Return the places to read again, except those of tags that are only kept for the reason ``but``."""
        return [doubt.place for doubt in self.reported] + self.spots + self._tracks.places_to_search(but)

    def begin(self, like_tags: Iterable[Unreadable]) -> None:
        """Forget everything, and start with the places that look like a tag in a reading of the whole table."""
        self._like_tags, self._strange, self.spots = [*like_tags], [], []

    def learn(self, small: Grey, surface: TableSurface, mask: Mask | None) -> None:
        """Learn the bare table from a small picture, and find what is unlike it.

        ``mask``: where the picture has changed, None if anywhere.
        """
        markers = self._tracks.markers()
        self._quiet.lay(markers, surface.overview.plane)
        outside = [doubt for doubt in self._like_tags if not self._quiet.holds(doubt.place)]
        self._like_tags = [
            doubt for doubt in outside if not surface.is_nothing(small, square(doubt.place, DOUBT_RADIUS_MM))
        ]
        doubtful = [(doubt.place, self._reach) for doubt in self._like_tags]
        outlines = self._tracks.outlines() + [ring(*footprint) for footprint in doubtful]
        surface.learn(small, outlines, mask)
        strange = surface.strange(small, self._tracks.footprints() + doubtful, outlines)
        # A standing thing leans beyond its area in the picture; a reflected lamp does not.
        beyond = {Cause.UNKNOWN: MAX_LEAN_MM}
        self._strange = [odd for odd in strange if not self._quiet.holds(odd.place, beyond.get(odd.reason, 0.0))]
        self.spots = surface.spots(small, outlines)
        self.explain_spots()
        self.spots = [spot for spot in self.spots if not self._quiet.holds(spot, MAX_LEAN_MM)]

    def explain_spots(self) -> None:
        """Forget the spots that are explained by tags read meanwhile."""
        self.spots = [spot for spot in self.spots if not self._tracks.explains(spot)]

    def replace(self, surface: TableSurface, part: Box, where: Mask | None, like_tags: Iterable[Unreadable]) -> None:
        """Replace the places that look like a tag in a part of the table (mm), or in a mask within it."""
        self._like_tags = [doubt for doubt in self._like_tags if not surface.reaches(doubt.place, part, where)]
        self._like_tags += [
            doubt for doubt in like_tags if holds(part, doubt.place) and not self._tracks.explains(doubt.place)
        ]

    def confirm(self, surface: TableSurface, part: Box, where: Mask | None, like_tags: Sequence[Unreadable]) -> None:
        """Keep only those places in such a part that still look like a tag when it is read again; none are added."""

        def stays(doubt: Unreadable) -> bool:
            again = any(dist(doubt.place, other.place) < DOUBT_RADIUS_MM for other in like_tags)
            kept = again or not surface.reaches(doubt.place, part, where)
            return kept and not self._tracks.explains(doubt.place)

        self._like_tags = [doubt for doubt in self._like_tags if stays(doubt)]
