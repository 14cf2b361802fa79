"""The live loop: frame after frame in, a Scene out whenever the table stands still and looks different.

The small picture tells whether the table stands still and where it changed; only there is the full picture read
again.  A tag once read is kept until its place is seen bare or it is read elsewhere: a hand makes nothing vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules.layout import Layout
from tabletop.vision.background import Background, Mask, covering
from tabletop.vision.frame import Frame, Grey
from tabletop.vision.plane import Plane, aligned
from tabletop.vision.reader import NO_MARKER, ONE_MARKER, WAYS, Reader, Reading, is_marker, sighting
from tabletop.vision.reasons import GLARE, SATURATED
from tabletop.vision.recognise.recogniser import Doubt, Found, Recogniser
from tabletop.vision.recognise.sheet import Box
from tabletop.vision.scene import Scene, Sighting, Unreadable
from tabletop.vision.stillness import Stillness, changed
from tabletop.vision.tags import ACROSS, MODULES, Pattern

Array: TypeAlias = NDArray[np.float64]
Arrange: TypeAlias = Callable[[Sequence[Sighting]], Layout]
"""How sightings become a layout: the zones of one game, with their markers among the sightings."""

SAME = 3.0
"""A tag that is read within so many mm of where it lay has not moved."""
REACH = 58.0
"""How far a piece may reach from the middle of its tag, mm: within it the table is not taken for bare."""
MUCH = 0.3
"""Part of the picture beyond which a change may be the camera's."""
MOST_BOXES = 8
"""More changed places than this are read as one."""
STRANGE_MM2 = 350.0
"""Least area of an unknown thing that is told of."""
WIDER = 1.7
"""Within so many times the reach of a piece nothing is strange: cards stick out of a pile."""
DOUBT = 8.0
"""Half the side of what a doubtful place is taken to cover, mm."""
SWEEP_MM = 130.0
"""Side of the part of the table that is read anew at each step of the sweep."""
FOREIGN = "foreign"
"""Why a piece of another game is not read."""
BUMPED = "The camera was moved; the table has been found again."
LOST = "The camera was moved and the table cannot be found: no marker is visible."


@dataclass(frozen=True, slots=True)
class Known:
    """A tag that is taken to lie somewhere; ``reason`` is empty while it is read, else why it is only kept."""

    found: Found
    how: str
    certainty: float
    reason: str = ""


class Eyes:
    """Looks at one table.

    ``patterns`` and ``sizes`` (mm) tell what may lie there, by payload, markers included; ``arrange`` makes the
    layout.  ``sweep``: seconds between two steps of the sweep that reads a still table again, part by part.
    ``strangers`` makes what recognises the tags of other games: what cannot be read may be one of those.  Time comes
    with the frames.
    """

    def __init__(
        self,
        patterns: Mapping[str, Pattern],
        sizes: Mapping[str, float],
        arrange: Arrange,
        stillness: Stillness | None = None,
        ways: Sequence[str] = WAYS,
        sweep: float = 1.0,
        strangers: Callable[[], Recogniser] | None = None,
    ) -> None:
        self.reader = Reader(patterns, sizes, ways)
        self.arrange = arrange
        self.stillness = stillness or Stillness()
        self.sweep = sweep
        self._strangers = strangers
        self._stranger: Recogniser | None = None
        self._names: dict[tuple[float, float], str] = {}
        self.plane: Plane | None = None
        self.scale = 1.0
        self._known: dict[str, Known] = {}
        self._doubles: dict[str, list[Found]] = {}
        self._doubts: list[Doubt] = []
        self._strange: list[Doubt] = []
        self._foreign = 0
        self._notes: tuple[str, ...] = ()
        self._reference: NDArray[np.float32] | None = None
        self._background: Background | None = None
        self._hand: Mask | None = None
        self._told: Scene | None = None
        self._seen: Scene | None = None
        self._swept = 0.0
        self._cell = 0
        self._standing: Scene | None = None
        self._sighted: dict[str, tuple[Known, Plane, Sighting]] = {}

    @property
    def standing(self) -> Scene | None:
        """The scene as it stood in the last frame, at that frame's time; None while anything moves.

        A press is answered by a table seen after it, whether or not it differs from the scene before.
        """
        return self._standing

    def look(self, frame: Frame) -> Scene | None:
        """Take the newest frame; return a Scene when the table stands still and differs from the scene before."""
        self._standing = None
        if not self.stillness.see(frame.small, frame.time).still:
            return None
        scene = self._tell(frame) if self._attend(frame) or self._told is None else None
        if self._seen is not None:
            self._standing = replace(self._seen, time=frame.time, number=frame.number)
        return scene

    def _attend(self, frame: Frame) -> bool:
        """Read what has to be read of a still table; tell whether anything was read."""
        now = self.stillness.seen
        if self._reference is None or self._reference.shape != now.shape or self.plane is None:
            self._begin(frame, now)
            return True
        mask = changed(self._reference, now)
        if mask.any():
            self._changed(frame, now, mask)
            return True
        if frame.time - self._swept >= self.sweep:
            self._sweep(frame)
            return True
        return False

    # -- reading ---------------------------------------------------------------------------------------------------

    def _begin(self, frame: Frame, now: NDArray[np.float32]) -> None:
        """Read the whole picture for the first time, or after the table was lost."""
        reading = self.reader.read(frame.grey)
        self._background = Background((frame.small.shape[0], frame.small.shape[1]))
        self._hand = np.zeros(frame.small.shape, dtype=np.bool_)
        self._take(reading)
        self._reference, self._swept = now, frame.time
        self._learn(frame.small, None)

    def _take(self, reading: Reading) -> None:
        """Believe a whole reading and forget what was known before."""
        self.plane, self.scale, self._foreign, self._notes = (
            reading.plane,
            reading.scale,
            reading.foreign,
            # What this machine lacks is the doctor's to say, not a sentence for every scene.
            tuple(note for note in reading.notes if note in (NO_MARKER, ONE_MARKER)),
        )
        self._doubts = [Doubt(one.x, one.y, one.reason, 0.0) for one in reading.unreadable]
        self._strange = []
        self._doubles = {payload: [] for payload in reading.doubles}
        self._known = {}
        if reading.plane is not None:
            for seen in reading.sightings:
                corners = reading.plane.to_mm(np.array(seen.corners))
                found = Found(seen.payload, corners, seen.certainty, seen.certainty, 1.0)
                self._known[seen.payload] = Known(found, seen.how, seen.certainty)

    def _changed(self, frame: Frame, now: NDArray[np.float32], mask: Mask) -> None:
        """Read again where the small picture changed."""
        assert self.plane is not None
        grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
        boxes = _boxes(grown, frame)
        if len(boxes) > MOST_BOXES:
            boxes = _boxes(grown, frame, together=True)
        places = [_in_mm(box, self.plane) for box in boxes]
        marks = [known.found for known in self._known.values() if is_marker(known.found.payload)]
        reached = _reaching([mark.corners for mark in marks], self.plane, grown)
        touched = [mark for mark, reaches in zip(marks, reached, strict=True) if reaches]
        if (mask.mean() > MUCH or len(touched) >= max(2, len(marks) / 2)) and self._bumped(frame):
            self._recover(frame, now)
            return
        self._hand = _hands(mask, frame.small.shape)
        # A marker that was shifted is missed at its old place: only then need markers be looked for.
        markers = len(marks) < 2 or bool(touched)
        for place in places:
            self._read(frame, place, markers=markers, where=grown)
        self._reference, self._swept = now, frame.time
        self._learn(frame.small, mask)

    def _read(
        self, frame: Frame, box: Box, *, gone: bool = True, markers: bool = True, where: Mask | None = None
    ) -> None:
        """Read a part of the table (mm).

        ``gone``: what is not read there any more may have been taken away; ``markers``: look for markers too;
        ``where``: read only what reaches into this mask.
        """
        plane = self.plane
        assert plane is not None
        found, doubts = self.reader.region(frame.grey, plane, box, markers=markers, where=where)
        for one in found:
            self._found(frame.grey, plane, one)
        here = {one.payload for one in found}
        inside = [
            known
            for known in self._known.values()
            if _touches(known.found, box) and (where is None or _reaches(known.found.corners, plane, where))
        ]
        for known in inside:
            if gone and known.found.payload not in here:
                self._missing(frame, plane, known, found)
        self._doubts = [
            one
            for one in self._doubts
            if not _holds(box, (one.x, one.y)) or (where is not None and not _reaches(_around(one), plane, where))
        ]
        taken = [known.found for known in self._known.values()]
        new = [one for one in doubts if _holds(box, (one.x, one.y))]
        self._doubts += [one for one in new if not any(_near(one, each) for each in taken)]
        for payload in list(self._doubles):
            self._resolve(frame.grey, plane, payload)

    def _found(self, grey: Grey, plane: Plane, found: Found) -> None:
        """Take in a tag that has just been read."""
        before = self._known.get(found.payload)
        moved = before is not None and _distance(before.found, found) > SAME
        if found.payload in self._doubles:
            if all(_distance(other, found) > SAME for other in self._doubles[found.payload]):
                self._doubles[found.payload].append(found)
            return
        if (
            before is not None
            and moved
            and not before.reason
            and self.reader.still_there(grey, plane, [before.found])[0]
        ):
            self._doubles[found.payload] = [before.found, found]
            del self._known[found.payload]
            return
        self._known[found.payload] = Known(found, "recognised", found.certainty)

    def _missing(self, frame: Frame, plane: Plane, known: Known, found: Iterable[Found]) -> None:
        """Decide what became of a tag that is no longer read where it lay."""
        payload = known.found.payload
        if self.reader.still_there(frame.grey, plane, [known.found])[0]:
            self._known[payload] = replace(known, reason="")
            return
        under = any(_distance(one, known.found) < self.reader.sizes[payload] * 0.9 for one in found)
        if not under and self._is_bare(frame, plane, known.found):
            del self._known[payload]
            return
        outline = _whole(known.found, plane, frame)
        place = covering([outline], frame.small.shape)
        if (frame.small[place] >= SATURATED).mean() > GLARE:
            reason = "glare"
        elif under or (self._hand is not None and bool((self._hand & place).any())):
            reason = "covered"
        else:
            reason = "face-down"
        self._known[payload] = replace(known, reason=reason)

    def _is_bare(self, frame: Frame, plane: Plane, found: Found) -> bool:
        assert self._background is not None
        assert self._hand is not None
        return self._background.is_bare(frame.small, _whole(found, plane, frame), self._hand)

    def _resolve(self, grey: Grey, plane: Plane, payload: str) -> None:
        """Believe again in a tag that was seen twice once only one of the two is left."""
        listed = self._doubles[payload]
        there = self.reader.still_there(grey, plane, listed)
        left = [one for one, stays in zip(listed, there, strict=True) if stays]
        if len(left) <= 1:
            del self._doubles[payload]
            if left:
                self._known[payload] = Known(left[0], "recognised", left[0].certainty)

    def _sweep(self, frame: Frame) -> None:
        """Read the next part of a still table again: what was missed in bad light is found in better."""
        assert self.plane is not None
        left, top, right, bottom = self.plane.bounds()
        columns, rows = int((right - left) // SWEEP_MM) + 1, int((bottom - top) // SWEEP_MM) + 1
        self._cell = (self._cell + 1) % (columns * rows)
        x, y = left + self._cell % columns * SWEEP_MM, top + self._cell // columns * SWEEP_MM
        self._read(frame, (x, y, x + SWEEP_MM, y + SWEEP_MM), gone=False)
        for known in [one for one in self._known.values() if one.reason]:
            self._missing(frame, self.plane, known, [one.found for one in self._known.values() if one is not known])
        self._swept = frame.time

    # -- the camera ------------------------------------------------------------------------------------------------

    def _bumped(self, frame: Frame) -> bool:
        """Tell whether the camera was moved: most of the tags are no longer where they lay."""
        assert self.plane is not None
        marks = [one.found for one in self._known.values() if is_marker(one.found.payload) and not one.reason]
        marks = marks or [one.found for one in self._known.values() if not one.reason]
        there = sum(self.reader.still_there(frame.grey, self.plane, marks))
        return bool(marks) and there < len(marks) / 2

    def _recover(self, frame: Frame, now: NDArray[np.float32]) -> None:
        """Find the table again after the camera was moved, and keep its frame; hands off what cannot be found."""
        plane, _ = self.reader.first(frame.grey)
        if plane is None:
            self._notes = (LOST,)
            self._reference = now
            return
        reading = self.reader.read(frame.grey, plane)
        before = self._known
        pairs = [
            (np.array(seen.corners), before[seen.payload].found.corners)
            for seen in reading.sightings
            if seen.payload in before and is_marker(seen.payload)
        ]
        plane = aligned(reading.plane or plane, pairs)
        self._take(replace(reading, plane=plane))
        for payload, known in before.items():
            if payload not in self._known and payload not in self._doubles:
                self._known[payload] = replace(known, reason="covered")
        self._notes = (*self._notes, BUMPED)
        self._background = Background((frame.small.shape[0], frame.small.shape[1]))
        self._hand = np.zeros(frame.small.shape, dtype=np.bool_)
        self._reference, self._swept = now, frame.time
        self._learn(frame.small, None)

    def _learn(self, small: Grey, mask: Mask | None) -> None:
        """Learn the bare table away from all pieces and from what has just changed, and look for strange things."""
        if self.plane is None or self._background is None:
            return
        self._doubts = [one for one in self._doubts if not self._is_nothing(small, one)]
        bare = ~self._footprints(small, 1.0)
        if mask is not None:
            grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
            size = (small.shape[1], small.shape[0])
            bare &= cv2.resize(grown, size, interpolation=cv2.INTER_NEAREST) == 0
        self._background.learn(small, bare)
        factor = small.shape[1] / self.plane.shape[1]
        middle = np.array([self.plane.shape[1] / 2, self.plane.shape[0] / 2])
        pitch = self.plane.mm_per_px(middle) / factor
        hidden = self._footprints(small, WIDER)
        if self._hand is not None:
            hidden |= self._hand
        spots = self._background.strange(small, hidden, STRANGE_MM2 / pitch**2)
        places = [self.plane.to_mm((spot + 0.5) / factor - 0.5) for spot in spots]
        self._strange = [Doubt(float(place[0]), float(place[1]), "unknown", 0.0) for place in places]

    def _is_nothing(self, small: Grey, doubt: Doubt) -> bool:
        """Tell whether a hand, or the bare table as it was remembered, is seen where something looked like a tag."""
        assert self.plane is not None
        assert self._background is not None
        factor = small.shape[1] / self.plane.shape[1]
        outline = (self.plane.to_px(_around(doubt)) + 0.5) * factor - 0.5
        if self._hand is not None and (self._hand & covering([outline], self._hand.shape)).any():
            return True
        return self._background.is_bare(small, outline, np.ones(small.shape, dtype=np.bool_))

    def _footprints(self, small: Grey, wider: float) -> Mask:
        """Return where pieces may lie in the small picture: around every known tag and every doubt."""
        assert self.plane is not None
        factor = small.shape[1] / self.plane.shape[1]
        places = [(one.found.place, _reach(one.found.payload, self.reader.sizes)) for one in self._known.values()]
        places += [((one.x, one.y), REACH) for one in self._doubts]
        ways = np.arange(12) * np.pi / 6
        ring = np.stack([np.cos(ways), np.sin(ways)], axis=1)
        middles = np.array([place for place, _ in places]).reshape(-1, 1, 2)
        reaches = np.array([reach for _, reach in places]).reshape(-1, 1, 1) * wider
        outlines = (self.plane.to_px(middles + reaches * ring) + 0.5) * factor - 0.5
        return covering(list(outlines), (small.shape[0], small.shape[1]))

    # -- telling ---------------------------------------------------------------------------------------------------

    def _sighting(self, known: Known, plane: Plane) -> Sighting:
        """Return a known tag as it goes into a scene; worked out once while it lies as it lies."""
        before = self._sighted.get(known.found.payload)
        if before is not None and before[0] is known and before[1] is plane:
            return before[2]
        made = sighting(known.found, plane, "kept" if known.reason else known.how, known.certainty)
        self._sighted[known.found.payload] = (known, plane, made)
        return made

    def _tell(self, frame: Frame) -> Scene | None:
        """Return the scene where it differs from the one told last."""
        plane = self.plane
        seen: list[Sighting] = []
        unreadable: list[Unreadable] = []
        if plane is not None:
            for payload, known in sorted(self._known.items()):
                seen.append(self._sighting(known, plane))
                if known.reason:
                    unreadable.append(Unreadable(*known.found.place, known.reason, payload))
            names = self._named(frame.grey, plane)
            unreadable += [
                Unreadable(one.x, one.y, FOREIGN if name else one.reason, name)
                for one, name in zip(self._doubts, names, strict=True)
            ]
        unreadable += [Unreadable(one.x, one.y, one.reason) for one in self._strange]
        scene = Scene(
            frame.time,
            frame.number,
            self.arrange(seen),
            tuple(seen),
            tuple(unreadable),
            self._foreign,
            tuple(sorted(self._doubles)),
            self._notes,
        )
        self._seen = scene
        # That the table was found again is said once.
        self._notes = tuple(note for note in self._notes if note != BUMPED)
        if self._told is not None and _essence(self._told) == _essence(scene):
            return None
        self._told = scene
        return scene

    def _named(self, grey: Grey, plane: Plane) -> list[str]:
        """Return for every doubt which piece of another game it is, empty where it is none.

        What has been named once keeps its name as long as the doubt is the same.
        """
        if self._strangers is None or not self._doubts:
            return [""] * len(self._doubts)
        self._stranger = self._stranger or self._strangers()
        reach = self._stranger.side * 1.5
        before, self._names = self._names, {}
        for one in self._doubts:
            place = (one.x, one.y)
            box = (one.x - reach, one.y - reach, one.x + reach, one.y + reach)
            name = before.get(place)
            if name is None:
                found = self._stranger.read(self._stranger.view(plane).take(grey, box)).found
                name = next((each.payload for each in found if _near(one, each)), "")
            self._names[place] = name
        return [self._names[one.x, one.y] for one in self._doubts]


def _essence(scene: Scene) -> tuple[object, ...]:
    """Return what makes two scenes different; a place within two centimetres is the same place."""
    hidden = frozenset((one.reason, one.payload, round(one.x / 20), round(one.y / 20)) for one in scene.unreadable)
    return scene.layout, scene.doubles, hidden, scene.notes


def _boxes(mask: Mask, frame: Frame, *, together: bool = False) -> list[Array]:
    """Return the corners (4, 2), px of the full picture, of the places in a mask."""
    factor = frame.grey.shape[1] / mask.shape[1]
    if together:
        ys, xs = np.nonzero(mask)
        rectangles = [(xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)]
    else:
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
        rectangles = [(x, y, x + w, y + h) for x, y, w, h, _ in stats[1:count]]
    return [
        np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64) * factor
        for left, top, right, bottom in rectangles
    ]


def _reaches(corners: Array, plane: Plane, where: Mask) -> bool:
    """Tell whether a square (4, 2), mm, reaches into a mask that is laid over the whole picture."""
    return _reaching([corners], plane, where)[0]


def _reaching(squares: Sequence[Array], plane: Plane, where: Mask) -> list[bool]:
    """Tell of each square (4, 2), mm, whether it reaches into a mask that is laid over the whole picture."""
    if not squares:
        return []
    rows, columns = where.shape
    factor = np.array((columns / plane.shape[1], rows / plane.shape[0]))
    most = np.array((columns, rows))
    px = plane.to_px(np.stack(squares)) * factor
    near = np.clip(np.floor(px.min(axis=1)).astype(int), 0, most - 1)
    far = np.clip(np.ceil(px.max(axis=1)).astype(int), near + 1, most)
    return [
        bool(where[top:bottom, left:right].any())
        for (left, top), (right, bottom) in zip(near.tolist(), far.tolist(), strict=True)
    ]


def _around(doubt: Doubt) -> Array:
    """Return the square, mm, that a tag at the place of a doubt may cover."""
    square = np.array([(-DOUBT, -DOUBT), (DOUBT, -DOUBT), (DOUBT, DOUBT), (-DOUBT, DOUBT)])
    found: Array = square + np.array((doubt.x, doubt.y))
    return found


def _in_mm(corners: Array, plane: Plane) -> Box:
    mm = plane.to_mm(corners)
    (left, top), (right, bottom) = mm.min(axis=0), mm.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _hands(mask: Mask, shape: tuple[int, ...]) -> Mask:
    """Return where a change reaches in from the picture's edge, in px of the small picture."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    reach = np.isin(labels, edge[edge > 0]).astype(np.uint8)
    return cv2.resize(reach, (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST).astype(np.bool_)


def _whole(found: Found, plane: Plane, frame: Frame) -> Array:
    """Return the outline of a whole tag, quiet zone included, in px of the small picture."""
    middle = found.corners.mean(axis=0)
    px = plane.to_px(middle + (found.corners - middle) * (ACROSS / MODULES))
    outline: Array = (px + 0.5) * (frame.small.shape[1] / frame.grey.shape[1]) - 0.5
    return outline


def _reach(payload: str, sizes: Mapping[str, float]) -> float:
    return sizes[payload] * 0.75 if is_marker(payload) else REACH


def _touches(found: Found, box: Box) -> bool:
    (left, top), (right, bottom) = found.corners.min(axis=0), found.corners.max(axis=0)
    return bool(left < box[2] and right > box[0] and top < box[3] and bottom > box[1])


def _holds(box: Box, place: tuple[float, float]) -> bool:
    return box[0] <= place[0] <= box[2] and box[1] <= place[1] <= box[3]


def _distance(one: Found, other: Found) -> float:
    return float(np.hypot(*(np.array(one.place) - other.place)))


def _near(doubt: Doubt, found: Found) -> bool:
    x, y = found.place
    return bool(np.hypot(doubt.x - x, doubt.y - y) < float(np.ptp(found.corners[:, 0])) / 2 + 4)
