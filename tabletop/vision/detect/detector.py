"""From one full picture to the tags in it: every way of reading united on one plane.

Decoders need no plane and find the first squares; recognition needs the plane and finds the rest.  Where the ways
disagree nothing is accepted.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tabletop.messages import Message
from tabletop.vision.decode.decoders import Decoders, available
from tabletop.vision.decode.tag_decoder import Decoded, TagDecoder
from tabletop.vision.detect.notices import NO_MARKER, ONE_MARKER
from tabletop.vision.detect.overlap import Spot, uncovered
from tabletop.vision.detect.scale_search import ASLANT, STEP, UnnamedTags, from_above, resized, search_scales
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.plane import Array, Mask, Plane, Square, fit
from tabletop.vision.recognise.recogniser import RecognisedTag, Recogniser
from tabletop.vision.scene import Sighting, Unreadable
from tabletop.vision.tags.patterns import ACROSS, MODULES, Pattern
from tabletop.vision.tags.payloads import is_marker

WAYS = ("zxing", "zbar", "recognise")
"""Every way of reading; each alone must do."""
MOST_FITS = 6
"""How often a plane is fitted again; of those that were wrong by a third at one end most were right after five."""
SETTLED = 1.0
"""A plane that a fit moves by less than this anywhere on the table, mm, is good."""
ENOUGH = 6
"""Markers from which on the plane needs no help from the pieces' own tags."""
LEAST_MARKER, LEAST_PIECE = 1.1, 0.7
"""Px a module from which on markers, and pieces, are looked for where no decoder finds a first square."""
SIDES = tuple(36 / STEP**step for step in range(16))
"""Sides of a tag, mm, that are tried where pieces' tags are not of the size that was expected."""
PIECE_WEIGHT = 0.3
"""What a piece's tag counts in the fit beside a marker: it is smaller, and may lie on a tile and not on the table."""
FAR_OFF = 15.0
"""A first plane whose corners were so many mm off may have hidden tags: the picture is read again on the better one."""


@dataclass(frozen=True, slots=True)
class Detection:
    """What one picture showed: our tags on the plane, places that cannot be read, foreign codes, notes for people."""

    plane: Plane | None
    sightings: tuple[Sighting, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    foreign: int = 0
    doubles: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    codes: tuple[tuple[float, float], ...] = ()
    """Where on the plane the foreign codes lie, mm."""
    scale: float = 1.0
    """The pieces' tags as printed, as a part of what they should be beside the markers."""


class Detector:
    """Reads the tags of a set: ``patterns`` by payload, and the side of each payload's tag in mm.

    ``ways`` are the ways of reading that may be used, of :data:`WAYS`.
    """

    def __init__(self, patterns: Mapping[str, Pattern], sizes: Mapping[str, float], ways: Sequence[str] = WAYS) -> None:
        self.sizes = {payload: sizes[payload] for payload in patterns}
        there = available()
        first, second = there.first if "zxing" in ways else None, there.second if "zbar" in ways else None
        self.decoding = TagDecoder(Decoders(first, second, there.notes), self.sizes)
        self._recognisers: dict[float, Recogniser] = {}
        if "recognise" in ways:
            for side in sorted(set(self.sizes.values())):
                some = {payload: pattern for payload, pattern in patterns.items() if self.sizes[payload] == side}
                self._recognisers[side] = Recogniser(some, side)
        self._markers = Counter(self.sizes[payload] for payload in self.sizes if is_marker(payload))
        self._only_markers = set(self._markers) - {
            size for payload, size in self.sizes.items() if not is_marker(payload)
        }

    def read(self, grey: Grey, plane: Plane | None = None) -> Detection:
        """Return all that the picture shows; without a plane it is found first."""
        decoded = Decoded()
        if plane is None:
            plane, decoded = self.first(grey)
        elif not self._recognisers:
            decoded = self.decoding.all(grey)
        if plane is None:
            return Detection(None, foreign=len(decoded.foreign), notes=(*decoded.notes, NO_MARKER))
        found, doubts = self._recognised(grey, plane)
        better = self._better(grey, plane, found)
        if moved(plane, better) > FAR_OFF:
            found, doubts = self._recognised(grey, better)
        else:
            found = [one._replace(corners=better.to_mm(plane.to_px(one.corners))) for one in found]
            doubts = [carried(one, plane, better) for one in doubts]
        return self.united(better, decoded, found, doubts)

    def first(self, grey: Grey) -> tuple[Plane | None, Decoded]:
        """Return the plane of a picture of which nothing is known, and what the decoders read on the way.

        It is the plane on which the markers lie, or any tags where no marker is seen; None without any.
        """
        decoded = self.decoding.large(grey) if self._recognisers else Decoded()
        if not any(is_marker(payload) for payload, _, _ in decoded.tags):
            decoded = self.decoding.all(grey)
        squares = {payload: self.square(payload, corners) for payload, corners, _ in decoded.tags}
        squares = {payload: square for payload, square in squares.items() if is_marker(payload)} or squares
        plane = _fitted(squares.values(), grey) or self.plane_by_scale(grey)[0]
        marks = {name: square for name, square in squares.items() if is_marker(name)}
        known = set(marks)
        for _ in range(MOST_FITS):
            if plane is None or not self._markers or len(marks) >= ENOUGH:
                break
            more = self._marks(grey, plane) | marks
            better = _fitted(more.values(), grey)
            if not more.keys() - known and (better is None or moved(plane, better) < SETTLED):
                break
            plane, known = better, known | more.keys()
        return plane, decoded

    def region(
        self,
        grey: Grey,
        plane: Plane,
        box: Box,
        *,
        markers: bool = True,
        where: Mask | None = None,
        awaited: Collection[str] = (),
    ) -> tuple[list[RecognisedTag], list[Unreadable]]:
        """Return what lies in a part of the table (mm); without recognition by decoding that part.

        ``markers``: False leaves out sizes that only markers have.  ``where``: a mask of any size laid over the whole
        picture; only tags that reach into it are looked for.  ``awaited`` as for recognition.
        """
        if not self._recognisers:
            return self._decoded(grey, plane, box), []
        found: list[RecognisedTag] = []
        doubts: list[Unreadable] = []
        for recogniser in self._recognisers.values():
            if not markers and recogniser.side in self._only_markers:
                continue
            # A tag of which only a corner changed has to be seen whole.
            more = recogniser.side
            wide = (box[0] - more, box[1] - more, box[2] + more, box[3] + more)
            seen = recogniser.read(recogniser.view(plane).take(grey, wide, where), awaited)
            found += seen.found
            if recogniser.side not in self._only_markers:
                doubts += seen.doubts
        return self._apart(found, doubts)

    def _apart(
        self, found: Sequence[RecognisedTag], doubts: Sequence[Unreadable]
    ) -> tuple[list[RecognisedTag], list[Unreadable]]:
        """Return the tags that can all lie there at once; the places of the others are doubtful, too."""
        kept, beneath = uncovered(found, self.spot)
        return kept, [*doubts, *(Unreadable("unknown", place=one.place) for one in beneath)]

    def spot(self, one: RecognisedTag) -> Spot:
        """Return where a tag lies and how sure its identity is."""
        return Spot(*one.place, self.sizes[one.payload], one.score + one.margin)

    def still_there(self, grey: Grey, plane: Plane, known: Sequence[RecognisedTag]) -> list[bool]:
        """Tell of every tag whether it still lies exactly where it lay."""
        there = dict.fromkeys(range(len(known)), False)
        for side in {self.sizes[one.payload] for one in known}:
            some = [number for number, one in enumerate(known) if self.sizes[one.payload] == side]
            those = [known[number] for number in some]
            recogniser = self._recognisers.get(side)
            told = (
                recogniser.check(grey, plane, those)
                if recogniser is not None
                else [self._decoded_there(grey, plane, one) for one in those]
            )
            there.update(zip(some, told, strict=True))
        return list(there.values())

    def is_glimpsed(self, grey: Grey, plane: Plane, known: RecognisedTag) -> bool:
        """Return whether a part of a tag may be seen where it lay, whatever covers the rest."""
        recogniser = self._recognisers.get(self.sizes[known.payload])
        return recogniser is not None and recogniser.glimpsed(grey, plane, [known])[0]

    def _decoded_there(self, grey: Grey, plane: Plane, known: RecognisedTag) -> bool:
        (x, y), reach = known.place, self.sizes[known.payload]
        near = self._decoded(grey, plane, (x - reach, y - reach, x + reach, y + reach))
        return any(one.payload == known.payload and _apart(one.corners, known.corners) < 1.5 for one in near)

    def united(
        self, plane: Plane, decoded: Decoded, found: Sequence[RecognisedTag], doubts: Sequence[Unreadable]
    ) -> Detection:
        """Return one reading out of what the ways saw; places about which they disagree are unreadable."""
        seen = [(sighting(one, plane, "recognised", one.certainty), one) for one in found]
        unreadable = []
        for payload, corners, how in decoded.tags:
            mm = plane.to_mm(corners)
            near = [pair for pair in seen if _apart(pair[1].corners, mm) < self.sizes[payload] / 2]
            if any(one.payload != payload for _, one in near):
                x, y = mm.mean(axis=0)
                unreadable.append(Unreadable("disagree", place=(float(x), float(y))))
                seen = [pair for pair in seen if pair not in near]
                continue
            one = near[0][1] if near else RecognisedTag(payload, mm, 1.0, 1.0, 1.0)
            seen = [pair for pair in seen if pair not in near] + [(sighting(one, plane, how, 1.0), one)]
        counts = Counter(one.payload for one, _ in seen)
        doubles = tuple(sorted(payload for payload, count in counts.items() if count > 1))
        places = [one.corners for _, one in seen] + [plane.to_mm(corners) for corners in decoded.foreign]
        for doubt in doubts:
            if all(np.hypot(*(place.mean(axis=0) - doubt.place)) > 12 for place in places):
                unreadable.append(doubt)
        kept = tuple(sorted((one for one, _ in seen if counts[one.payload] == 1), key=lambda one: one.payload))
        notes = list(decoded.notes)
        if self._markers and sum(is_marker(one.payload) for one in kept) == 1:
            notes.append(ONE_MARKER)
        scale = _scale([one for _, one in seen if not is_marker(one.payload)])
        middles = [plane.to_mm(corners).mean(axis=0) for corners in decoded.foreign]
        codes = tuple((float(x), float(y)) for x, y in middles)
        return Detection(plane, kept, tuple(unreadable), len(codes), doubles, tuple(notes), codes, scale)

    def _recognised(self, grey: Grey, plane: Plane) -> tuple[list[RecognisedTag], list[Unreadable]]:
        found: list[RecognisedTag] = []
        doubts: list[Unreadable] = []
        for side, recogniser in self._recognisers.items():
            seen = recogniser.read(recogniser.view(plane).take(grey))
            found += seen.found
            # At the size of markers the frame of wood between cards looks like a tag, and no piece can lie there.
            if side not in self._only_markers:
                doubts += seen.doubts
        return self._apart(found, doubts)

    def _better(self, grey: Grey, plane: Plane, found: Sequence[RecognisedTag]) -> Plane:
        """Return the plane fitted again with the help of the pieces' tags where there are few markers."""
        marks = [one for one in found if is_marker(one.payload)]
        pieces = [one for one in found if not is_marker(one.payload)]
        if len(marks) >= ENOUGH or not pieces or len(found) < 3:
            return plane
        return _fitted(self.squares(grey, plane, found).values(), grey) or plane

    def _marks(self, grey: Grey, plane: Plane) -> dict[str, Square]:
        """Return the markers recognised on a plane that need not be good yet."""
        marks: dict[str, Square] = {}
        for side in self._markers:
            recogniser = self._recognisers.get(side)
            if recogniser is None or not _sane(plane):
                continue
            found = recogniser.read(recogniser.view(plane).take(grey)).found
            marks |= self.squares(grey, plane, [one for one in found if is_marker(one.payload)])
        return marks

    def plane_by_scale(self, grey: Grey, *, pieces: bool = False) -> tuple[Plane | None, UnnamedTags | None]:
        """Return a first plane without any decoder: as if seen from straight above, at the best of many sizes.

        It is that of the markers, or of the ``pieces``; where too few of these are seen it is tried aslant.  Beside it
        stands what looked like tags and was none of the set.
        """
        most: list[Square] = []
        unnamed_tags: list[UnnamedTags] = []
        sides = set(self.sizes.values()) - self._only_markers if pieces else self._markers
        for way, side in itertools.product((None, *ASLANT) if pieces else (None,), sides):
            if side not in self._recognisers or min(grey.shape) < ACROSS or len(most) >= ENOUGH:
                continue
            planes = from_above((grey.shape[0], grey.shape[1]), side, LEAST_PIECE if pieces else LEAST_MARKER, way)
            seen = search_scales(self._recognisers[side], grey, planes)
            squares = [
                self.square(payload, corners) for payload, corners in seen.all.items() if pieces or is_marker(payload)
            ]
            most = max(most, squares, key=len)
            unnamed_tags += [seen.unnamed_tags] if seen.unnamed_tags is not None else []
        return _fitted(most, grey), max(unnamed_tags, key=lambda one: len(one.places), default=None)

    def true_side(self, grey: Grey, plane: Plane, side: float) -> float | None:
        """Return the side, mm, of tags that should have that ``side`` and have another one; None where none is seen."""
        if side not in self._recognisers:
            return None
        middle = np.array(((plane.shape[1] - 1) / 2, (plane.shape[0] - 1) / 2))
        least = LEAST_PIECE * ACROSS * plane.mm_per_px(middle)
        planes = resized(plane, (side / other for other in SIDES if other > least))
        seen = search_scales(self._recognisers[side], grey, planes).best
        if not seen:
            return None
        corners = plane.to_mm(np.array([*seen.values()]))
        return float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1))) * ACROSS / MODULES

    def _decoded(self, grey: Grey, plane: Plane, box: Box) -> list[RecognisedTag]:
        read = self.decoding.part(grey, plane, box).tags
        return [RecognisedTag(payload, plane.to_mm(corners), 1.0, 1.0, 1.0) for payload, corners, _ in read]

    def _side(self, payload: str) -> float:
        return self.sizes[payload] * MODULES / ACROSS

    def squares(self, grey: Grey, plane: Plane, found: Sequence[RecognisedTag]) -> dict[str, Square]:
        """Return tags by payload for the fit of a better plane, as they look: on a wrong plane they are no squares."""
        squares: dict[str, Square] = {}
        for side in {self.sizes[one.payload] for one in found}:
            some = [one for one in found if self.sizes[one.payload] == side]
            recogniser = self._recognisers.get(side)
            corners = [one.corners for one in some] if recogniser is None else recogniser.skewed(grey, plane, some)
            for one, mm in zip(some, corners, strict=True):
                squares[one.payload] = self.square(one.payload, plane.to_px(mm))
        return squares

    def square(self, payload: str, corners: Array) -> Square:
        """Return a tag for the fit of the plane: markers tell the size, pieces may have been printed at another."""
        if is_marker(payload):
            return Square(corners, self._side(payload))
        return Square(corners, self._side(payload), PIECE_WEIGHT, scaled=True)


def sighting(found: RecognisedTag, plane: Plane, how: str, certainty: float) -> Sighting:
    """Return a found tag as it goes into a scene."""
    x, y = found.place
    mm = found.corners
    up = (mm[0] + mm[1]) - (mm[2] + mm[3])
    angle = float(np.degrees(np.arctan2(up[0], -up[1])))
    one, two, three, four = ((float(px), float(py)) for px, py in plane.to_px(mm))
    return Sighting(found.payload, x, y, angle, (one, two, three, four), certainty, how)


def _fitted(squares: Iterable[Square], grey: Grey) -> Plane | None:
    return fit(list(squares), (grey.shape[0], grey.shape[1]))


def moved(plane: Plane, better: Plane) -> float:
    """Return how far apart two planes of one picture have its corners, seen from its middle, mm."""
    height, width = plane.shape
    middle = np.array([((width - 1) / 2, (height - 1) / 2)])
    corners = np.array([(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)])
    apart = (better.to_mm(corners) - better.to_mm(middle)) - (plane.to_mm(corners) - plane.to_mm(middle))
    return float(np.abs(apart).max())


def carried(doubt: Unreadable, plane: Plane, better: Plane) -> Unreadable:
    """Return a doubtful place as another plane of the same picture has it."""
    x, y = better.to_mm(plane.to_px(np.array(doubt.place)))
    return replace(doubt, place=(float(x), float(y)))


def _sane(plane: Plane) -> bool:
    """Return whether the visible part of the table is of a size that a table has."""
    left, top, right, bottom = plane.bounds()
    return right - left < 6000 and bottom - top < 6000


def _apart(one: Array, other: Array) -> float:
    return float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0))))


def _scale(found: Sequence[RecognisedTag]) -> float:
    sure = [one.size for one in found if one.score < 1]
    return float(np.median(sure)) if len(sure) >= 3 else 1.0
