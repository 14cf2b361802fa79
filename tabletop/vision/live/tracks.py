"""Tracks the tags on the table: a tag that was read stays until its place is seen bare or it is read elsewhere."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
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
from tabletop.vision.live.carried import TagMove, carried_along
from tabletop.vision.live.ground.overview import Overview
from tabletop.vision.live.ground.surface import Footprint, TableSurface
from tabletop.vision.live.track import (
    SAME_PLACE_MM,
    Track,
    belongs_to,
    distance,
    is_still,
    placed,
    steadied,
    tag_of,
    whole,
)
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.thresholds import MIN_CLEAR_SCORE
from tabletop.vision.scene import Cause, ReadBy
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES
from tabletop.vision.tags.payloads import is_marker

MAX_COVER_DISTANCE_SIDES = 0.9
"""Distance, as a fraction of the side, below which a tag that is read covers one that is not …"""
MAX_HIDING_DISTANCE_SIDES = 0.5
"""… and below which it covers too much for the other to be readable."""

MAX_SHIFT_PX = 0.35
"""Largest shift of most tags, px of the small picture, after which what was learned of the table still fits."""
MAX_UNCLEAR_FRACTION = 0.25
"""Largest fraction of tags that are not clear in good light: some are partly covered."""


class TagTracks:
    """The known tags of one table; ``doubles`` are those that were last seen in more than one place.

    ``shapes``: the outlines (4, 2) of the pieces, mm from the middle of their tags, upright.  ``reach``: how far a
    piece may reach from there, mm: within it the table is not assumed to be bare.  ``joined``: the tags of tiles that
    make up buildings, which are pushed as a whole.
    """

    def __init__(
        self, detector: Detector, shapes: Mapping[str, Array], reach: float, joined: Container[str] = ()
    ) -> None:
        self._detector, self._reach = detector, reach
        self._shapes, self._joined = shapes, joined
        self.by_payload: dict[str, Track] = {}
        self.doubles: dict[str, list[RecognisedTag]] = {}
        self._carried: dict[str, Place] = {}
        self._begun: dict[str, RecognisedTag] = {}

    def begin(self, reading: Detection, before: Mapping[str, Track]) -> None:
        """Accept a reading of the whole table, and keep tags that were known ``before`` and are not seen now."""
        self.by_payload, self.doubles, self._carried = {}, {}, {}
        if reading.plane is not None:
            seen_tracks: dict[str, list[Track]] = {}
            for seen in (*reading.sightings, *reading.doubled):
                track = Track(tag_of(seen, reading.plane), seen.how, seen.certainty)
                if is_as_large(track.found.corners, self._detector.sizes[seen.payload] * CODE_MODULES / TAG_MODULES):
                    seen_tracks.setdefault(seen.payload, []).append(track)
            self.by_payload = {payload: tracks[0] for payload, tracks in seen_tracks.items() if len(tracks) == 1}
            self.doubles = {
                payload: [one.found for one in tracks] for payload, tracks in seen_tracks.items() if len(tracks) > 1
            }
        self._begun = {payload: track.found for payload, track in self.by_payload.items()}
        for payload, track in before.items():
            if payload not in self.by_payload and payload not in self.doubles:
                self.by_payload[payload] = replace(track, reason=Cause.COVERED)

    def seen_again(self, reading: Detection) -> list[tuple[Array, Array]]:
        """Return the corners, px and mm, of known tags in a reading of another view.

        If there are markers among them, only these, because pieces are pushed more easily.
        """
        known = [seen for seen in reading.sightings if seen.payload in self.by_payload]
        marks = [seen for seen in known if is_marker(seen.payload)]
        return [(np.array(seen.corners), self._where_begun(seen.payload).corners) for seen in marks or known]

    def _where_begun(self, payload: str) -> RecognisedTag:
        """Return a known tag where it lay when the whole table was last read, unless it was moved or first read since.

        Shifts too small for a move may be the camera's, and add up.
        """
        track = self.by_payload[payload]
        begun = self._begun.get(payload, track.found)
        return begun if is_still(track, begun) else track.found

    def reaching(self, surface: TableSurface, tracks: list[Track], where: Mask | None) -> list[Track]:
        """Return those tags that reach into a mask of the small picture, or all if there is no mask."""
        if where is None:
            return tracks
        reaches = surface.overview.reaching([track.found.corners for track in tracks], where)
        return [track for track, reaches_in in zip(tracks, reaches, strict=True) if reaches_in]

    def exchanged(self, grey: Grey, surface: TableSurface, passed: Mask) -> Mask:
        """Return the mask of blocks with tags that are gone since something ``passed`` over their pieces.

        A coin laid exactly where another one lay looks the same in the small picture.  So does a card, which people
        hold far from its tag.
        """
        known = [track.found for track in self.by_payload.values() if not track.reason] if passed.any() else []
        reached = surface.overview.reaching([self.outline(tag) for tag in known], passed)
        under = [tag for tag, reaches_in in zip(known, reached, strict=True) if reaches_in]
        reaches_in = self._detector.still_there(grey, surface.overview.plane, under) if under else []
        gone = [tag.corners for tag, stays in zip(under, reaches_in, strict=True) if not stays]
        return surface.overview.blocks(gone, passed.shape)

    def departed(self, before: Mapping[str, Track]) -> list[RecognisedTag]:
        """Return the tags, at their places ``before``, that are now read somewhere else."""
        now = self.by_payload
        # Most tracks are the same as before.
        changed = ((old, now[payload]) for payload, old in before.items() if now.get(payload, old) is not old)
        return [old.found for old, new in changed if not (old.reason or new.reason or is_still(old, new.found))]

    def are_moved(self, grey: Grey, overview: Overview) -> bool:
        """Return whether most of the tags are no longer where they lay, which suggests that the camera has moved."""
        seen = [self._where_begun(payload) for payload, track in self.by_payload.items() if not track.reason]
        marks = [tag for tag in seen if is_marker(tag.payload)] or seen
        stays = self._detector.still_there(grey, overview.plane, marks, MAX_SHIFT_PX * overview.mm_per_px)
        return bool(marks) and sum(stays) < len(marks) / 2

    def are_clear(self) -> bool:
        """Return whether most tags are read so clearly that several pictures show no more than a single one."""
        scores = [track.found.score for track in self.by_payload.values() if not track.reason]
        return bool(scores) and float(np.quantile(scores, MAX_UNCLEAR_FRACTION)) >= MIN_CLEAR_SCORE

    def are_burnt_out(self, grey: Grey, plane: Plane) -> bool:
        """Return whether the paper of most tags is overexposed, so that other tags may go unread."""
        seen = [track.found.corners for track in self.by_payload.values() if not track.reason]
        return is_overexposed(grey, plane.to_px(np.array(seen).reshape(-1, 4, 2)))

    def take(self, frame: Frame, surface: TableSurface, tag: RecognisedTag, looks: int = 1) -> bool:
        """Take in a tag that has just been read; return whether it is accepted, not a false match in known tags.

        A tag that is not sure by itself is rejected if it is also still visible where it lay.  ``looks``: the number of
        pictures that its pose was measured in.
        """
        plane, before = surface.overview.plane, self.by_payload.get(tag.payload)
        moved = before is not None and not before.reason and distance(before.found, tag) > SAME_PLACE_MM
        twice = moved and before is not None and self._detector.still_there(frame.grey, plane, [before.found])[0]
        if (twice and not tag.is_sure) or not self._prevails(frame, plane, tag):
            return False
        if not is_still(before, tag):
            surface.unlearn(self.outline(tag))
        if tag.payload in self.doubles:
            others = (other for other in self.doubles[tag.payload] if distance(other, tag) > SAME_PLACE_MM)
            self.doubles[tag.payload] = [*others, tag]
            return True
        if twice and before is not None:
            self.doubles[tag.payload] = [before.found, tag]
            del self.by_payload[tag.payload]
            return True
        self.by_payload[tag.payload] = steadied(before, tag, looks)
        self._carried.pop(tag.payload, None)
        return True

    def _prevails(self, frame: Frame, plane: Plane, new: RecognisedTag) -> bool:
        """Return whether a tag is surer than every visible known tag that it overlaps; those are discarded.

        A known tag that it overlaps and that is no longer visible is marked as covered.
        """
        spot = self._detector.spot(new)
        known = [
            track.found for track in self.by_payload.values() if not track.reason and track.found.payload != new.payload
        ]
        apart = np.array([tag.corners for tag in known]).reshape(-1, 4, 2).mean(axis=1) - (spot.x, spot.y)
        near = np.hypot(*apart.T) < max(self._detector.sizes.values())  # Tags farther apart cannot overlap.
        rivals = [tag for tag in compress(known, near) if self._detector.spot(tag).overlaps(spot)]
        seen = self._detector.still_there(frame.grey, plane, rivals) if rivals else []
        visible = [tag for tag, stays in zip(rivals, seen, strict=True) if stays]
        if any(self._detector.spot(tag).sure >= spot.sure for tag in visible):
            return False
        for tag in rivals:
            if tag in visible:
                del self.by_payload[tag.payload]
            else:
                below = self.by_payload[tag.payload]
                self.by_payload[tag.payload] = replace(below, reason=Cause.COVERED, upon=new.payload)
        return True

    def mark_missed(
        self, frame: Frame, surface: TableSurface, missed: Iterable[Track], found: Iterable[RecognisedTag]
    ) -> None:
        """Decide what became of tags that are no longer read where they lay; ``found``: the tags that are read."""
        listed, read = list(missed), list(found)
        places = np.array([tag.place for tag in read]).reshape(-1, 2)
        visible = self._detector.still_there(frame.grey, surface.overview.plane, [track.found for track in listed])
        for known, stays in zip(listed, visible, strict=True):
            track = known if stays else replace(known, glimpsed=None)
            payload, outline = track.found.payload, whole(track.found)
            apart = np.hypot(*(places - track.found.place).T) / self._detector.sizes[payload]
            if stays and _is_seen_again(track, frame):
                self.by_payload[payload] = replace(track, reason=None, upon="", glimpsed=None)
            elif stays:
                self.by_payload[payload] = replace(track, glimpsed=frame.number)
            elif (apart < MAX_COVER_DISTANCE_SIDES).any():
                beside = apart.min() >= MAX_HIDING_DISTANCE_SIDES and self._is_hidden(track)
                upon = track.upon if beside else read[apart.argmin()].payload
                self.by_payload[payload] = replace(track, reason=Cause.COVERED, upon=upon)
            elif self._is_bare(frame, surface, track):
                del self.by_payload[payload]
            elif not self._is_hidden(track):
                reason = surface.hidden_by(frame, outline)
                self.by_payload[payload] = replace(track, reason=reason, upon=self._still_upon(track))

    def reconsider(self, frame: Frame, surface: TableSurface) -> None:
        """Decide again what became of the tags that are only kept."""
        known = list(self.by_payload.values())
        seen = [track.found for track in known if not track.reason]
        self.mark_missed(frame, surface, [track for track in known if track.reason], seen)

    def _is_bare(self, frame: Frame, surface: TableSurface, track: Track) -> bool:
        """Return whether a tag's place is bare, or half of it beside a piece, and nothing of the tag is visible there.

        A taken piece uncovers the edge of another on which it lay; the side and shadow of a tile may reach in there.
        """
        lost, plane = track.found, surface.overview.plane
        if not surface.is_bare(frame.small, whole(lost)):
            neighbours = (
                one.found for one in self.by_payload.values() if not one.reason and one.found.payload != lost.payload
            )
            if not any(dist(tag.place, lost.place) < self._reach for tag in neighbours):
                return False
            halves = surface.bare_halves(frame.small, whole(lost))
            if not halves or self._detector.is_glimpsed(frame.grey, plane, lost, halves):
                return False
        # In a veil of light a piece is as grey as the table.
        return not self._detector.leaves_trace(frame.grey, plane, lost)

    def places_to_search(self, but: Cause | None = None) -> list[Place]:
        """Return the places where tags that are only kept, except for the reason ``but``, lay or may lie now.

        Places at which a sure tag lies on the middle of another are left out.
        """
        lost = {payload: track for payload, track in self.by_payload.items() if track.reason}
        carried = [
            place for payload, place in self._carried.items() if payload in lost and not self._is_taken(payload, place)
        ]
        seen = [track for track in lost.values() if track.reason != but and not self._is_hidden(track)]
        return carried + [track.found.place for track in seen]

    def _is_hidden(self, track: Track) -> bool:
        """Return whether a sure tag still lies on the middle of a tag, directly or through others in between.

        The higher a pile, the farther its top appears from the place of the lowest coin.
        """
        below, passed = track, {track.found.payload}
        while (above := self.by_payload.get(below.upon)) is not None and below.upon not in passed:
            apart = distance(above.found, below.found) / self._detector.sizes[below.found.payload]
            if apart >= MAX_HIDING_DISTANCE_SIDES:
                return False
            if not above.reason:
                return above.found.is_sure
            passed.add(below.upon)
            below = above
        return False

    def _still_upon(self, track: Track) -> str:
        """Return the tag that was read on a tag if it is still known to lie there, empty if it is not."""
        above, size = self.by_payload.get(track.upon), self._detector.sizes[track.found.payload]
        near = above is not None and distance(above.found, track.found) < MAX_COVER_DISTANCE_SIDES * size
        return track.upon if near else ""

    def _is_taken(self, payload: str, place: Place) -> bool:
        """Return whether a sure tag lies so near to a place that it would hide another tag there."""
        near = self._detector.sizes[payload] * MAX_HIDING_DISTANCE_SIDES
        tracks = (track for track in self.by_payload.values() if not track.reason and track.found.is_sure)
        return any(dist(track.found.place, place) < near for track in tracks)

    def carry(self, frame: Frame, surface: TableSurface, before: Mapping[str, Track]) -> None:
        """Move lost tags along with the tags beside them that moved since ``before``: buildings are pushed as a whole.

        An unread tile beside two tiles of its building that moved alike has moved with them, unless the table is bare
        there; so has a piece that lay on one of them.  Other lost tags are only searched for there.
        """
        now = self.by_payload
        moves = [
            TagMove(track.found, now[payload].found)
            for payload, track in before.items()
            if payload in now and not now[payload].reason and distance(track.found, now[payload].found) > SAME_PLACE_MM
        ]
        tiles = [move for move in moves if move.before.payload in self._joined]
        for payload, track in before.items():
            if payload not in now or now[payload].reason:
                tag, reason = track.found, now.get(payload, track).reason
                if moved := carried_along(tag, tiles if self._is_joined(tag, tiles) else [], 2 * self._reach):
                    if not surface.is_bare(frame.small, whole(moved)):
                        self.by_payload[payload] = replace(track, found=moved, reason=reason or Cause.COVERED)
                elif payload in now and (moved := carried_along(tag, moves, 2 * self._reach)):
                    self._carried[payload] = moved.place

    def _is_joined(self, tag: RecognisedTag, moves: Iterable[TagMove]) -> bool:
        """Return whether a tag belongs to a building's tile, or lay on one of the tiles that moved."""
        return tag.payload in self._joined or any(
            cv2.pointPolygonTest(self.outline(move.before).astype(np.float32), tag.place, measureDist=False) > 0
            for move in moves
        )

    def explains(self, place: Place, *, read: bool = False) -> bool:
        """Return whether a place, mm, where something like a tag was seen belongs to a known tag.

        A tag that is read clearly has nothing on it: anything else that near would hide a part of it.  ``read``: count
        only tags that are read.
        """
        return any(belongs_to(place, track) for track in self.by_payload.values() if not (read and track.reason))

    def resolve_doubles(self, frame: Frame, plane: Plane) -> None:
        """Accept a tag that was seen twice once only one of the two is visible; if neither is, keep it as covered."""
        for payload, places in list(self.doubles.items()):
            visible = self._detector.still_there(frame.grey, plane, places)
            departed = [tag for tag, stays in zip(places, visible, strict=True) if stays]
            if len(departed) <= 1:
                del self.doubles[payload]
                tag, reason = (departed[0], None) if departed else (places[-1], Cause.COVERED)
                self.by_payload[payload] = Track(tag, ReadBy.RECOGNISED, tag.certainty, reason)

    def markers(self) -> list[Track]:
        """Return the markers among the known tags."""
        return [track for track in self.by_payload.values() if is_marker(track.found.payload)]

    def outlines(self) -> list[Array]:
        """Return the outlines (corners, 2), mm, of the pieces and markers that are assumed to lie there."""
        return [self.outline(track.found) for track in self.by_payload.values()]

    def outline(self, tag: RecognisedTag) -> Array:
        """Return the outline (corners, 2), mm, of the piece or marker that has a tag."""
        shape = self._shapes.get(tag.payload)
        if shape is None:
            return ring(tag.place, self._around(tag.payload))
        return placed(shape, tag)

    def footprints(self) -> list[Footprint]:
        """Return the footprints of pieces and markers."""
        return [(track.found.place, self._around(track.found.payload)) for track in self.by_payload.values()]

    def _around(self, payload: str) -> float:
        return self._detector.sizes[payload] * 0.75 if is_marker(payload) else self._reach


def _is_seen_again(track: Track, frame: Frame) -> bool:
    """Return whether a tag that is visible where it lay counts as read.

    In the noise of one picture a bare place may look like a tag that is not sure; in two it hardly does.
    """
    return track.reason is None or track.found.is_sure or track.glimpsed not in (None, frame.number)


def read_among(tracks: Mapping[str, Track]) -> set[str]:
    """Return the payloads of the tags that are read."""
    return {payload for payload, track in tracks.items() if not track.reason}
