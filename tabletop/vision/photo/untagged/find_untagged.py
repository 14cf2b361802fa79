"""Finds the things without a readable tag in the areas where pieces count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tabletop.messages import Message
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import piece_outlines, wider
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.zones import of_kind
from tabletop.vision.photo.partly_hidden import hidden_in_part
from tabletop.vision.photo.photo_contents import PhotoContents, counted_areas, is_near, surroundings
from tabletop.vision.photo.untagged.area_from_above import AreaFromAbove, from_above
from tabletop.vision.photo.untagged.beside_cards import (
    is_ground,
    on_cloth_beside,
    on_familiar_ground,
    split_at_card_end,
    unlike_both,
)
from tabletop.vision.photo.untagged.card_end import card_alone
from tabletop.vision.photo.untagged.compact import compact
from tabletop.vision.photo.untagged.contrast import Things, things
from tabletop.vision.photo.untagged.familiar_ground import FamiliarGround
from tabletop.vision.photo.untagged.sharp_outlines import outlined
from tabletop.vision.photo.untagged.strips_beneath import strips_beneath
from tabletop.vision.photo.untagged.tile_frames import is_gap, too_busy, untagged_tiles
from tabletop.vision.photo.untagged.tile_rims import Rim, overlaid, rims, steepness
from tabletop.vision.scene import Cause, Unreadable, corner_points
from tabletop.vision.tags import catalogue, patterns

NO_TAG = Message("Something here shows no tag: is a tile face down, or covered?")
OVERLAID = Message("Something covers part of this tile: it may hide other tiles.")
TOO_BUSY = Message(
    "The background is so busy here that a tile without a tag would not be noticed: put paper under the tiles."
)
TOO_DARK = Message("It is too dark here to see whether something lies beside the tags: add light.")
MIN_PAPER_GREY = 64.0
"""Least grey level of the tags' paper; below it is too dark: a thing has to differ from the table by a quarter of
it."""
MAX_THREADS = 2
"""Number of areas that are examined at the same time: people are waiting and there is a second core; more would take
more memory."""


def find_untagged(seen: PhotoContents, faces: Sequence[Array]) -> list[Unreadable]:
    """Return the things without a visible tag in the seats' areas, or around the pieces if no seat is known.

    They are searched for only if pieces lie apart; each of these areas that lies in the dark is a doubt.
    """
    tally = seen.tally
    if not tally.apart:
        return []
    dark = _doubts(Cause.DARK, TOO_DARK, _too_dark(seen), seen.plane)
    if seen.white() < MIN_PAPER_GREY:
        return dark
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
    found = [*dark, *(each for _, doubts in results for each in doubts)]
    if tally.directed and not ground.patterned:
        usual = steepness(piece_rims)
        boxes = strips_beneath(seen.picture.colour, seen.plane, placed, size, usual, faces)
        found += _doubts(Cause.NO_TAG, NO_TAG, boxes, seen.plane)
    if not is_plain and not seats:
        found += _doubts(Cause.OVERLAID, OVERLAID, overlaid(size, placed, piece_rims), seen.plane)
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
    untagged = contrasting if busy else [*contrasting, *frames]
    doubts = _doubts(Cause.BUSY, TOO_BUSY, busy, plane) + _doubts(Cause.NO_TAG, NO_TAG, untagged, plane)
    return above.plain, doubts


def _unlike_ground(
    above: AreaFromAbove, area: Array, faces: Sequence[Array], ground: FamiliarGround, *, card: bool
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


def _doubts(reason: Cause, sentence: Message, outlines: Iterable[Array], plane: Plane) -> list[Unreadable]:
    """Return a doubt for each outline (4, 2), mm."""
    return [Unreadable(reason, sentence, corner_points(plane.to_px(outline))) for outline in outlines]


def _too_dark(seen: PhotoContents) -> list[Array]:
    """Return the seats' areas, or those around the pieces, mm, that are too dark to see anything but tags.

    A candle or the sun may light one seat and leave another in the dark, so the paper of an area's own tags counts; if
    that of most tags is too dark, all areas are.
    """
    papers, white = seen.papers(), seen.white()
    places = seen.plane.to_mm(papers[:, :2])

    def paper_in(area: Array) -> float:
        around = wider(area, catalogue.MARKER_MM)  # the marker lies beside the area
        own = [grey for grey, place in zip(papers[:, 2].tolist(), places, strict=True) if is_near(around, place)]
        return min(white, float(np.median(own)) if own else white)

    return [area for area in counted_areas(seen) if paper_in(area) < MIN_PAPER_GREY]
