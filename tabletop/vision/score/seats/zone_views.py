"""Which zones pictures show completely, large enough, and without anything unreadable."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, dist

import numpy as np

from tabletop.messages import Message
from tabletop.rules.table import Zone
from tabletop.vision.geometry.camera_pose import modules
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.outlines import wider
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.zones import zone_at
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Cause, Point, Unreadable, corner_points
from tabletop.vision.score.seats.photo_seats import Doubts, PhotoSeats
from tabletop.vision.tags import catalogue

MIN_MODULE_PX = 0.8
"""Least px per module at which a place is seen well enough to know that nothing lies there."""
MIN_TAG_MODULE_PX = 0.4
"""The same for a seat's area in which things without a readable tag are searched for.  In copies of 560 to 1100 px of
photographs of whole tables, nearly all tags were read down to it, and none of 50 hidden tags was overlooked."""
MIN_SHOWN_FRACTION = 0.9
"""Least fraction of a seat's area that pictures have to show large enough."""
MIN_INSIDE_FRACTION = 0.97
"""Least fraction of a seat's area that has to be inside pictures: a larger part outside may contain a tile's tag."""
MIN_REACH_MM = 6.0
"""Least distance that something reaches into a zone if it hides a part of it, mm."""
STEP_MM = 12.0
"""Distance of the points at which a seat's area is examined, mm."""


def insufficient_views(pictures: Sequence[PhotoSeats], *, apart: bool) -> Doubts:
    """Return a doubt for each seat whose area the pictures do not show completely and large enough.

    ``apart``: whether pieces lie apart, so that things without a tag are searched for.
    """
    doubts: Doubts = []
    min_module = MIN_TAG_MODULE_PX if apart else MIN_MODULE_PX
    for seat in sorted({seat for picture in pictures for seat in picture.areas}):
        views = [
            (picture, *_zone_view(plane, *picture.areas[seat], min_module))
            for picture in pictures
            if (plane := picture.reading.plane) is not None and seat in picture.areas
        ]
        readable, inside = (
            np.logical_or.reduce(each)
            for each in zip(*((shown & large, shown) for _, shown, large in views), strict=True)
        )
        if readable.mean() >= MIN_SHOWN_FRACTION and inside.mean() >= MIN_INSIDE_FRACTION:
            continue
        best, inside, _ = max(views, key=lambda view: float((view[1] & view[2]).mean()))
        zone, pose = best.areas[seat]
        cut = float(inside.mean()) < MIN_INSIDE_FRACTION
        text = (
            Message(
                "Part of seat {seat}'s area is outside the picture: what lies there is not counted.",
                seat=seat + 1,
            )
            if cut
            else Message(
                "Seat {seat} is too small in the picture to be read reliably: go closer, or photograph it on its own.",
                seat=seat + 1,
            )
        )
        doubts.append(
            (
                best.number,
                Unreadable(Cause.CUT_OFF if cut else Cause.TOO_SMALL, text, _outline(best, zone, pose)),
            )
        )
    return doubts


def zones_shown_whole(plane: Plane | None, zones: Sequence[Zone], poses: dict[str, MarkerPose]) -> set[str]:
    """Return the names of the zones of which a picture shows enough, and large enough, to know their contents."""
    if plane is None:
        return set()
    placed = [zone for zone in zones if zone.name in poses]
    views = {zone.name: _zone_view(plane, zone, poses[zone.name], MIN_MODULE_PX) for zone in placed}
    return {name for name, (inside, large) in views.items() if float((inside & large).mean()) >= MIN_SHOWN_FRACTION}


def unread_zones(reading: PhotoReading, zones: Sequence[Zone], poses: dict[str, MarkerPose]) -> set[str]:
    """Return the names of the zones into which something unreadable reaches."""
    if reading.plane is None:
        return set()
    outlines = [reading.plane.to_mm(np.array(unread.corners)) for unread in reading.unread if unread.corners]
    places = [place for outline in outlines for place in _points_within(wider(outline, -MIN_REACH_MM))]
    return {zone_at(float(x), float(y), zones, poses) for x, y in places}


def _points_within(outline: Array) -> Array:
    """Return points (n, 2), mm, all over an outline including its edge, at most ``STEP_MM`` apart."""
    middle = outline.mean(axis=0)
    edge = np.concatenate(
        [
            np.linspace(one, two, 1 + ceil(dist(one, two) / STEP_MM))
            for one, two in zip(outline, np.roll(outline, -1, 0), strict=True)
        ]
    )
    rings = 1 + ceil(float(np.linalg.norm(outline - middle, axis=1).max()) / STEP_MM)
    return np.concatenate([middle + part * (edge - middle) for part in np.linspace(0, 1, rings)])


def _zone_view(plane: Plane, zone: Zone, pose: MarkerPose, min_module: float) -> tuple[Mask, Mask]:
    """Return masks of the points that cover a zone: those inside the picture, and those seen large enough.

    ``min_module``: the least px per module.
    """
    left, top, right, bottom = zone.area
    points = np.array(
        [pose.table(x, y) for x in np.arange(left, right, STEP_MM) for y in np.arange(top, bottom, STEP_MM)]
    )
    px = plane.to_px(points)
    inside = np.asarray(((px >= 0) & (px <= np.array(plane.shape[::-1]) - 1)).all(axis=1), dtype=np.bool_)
    return inside, modules(plane, points, catalogue.TAG_MM) >= min_module


def _outline(picture: PhotoSeats, zone: Zone, pose: MarkerPose) -> tuple[Point, ...]:
    """Return the corners of a zone's area in the picture, px."""
    assert picture.reading.plane is not None
    return corner_points(picture.reading.plane.to_px(pose.outline(zone.area)))
