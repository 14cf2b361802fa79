"""Second looks: what could not be read is read again in all pictures since that part of the table stood still.

Two things spoil a single picture of a still table: noise, which several pictures average away, and light that is
mirrored unevenly, which is taken out of their sum.
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
from tabletop.vision.live.missing import NOTHING, MissingTags, PayloadChange
from tabletop.vision.live.overview import Overview
from tabletop.vision.live.stacking import PictureStack, part_of
from tabletop.vision.recognise.recogniser import RecognisedTag

RETRY_PICTURES = (2, 4, 8, 12, 24, 48)
"""Numbers of pictures after which a place is read again."""
WIDE_RETRY_PICTURES = (4, 12)
"""The same for a whole changed part, where nobody knows of anything that was not read."""
FIRST_RETRY_PICTURES = 8
"""The same for every part of a table that was seen for the first time; each frame reads some of them."""
HIDDEN_RETRY_PICTURES = 8
"""From this many pictures on, half-hidden tags are looked for as well, which takes longer.

They are not looked for where something merely changed or is seen for the first time: nobody misses a tag there.
"""
HANDLED_RETRY_PICTURES = 8
"""From this many pictures on, parts in which tags are missing are read while a hand lies there: most are found once it
has left.  So are places, after their first look.

If the table was never seen bare, nobody knows whether it has left.
"""
PARTS_PER_FRAME = 6
"""How many of them a frame reads."""
PART_SIDE_MM = 200.0
"""Side of such a part: faint tags in dark frames are looked for on small parts only."""
MAX_PARTS = 40
"""Most of them: what a camera sees beyond a table as large as that is floor."""
SCENE_WAIT_PICTURES = RETRY_PICTURES[0]
"""Pictures of a still table for which a scene waits while something new in it cannot be read."""
MAX_WAIT_PICTURES = 12
"""Pictures after which an OK waits no longer for a place: two seconds and a half, as a person hesitates."""
RETRY_RADIUS_MM = 25.0
"""Half the side of the square that is read again around a place, mm."""
EASY_SCORE = 0.85
"""A tag that is read with this score lies in good light."""
SHADOW_MM = 12.0
"""How far beyond the outline of a piece that was read, mm, a change is explained: shadows, and blocks at its edge."""
MIN_UNEXPLAINED_BLOCKS = 2
"""If this many changed blocks are explained by no tag, there may be a tag that is hard to read."""
MAX_PLACES = 6
"""Most places that are looked at again at a time."""
SAME_PLACE_MM = 8.0
"""Places nearer than this are one, mm."""
MAX_PART_MM2 = 9e4
"""A changed part larger than this, mm², is looked at again only if tags are missing since, and in smaller ones."""
BESIDE_MM = 45.0
"""What is laid in one movement lies no farther from each other than this, mm: the coins of a payment, side by side."""
VEIL_MM = 6.0
"""Light that varies over more than this, mm, is taken out: a third of a tag."""
MARGIN_MM = 24.0
"""The margin around what is read that is added up as well, mm: a tag at the edge must be seen whole."""


class PartToRead(NamedTuple):
    """A part of the table, mm, that is to be read again, and what all its pictures show together.

    Each picture is good only until the next one is asked for.  ``markers`` may lie there, as it is looked at for the
    first time; ``hidden``: as may tags half of which is hidden; ``faint``: as may tags that hardly look like one, for
    something is there that was not read.  ``where``: only what reaches into this mask is of interest.
    """

    part: Box
    pictures: Iterable[Grey]
    markers: bool
    hidden: bool
    faint: bool
    where: Mask | None


@dataclass(slots=True, eq=False)
class _Retry:
    """A part of the table that is looked at again, after these numbers of pictures."""

    part: Box
    after: Sequence[int]
    where: Mask | None = None
    """Only what reaches into this changed."""
    missing: bool = False
    """Tags are missing that may lie there."""
    awaited: bool = False
    """A scene waits for the first look."""
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
        """Add a picture."""
        left, top, right, bottom = self.part
        wide = (left - MARGIN_MM, top - MARGIN_MM, right + MARGIN_MM, bottom + MARGIN_MM)
        self.stack.add(grey, part_of(plane.to_px(corners_of(wide)), (grey.shape[0], grey.shape[1])))
        self.count = self.stack.count

    def pictures(self, plane: Plane, canvas: Grey) -> Iterator[Grey]:
        """Iterate over what all pictures show together: mirrored light taken out, and as it is, for faint print.

        Each is painted over the one before on ``canvas``; after the last look nothing is kept.
        """
        together = self.stack
        if self.done:
            self.stack = PictureStack()
        veil = VEIL_MM / plane.mm_per_px(plane.to_px(np.array(self.middle)))
        yield together.picture(veil, canvas)
        yield together.picture(0.0, canvas)


def _parts_of(whole: Box) -> list[Box]:
    """Return the parts of what is large."""
    left, top, right, bottom = whole
    xs, ys = np.arange(left, right, PART_SIDE_MM).tolist(), np.arange(top, bottom, PART_SIDE_MM).tolist()
    return [(x, y, min(right, x + PART_SIDE_MM), min(bottom, y + PART_SIDE_MM)) for y in ys for x in xs]


def _in_turn(parts: Iterable[Box], pictures: int) -> Iterator[tuple[Box, Sequence[int]]]:
    """Iterate over parts and when to look at each: a few in each picture from that many pictures on."""
    for n, part in enumerate(islice(parts, MAX_PARTS)):
        yield part, (pictures + n // PARTS_PER_FRAME,)


def is_small(part: Box) -> bool:
    """Return whether faint tags are looked for in all of a part at once."""
    return (part[2] - part[0]) * (part[3] - part[1]) <= MAX_PART_MM2


def beside(part: Box, laid: Iterable[RecognisedTag]) -> list[Box]:
    """Return where more may lie that was laid with these tags, in a part too large to be looked at again as a whole."""
    around: list[Box] = []
    for tag in () if is_small(part) else laid:
        if not any(holds(other, tag.place) for other in around):
            around.append(box(tag.place, BESIDE_MM))
    return around[:MAX_PLACES]


class RetryQueue:
    """The parts of one table that are looked at again, as long as nothing moves there."""

    def __init__(self) -> None:
        self._places: list[_Retry] = []
        self._parts: list[_Retry] = []
        self._missing = MissingTags()
        self._canvas: Grey = np.zeros((0, 0), np.uint8)

    def begin(self, plane: Plane | None) -> None:
        """Forget all pictures: the camera was moved, or the table is new; look at all of it again."""
        self._places, self._parts, self._missing = [], [], MissingTags()
        if plane is not None:
            self._parts = [_Retry(*turn) for turn in _in_turn(_parts_of(plane.bounds()), FIRST_RETRY_PICTURES)]

    def changed(
        self,
        overview: Overview,
        mask: Mask,
        parts: Iterable[Box] = (),
        read: PayloadChange = NOTHING,
        *,
        handled: bool = False,
    ) -> None:
        """Forget what lies where the small picture changed; these changed ``parts`` were not read with ease.

        If large ones are among them it was a hand; they are looked at again only if tags are missing, according to what
        was ``read`` before and since.  ``handled``: the hand lies there still.
        """
        self._places, self._parts = (
            [
                look
                for look, moved in zip(
                    looks, overview.reaching([corners_of(look.part) for look in looks], mask), strict=True
                )
                if not moved and (look.awaited or not look.missing)
            ]
            for looks in (self._places, self._parts)
        )
        hard = list(parts)
        self.look_at((part for part in hard if is_small(part)), mask)
        if not all(map(is_small, hard)):
            where = self._missing.changed(mask, read, handled=handled)
            if where is not None:
                self._seek(overview, where, handled=handled)

    def look_at(self, parts: Iterable[Box], where: Mask | None = None) -> None:
        """Look again at parts in which nobody knows of anything that was not read; only what reaches into ``where``."""
        self._parts += [_Retry(part, WIDE_RETRY_PICTURES, where) for part in parts]

    def _seek(self, overview: Overview, where: Mask, *, handled: bool) -> None:
        """Look for missing tags in small parts of all that changed since: later while a hand lies there."""
        parts = [part for whole in overview.boxes(where, 1) for part in _parts_of(whole)]
        reached = overview.reaching([corners_of(part) for part in parts], where)
        pictures = HANDLED_RETRY_PICTURES if handled else SCENE_WAIT_PICTURES
        turns = _in_turn(compress(parts, reached), pictures)
        self._parts += [_Retry(*turn, where, missing=True, awaited=not handled) for turn in turns]

    def waits(self, places: Iterable[Place], pictures: int = SCENE_WAIT_PICTURES) -> bool:
        """Return whether any of these places deserves another picture, up to a limit, before it is reported.

        So does a part in which tags are missing, as long as it was not looked at again.
        """
        if any(look.awaited and not look.done for look in self._parts):
            return True
        return any(look is None or look.count < pictures for look in map(self._at, self._chosen(places)))

    def seeks(self, places: Iterable[Place]) -> bool:
        """Return whether more may soon be read at any of these places, or where something changed."""
        changed = any(look.after == WIDE_RETRY_PICTURES and look.count < WIDE_RETRY_PICTURES[0] for look in self._parts)
        return changed or self.waits(places, MAX_WAIT_PICTURES)

    def add(
        self, frame: Frame, plane: Plane, places: Iterable[Place], handled: Callable[[Place], bool] = lambda _: False
    ) -> Iterator[PartToRead]:
        """Add a picture; yield the parts that are to be read now, fewer at places where a hand lies (``handled``)."""
        looks = [look for look in self._parts if not look.done]
        for place in self._chosen(places):
            look = self._at(place)
            if look is None:
                look = _Retry(box(place, RETRY_RADIUS_MM), RETRY_PICTURES)
                self._places.append(look)
            if look not in looks:
                looks.append(look)
        for look in looks:
            # The full picture is made only where somebody asks for it.
            look.add(frame.grey, plane)
        for look in looks:
            at_place = look.after is RETRY_PICTURES
            early = at_place and RETRY_PICTURES[0] < look.count < HANDLED_RETRY_PICTURES and handled(look.middle)
            if look.count in look.after and not early:
                if self._canvas.shape != frame.grey.shape:
                    self._canvas = np.empty_like(frame.grey)
                markers = look.after[0] >= FIRST_RETRY_PICTURES
                hidden = look.count >= HIDDEN_RETRY_PICTURES and (look.missing or at_place)
                faint = look.missing or not markers
                yield PartToRead(look.part, look.pictures(plane, self._canvas), markers, hidden, faint, look.where)

    def _chosen(self, places: Iterable[Place]) -> list[Place]:
        """Return the places that have not been looked at often enough, at most that many, those that are new first."""
        looks = [(place, self._at(place)) for place in places]
        new = [place for place, look in looks if look is None or look.count < MAX_WAIT_PICTURES]
        old = [place for place, look in looks if look is not None and look.count >= MAX_WAIT_PICTURES and not look.done]
        chosen: list[Place] = []
        for place in (*new, *old):
            if all(dist(place, other) > SAME_PLACE_MM for other in chosen):
                chosen.append(place)
        return chosen[:MAX_PLACES]

    def _at(self, place: Place) -> _Retry | None:
        """Return the look at about that place: a place that is read again comes out some mm beside itself."""
        return next((look for look in self._places if dist(look.middle, place) <= SAME_PLACE_MM), None)


def is_hard(
    changed: Array,
    part: Box,
    found: Sequence[RecognisedTag],
    faces: Iterable[Array],
    is_nothing: Callable[[Place], bool],
) -> bool:
    """Return whether a part may hold more than was found in it: changed places (n, 2), mm, that no face explains.

    One place is enough: a small coin changes no more than that.
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
