"""Builds scenes of the table, which are reported if they differ from the last reported one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from tabletop.rules.layout import Layout
from tabletop.vision.detect.detection import sighting
from tabletop.vision.frame import Frame
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.live.track import Track
from tabletop.vision.live.tracks import TagTracks
from tabletop.vision.scene import Notice, Point, ReadBy, Scene, Sighting, Unreadable

Arrange: TypeAlias = Callable[[Sequence[Sighting]], Layout]
"""A function that turns sightings, markers included, into the layout of one game's zones."""


class SceneBuilder:
    """Builds scenes from the tracks of one table; ``seen`` is the newest scene, reported or not."""

    def __init__(self, arrange: Arrange) -> None:
        self.seen: Scene | None = None
        self._arrange = arrange
        self._reported: Scene | None = None
        self._sightings: dict[str, tuple[Track, Plane, Sighting]] = {}

    def tell(
        self,
        frame: Frame,
        plane: Plane | None,
        tracks: TagTracks,
        doubtful: Iterable[Unreadable],
        foreign: int,
        notices: tuple[Notice, ...],
        seeking: bool,
        *,
        spots: Iterable[Point] = (),
    ) -> Scene | None:
        """Return the scene in a frame if it differs from the last reported one."""
        if len(tracks.markers()) > 1:
            # More markers were read since the notice.
            notices = tuple(notice for notice in notices if notice is not Notice.ONE_MARKER)
        known = [] if plane is None else [track for _, track in sorted(tracks.by_payload.items())]
        seen = () if plane is None else tuple(self._sighting(track, plane) for track in known)
        kept = [
            Unreadable(track.reason, place=track.found.place, payload=track.found.payload)
            for track in known
            if track.reason
        ]
        self.seen = Scene(
            frame.time,
            frame.number,
            self._arrange(seen),
            seen,
            (*kept, *doubtful),
            foreign,
            tuple(sorted(tracks.doubles)),
            notices,
            seeking,
            tuple(spots),
        )
        if self._reported is not None and _features(self._reported) == _features(self.seen):
            return None
        self._reported = self.seen
        return self.seen

    def restless(self, frame: Frame) -> Scene | None:
        """Return the last reported scene with a notice that the table never stands still, None if it has it already."""
        reported = self._reported or Scene(0.0, 0, self._arrange(()))
        if Notice.RESTLESS in reported.notices:
            return None
        notices = (*reported.notices, Notice.RESTLESS)
        self._reported = replace(reported, time=frame.time, number=frame.number, notices=notices, seeking=True)
        return self._reported

    def _sighting(self, track: Track, plane: Plane) -> Sighting:
        """Return the sighting of a known tag; cached until its track or the plane changes."""
        before = self._sightings.get(track.found.payload)
        if before is not None and before[0] is track and before[1] is plane:
            return before[2]
        how = ReadBy.KEPT if track.reason else track.how
        seen = sighting(track.found.payload, track.found.corners, plane, track.certainty, how)
        seen = replace(seen, upon=track.upon) if track.upon else seen
        self._sightings[track.found.payload] = (track, plane, seen)
        return seen


def _features(scene: Scene) -> tuple[object, ...]:
    """Return the features in which two scenes differ; places within two centimetres count as one."""
    hidden = frozenset((spot.reason, spot.payload, _rounded(spot.place)) for spot in scene.unreadable)
    return scene.layout, scene.doubles, hidden, {*map(_rounded, scene.spots)}, scene.foreign, scene.notices


def _rounded(place: Point) -> Point:
    """Return a place to within two centimetres."""
    return round(place[0] / 20), round(place[1] / 20)
