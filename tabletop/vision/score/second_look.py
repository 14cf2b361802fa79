"""Resolves doubts of one picture by another one that shows what lies there, or clearly that nothing does."""

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
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.photo.untagged.compact import MIN_AREA_MM2, compact
from tabletop.vision.photo.untagged.contrast import ROUGH_GREY
from tabletop.vision.photo.untagged.familiar_ground import FamiliarGround
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.alignment import SAME_PLACE_MM, laid_on
from tabletop.vision.score.picture_comparison import differing, is_otherwise
from tabletop.vision.score.seats.photo_seats import Doubts, PhotoSeats
from tabletop.vision.score.seats.zone_views import MIN_MODULE_PX
from tabletop.vision.score.tally import Tally
from tabletop.vision.tags import catalogue

Ground: TypeAlias = Callable[[], FamiliarGround | None]
"""A function that returns the ground of a picture, computed when it is first needed."""

MIN_PASSING_TILES = 4
"""Least size, in pieces, of something that is a hand, a sleeve or a shadow: it is gone if another picture shows the
table."""
OVERLAY_REACH_MM = 24.0
"""Distance beyond its outline, mm, at which a thing on a tile may hide more."""
OUTLINE_MARGIN_MM = 6.0
"""Margin around its outline, mm, within which a doubt may be about something."""
FACE_SLACK_MM = 3.0
"""Largest difference, mm, between the edge of a piece and the outline of its face."""
EMPTY_REASONS = frozenset(
    {
        Cause.NO_TAG,
        Cause.UNKNOWN,
        Cause.OVERLAID,
        Cause.BUSY,
        Cause.DARK,
        Cause.WASHED_OUT,
        Cause.BLURRED,
    }
)
"""Reasons of doubts about places where there may be nothing at all."""
THING_REASONS = frozenset({Cause.NO_TAG, Cause.OVERLAID})
"""Reasons of doubts about a visible thing."""


class Grounds(NamedTuple):
    """The ground of a picture: of the table outside the cards, and of the whole, including the cards."""

    table: Ground
    whole: Ground


@dataclass(frozen=True, slots=True, eq=False)
class LaidOver:
    """Another picture aligned with one around a place: ``plane`` maps the other's px to the one's mm."""

    one: PhotoSeats
    other: PhotoSeats
    plane: Plane

    def shows(self, places: Array) -> bool:
        """Return whether all these places (n, 2), mm, were examined and are shown large enough."""
        return self.was_examined(places) and self.has_large(places)

    def was_examined(self, places: Array) -> bool:
        """Return whether the middle of these places (n, 2), mm, was searched for things, at the seats that it shows."""
        middle = [(float(x), float(y)) for x, y in self.plane.to_px(places)]
        return not self.other.areas or bool(self.other.seats_at(middle))

    def has_large(self, places: Array) -> bool:
        """Return whether all these places (n, 2), mm, are in the other picture and shown large enough to judge."""
        return self.contains(places) and float(modules(self.plane, places, catalogue.TAG_MM).min()) >= MIN_MODULE_PX

    def contains(self, places: Array) -> bool:
        """Return whether all these places (n, 2), mm, are in the other picture."""
        px = self.plane.to_px(places)
        return bool(((px >= 0) & (px < np.array(self.plane.shape[::-1]))).all())

    def leaves_no_room(self, outline: Array, breadth: float) -> bool:
        """Return whether the tiles that the other picture reads leave no room for another within an outline (4, 2), mm.

        ``breadth``: that of a tile, mm.
        """
        shrunk, plane = self.other.reading.shrunk, self.other.reading.plane
        if shrunk is None or plane is None:
            return False
        inside = cv2.convexHull(outline.astype(np.float32))
        if not any(cv2.pointPolygonTest(inside, (float(x), float(y)), False) >= 0 for x, y in self.tags()):
            return False
        around = wider(outline, OUTLINE_MARGIN_MM)
        area = corners_of((*around.min(axis=0), *around.max(axis=0)))
        columns, rows = np.maximum(np.round(area[2] - area[0]).astype(int), 3).tolist()
        grid = SquareGrid.over(area, (columns, rows))
        faces = [self.plane.to_mm(plane.to_px(face)) for face in shrunk.faces]
        free: Mask = grid.within([around]) & ~grid.within(faces)
        return not has_room(free, breadth - 2 * FACE_SLACK_MM)

    def tags(self) -> list[Array]:
        """Return the middles, mm, of the tags in the other picture that count for a seat there."""
        other = self.other
        named = {other.corners[piece.piece] for pieces in other.named.values() for piece in pieces}
        counted = [
            each.corners
            for each in other.reading.sightings
            if not other.areas or each.corners in named or other.seats_at(each.corners)
        ]
        return [self.plane.to_mm(np.array(corners)).mean(axis=0) for corners in counted]

    def is_read_at(self, place: Array) -> bool:
        """Return whether a tag, or the card of a marker, that the other picture reads covers a place (2,), mm."""
        shrunk, plane = self.other.reading.shrunk, self.other.reading.plane
        x, y = self.plane.to_px(place[None])[0].tolist()
        outlines = [np.array(each.corners) for each in self.other.reading.sightings]
        outlines += [plane.to_px(card) for card in shrunk.cards] if shrunk is not None and plane is not None else []
        return any(cv2.pointPolygonTest(each.astype(np.float32), (x, y), False) >= 0 for each in outlines)

    def strange(self, outline: Array, ground: FamiliarGround | None) -> tuple[Array, Mask] | None:
        """Return an outline (4, 2) in the other picture's mm, and the mask of its squares of 1 mm that are strange.

        Strange squares are neither ground nor a face.  None if the ground is not known.
        """
        shrunk, plane = self.other.reading.shrunk, self.other.reading.plane
        if ground is None or shrunk is None or plane is None:
            return None
        area = plane.to_mm(self.plane.to_px(outline))
        return area, strange_in(area, ground, shrunk.faces)

    def lie_apart(
        self, outline: Array, others: Iterable[Unreadable], grounds: tuple[Ground, Ground], breadth: float
    ) -> bool:
        """Return whether things within an outline (n, 2), mm, and things in the other picture cannot hide one tile.

        A tile that neither picture shows would be strange in both, outside all faces, over its whole ``breadth``, mm.
        ``grounds``: those of both pictures, this one's first.
        """
        one, other = self.one.reading, self.other.reading
        own_ground, other_ground = (ground() for ground in grounds)
        if own_ground is None or other_ground is None:
            return False
        if one.shrunk is None or other.shrunk is None or other.plane is None:
            return False
        around = wider(outline, OVERLAY_REACH_MM)
        area = corners_of((*around.min(axis=0), *around.max(axis=0)))
        ours, theirs = strange_in(area, own_ground), strange_in(other.plane.to_mm(self.plane.to_px(area)), other_ground)
        faces = [*one.shrunk.faces, *(self.plane.to_mm(other.plane.to_px(face)) for face in other.shrunk.faces)]
        free = ~SquareGrid.over(area, ours.shape[::-1]).within(wider(face, -FACE_SLACK_MM) for face in faces)
        places = [wider(other.plane.to_mm(np.array(each.corners)), OUTLINE_MARGIN_MM) for each in others]
        known = [(ours, area), *((strange_in(place, other_ground), place) for place in places)]
        different = differing(one.shrunk, other.shrunk.seen_on(self.plane), area, ROUGH_GREY)
        if different is None or not all(compact(*each) for each in known):
            return False
        # Squares that differ but look like the ground in both show a thing as brown as the wood beside its card.
        brown = cv2.resize(different.astype(np.uint8), ours.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
        return not has_room((ours & theirs | brown & ~ours & ~theirs) & free, breadth - 2 * FACE_SLACK_MM)

    def shrunk_pictures(self) -> tuple[ShrunkPicture, ShrunkPicture] | None:
        """Return both shrunk pictures in the mm of the one, None if one of them was not kept."""
        own, others = self.one.reading.shrunk, self.other.reading.shrunk
        return None if own is None or others is None else (own, others.seen_on(self.plane))

    def is_about(self, doubt: Unreadable, outline: Array) -> bool:
        """Return whether a doubt of the other picture may be about something within an outline (n, 2), mm.

        A doubt without a place may be about anything.
        """
        if not doubt.corners:
            return True
        doubt_hull, outline_hull = (
            cv2.convexHull(wider(each, OUTLINE_MARGIN_MM).astype(np.float32))
            for each in (_reach(doubt, self.plane.to_mm(np.array(doubt.corners))), outline)
        )
        return bool(cv2.intersectConvexConvex(doubt_hull, outline_hull)[0] >= MIN_AREA_MM2)


def laid_over(one: PhotoSeats, other: PhotoSeats, place: Array, *, roughly: bool = False) -> LaidOver | None:
    """Return the other picture aligned with one around a place, mm; None if too few tags are in both.

    ``roughly``: a single tag is enough.
    """
    plane = laid_on(one.reading, other.reading, place, roughly=roughly)
    return None if plane is None else LaidOver(one, other, plane)


def unresolved(pictures: Sequence[PhotoSeats], tally: Tally) -> Doubts:
    """Return the doubts that may concern a seat and that no other picture resolves.

    A resolved doubt does not keep another one open: two fingers may lie side by side, each in its own picture.
    ``tally`` gives the size of the pieces that count.
    """
    grounds = [
        Grounds(*(cache(partial(ground_of, picture, cards=cards)) for cards in (False, True))) for picture in pictures
    ]
    sizes = [tally.size(tally.places(picture.placed)) for picture in pictures]
    doubts: Mapping[int, Sequence[Unreadable]] = {picture.number: picture.doubtful for picture in pictures}
    while True:
        remaining = {
            number: [
                each
                for each in unread
                if not _is_resolved(each, pictures[number], sizes[number], pictures, doubts, grounds)
            ]
            for number, unread in doubts.items()
        }
        if remaining == doubts:
            return [(number, each) for number, unread in remaining.items() for each in unread]
        doubts = remaining


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
        if doubt.reason == Cause.HIDDEN_SEAT and laid.is_read_at(outline.mean(axis=0)):
            return True
        if doubt.reason not in MORE_HIDDEN and (
            _is_explained(outline, laid.tags(), prod(size)) or laid.leaves_no_room(outline, min(size))
        ):
            return True
        own_grounds, other_grounds = grounds[one.number], grounds[other.number]
        if (
            doubt.reason in EMPTY_REASONS
            and _is_seen(
                doubt, outline, laid, doubts[other.number], (own_grounds.whole, other_grounds.whole), min(size)
            )
            and _is_bare(doubt, outline, prod(size), laid, other_grounds.table)
        ):
            return True
    return False


def _is_explained(outline: Array, tags: Sequence[Array], piece_mm2: float) -> bool:
    """Return whether a tag lies at the middle of an outline (4, 2), mm, or the outline is full of pieces with tags.

    The outline of a partly visible piece may show only that part; with its tag it is a piece that another picture
    reads.
    """
    middle, capacity = outline.mean(axis=0), _area(outline) / piece_mm2
    # An outline smaller than two pieces has no room for another beside one in its middle.
    if capacity < 2 and any(float(np.hypot(*(tag - middle))) < SAME_PLACE_MM for tag in tags):
        return True
    inside = sum(cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), False) >= 0 for x, y in tags)
    return inside >= max(1, round(capacity))


def _is_seen(
    doubt: Unreadable,
    outline: Array,
    laid: LaidOver,
    others: Iterable[Unreadable],
    grounds: tuple[Ground, Ground],
    breadth: float,
) -> bool:
    """Return whether the other picture shows all of an outline (4, 2), mm, without doubts about a tile there.

    Fingers that nearly meet, each in its own picture, do not hide a tile together.
    """
    place = _reach(doubt, outline)
    if not laid.has_large(place):
        return False
    near = [each for each in others if laid.is_about(each, place)]
    things = all(each.corners and each.reason in THING_REASONS for each in (doubt, *near))
    return not near or (things and laid.lie_apart(place, near, grounds, breadth))


def _is_bare(doubt: Unreadable, outline: Array, piece_mm2: float, laid: LaidOver, table: Ground) -> bool:
    """Return whether the other picture shows that no tile lies face down within an outline (4, 2), mm.

    Such a tile may go unnoticed in one picture.  So for a thing without a tag it is not enough that the other picture
    has no doubt there: it has to show the ground, or something different.  If the place was not searched, because a
    finger covers the seat's marker, it has to show the ground.  What is only blurred in one picture, another
    one shows.
    """
    if doubt.reason == Cause.BLURRED:
        return True
    if not laid.was_examined(outline):
        return _is_ground(wider(outline, OUTLINE_MARGIN_MM), laid, table)
    if doubt.reason != Cause.NO_TAG or _area(outline) >= MIN_PASSING_TILES * piece_mm2:
        return True
    # Only an edge of a thing may have been noticed, with the thing itself beside it.
    near = wider(outline, OUTLINE_MARGIN_MM)
    return _is_ground(near, laid, table) or _looks_otherwise(laid, near, wider(outline, OVERLAY_REACH_MM))


def _is_ground(outline: Array, laid: LaidOver, table: Ground) -> bool:
    """Return whether everything within an outline (mm) is known ground or was read in the other picture."""
    strange = laid.strange(outline, table())
    return strange is not None and not compact(strange[1], strange[0])


def _looks_otherwise(laid: LaidOver, outline: Array, around: Array) -> bool:
    """Return whether the other picture looks different within an outline (mm) and around it."""
    shrunk = laid.shrunk_pictures()
    return shrunk is not None and is_otherwise(*shrunk, outline, around)


def ground_of(picture: PhotoSeats, *, cards: bool) -> FamiliarGround | None:
    """Return the ground of a picture outside all doubts, None if it is not known well enough.

    ``cards``: cards count as ground as well.
    """
    shrunk, plane = picture.reading.shrunk, picture.reading.plane
    if shrunk is None or plane is None:
        return None
    unread = [plane.to_mm(np.array(each.corners)) for each in picture.reading.unread if each.corners]
    known = [*shrunk.faces, *([] if cards else shrunk.cards), *unread]
    ground = FamiliarGround(shrunk.colour, shrunk.plane, known, shrunk.white)
    return ground if ground.is_familiar else None


def strange_in(area: Array, ground: FamiliarGround, faces: Sequence[Array] = ()) -> Mask:
    """Return the mask of the squares of 1 mm of an area (4, 2), mm, that are neither ground nor a face."""
    width, height = (max(3, round(float(np.linalg.norm(side - area[0])))) for side in (area[1], area[3]))
    return ground.strange(area, np.ones((height, width), np.bool_), faces)


def _reach(doubt: Unreadable, outline: Array) -> Array:
    """Return the outline (4, 2), mm, within which a doubt's thing may hide a tile."""
    return wider(outline, OVERLAY_REACH_MM) if doubt.reason == Cause.OVERLAID else outline


def has_room(squares: Mask, breadth: float) -> bool:
    """Return whether something of that breadth, mm, fits into squares of 1 mm."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(breadth), round(breadth)))
    return bool(cv2.erode(squares.astype(np.uint8), disc, borderType=cv2.BORDER_CONSTANT, borderValue=0).any())


def _area(outline: Array) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))
