"""Doubts of one picture that another one resolves: it shows what lies there, or clearly that nothing does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import prod
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np

from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.geometry.camera_pose import modules
from tabletop.vision.geometry.outlines import wider
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.photo.doubts import MORE_HIDDEN
from tabletop.vision.photo.familiar_ground import FamiliarGround
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.photo.untagged_contrast import MIN_AREA_MM2, ROUGH_GREY, compact
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.alignment import SAME_PLACE_MM, laid_on
from tabletop.vision.score.picture_comparison import differing, is_otherwise
from tabletop.vision.score.seat_assignment import MIN_MODULE_PX, Doubts, PhotoSeats
from tabletop.vision.score.tally import Tally
from tabletop.vision.tags import catalogue

Ground: TypeAlias = Callable[[], FamiliarGround | None]
"""What a picture's ground looks like, worked out when it is needed."""

MIN_PASSING_TILES = 4
"""Something large enough for this many pieces is a hand, a sleeve or a shadow: it is gone if another picture shows the
table."""
OVERLAY_REACH_MM = 24.0
"""How far beside it what lies over a tile may hide more, mm."""
OUTLINE_MARGIN_MM = 6.0
"""How far beside its outline a doubt may be about something, mm."""
FACE_SLACK_MM = 3.0
"""How far beside the outline of its face a piece may end, mm."""
EMPTY_REASONS = frozenset(
    {
        Cause.NO_TAG,
        Cause.UNKNOWN,
        Cause.OVERLAID,
        Cause.BUSY,
        Cause.DARK,
        Cause.WASHED_OUT,
    }
)
"""Reasons for a doubt where there may be nothing at all."""
THING_REASONS = frozenset({Cause.NO_TAG, Cause.OVERLAID})
"""Reasons for a doubt about something that is seen."""


class Grounds(NamedTuple):
    """What the ground of a picture looks like: the table beside the cards, and the whole with the cards."""

    table: Ground
    whole: Ground


@dataclass(frozen=True, slots=True, eq=False)
class LaidOver:
    """Another picture laid on one around a place: its plane shows the mm of that one."""

    one: PhotoSeats
    other: PhotoSeats
    plane: Plane

    def shows(self, places: Array) -> bool:
        """Return whether all these places (n, 2), mm, were looked at and are seen large enough to say what is there."""
        return self.was_examined(places) and self.has_large(places)

    def was_examined(self, places: Array) -> bool:
        """Return whether things were looked for around these places (n, 2), mm: beside the seats that it shows."""
        middle = [(float(x), float(y)) for x, y in self.plane.to_px(places)]
        return not self.other.areas or bool(self.other.seats_at(middle))

    def has_large(self, places: Array) -> bool:
        """Return whether all these places (n, 2), mm, are in the other picture, large enough to say what is there."""
        return self.has(places) and float(modules(self.plane, places, catalogue.TAG_MM).min()) >= MIN_MODULE_PX

    def has(self, places: Array) -> bool:
        """Return whether all these places (n, 2), mm, are in the other picture."""
        px = self.plane.to_px(places)
        return bool(((px >= 0) & (px < np.array(self.plane.shape[::-1]))).all())

    def leaves_no_room(self, outline: Array, breadth: float) -> bool:
        """Return whether the tiles that the other picture reads leave no room for another within an outline (4, 2), mm.

        ``breadth`` is that of a tile, mm.
        """
        look, plane = self.other.reading.look, self.other.reading.plane
        if look is None or plane is None:
            return False
        inside = cv2.convexHull(outline.astype(np.float32))
        if not any(cv2.pointPolygonTest(inside, (float(x), float(y)), False) >= 0 for x, y in self.tags()):
            return False
        around = wider(outline, OUTLINE_MARGIN_MM)
        area = corners_of((*around.min(axis=0), *around.max(axis=0)))
        columns, rows = np.maximum(np.round(area[2] - area[0]).astype(int), 3).tolist()
        grid = SquareGrid.over(area, (columns, rows))
        faces = [self.plane.to_mm(plane.to_px(face)) for face in look.faces]
        free: Mask = grid.within([around]) & ~grid.within(faces)
        return not has_room(free, breadth - 2 * FACE_SLACK_MM)

    def tags(self) -> list[Array]:
        """Return the middles of the tags, mm, that the other picture shows and that count for somebody there."""
        other = self.other
        named = {other.corners[piece.piece] for pieces in other.named.values() for piece in pieces}
        counted = [
            each.corners
            for each in other.reading.sightings
            if not other.areas or each.corners in named or other.seats_at(each.corners)
        ]
        return [self.plane.to_mm(np.array(corners)).mean(axis=0) for corners in counted]

    def knows(self, place: Array) -> bool:
        """Return whether the other picture reads a tag over a place (2,), mm, or the marker of a zone around it."""
        look, plane = self.other.reading.look, self.other.reading.plane
        x, y = self.plane.to_px(place[None])[0].tolist()
        outlines = [np.array(each.corners) for each in self.other.reading.sightings]
        outlines += [plane.to_px(card) for card in look.cards] if look is not None and plane is not None else []
        return any(cv2.pointPolygonTest(each.astype(np.float32), (x, y), False) >= 0 for each in outlines)

    def strange(self, outline: Array, ground: FamiliarGround | None) -> tuple[Array, Mask] | None:
        """Return an outline (4, 2), mm, in the other picture, and where its squares of 1 mm are not ground or a face.

        None if nothing tells what the ground looks like.
        """
        look, plane = self.other.reading.look, self.other.reading.plane
        if ground is None or look is None or plane is None:
            return None
        area = plane.to_mm(self.plane.to_px(outline))
        return area, strange_in(area, ground, look.faces)

    def lie_apart(
        self, outline: Array, others: Iterable[Unreadable], grounds: tuple[Ground, Ground], breadth: float
    ) -> bool:
        """Return whether what lies within an outline (n, 2), mm, and things of the other picture hide no tile together.

        A tile that neither picture shows looks unlike the ground in both, within no face of what either of them shows,
        over all of its ``breadth``, mm.  ``grounds`` are those of both pictures, the one's first.
        """
        one, other = self.one.reading, self.other.reading
        here, there = (ground() for ground in grounds)
        if here is None or there is None or one.look is None or other.look is None or other.plane is None:
            return False
        around = wider(outline, OVERLAY_REACH_MM)
        area = corners_of((*around.min(axis=0), *around.max(axis=0)))
        ours, theirs = strange_in(area, here), strange_in(other.plane.to_mm(self.plane.to_px(area)), there)
        faces = [*one.look.faces, *(self.plane.to_mm(other.plane.to_px(face)) for face in other.look.faces)]
        free = ~SquareGrid.over(area, ours.shape[::-1]).within(wider(face, -FACE_SLACK_MM) for face in faces)
        places = [wider(other.plane.to_mm(np.array(each.corners)), OUTLINE_MARGIN_MM) for each in others]
        known = [(ours, area), *((strange_in(place, there), place) for place in places)]
        apart = differing(one.look, other.look.seen_on(self.plane), area, ROUGH_GREY)
        if apart is None or not all(compact(*each) for each in known):
            return False
        # What differs and looks like the ground in both is a thing as brown as the wood beside its card.
        brown = cv2.resize(apart.astype(np.uint8), ours.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
        return not has_room((ours & theirs | brown & ~ours & ~theirs) & free, breadth - 2 * FACE_SLACK_MM)

    def looks(self) -> tuple[ShrunkPicture, ShrunkPicture] | None:
        """Return what both pictures look like, in the mm of the one; None if one of them was not kept."""
        here, there = self.one.reading.look, self.other.reading.look
        return None if here is None or there is None else (here, there.seen_on(self.plane))

    def is_about(self, doubt: Unreadable, outline: Array) -> bool:
        """Return whether a doubt of the other picture may be about something within an outline (n, 2), mm.

        A doubt without a place may be about anything.
        """
        if not doubt.corners:
            return True
        there, here = (
            cv2.convexHull(wider(each, OUTLINE_MARGIN_MM).astype(np.float32))
            for each in (_reach(doubt, self.plane.to_mm(np.array(doubt.corners))), outline)
        )
        return bool(cv2.intersectConvexConvex(there, here)[0] >= MIN_AREA_MM2)


def laid_over(one: PhotoSeats, other: PhotoSeats, place: Array, *, roughly: bool = False) -> LaidOver | None:
    """Return the other picture laid on one around a place, mm; None if too few tags are in both.

    ``roughly``: a single tag is enough.
    """
    plane = laid_on(one.reading, other.reading, place, roughly=roughly)
    return None if plane is None else LaidOver(one, other, plane)


def unresolved(pictures: Sequence[PhotoSeats], tally: Tally) -> Doubts:
    """Return what could not be read in pictures, where it may be a seat's and no other picture resolves it.

    A doubt that is resolved keeps no other one open: two fingers may lie side by side, each in its own picture.
    ``tally`` says how large the pieces that count are.
    """
    grounds = [
        Grounds(*(cache(partial(ground_of, picture, cards=cards)) for cards in (False, True))) for picture in pictures
    ]
    sizes = [tally.size(tally.places(picture.placed)) for picture in pictures]
    doubts: Mapping[int, Sequence[Unreadable]] = {picture.number: picture.doubtful for picture in pictures}
    while True:
        left = {
            number: [
                each
                for each in there
                if not _is_resolved(each, pictures[number], sizes[number], pictures, doubts, grounds)
            ]
            for number, there in doubts.items()
        }
        if left == doubts:
            return [(number, each) for number, there in left.items() for each in there]
        doubts = left


def _is_resolved(
    doubt: Unreadable,
    one: PhotoSeats,
    size: tuple[float, float],
    pictures: Sequence[PhotoSeats],
    doubts: Mapping[int, Sequence[Unreadable]],
    grounds: Sequence[Grounds],
) -> bool:
    if doubt.reason == Cause.DOUBLE or one.reading.plane is None or not doubt.corners:
        return False
    outline = one.reading.plane.to_mm(np.array(doubt.corners, dtype=np.float64))
    for other in pictures:
        laid = laid_over(one, other, outline.mean(axis=0)) if other is not one else None
        if laid is None:
            continue
        if doubt.reason == Cause.HIDDEN_SEAT and laid.knows(outline.mean(axis=0)):
            return True
        if doubt.reason not in MORE_HIDDEN and (
            _is_explained(outline, laid.tags(), prod(size)) or laid.leaves_no_room(outline, min(size))
        ):
            return True
        here, there = grounds[one.number], grounds[other.number]
        if (
            doubt.reason in EMPTY_REASONS
            and _is_seen(doubt, outline, laid, doubts[other.number], (here.whole, there.whole), min(size))
            and _is_bare(doubt, outline, prod(size), laid, there.table)
        ):
            return True
    return False


def _is_explained(outline: Array, tags: Sequence[Array], piece_mm2: float) -> bool:
    """Return whether a tag lies at the middle of an outline (4, 2), mm, or as many in it as there is room for pieces.

    Of a piece that is seen in part an outline shows that part; with its tag it is a piece that another picture reads.
    """
    middle, room = outline.mean(axis=0), _area(outline) / piece_mm2
    # There is no room for another piece on either side of one at the middle of what is smaller than two.
    if room < 2 and any(float(np.hypot(*(tag - middle))) < SAME_PLACE_MM for tag in tags):
        return True
    inside = sum(cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), False) >= 0 for x, y in tags)
    return inside >= max(1, round(room))


def _is_seen(
    doubt: Unreadable,
    outline: Array,
    laid: LaidOver,
    others: Iterable[Unreadable],
    grounds: tuple[Ground, Ground],
    breadth: float,
) -> bool:
    """Return whether the other picture shows all within an outline (4, 2), mm, and has no doubt about a tile there.

    Fingers that nearly meet, each in its own picture, hide no tile together.
    """
    place = _reach(doubt, outline)
    if not laid.has_large(place):
        return False
    near = [each for each in others if laid.is_about(each, place)]
    things = all(each.corners and each.reason in THING_REASONS for each in (doubt, *near))
    return not near or (things and laid.lie_apart(place, near, grounds, breadth))


def _is_bare(doubt: Unreadable, outline: Array, piece_mm2: float, laid: LaidOver, table: Ground) -> bool:
    """Return whether the other picture shows no tile face down within an outline (4, 2), mm.

    It may go unnoticed in one picture.  So if something has no tag, it is not enough that the other one has no doubt
    there: it has to show the ground, or something else than this one does.  Where nothing was looked for, because a
    finger lies over the seat's marker, it has to show the ground.
    """
    if not laid.was_examined(outline):
        return _is_ground(wider(outline, OUTLINE_MARGIN_MM), laid, table)
    if doubt.reason != Cause.NO_TAG or _area(outline) >= MIN_PASSING_TILES * piece_mm2:
        return True
    # What was noticed of a thing may be one edge of it: the thing itself lies beside it.
    near = wider(outline, OUTLINE_MARGIN_MM)
    return _is_ground(near, laid, table) or _looks_otherwise(laid, near, wider(outline, OVERLAY_REACH_MM))


def _is_ground(outline: Array, laid: LaidOver, table: Ground) -> bool:
    """Return whether all within an outline (mm) is known to be the table in the other picture, or was read there."""
    strange = laid.strange(outline, table())
    return strange is not None and not compact(strange[1], strange[0])


def _looks_otherwise(laid: LaidOver, outline: Array, around: Array) -> bool:
    """Return whether what lies within an outline (mm) and beside it is not what the other picture shows there."""
    looks = laid.looks()
    return looks is not None and is_otherwise(*looks, outline, around)


def ground_of(picture: PhotoSeats, *, cards: bool) -> FamiliarGround | None:
    """Return the ground of a picture beside all doubts; None if nothing tells what it looks like.

    ``cards``: cards are ground as well.
    """
    look, plane = picture.reading.look, picture.reading.plane
    if look is None or plane is None:
        return None
    unread = [plane.to_mm(np.array(each.corners)) for each in picture.reading.unread if each.corners]
    known = [*look.faces, *([] if cards else look.cards), *unread]
    ground = FamiliarGround(look.colour, look.plane, known, look.white)
    return ground if ground.is_familiar else None


def strange_in(area: Array, ground: FamiliarGround, faces: Sequence[Array] = ()) -> Mask:
    """Return where the squares of 1 mm of an area (4, 2), mm, are neither ground nor a face."""
    width, height = (max(3, round(float(np.linalg.norm(side - area[0])))) for side in (area[1], area[3]))
    return ground.strange(area, np.ones((height, width), np.bool_), faces)


def _reach(doubt: Unreadable, outline: Array) -> Array:
    """Return within which outline (4, 2), mm, what a doubt is about may hide a tile."""
    return wider(outline, OVERLAY_REACH_MM) if doubt.reason == Cause.OVERLAID else outline


def has_room(squares: Mask, breadth: float) -> bool:
    """Return whether something of that breadth, mm, fits into squares of 1 mm."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(breadth), round(breadth)))
    return bool(cv2.erode(squares.astype(np.uint8), disc, borderType=cv2.BORDER_CONSTANT, borderValue=0).any())


def _area(outline: Array) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))
