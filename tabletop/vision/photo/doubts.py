"""Finds what does not count in a still picture, with the reason: unreadable places, glare, and things without a tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np

from tabletop.messages import Message
from tabletop.vision.decode.decode import Codes
from tabletop.vision.detect.detection import same_place
from tabletop.vision.geometry.boxes import side_lengths
from tabletop.vision.geometry.outlines import on_faces, outlines
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.image.glare import has_print, spots
from tabletop.vision.photo.photo_contents import PhotoContents, is_near
from tabletop.vision.photo.repeated_print import printed
from tabletop.vision.photo.untagged.find_untagged import find_untagged
from tabletop.vision.scene import Cause, Unreadable, corner_points
from tabletop.vision.tags import patterns

MAX_SIDE_RATIO = 1.5
"""Largest ratio of two sides of a square in a bad picture."""
FOUND_CORNERS = 3
"""Number of corners (finder patterns) by which a code is found."""
MAX_BREADTH_RATIO = 3.0
"""Largest ratio of the breadth of an untagged thing to that of a tag-like place in it that is the same thing: a tile is
twice as broad, a hand six times."""
UNKNOWN = Message("There is something like a tag here that cannot be read.")
WASHED_OUT = Message("Glare here hides what may be under it.")
REASONS: Mapping[Cause, Message] = {
    Cause.GLARE: Message("Glare here makes the tag unreadable."),
    Cause.DISAGREE: Message("The readers disagree about this tag: it does not count."),
}
"""The sentence for each known reason why a tag cannot be read."""
MORE_HIDDEN = frozenset({Cause.OVERLAID, Cause.BUSY, Cause.DARK})
"""Reasons for which more may be hidden than at the place itself."""
DISAGREE = REASONS[Cause.DISAGREE]


def undecided(codes: Codes) -> list[Unreadable]:
    """Return the places about which decoders disagree, and those that look like a code but were not decoded."""
    disputed = [
        Unreadable(Cause.DISAGREE, DISAGREE, corner_points(code.corners))
        for code in codes.disputed
        if code.how == codes.disputed[0].how
    ]
    return [*disputed, *(Unreadable(Cause.UNKNOWN, UNKNOWN, corner_points(corners)) for corners in codes.unread)]


def unrecognised(places: Iterable[Unreadable], plane: Plane, size_mm: float) -> list[Unreadable]:
    """Return the places that could not be read with their sentences; a place without corners gets a tag's square."""
    half = _code_side(size_mm) / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return [
        Unreadable(
            each.reason if each.reason in REASONS else Cause.UNKNOWN,
            REASONS.get(each.reason, UNKNOWN),
            each.corners or corner_points(plane.to_px(square + np.array(each.place))),
        )
        for each in places
    ]


def find_doubts(seen: PhotoContents, like_tags: Iterable[Unreadable]) -> list[Unreadable]:
    """Return what cannot be read besides the tags that were, each place once.

    Of the places that look ``like_tags``, those count that have the size of a tag and are not explained by a tag that
    was read or by a piece's face.
    """
    faces = outlines(seen.sightings, seen.kit)
    read = np.array([sighting.corners for sighting in seen.sightings])
    blurred = [
        each
        for each in like_tags
        if not same_place(each.corners, read).any()
        and _is_tag_sized(each, seen)
        and (each.reason != Cause.UNKNOWN or has_print(seen.picture.grey, np.array(each.corners)))
        and not on_faces(seen.plane.to_mm(np.array(each.corners, dtype=np.float64)), faces)
        and not _is_made_up(each, read)
    ]
    blurred = _unprinted(seen, blurred)
    return [*_without_repeats([*blurred, *find_untagged(seen, faces)]), *_washed_out(seen, faces)]


def _is_made_up(unread: Unreadable, read: Array) -> bool:
    """Return whether a place is a false code whose corners are those of three tags that were ``read``, (n, 4, 2) px."""
    outline = cv2.convexHull(np.array(unread.corners, np.float32))
    return sum(cv2.intersectConvexConvex(outline, tag.astype(np.float32))[0] > 0 for tag in read) >= FOUND_CORNERS


def _unprinted(seen: PhotoContents, like_tags: Sequence[Unreadable]) -> list[Unreadable]:
    """Return the places that are not a print on the ground: a chequered one shows many places like a tag."""
    zones = seen.cards() if seen.tally.apart else []
    middles = [seen.plane.to_mm(np.array(each.corners)).mean(axis=0) for each in like_tags]
    near = [index for index, middle in enumerate(middles) if any(is_near(zone, middle) for zone in zones)]
    are_prints = printed(seen.picture.colour, seen.plane, [middles[index] for index in near], [*zones, *seen.faces()])
    on_ground = {index for index, is_print in zip(near, are_prints, strict=True) if is_print}
    return [each for index, each in enumerate(like_tags) if index not in on_ground]


def _code_side(size_mm: float) -> float:
    """Return the side of the code itself, without its quiet zone, mm."""
    return size_mm * patterns.CODE_MODULES / patterns.TAG_MODULES


def _is_tag_sized(unread: Unreadable, seen: PhotoContents) -> bool:
    """Return whether the outline of an unread place is nearly a square of the size of a tag."""
    mm = seen.plane.to_mm(np.array(unread.corners, dtype=np.float64))
    sides = side_lengths(mm)
    code_sides = [_code_side(entry.size_mm) for entry in seen.kit.entries.values()]
    return bool(
        sides.max() < MAX_SIDE_RATIO * sides.min()
        and min(code_sides) < MAX_SIDE_RATIO * sides.max() < MAX_SIDE_RATIO**2 * max(code_sides)
    )


def _without_repeats(unread: Iterable[Unreadable]) -> list[Unreadable]:
    """Return each place once, although several ways of reading may have failed there."""
    kept: list[tuple[Unreadable, float]] = []
    for each in unread:
        breadth = float(side_lengths(np.array(each.corners)).max())
        # A part of a tag may be visible at the middle of the hand that covers it and others.
        alike = [other.corners for other, wide in kept if breadth <= MAX_BREADTH_RATIO * wide]
        if not same_place(each.corners, alike).any():
            kept.append((each, breadth))
    return [each for each, _ in kept]


def _washed_out(seen: PhotoContents, faces: Sequence[Array]) -> list[Unreadable]:
    """Return the spots of glare outside everything that was read: a tag may lie under them."""
    papers = seen.papers()
    boxes = spots(seen.picture.grey, seen.plane, papers) if len(papers) else []
    return [
        Unreadable(Cause.WASHED_OUT, WASHED_OUT, corner_points(box))
        for box in boxes
        if not on_faces(seen.plane.to_mm(box), faces)
    ]
