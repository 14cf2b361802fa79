"""What is taken to lie on the table: a tag once read stays until its place is seen bare or it is read elsewhere."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import compress
from math import dist

import cv2
import numpy as np

from tabletop.vision.detect.detection import Detection, is_as_large
from tabletop.vision.detect.detector import Detector
from tabletop.vision.frame import Frame, Grey
from tabletop.vision.geometry.boxes import Place, ring
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.image.glare import is_overexposed
from tabletop.vision.live.retries import EASY_SCORE
from tabletop.vision.live.surface import Footprint, TableSurface
from tabletop.vision.recognise.recogniser import RecognisedTag
from tabletop.vision.scene import Cause, ReadBy, Sighting
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES
from tabletop.vision.tags.payloads import is_marker

SAME_PLACE_MM = 3.0
"""A tag that is read within this many mm of where it lay has not moved."""
MAX_JITTER_MM = 0.4
"""If every corner of a tag is read within this many mm of where it was, the tag lies still and its poses are
averaged."""
MAX_LOOKS = 16
"""At most this many pictures count in that mean, so that a smaller shift shows in it after a while."""
DOUBT_MARGIN_MM = 4.0
"""A doubtful place nearer than this, mm, to a tag that is not read clearly is that tag itself."""
MIN_TAG_REACH_MM = 6.0
"""How far, mm, even the smallest tag reaches, quiet zone included."""
MAX_COVER_DISTANCE_SIDES = 0.9
"""If a tag is read nearer than this, as a share of the side, to the middle of one that is not, it covers that one."""
MAX_HIDING_DISTANCE_SIDES = 0.5
"""If it is nearer than this, it covers too much for the other to be read at all."""
MIN_COMPANIONS = 2
"""This many tags beside a lost one that were moved alike show where it went, with all that lies around it."""
MAX_SPREAD_MM = 12.0
"""The places to which they were moved together differ by less than this, mm: tiles are laid again by hand."""


@dataclass(frozen=True, slots=True)
class Track:
    """A tag that is taken to lie somewhere; ``reason`` is empty while it is read, else why it is only kept.

    How it lies is the mean of ``looks`` pictures, as long as it lies still.  ``upon``: the tag that was read over most
    of it, for as long as that one stays there or is itself hidden there.
    """

    found: RecognisedTag
    how: ReadBy
    certainty: float
    reason: Cause | None = None
    looks: int = 1
    upon: str = ""


class TagTracks:
    """The tags of one table that are known; ``doubles`` are those that were last seen in more places than one.

    ``shapes``: the outlines (4, 2) of the pieces, mm from the middle of their tags, upright.  ``reach``: how far a
    piece may reach from there, mm: within it the table is not taken for bare.  ``joined``: the tags of tiles that make
    up buildings, which are pushed as a whole.
    """

    def __init__(
        self, detector: Detector, shapes: Mapping[str, Array], reach: float, joined: Container[str] = ()
    ) -> None:
        self._detector, self._reach = detector, reach
        self._shapes, self._joined = shapes, joined
        self.by_payload: dict[str, Track] = {}
        self.doubles: dict[str, list[RecognisedTag]] = {}
        self._carried: dict[str, Place] = {}

    def begin(self, reading: Detection, before: Mapping[str, Track]) -> None:
        """Believe a whole reading, and keep what was known ``before`` and is not seen now."""
        self.by_payload, self.doubles, self._carried = {}, {}, {}
        if reading.plane is not None:
            there: dict[str, list[Track]] = {}
            for seen in (*reading.sightings, *reading.doubled):
                track = Track(_tag(seen, reading.plane), seen.how, seen.certainty)
                if is_as_large(track.found.corners, self._detector.sizes[seen.payload] * CODE_MODULES / TAG_MODULES):
                    there.setdefault(seen.payload, []).append(track)
            self.by_payload = {payload: some[0] for payload, some in there.items() if len(some) == 1}
            self.doubles = {payload: [one.found for one in some] for payload, some in there.items() if len(some) > 1}
        for payload, track in before.items():
            if payload not in self.by_payload and payload not in self.doubles:
                self.by_payload[payload] = replace(track, reason=Cause.COVERED)

    def seen_again(self, reading: Detection) -> list[tuple[Array, Array]]:
        """Return the corners, px and mm, of known tags in a reading of another view: of markers if one is among them.

        Pieces are pushed more easily.
        """
        known = [seen for seen in reading.sightings if seen.payload in self.by_payload]
        marks = [seen for seen in known if is_marker(seen.payload)]
        return [(np.array(seen.corners), self.by_payload[seen.payload].found.corners) for seen in marks or known]

    def reaching(self, surface: TableSurface, some: list[Track], where: Mask | None) -> list[Track]:
        """Return those tags that reach into a mask of the small picture; all of them without one."""
        if where is None:
            return some
        reaches = surface.overview.reaching([track.found.corners for track in some], where)
        return [track for track, there in zip(some, reaches, strict=True) if there]

    def exchanged(self, grey: Grey, surface: TableSurface, passed: Mask) -> Mask:
        """Return the blocks of tags that are gone since something ``passed`` over their pieces.

        A coin that is laid exactly where another one lay looks the same in the small picture.  So does a card, which
        people hold far from its tag.
        """
        known = [track.found for track in self.by_payload.values() if not track.reason] if passed.any() else []
        reached = surface.overview.reaching([self.outline(tag) for tag in known], passed)
        under = [tag for tag, there in zip(known, reached, strict=True) if there]
        there = self._detector.still_there(grey, surface.overview.plane, under) if under else []
        gone = [tag.corners for tag, stays in zip(under, there, strict=True) if not stays]
        return surface.overview.blocks(gone, passed.shape)

    def left(self, before: Mapping[str, Track]) -> list[RecognisedTag]:
        """Return the tags, as they lay ``before``, that are read somewhere else now."""
        now = ((track, self.by_payload.get(payload)) for payload, track in before.items() if not track.reason)
        return [old.found for old, new in now if new is not None and not new.reason and not is_still(old, new.found)]

    def are_moved(self, grey: Grey, plane: Plane) -> bool:
        """Return whether most of the tags are no longer where they lay: then the camera seems to have moved."""
        seen = [track.found for track in self.by_payload.values() if not track.reason]
        marks = [tag for tag in seen if is_marker(tag.payload)] or seen
        return bool(marks) and sum(self._detector.still_there(grey, plane, marks)) < len(marks) / 2

    def are_burnt_out(self, grey: Grey, plane: Plane) -> bool:
        """Return whether the paper of most tags is as bright as light can be: what else lies there may go unread."""
        seen = [track.found.corners for track in self.by_payload.values() if not track.reason]
        return is_overexposed(grey, plane.to_px(np.array(seen).reshape(-1, 4, 2)))

    def take(self, frame: Frame, surface: TableSurface, tag: RecognisedTag, looks: int = 1) -> bool:
        """Take in a tag that has just been read; return False for an illusion of the modules of known ones.

        A tag that is accepted with less than the usual evidence is rejected if it still lies where it lay.  ``looks``:
        how many pictures show how it lies.
        """
        plane, before = surface.overview.plane, self.by_payload.get(tag.payload)
        moved = before is not None and not before.reason and _distance(before.found, tag) > SAME_PLACE_MM
        twice = moved and before is not None and self._detector.still_there(frame.grey, plane, [before.found])[0]
        if (twice and not tag.is_sure) or not self._prevails(frame, plane, tag):
            return False
        if not is_still(before, tag):
            surface.unlearn(self.outline(tag))
        if tag.payload in self.doubles:
            others = (other for other in self.doubles[tag.payload] if _distance(other, tag) > SAME_PLACE_MM)
            self.doubles[tag.payload] = [*others, tag]
            return True
        if twice and before is not None:
            self.doubles[tag.payload] = [before.found, tag]
            del self.by_payload[tag.payload]
            return True
        self.by_payload[tag.payload] = _steadied(before, tag, looks)
        self._carried.pop(tag.payload, None)
        return True

    def _prevails(self, frame: Frame, plane: Plane, new: RecognisedTag) -> bool:
        """Return whether a tag is surer than every visible known tag that it overlaps; those are given up.

        What lies on a known tag hides it, so that it is no longer seen: such a one is covered.
        """
        spot = self._detector.spot(new)
        known = [
            track.found for track in self.by_payload.values() if not track.reason and track.found.payload != new.payload
        ]
        apart = np.array([tag.corners for tag in known]).reshape(-1, 4, 2).mean(axis=1) - (spot.x, spot.y)
        near = np.hypot(*apart.T) < max(self._detector.sizes.values())  # No two overlap that lie farther apart.
        rivals = [tag for tag in compress(known, near) if self._detector.spot(tag).overlaps(spot)]
        seen = self._detector.still_there(frame.grey, plane, rivals) if rivals else []
        there = [tag for tag, stays in zip(rivals, seen, strict=True) if stays]
        if any(self._detector.spot(tag).sure >= spot.sure for tag in there):
            return False
        for tag in rivals:
            if tag in there:
                del self.by_payload[tag.payload]
            else:
                below = self.by_payload[tag.payload]
                self.by_payload[tag.payload] = replace(below, reason=Cause.COVERED, upon=new.payload)
        return True

    def miss(
        self, frame: Frame, surface: TableSurface, missed: Iterable[Track], found: Iterable[RecognisedTag]
    ) -> None:
        """Decide what became of tags that are no longer read where they lay; ``found`` are those that are read."""
        listed, read = list(missed), list(found)
        places = np.array([tag.place for tag in read]).reshape(-1, 2)
        there = self._detector.still_there(frame.grey, surface.overview.plane, [track.found for track in listed])
        for track, stays in zip(listed, there, strict=True):
            payload, outline = track.found.payload, whole(track.found)
            apart = np.hypot(*(places - track.found.place).T) / self._detector.sizes[payload]
            if stays:
                self.by_payload[payload] = replace(track, reason=None, upon="")
            elif (apart < MAX_COVER_DISTANCE_SIDES).any():
                near = read[apart.argmin()].payload if (apart < MAX_HIDING_DISTANCE_SIDES).any() else ""
                upon = near or (track.upon if self._is_hidden(track) else "")
                self.by_payload[payload] = replace(track, reason=Cause.COVERED, upon=upon)
            elif surface.is_bare(frame.small, outline) or self._is_half_bare(frame, surface, track):
                del self.by_payload[payload]
            elif not self._is_hidden(track):
                self.by_payload[payload] = replace(track, reason=surface.hidden_by(frame, outline), upon="")

    def reconsider(self, frame: Frame, surface: TableSurface) -> None:
        """Decide again what became of the tags that are only kept."""
        known = list(self.by_payload.values())
        seen = [track.found for track in known if not track.reason]
        self.miss(frame, surface, [track for track in known if track.reason], seen)

    def _is_half_bare(self, frame: Frame, surface: TableSurface, track: Track) -> bool:
        """Return whether half of a tag's place is seen bare, and nothing of the tag there.

        A piece that lay on the edge of another bares this edge when it is taken; the side of a tile that lay beside it
        and its shadow reach into the other half.
        """
        others = (
            one.found.place
            for one in self.by_payload.values()
            if not one.reason and one.found.payload != track.found.payload
        )
        if not any(dist(place, track.found.place) < self._reach for place in others):
            return False
        bare = surface.bare_halves(frame.small, whole(track.found))
        return bool(bare) and not self._detector.is_glimpsed(frame.grey, surface.overview.plane, track.found, bare)

    def sought(self, but: Cause | None = None) -> list[Place]:
        """Return where to look for tags that are only kept, ``but`` for that reason: where they lay and may lie now.

        Where a tag that is sure lies upon the middle of another nothing is sought.
        """
        lost = {payload: track for payload, track in self.by_payload.items() if track.reason}
        carried = [
            place for payload, place in self._carried.items() if payload in lost and not self._is_taken(payload, place)
        ]
        seen = [track for track in lost.values() if track.reason != but and not self._is_hidden(track)]
        return carried + [track.found.place for track in seen]

    def _is_hidden(self, track: Track) -> bool:
        """Return whether a tag that is sure still lies upon the middle of another, or upon what lies upon it.

        The top of a pile is seen ever farther from where the lowest coin lay.
        """
        below, passed = track, {track.found.payload}
        while (above := self.by_payload.get(below.upon)) is not None and below.upon not in passed:
            apart = _distance(above.found, below.found) / self._detector.sizes[below.found.payload]
            if apart >= MAX_HIDING_DISTANCE_SIDES:
                return False
            if not above.reason:
                return above.found.is_sure
            passed.add(below.upon)
            below = above
        return False

    def _is_taken(self, payload: str, place: Place) -> bool:
        """Return whether a tag that is sure lies where another one would be hidden under it."""
        near = self._detector.sizes[payload] * MAX_HIDING_DISTANCE_SIDES
        tracks = (track for track in self.by_payload.values() if not track.reason and track.found.is_sure)
        return any(dist(track.found.place, place) < near for track in tracks)

    def carry(self, frame: Frame, surface: TableSurface, before: Mapping[str, Track]) -> None:
        """Expect lost tags where those beside them were read since ``before``: buildings are pushed as a whole.

        A tile that is not read beside two of its building that moved alike moved with them, unless the bare table is
        seen there; and so did what lay upon one of them.
        """
        now = self.by_payload
        moved = [
            (track.found, now[payload].found)
            for payload, track in before.items()
            if payload in now and not now[payload].reason and _distance(track.found, now[payload].found) > SAME_PLACE_MM
        ]
        tiles = [way for way in moved if way[0].payload in self._joined]
        for payload, track in before.items():
            if payload not in now or now[payload].reason:
                lay, reason = track.found, now.get(payload, track).reason
                if went := self._went(lay, tiles if self._is_joined(lay, tiles) else []):
                    if not surface.is_bare(frame.small, whole(went)):
                        self.by_payload[payload] = replace(track, found=went, reason=reason or Cause.COVERED)
                elif payload in now and (went := self._went(lay, moved)):
                    self._carried[payload] = went.place

    def _is_joined(self, lay: RecognisedTag, moved: Iterable[tuple[RecognisedTag, RecognisedTag]]) -> bool:
        """Return whether a tag is that of a building's tile, or lay upon one of those that moved."""
        return lay.payload in self._joined or any(
            cv2.pointPolygonTest(self.outline(was).astype(np.float32), lay.place, measureDist=False) > 0
            for was, _ in moved
        )

    def _went(self, lay: RecognisedTag, moved: Iterable[tuple[RecognisedTag, RecognisedTag]]) -> RecognisedTag | None:
        """Return how a tag lies that moved along with those beside it; None if they did not all move the same way."""
        near = sorted(moved, key=lambda way: _distance(way[0], lay))[:MIN_COMPANIONS]
        if len(near) < MIN_COMPANIONS or _distance(near[-1][0], lay) >= 2 * self._reach:
            return None
        first, second = (_carried(lay, *way) for way in near)
        return first if _distance(first, second) < MAX_SPREAD_MM else None

    def explain(self, place: Place, *, read: bool = False) -> bool:
        """Return whether a place, mm, in which something like a tag was seen belongs to a known tag.

        A tag that is read clearly has nothing on it: whatever else lay so near would hide a part of it.  ``read``: only
        a tag that is read counts.
        """
        return any(_belongs(place, track) for track in self.by_payload.values() if not (read and track.reason))

    def resolve(self, frame: Frame, plane: Plane) -> None:
        """Believe again in a tag that was seen twice once only one is left; if both are hidden it is kept."""
        for payload, places in list(self.doubles.items()):
            there = self._detector.still_there(frame.grey, plane, places)
            left = [tag for tag, stays in zip(places, there, strict=True) if stays]
            if len(left) <= 1:
                del self.doubles[payload]
                tag, reason = (left[0], None) if left else (places[-1], Cause.COVERED)
                self.by_payload[payload] = Track(tag, ReadBy.RECOGNISED, tag.certainty, reason)

    def markers(self) -> list[Track]:
        """Return the markers among the known tags."""
        return [track for track in self.by_payload.values() if is_marker(track.found.payload)]

    def outlines(self) -> list[Array]:
        """Return the outlines (corners, 2), mm, of the pieces and markers that are taken to lie there."""
        return [self.outline(track.found) for track in self.by_payload.values()]

    def outline(self, tag: RecognisedTag) -> Array:
        """Return the outline (corners, 2), mm, of the piece or marker that has a tag."""
        shape = self._shapes.get(tag.payload)
        if shape is None:
            return ring(tag.place, self._around(tag.payload))
        return placed(shape, tag)

    def footprints(self) -> list[Footprint]:
        """Return where pieces and markers may lie."""
        return [(track.found.place, self._around(track.found.payload)) for track in self.by_payload.values()]

    def _around(self, payload: str) -> float:
        return self._detector.sizes[payload] * 0.75 if is_marker(payload) else self._reach


def _tag(seen: Sighting, plane: Plane) -> RecognisedTag:
    """Return a tag as it was seen in a whole picture."""
    return RecognisedTag(seen.payload, plane.to_mm(np.array(seen.corners)), seen.certainty, seen.certainty, 1.0)


def _belongs(place: Place, track: Track) -> bool:
    tag = track.found
    across, down = tag.corners[1] - tag.corners[0], tag.corners[3] - tag.corners[0]
    half, away = float(np.hypot(*across)) / 2, np.subtract(place, tag.place)
    if track.reason or tag.score < EASY_SCORE:
        return float(np.hypot(*away)) < float(np.ptp(tag.corners[:, 0])) / 2 + DOUBT_MARGIN_MM
    return max(abs(float(away @ across)), abs(float(away @ down))) < 2 * half * (half + MIN_TAG_REACH_MM)


def _steadied(before: Track | None, tag: RecognisedTag, looks: int) -> Track:
    """Return a tag as it lies in the mean of all pictures in which it lay still: noise turns it in each of them."""
    if before is not None and np.abs(tag.corners - before.found.corners).max() < MAX_JITTER_MM:
        share = looks / (before.looks + looks)
        tag = tag._replace(corners=before.found.corners + share * (tag.corners - before.found.corners))
        looks = min(MAX_LOOKS, before.looks + looks)
    return Track(tag, ReadBy.RECOGNISED, tag.certainty, looks=looks)


def _carried(lay: RecognisedTag, old: RecognisedTag, new: RecognisedTag) -> RecognisedTag:
    """Return how a tag lies after the move of one beside it, turned as that was."""
    was, now = (complex(*(tag.corners[1] - tag.corners[0])) for tag in (old, new))
    turn = now / was / abs(now / was)
    turned = (lay.corners - old.place) @ np.array(((turn.real, turn.imag), (-turn.imag, turn.real)))
    return lay._replace(corners=turned + new.place)


def placed(shape: Array, tag: RecognisedTag) -> Array:
    """Return points (n, 2) that are mm from the middle of a tag, upright, as they lie on the table."""
    across, down = tag.corners[1] - tag.corners[0], tag.corners[3] - tag.corners[0]
    points: Array = tag.place + shape @ np.stack([each / np.hypot(*each) for each in (across, down)])
    return points


def whole(tag: RecognisedTag) -> Array:
    """Return the outline of a whole tag, quiet zone included, mm."""
    middle = tag.corners.mean(axis=0)
    outline: Array = middle + (tag.corners - middle) * (TAG_MODULES / CODE_MODULES)
    return outline


def read_among(tracks: Mapping[str, Track]) -> set[str]:
    """Return the payloads of the tags that are read."""
    return {payload for payload, track in tracks.items() if not track.reason}


def is_still(track: Track | None, tag: RecognisedTag) -> bool:
    """Return whether a tag was seen before where it is found now."""
    return track is not None and not track.reason and _distance(track.found, tag) <= SAME_PLACE_MM


def _distance(one: RecognisedTag, other: RecognisedTag) -> float:
    return dist(one.place, other.place)
