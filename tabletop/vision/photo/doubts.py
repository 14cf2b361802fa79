"""Finds what does not count in a still picture, with the reason: unreadable places, glare, and things without a tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

from tabletop.messages import Message
from tabletop.vision.decode.decode import Codes
from tabletop.vision.detect.detection import same_place
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import on_faces, outlines, piece_outlines
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.zones import of_kind
from tabletop.vision.image.glare import has_print, spots
from tabletop.vision.photo.beside_cards import (
    is_ground,
    on_cloth_beside,
    on_familiar_ground,
    split_at_card_end,
    unlike_both,
)
from tabletop.vision.photo.familiar_ground import FamiliarGround
from tabletop.vision.photo.partly_hidden import hidden_in_part, strips_beneath
from tabletop.vision.photo.photo_contents import PhotoContents, counted_areas, is_near, surroundings
from tabletop.vision.photo.repeated import printed
from tabletop.vision.photo.untagged_contrast import Above, Things, card_alone, compact, from_above, things
from tabletop.vision.photo.untagged_edges import (
    Rim,
    is_gap,
    outlined,
    overlaid,
    rims,
    steepness,
    too_busy,
    untagged_tiles,
)
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
NO_TAG = Message("Something here shows no tag: is a tile face down, or covered?")
OVERLAID = Message("Something covers part of this tile: it may hide other tiles.")
TOO_BUSY = Message(
    "The background is so busy here that a tile without a tag would not be noticed: put paper under the tiles."
)
TOO_DARK = Message("It is too dark here to see whether something lies beside the tags: add light.")
MIN_PAPER_GREY = 64.0
"""Least grey level of the tags' paper; below it is too dark: a thing has to differ from the table by a quarter of
it."""
REASONS: Mapping[Cause, Message] = {
    Cause.GLARE: Message("Glare here makes the tag unreadable."),
    Cause.DISAGREE: Message("The readers disagree about this tag: it does not count."),
}
"""The sentence for each known reason why a tag cannot be read."""
MORE_HIDDEN = frozenset({Cause.OVERLAID, Cause.BUSY, Cause.DARK})
"""Reasons for which more may be hidden than at the place itself."""
DISAGREE = REASONS[Cause.DISAGREE]
MAX_THREADS = 2
"""Number of areas that are examined at the same time: people are waiting and there is a second core; more would take
more memory."""


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
    # Things without a tag are searched for only if pieces lie apart.
    dark = seen.tally.apart and seen.white() < MIN_PAPER_GREY
    tagless = _too_dark(seen) if dark else _tagless(seen, faces)
    return [*_without_repeats([*blurred, *tagless]), *_washed_out(seen, faces)]


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
    sides = np.linalg.norm(np.roll(mm, -1, axis=0) - mm, axis=1)
    code_sides = [_code_side(entry.size_mm) for entry in seen.kit.entries.values()]
    return bool(
        sides.max() < MAX_SIDE_RATIO * sides.min()
        and min(code_sides) < MAX_SIDE_RATIO * sides.max() < MAX_SIDE_RATIO**2 * max(code_sides)
    )


def _without_repeats(unread: Iterable[Unreadable]) -> list[Unreadable]:
    """Return each place once, although several ways of reading may have failed there."""
    kept: list[tuple[Unreadable, float]] = []
    for each in unread:
        corners = np.array(each.corners)
        breadth = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).max())
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


def _tagless(seen: PhotoContents, faces: Sequence[Array]) -> list[Unreadable]:
    """Return the things without a visible tag in the seats' areas, or around the pieces if no seat is known."""
    tally = seen.tally
    if not tally.apart:
        return []
    placed = seen.placed()
    size, piece_rims = _size_and_rims(seen, faces, placed)
    faces = [*faces, *piece_outlines(placed, size)]
    seats = seen.seats()
    around = [] if seats else surroundings(placed, tally)
    known = [*faces, *around, *seen.cards()]
    ground = FamiliarGround(seen.picture.colour, seen.plane, known, seen.white())

    def examine(area: Array) -> tuple[bool, list[Unreadable]]:
        return _untagged_in_area(
            seen, area, faces, known, ground, size=size, usual=steepness(piece_rims), card=bool(seats)
        )

    with ThreadPoolExecutor(MAX_THREADS) as pool:
        results = list(pool.map(examine, seats or around))
    is_plain = all(plain for plain, _ in results)
    found = [each for _, doubts in results for each in doubts]
    if tally.directed and not ground.patterned:
        usual = steepness(piece_rims)
        boxes = strips_beneath(seen.picture.colour, seen.plane, placed, size, usual, faces)
        found += [Unreadable(Cause.NO_TAG, NO_TAG, corner_points(seen.plane.to_px(box))) for box in boxes]
    if not is_plain and not seats:
        found += [
            Unreadable(Cause.OVERLAID, OVERLAID, corner_points(seen.plane.to_px(box)))
            for box in overlaid(size, placed, piece_rims)
        ]
    return found if is_plain else [*found, *_partly_hidden(seen)]


def _size_and_rims(
    seen: PhotoContents, faces: Sequence[Array], placed: Sequence[Placed]
) -> tuple[tuple[float, float], list[Rim]]:
    """Return height and width of the pieces, mm, and their rims: those of the size with the clearest edges."""
    candidates = [
        (size, rims(seen.picture.colour, seen.plane, size, placed, [*faces, *piece_outlines(placed, size)]))
        for size in seen.tally.sizes(placed)
    ]
    return max(candidates, key=lambda each: steepness(each[1]) or 0.0)


def _untagged_in_area(
    seen: PhotoContents,
    area: Array,
    faces: Sequence[Array],
    known: Sequence[Array],
    ground: FamiliarGround,
    *,
    size: tuple[float, float],
    usual: float | None,
    card: bool,
) -> tuple[bool, list[Unreadable]]:
    """Return whether the ground of an area is plain, and the things without a visible tag in it.

    ``size`` and ``usual`` are those of :func:`untagged_tiles`; ``ground``: that outside everything that is ``known``;
    ``card``: a card may lie in the area and end within it.
    """
    colour, plane = seen.picture.colour, seen.plane
    above = from_above(colour, plane, area, faces)
    (contrasting, rough, odd), strange = _unlike_ground(above, area, faces, ground, card=card)
    bare = above.free & ~rough & ~odd
    frames = [box for box in untagged_tiles(colour, plane, area, size, usual, faces) if not is_gap(box, area, bare)]
    parts = [(rough, known)]
    if card:
        parts.append((card_alone(above.free, rough), [2 * area - area.mean(axis=0)]))
    sharp, *pale = outlined(colour, plane, area, usual, faces, parts) if rough.any() else [None]
    frames += [box for boxes in pale for box in boxes or ()]
    if strange is not None:
        # Squares of a cloth have edges like those of tiles.
        frames = [box for box in frames if not is_ground(box, area, ~strange & (rough | ground.patterned), rough)]
    busy: list[Array] = []
    if strange is not None and rough.any():
        one_ground = card and bool((rough | ~above.free).all())
        contrasting, too_rough = on_familiar_ground(contrasting, above, area, strange & rough, sharp, one_ground)
        busy = [area] if too_rough else []
    elif card or ground.known:
        # Only the table beside its card is too busy.
        busy = [box for box, _ in compact(rough, area)] if sharp is None else []
        contrasting = [*contrasting, *(sharp or ())]
    elif not above.plain and too_busy(colour, plane, area, usual):
        busy = [area]
    if strange is not None and not (above.plain or rough.any()) and (paper := seen.paper()) is not None:
        contrasting = [*contrasting, *unlike_both(above, area, strange, paper)]
    found = [Unreadable(Cause.BUSY, TOO_BUSY, corner_points(plane.to_px(box))) for box in busy]
    untagged = contrasting if busy else [*contrasting, *frames]
    return above.plain, found + [Unreadable(Cause.NO_TAG, NO_TAG, corner_points(plane.to_px(box))) for box in untagged]


def _unlike_ground(
    above: Above, area: Array, faces: Sequence[Array], ground: FamiliarGround, *, card: bool
) -> tuple[Things, Mask | None]:
    """Return the things that differ from an area's ground, and the mask of what is unlike the ground elsewhere.

    The mask is None if that ground is not known well enough.
    """
    whole = things(above, area, card=card)
    if not ground.is_familiar:
        return whole, None
    compared = ground.compared(area, above.free, faces)
    boxes, rough, odd = split_at_card_end(above, area, compared, whole) if card else whole
    if card and ground.patterned:
        boxes = on_cloth_beside(boxes, area, above.free, odd, compared.strange)
    strange = compared.strange
    if rough.any():
        # Near the end of the card, cloth is compared without the card, not mixed with it.
        strange = np.where(rough, ground.strange(area, rough, faces), strange)
    return Things(boxes, rough, odd), strange


def _partly_hidden(seen: PhotoContents) -> list[Unreadable]:
    """Return doubts about the pieces that count whose tags were read although something covers a part of them."""
    tags = [(each, np.array(each.corners)) for each, _ in of_kind(seen.sightings, seen.kit.game, seen.tally.kind)]
    hidden = hidden_in_part(seen.picture.grey, [(corners, patterns.pattern(each.payload)) for each, corners in tags])
    return [
        Unreadable(Cause.OVERLAID, OVERLAID, each.corners)
        for (each, _), is_hidden in zip(tags, hidden, strict=True)
        if is_hidden
    ]


def _too_dark(seen: PhotoContents) -> list[Unreadable]:
    """Return doubts that the seats' areas, or those around the pieces, are too dark to see anything but tags."""
    return [Unreadable(Cause.DARK, TOO_DARK, corner_points(seen.plane.to_px(area))) for area in counted_areas(seen)]
