"""Schedules retries: what could not be read is read again in all pictures since that part of the table stood still.

Two things spoil a single picture of a still table: noise, which averaging several pictures reduces, and uneven
reflections, which are removed from their mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice
from math import dist
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Frame, Grey
from tabletop.vision.geometry.boxes import Box, Place, box, corners_of, holds
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.live.ground.overview import Overview
from tabletop.vision.live.reread.missing import NOTHING, MissingTags, PayloadChange
from tabletop.vision.live.reread.stacking import Part, PictureStack, part_of
from tabletop.vision.recognise.recognised import RecognisedTag

RETRY_PICTURES = (2, 4, 8, 12, 24, 48)
"""Numbers of pictures after which a place is read again."""
WIDE_RETRY_PICTURES = (4, 12)
"""The same for a whole changed part in which nothing is known to be unread."""
FIRST_RETRY_PICTURES = 8
"""Number of pictures after which the parts of a table that was seen for the first time are read again, a few in each
frame, if not everything that should lie there was read."""
HIDDEN_RETRY_PICTURES = 8
"""Number of pictures from which half-hidden tags are searched for as well, which takes longer.

They are not searched for in parts that merely changed or are new: no tag is missing there.
"""
HANDLED_RETRY_PICTURES = 8
"""Number of pictures from which parts with missing tags are read although a hand is in them: most tags are found once
it has left.  Places wait as long after their first retry.

If the table was never seen bare, it is unknown whether the hand has left.
"""
PARTS_PER_FRAME = 6
"""Number of new parts that are read in each frame."""
PART_SIDE_MM = 200.0
"""Side of a part, mm: faint tags in dark frames are searched for only on small parts."""
MAX_PARTS = 40
"""Most parts of a table: beyond a table as large as that, a camera sees the floor."""
SCENE_WAIT_PICTURES = RETRY_PICTURES[0]
"""Pictures of a still table for which a scene waits while something new in it cannot be read."""
MAX_WAIT_PICTURES = 12
"""Pictures after which an OK no longer waits for a place: two and a half seconds, as a person hesitates."""
RETRY_RADIUS_MM = 25.0
"""Half the side of the square that is read again around a place, mm."""
EASY_SCORE = 0.85
"""Least score of a tag in good light."""
SHADOW_MM = 12.0
"""Distance beyond the outline of a piece, mm, within which it explains a change: shadows, and blocks at its edge."""
MIN_UNEXPLAINED_BLOCKS = 2
"""Number of unexplained changed blocks from which there may be a tag that is hard to read."""
MAX_PLACES = 6
"""Most places that are read again at a time."""
SAME_PLACE_MM = 8.0
"""Distance, mm, below which two places are the same."""
MAX_PART_MM2 = 9e4
"""Largest area, mm², of a changed part that is read again as a whole; larger ones are read in small parts, and only if
tags are missing."""
BESIDE_MM = 45.0
"""Largest distance, mm, of pieces that are laid in one movement: the coins of a payment, side by side."""
VEIL_MM = 6.0
"""Width, mm, above which variations of light are removed: a third of a tag."""
MARGIN_MM = 24.0
"""Margin, mm, that is stacked around a part, so that tags at its edge are whole."""
SIGHT_MM = 100.0
"""Margin, mm, around a part beyond which reading it needs no px: half of the largest marker and its neighbourhood."""


class PartToRead(NamedTuple):
    """A part of the table, mm, to read again, and the mean of all its pictures, with and without reflections.

    Each picture is valid only within ``SIGHT_MM`` of the part, and only until the next one is requested.
    ``markers``: also search for markers, because the part is new; ``hidden``: also for half-hidden tags; ``faint``:
    also for tags that hardly look like one, because something there is known to be unread.  ``where``: only tags that
    reach into this mask are of interest.
    """

    part: Box
    pictures: Iterable[Grey]
    markers: bool
    hidden: bool
    faint: bool
    where: Mask | None


@dataclass(slots=True, eq=False)
class _Retry:
    """A part of the table that is read again after the numbers of pictures in ``after``."""

    part: Box
    after: Sequence[int]
    where: Mask | None = None
    """Mask of the places that changed; only tags that reach into it are of interest."""
    missing: bool = False
    """Whether missing tags may lie there."""
    awaited: bool = False
    """Whether a scene waits for the first retry."""
    stack: PictureStack = field(default_factory=PictureStack)
    count: int = 0

    @property
    def middle(self) -> Place:
        left, top, right, bottom = self.part
        return (left + right) / 2, (top + bottom) / 2

    @property
    def done(self) -> bool:
        return self.count >= self.after[-1]

    def add(self, grey: Grey, plane: Plane) -> None:
        """Add a picture to the stack."""
        self.stack.add(grey, self._px(plane, grey, MARGIN_MM))
        self.count = self.stack.count

    def pictures(self, plane: Plane, canvas: Grey) -> Iterator[Grey]:
        """Iterate over the mean of all pictures: first with reflections removed, then unchanged, for faint print.

        Each overwrites the previous one on ``canvas``; after the last retry the stack is discarded.
        """
        stack, around = self.stack, self._px(plane, canvas, SIGHT_MM)
        if self.done:
            self.stack = PictureStack()
        veil = VEIL_MM / plane.mm_per_px(plane.to_px(np.array(self.middle)))
        yield stack.picture(veil, canvas, around)
        yield stack.picture(0.0, canvas, around)

    def _px(self, plane: Plane, grey: Grey, margin: float) -> Part:
        """Return the px of a picture that show this part with a margin, mm."""
        left, top, right, bottom = self.part
        wide = corners_of((left - margin, top - margin, right + margin, bottom + margin))
        return part_of(plane.to_px(wide), (grey.shape[0], grey.shape[1]))


def _parts_of(whole: Box) -> list[Box]:
    """Return the small parts of a large box, mm."""
    left, top, right, bottom = whole
    xs, ys = np.arange(left, right, PART_SIDE_MM).tolist(), np.arange(top, bottom, PART_SIDE_MM).tolist()
    return [(x, y, min(right, x + PART_SIDE_MM), min(bottom, y + PART_SIDE_MM)) for y in ys for x in xs]


def _staggered(parts: Iterable[Box], pictures: int) -> Iterator[tuple[Box, Sequence[int]]]:
    """Iterate over parts with the number of pictures after which each is read: a few in each picture."""
    for n, part in enumerate(islice(parts, MAX_PARTS)):
        yield part, (pictures + n // PARTS_PER_FRAME,)


def is_small(part: Box) -> bool:
    """Return whether a part is small enough to be read again as a whole."""
    return (part[2] - part[0]) * (part[3] - part[1]) <= MAX_PART_MM2


def beside(part: Box, laid: Iterable[RecognisedTag]) -> list[Box]:
    """Return boxes around these tags where more pieces may have been laid, if the part is too large to read again."""
    around: list[Box] = []
    for tag in () if is_small(part) else laid:
        if not any(holds(other, tag.place) for other in around):
            around.append(box(tag.place, BESIDE_MM))
    return around[:MAX_PLACES]


class RetryQueue:
    """The parts of one table that are read again, as long as nothing moves there."""

    def __init__(self) -> None:
        self._places: list[_Retry] = []
        self._parts: list[_Retry] = []
        self._missing = MissingTags()
        self._canvas: Grey = np.zeros((0, 0), np.uint8)

    def begin(self, plane: Plane | None) -> None:
        """Forget all pictures, because the camera was moved or the table is new.

        If a ``plane`` is given, all parts of the table there are read again.
        """
        self._places, self._parts, self._missing = [], [], MissingTags()
        if plane is not None:
            self._parts = [_Retry(*turn) for turn in _staggered(_parts_of(plane.bounds()), FIRST_RETRY_PICTURES)]

    def changed(
        self,
        overview: Overview,
        mask: Mask,
        parts: Iterable[Box] = (),
        read: PayloadChange = NOTHING,
        *,
        handled: bool = False,
    ) -> None:
        """Forget retries where the small picture changed, and schedule the changed ``parts`` that were hard to read.

        If there are large parts, a hand was there; they are read again only if tags are missing, according to ``read``.
        ``handled``: the hand is still there.
        """
        self._places, self._parts = (
            [
                retry
                for retry, moved in zip(
                    retries, overview.reaching([corners_of(retry.part) for retry in retries], mask), strict=True
                )
                if not moved and (retry.awaited or not retry.missing)
            ]
            for retries in (self._places, self._parts)
        )
        hard = list(parts)
        self.look_at((part for part in hard if is_small(part)), mask)
        if not all(map(is_small, hard)):
            where = self._missing.changed(mask, read, handled=handled)
            if where is not None:
                self._schedule_search(overview, where, handled=handled)

    def look_at(self, parts: Iterable[Box], where: Mask | None = None) -> None:
        """Schedule parts in which nothing is known to be unread; ``where``: only tags that reach into it count."""
        self._parts += [_Retry(part, WIDE_RETRY_PICTURES, where) for part in parts]

    def _schedule_search(self, overview: Overview, where: Mask, *, handled: bool) -> None:
        """Schedule the search for missing tags in small parts of ``where``; later if a hand is in the picture."""
        parts = [part for whole in overview.boxes(where, 1) for part in _parts_of(whole)]
        reached = overview.reaching([corners_of(part) for part in parts], where)
        pictures = HANDLED_RETRY_PICTURES if handled else SCENE_WAIT_PICTURES
        turns = _staggered(compress(parts, reached), pictures)
        self._parts += [_Retry(*turn, where, missing=True, awaited=not handled) for turn in turns]

    def waits(self, places: Iterable[Place], pictures: int = SCENE_WAIT_PICTURES) -> bool:
        """Return whether any of these places needs more pictures, up to a limit, before it is reported.

        A part with missing tags also needs them until it has been read again.
        """
        if any(retry.awaited and not retry.done for retry in self._parts):
            return True
        return any(retry is None or retry.count < pictures for retry in map(self._retry_at, self._chosen(places)))

    def seeks(self, places: Iterable[Place]) -> bool:
        """Return whether more may soon be read at any of these places or in a changed part."""
        changed = any(
            retry.after == WIDE_RETRY_PICTURES and retry.count < WIDE_RETRY_PICTURES[0] for retry in self._parts
        )
        return changed or self.waits(places, MAX_WAIT_PICTURES)

    def add(
        self, frame: Frame, plane: Plane, places: Iterable[Place], handled: Callable[[Place], bool] = lambda _: False
    ) -> Iterator[PartToRead]:
        """Add a picture; iterate over the parts to read now, less often at places where a hand lies (``handled``)."""
        retries = [retry for retry in self._parts if not retry.done]
        for place in self._chosen(places):
            retry = self._retry_at(place)
            if retry is None:
                retry = _Retry(box(place, RETRY_RADIUS_MM), RETRY_PICTURES)
                self._places.append(retry)
            if retry not in retries:
                retries.append(retry)
        for retry in retries:
            # The full picture is made only when it is needed.
            retry.add(frame.grey, plane)
        for retry in retries:
            at_place = retry.after is RETRY_PICTURES
            early = at_place and RETRY_PICTURES[0] < retry.count < HANDLED_RETRY_PICTURES and handled(retry.middle)
            if retry.count in retry.after and not early:
                if self._canvas.shape != frame.grey.shape:
                    self._canvas = np.empty_like(frame.grey)
                markers = retry.after[0] >= FIRST_RETRY_PICTURES
                hidden = retry.count >= HIDDEN_RETRY_PICTURES and (retry.missing or at_place)
                faint = retry.missing or at_place
                yield PartToRead(retry.part, retry.pictures(plane, self._canvas), markers, hidden, faint, retry.where)

    def _chosen(self, places: Iterable[Place]) -> list[Place]:
        """Return the places that still need retries, at most ``MAX_PLACES``, new ones first."""
        retries = [(place, self._retry_at(place)) for place in places]
        new = [place for place, retry in retries if retry is None or retry.count < MAX_WAIT_PICTURES]
        old = [
            place
            for place, retry in retries
            if retry is not None and retry.count >= MAX_WAIT_PICTURES and not retry.done
        ]
        chosen: list[Place] = []
        for place in (*new, *old):
            if all(dist(place, other) > SAME_PLACE_MM for other in chosen):
                chosen.append(place)
        return chosen[:MAX_PLACES]

    def _retry_at(self, place: Place) -> _Retry | None:
        """Return the retry at about that place: the same place may be measured some mm off each time."""
        return next((retry for retry in self._places if dist(retry.middle, place) <= SAME_PLACE_MM), None)


def is_hard(
    changed: Array,
    part: Box,
    found: Sequence[RecognisedTag],
    faces: Iterable[Array],
    is_nothing: Callable[[Place], bool],
) -> bool:
    """Return whether a part may contain more than was found: changed places (n, 2), mm, that no face explains.

    Even one place is enough unless ``is_nothing`` is true for it: a small coin changes no more than that.
    """
    if not found or min(tag.score for tag in found) < EASY_SCORE:
        return True
    outlines = [np.asarray(face, np.float32) for face in faces]
    unexplained = [
        (x, y)
        for x, y in changed.tolist()
        if holds(part, (x, y))
        and all(cv2.pointPolygonTest(face, (x, y), measureDist=True) < -SHADOW_MM for face in outlines)
    ]
    return len(unexplained) >= MIN_UNEXPLAINED_BLOCKS or not all(map(is_nothing, unexplained))
