"""Tracks a table live: takes frame after frame, and returns a Scene whenever the table stands still and has changed.

The small picture shows whether the table stands still and where it changed; only there is the full picture read
again.  What cannot be read is read again while the table stands still, in the mean of all its pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from math import dist, inf

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.detect.detection import Detection
from tabletop.vision.detect.detector import READING_METHODS, Detector
from tabletop.vision.detect.refine_plane import MAX_FITS, OnPlane
from tabletop.vision.frame import Frame
from tabletop.vision.geometry.boxes import Box, box, corners_of, holds, square, touches
from tabletop.vision.geometry.plane import Array, Mask, Plane, aligned
from tabletop.vision.image.darkness import BLIND_NOTICES, blindness
from tabletop.vision.live.foreign import ForeignTags
from tabletop.vision.live.ground.surface import DOUBT_RADIUS_MM, TableSurface
from tabletop.vision.live.motion import MotionDetector, changed
from tabletop.vision.live.quiet_areas import AreasOf, ZoneCards
from tabletop.vision.live.reread.missing import PayloadChange
from tabletop.vision.live.reread.retries import RETRY_RADIUS_MM, PartToRead, RetryQueue, beside, is_hard, is_small
from tabletop.vision.live.reread.sweep import Sweep
from tabletop.vision.live.scene_builder import Arrange, SceneBuilder
from tabletop.vision.live.track import Track, is_still
from tabletop.vision.live.tracks import MAX_SHIFT_PX, TagTracks, read_among
from tabletop.vision.live.unread_places import UnreadPlaces
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.scene import Cause, Notice, Scene, Unreadable
from tabletop.vision.tags.patterns import Pattern

MAX_CHANGED_FRACTION = 0.3
"""Fraction of the picture above which a change may be due to the camera."""
MAX_BOXES = 8
"""Most changed places that are read one by one; more are read as one."""
FAINT_FACTOR = 0.6
"""Factor by which the score of a tag found only in stacked pictures is reduced, because it is checked in single
ones."""
STACKED_LOOKS = 4
"""Number of looks that a tag found in stacked pictures counts as; most stacks have eight or more."""
SWEEP_INTERVAL_S = 2.0
"""Seconds between two steps of the sweep, which reads a still table again, part by part."""
RETRY_INTERVAL_S = 2.0
"""Seconds after which a table that could not be found is searched for again."""
MAX_TREMBLE_PX = 2.0
"""Largest shift of the markers, px, if the camera has not moved."""


class TableTracker:
    """Follows the pieces on one table, frame by frame.

    ``patterns`` and ``sizes`` (mm) describe the tags that may lie there, by payload, markers included; ``arrange``
    makes the layout.
    ``foreign_tags`` makes the recogniser of other games' tags: a tag that cannot be read may be one of those.
    ``awaited`` returns the payloads that should lie open now or may be laid next: faint ones are accepted more readily.
    ``shapes`` are the outlines (4, 2) of pieces and markers, mm from the middle of their tags, upright; everything
    outside them is bare table.  ``reach``: how far the largest piece reaches from the middle of its tag, mm.
    ``quiet`` returns the areas in which nothing unknown is reported; ``joined`` are the tags of a building's tiles;
    ``cards`` the outlines (4, 2) of the zone cards by marker, mm from its middle, upright.
    ``expected`` returns the payloads that should lie open now: a new table that shows them and all zone cards is not
    read a second time.
    Time comes with the frames.
    """

    def __init__(
        self,
        patterns: Mapping[str, Pattern],
        sizes: Mapping[str, float],
        arrange: Arrange,
        *,
        methods: Sequence[str] = READING_METHODS,
        foreign_tags: Callable[[], Recogniser] | None = None,
        awaited: Callable[[], Iterable[str]] = tuple,
        shapes: Mapping[str, Array] | None = None,
        reach: float = 58.0,
        quiet: AreasOf | None = None,
        joined: Container[str] = (),
        cards: Mapping[str, Array] | None = None,
        expected: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self.detector = Detector(patterns, sizes, methods)
        self._motion, self._retries, self._sweep = MotionDetector(), RetryQueue(), Sweep()
        self._scenes, self._awaited, self._expected = SceneBuilder(arrange), awaited, expected
        self.plane: Plane | None = None
        self.scale = 1.0
        self._tracks = TagTracks(self.detector, shapes or {}, reach, joined)
        self._unread, self._cards = UnreadPlaces(self._tracks, reach, quiet), ZoneCards(cards or {})
        self._foreign = ForeignTags(self.detector, foreign_tags)
        self._fits = self._number = 0
        self._news = self._lost = False
        self._surface: TableSurface | None = None
        self._notices: tuple[Notice, ...] = ()
        self._reference: NDArray[np.float32] | None = None
        self._read_at = 0.0
        self._standing: Scene | None = None

    @property
    def standing(self) -> Scene | None:
        """The scene in the last frame, with that frame's time; None while anything moves.

        A press of OK is answered by a scene seen after it, changed or not, once it is no longer ``seeking``.
        """
        return self._standing

    def look(self, frame: Frame) -> Scene | None:
        """Take the newest frame; return a new Scene if the table stands still, or with a notice if it never does."""
        self._standing = None
        # A reopened camera counts from one: anything may have happened, and its pictures may have another size.
        if frame.number < self._number:
            self._motion, self._read_at = MotionDetector(), -inf
            self._lost |= self.plane is not None and frame.grey.shape != self.plane.shape
        self._number = frame.number
        if not (motion := self._motion.see(frame.small, frame.time)).still:
            return self._scenes.restless(frame) if motion.restless else None
        if self._read_where_needed(frame):
            self._news = True
            self._unread.explain_spots()
        self._news |= self._scenes.seen is None
        if not self._lost and self._retries.waits(self._unread.to_search()):
            return None
        seeking = self._lost or self._retries.seeks(self._unread.to_search(but=Cause.COVERED))
        scene = self._report(frame, seeking) if self._news else None
        self._news = False
        if self._scenes.seen is not None:
            self._standing = replace(self._scenes.seen, time=frame.time, number=frame.number, seeking=seeking)
        return scene

    def _read_where_needed(self, frame: Frame) -> bool:
        """Read the parts of a still table that need it; return whether anything was read."""
        now, surface = self._motion.seen, self._surface
        resized = surface is not None and surface.overview.shape != frame.small.shape
        if resized or self._reference is None or self._reference.shape != now.shape:
            self._accept(self.detector.detect(frame.grey), frame, now)
            return True
        mask = changed(self._reference, now)
        if surface is None or self._lost:
            if not mask.any() and frame.time - self._read_at < RETRY_INTERVAL_S:
                return False
            if surface is None:
                self._accept(self.detector.detect(frame.grey), frame, now)
            else:
                self._recover(frame, surface, now)
            return True
        mask |= self._tracks.exchanged(frame.grey, surface, self._motion.passed())
        if mask.any():
            self._read_changes(frame, surface, now, mask)
            return True
        return self._fit_again(frame, surface) or self._retry(frame, surface) or self._read_next(frame, surface)

    # -- reading ---------------------------------------------------------------------------------------------------

    def _accept(
        self,
        reading: Detection,
        frame: Frame,
        now: NDArray[np.float32],
        surface: TableSurface | None = None,
        kept: Mapping[str, Track] | None = None,
    ) -> None:
        """Accept a reading of the whole table and forget everything else, except the ``surface`` of an unmoved table.

        ``kept``: the tags that are assumed to lie there still if they are not read now.
        """
        self.plane, self.scale = reading.plane, reading.scale
        self._notices = reading.notices
        self._unread.begin(reading.unreadable)
        self._fits = MAX_FITS
        self._foreign.begin(reading.codes)
        self._tracks.begin(reading, kept or {})
        self._retries.begin(None if self._is_complete() else reading.plane)
        shape = (frame.small.shape[0], frame.small.shape[1])
        if surface is not None and reading.plane is not None:
            surface.refit(reading.plane)
        else:
            surface = None if reading.plane is None else TableSurface(reading.plane, shape)
        self._surface = surface
        self._learn(frame, now, None)

    def _is_complete(self) -> bool:
        """Return whether everything that should lie open is read, if anything should."""
        expected, read = set(self._expected()), read_among(self._tracks.by_payload)
        return bool(expected) and expected <= read and not self._cards.are_missing(self._tracks.markers())

    def _learn(self, frame: Frame, now: NDArray[np.float32], mask: Mask | None) -> None:
        """Learn from a picture that has just been read, and make it the reference."""
        self._reference, self._read_at = now, frame.time
        surface = self._surface
        if surface is None:
            return
        surface.forget(self._cards.lay(self._tracks.markers()))
        self._unread.learn(frame.small, surface, mask)
        self._retry(frame, surface)

    def _read_changes(self, frame: Frame, surface: TableSurface, now: NDArray[np.float32], mask: Mask) -> None:
        """Read again where the small picture changed."""
        grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
        marks = self._tracks.markers()
        touched = sum(surface.overview.reaching([mark.found.corners for mark in marks], grown))
        # A marker that was shifted is missed at its old place: only then, or while a card is missing, look for markers.
        with_markers = len(marks) < 2 or touched > 0 or self._cards.are_missing(marks)
        is_large = mask.mean() > MAX_CHANGED_FRACTION or touched >= max(2, len(marks) / 2)
        # A mount that sags shifts all markers by less than a change would show at most of them.
        is_suspicious = is_large or (touched > 0 and len(marks) > 1)
        if mask.all() or (is_suspicious and self._tracks.are_moved(frame.grey, surface.overview)):
            self._recover(frame, surface, now)
            return
        surface.changed(frame.small, mask)
        hard, before, clear = list[Box](), dict(self._tracks.by_payload), self._tracks.are_clear()
        for place in surface.overview.boxes(grown, MAX_BOXES):
            tags = self._read(frame, surface, place, markers=with_markers, where=grown)
            self._foreign.changed(frame.grey, surface.overview.plane, place)
            # What looks like an unread tag even in good light is a doubt, which is looked at again by itself.
            if (clear and is_small(place)) or (not tags and surface.is_nothing(frame.small, corners_of(place))):
                continue
            # A tag that has not moved does not explain a change.
            new = [tag for tag in tags if not is_still(before.get(tag.payload), tag)]
            faces = [self._tracks.outline(tag) for tag in new]
            where = surface.overview.middles(mask)
            if is_hard(
                where, place, new, faces, lambda point: surface.is_nothing(frame.small, square(point, DOUBT_RADIUS_MM))
            ):
                hard += [place, *beside(place, new)]
        self._read_former_places(frame, surface, before, grown)
        self._tracks.carry(frame, surface, before)
        read = PayloadChange(read_among(before), read_among(self._tracks.by_payload))
        self._retries.changed(surface.overview, grown, hard, read, handled=surface.is_handled)
        self._learn(frame, now, mask)

    def _read_former_places(
        self, frame: Frame, surface: TableSurface, before: Mapping[str, Track], read: Mask | None = None
    ) -> None:
        """Read the former places of tags that have moved since ``before``, except those that were ``read`` already.

        Such a place did not change in the picture, so another tag lies there: tiles are inserted below others.
        """
        done = set[str]()
        while departed := [tag for tag in self._tracks.departed(before) if tag.payload not in done]:
            done |= {tag.payload for tag in departed}
            reached = [False] * len(departed)
            if read is not None:
                reached = surface.overview.reaching([tag.corners for tag in departed], read)
            for tag in (tag for tag, known in zip(departed, reached, strict=True) if not known):
                tags = self._read(frame, surface, box(tag.place, self.detector.sizes[tag.payload]), markers=False)
                unread = all(dist(new.place, tag.place) > DOUBT_RADIUS_MM for new in tags)
                if unread and not surface.is_nothing(frame.small, tag.corners):
                    self._retries.look_at([box(tag.place, RETRY_RADIUS_MM)])

    def _read(
        self,
        frame: Frame,
        surface: TableSurface,
        part: Box,
        *,
        gone: bool = True,
        markers: bool = True,
        where: Mask | None = None,
    ) -> list[RecognisedTag]:
        """Read a part of the table (mm) and return its tags.

        ``gone``: a tag that is no longer read may have been taken; ``markers``: also search for markers; ``where``: a
        mask into which tags have to reach.
        """
        plane, tracks = surface.overview.plane, self._tracks
        tags, doubts = self.detector.region(frame.grey, plane, part, markers=markers, where=where)
        tags = [tag for tag in tags if tracks.take(frame, surface, tag)]
        if gone:
            read = {tag.payload for tag in tags}
            missed = [track for track in tracks.by_payload.values() if track.found.payload not in read]
            missed = [track for track in missed if touches(track.found.corners, part)]
            missed = tracks.reaching(surface, missed, where)
            tracks.mark_missed(frame, surface, missed, tags)
        self._unread.replace(surface, part, where, doubts)
        tracks.resolve_doubles(frame, plane)
        return tags

    # -- looking again ---------------------------------------------------------------------------------------------

    def _retry(self, frame: Frame, surface: TableSurface) -> bool:
        """Read the parts that are due for a retry, in all pictures since the table stood still there."""
        looks = [*self._retries.add(frame, surface.overview.plane, self._unread.to_search(), surface.is_handled_at)]
        if not looks:
            return False
        marks, before = len(self._tracks.markers()), dict(self._tracks.by_payload)
        for look in looks:
            self._reread(frame, surface, look)
        self._read_former_places(frame, surface, before)
        self._tracks.reconsider(frame, surface)
        if len(self._tracks.markers()) > marks:
            self._fits = MAX_FITS
        return True

    def _reread(self, frame: Frame, surface: TableSurface, look: PartToRead) -> None:
        """Read a part of the table in the mean of several pictures; no new doubts are added."""
        plane, tracks, read = surface.overview.plane, self._tracks, self.detector.region
        tags: list[RecognisedTag] = []
        doubts: list[Unreadable] = []
        awaited = [name for name in self._awaited() if name not in tracks.by_payload or tracks.by_payload[name].reason]
        # Faint tags are accepted only in stacked pictures: a single one, in hard light, names a coin wrongly.
        options = {"markers": look.markers, "hidden": look.hidden, "faint": look.faint}
        for picture in look.pictures:
            seen, unread = read(picture, plane, look.part, where=look.where, awaited=awaited, **options)
            tags += [tag for tag in seen if all(tag.payload != other.payload for other in tags)]
            remaining = [
                doubt
                for doubt in unread
                if holds(look.part, doubt.place) and not tracks.explains(doubt.place, read=True)
            ]
            doubts += remaining
            if tags and not remaining:
                break
        for tag, clear in zip(tags, self.detector.still_there(frame.grey, plane, tags), strict=True):
            tracks.take(frame, surface, tag if clear else tag._replace(score=tag.score * FAINT_FACTOR), STACKED_LOOKS)
        tracks.resolve_doubles(frame, plane)
        self._unread.confirm(surface, look.part, look.where, doubts)

    def _read_next(self, frame: Frame, surface: TableSurface) -> bool:
        """Read the next part of a still table again, to find tags that were missed in bad light."""
        if frame.time - self._read_at < SWEEP_INTERVAL_S:
            return False
        part, markers = self._sweep.next_part(surface.overview.bounds)
        before = dict(self._tracks.by_payload)
        self._read(frame, surface, part, gone=False, markers=markers)
        self._read_former_places(frame, surface, before)
        self._tracks.reconsider(frame, surface)
        self._read_at = frame.time
        return True

    def _fit_again(self, frame: Frame, surface: TableSurface) -> bool:
        """Read a table that was just found again, on the plane that all its tags determine; return whether it did."""
        if not self._fits:
            return False
        plane, before = surface.overview.plane, self._tracks.by_payload
        reading = self.detector.refitted(frame.grey, OnPlane(plane, *self.detector.region(frame.grey, plane)))
        self._fits = self._fits - 1 if reading is not None else 0
        if reading is not None:
            fits, notices, scale = self._fits, self._notices, self.scale
            self._accept(reading, frame, self._motion.seen, surface, before)
            self._fits, self._notices, self.scale = fits, notices, scale
        return reading is not None

    # -- the camera ------------------------------------------------------------------------------------------------

    def _recover(self, frame: Frame, surface: TableSurface, now: NDArray[np.float32]) -> None:
        """Find the table again after the camera was moved, and keep its frame; if it is lost, keep everything as is."""
        why, before = BLIND_NOTICES.get(blindness(frame.small)), self._tracks.by_payload
        plane = None if why else self.detector.found_plane(frame.grey)
        reading = Detection(None) if plane is None else self.detector.detect(frame.grey, plane)
        pairs = self._tracks.seen_again(reading)
        # A reading without a known tag could not be aligned with the table's frame.
        if plane is None or (before and not pairs):
            self._lost, self._notices = True, (why or surface.blinded(frame.small) or Notice.LOST,)
            self._reference, self._read_at = now, frame.time
            return
        old_plane, scale = surface.overview.plane, frame.grey.shape[1] / surface.overview.plane.shape[1]
        self._lost, offsets = False, [float(np.abs(old_plane.to_px(mm) - px / scale).max()) for px, mm in pairs]
        plane, notices = aligned(reading.plane or plane, pairs), reading.notices
        surface.changed(frame.small, np.ones_like(now, np.bool_))
        # If only the light failed, arms covered markers, or the camera's mount sags, it is not reported.
        shift = max(offsets, default=inf)
        if shift > MAX_SHIFT_PX * old_plane.shape[1] / frame.small.shape[1]:
            surface.seen_from(plane, handled=shift > MAX_TREMBLE_PX)
        if shift > MAX_TREMBLE_PX:
            notices = (*notices, Notice.BUMPED)
        self._accept(replace(reading, plane=plane, notices=notices), frame, now, surface if pairs else None, before)

    # -- telling ---------------------------------------------------------------------------------------------------

    def _report(self, frame: Frame, seeking: bool) -> Scene | None:
        """Return the scene if it differs from the last reported one."""
        plane, unread = self.plane, self._unread
        unreadable = [] if plane is None else self._foreign.named_doubts(frame.grey, plane, unread.reported)
        burnt = plane is not None and not self._lost and self._tracks.are_burnt_out(frame.grey, plane)
        notices = (*self._notices, Notice.OVEREXPOSED) if burnt else self._notices
        codes = self._foreign.codes
        scene = self._scenes.tell(frame, plane, self._tracks, unreadable, codes, notices, seeking, spots=unread.spots)
        # The notice that the table was found again is given once.
        self._notices = tuple(notice for notice in self._notices if notice is not Notice.BUMPED)
        return scene
