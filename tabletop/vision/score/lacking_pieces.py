"""Accepts tags that are likely in a picture on further evidence: another picture shows them, or few are missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from tabletop.rules.game import Game
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.zones import of_kind
from tabletop.vision.photo.doubts import MORE_HIDDEN
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Sighting, Unreadable
from tabletop.vision.score.alignment import SAME_PLACE_MM, laid_on


def confirmed(readings: Sequence[PhotoReading]) -> list[PhotoReading]:
    """Return the readings, with likely tags accepted that another picture shows in the same place."""
    accepted = [
        [
            each
            for each in reading.likely
            if any(_shows(other, reading, each) for other in readings if other is not reading)
        ]
        for reading in readings
    ]
    return [_with_tags(reading, added) for reading, added in zip(readings, accepted, strict=True)]


def _shows(other: PhotoReading, reading: PhotoReading, one: Sighting) -> bool:
    """Return whether another picture shows a tag of this one in the same place."""
    place = np.array((one.x, one.y))
    same = [each for each in other.sightings if each.payload == one.payload]
    plane = laid_on(reading, other, place) if same else None
    return plane is not None and any(_distance_mm(plane, each, place) < SAME_PLACE_MM for each in same)


def completed(readings: Sequence[PhotoReading], lacking: Collection[str], game: Game, kind: str) -> list[PhotoReading]:
    """Return the readings, with ``lacking`` pieces of a kind, which no picture shows, accepted where they are likely.

    A piece is accepted if all pictures in which it is likely have it in one place, and no picture has another tag
    there, read or likely.
    """
    likely: dict[str, list[tuple[int, Sighting]]] = defaultdict(list)
    for number, reading in enumerate(readings):
        for each, piece in of_kind(reading.likely, game, kind):
            if piece in lacking:
                likely[piece].append((number, each))
    accepted: dict[int, list[Sighting]] = defaultdict(list)
    for candidates in likely.values():
        if all(_is_unambiguous(number, each, readings) for number, each in candidates):
            for number, each in candidates:
                accepted[number].append(each)
    return [_with_tags(reading, accepted[number]) for number, reading in enumerate(readings)]


def _is_unambiguous(number: int, one: Sighting, readings: Sequence[PhotoReading]) -> bool:
    """Return whether no picture has a likely tag elsewhere as well, or another tag, read or likely, in its place.

    A card that looks like two missing ones is ambiguous.
    """
    place = np.array((one.x, one.y))
    for other_number, other in enumerate(readings):
        plane = other.plane if other_number == number else laid_on(readings[number], other, place)
        if plane is None:
            continue
        same = [each for each in other.likely if each.payload == one.payload]
        if any(_distance_mm(plane, each, place) >= SAME_PLACE_MM for each in same):
            return False
        different = [*other.sightings, *(each for each in other.likely if each.payload != one.payload)]
        if any(_distance_mm(plane, each, place) < SAME_PLACE_MM for each in different):
            return False
    return True


def _distance_mm(plane: Plane, one: Sighting | Unreadable, place: Array) -> float:
    """Return the distance of the middle of something that was seen from a place, mm."""
    return float(np.hypot(*(plane.to_mm(np.array(one.corners)).mean(axis=0) - place)))


def _with_tags(reading: PhotoReading, added: Sequence[Sighting]) -> PhotoReading:
    """Return a reading with ``more`` tags added, and without the doubts that were only about them.

    Doubts about more than a tag are resolved by other pictures.
    """
    plane, places = reading.plane, [np.array((each.x, each.y)) for each in added]
    if plane is None or not added:
        return reading
    unread = [
        doubt for doubt in reading.unread if not any(_is_about(doubt, place, reading.side, plane) for place in places)
    ]
    return replace(reading, sightings=(*reading.sightings, *added), unread=tuple(unread))


def _is_about(doubt: Unreadable, place: Array, side: float, plane: Plane) -> bool:
    """Return whether a doubt is only about the tag of that side, mm, at a place, and hides nothing else."""
    if not doubt.corners or doubt.reason in MORE_HIDDEN or _distance_mm(plane, doubt, place) >= SAME_PLACE_MM:
        return False
    reach = np.linalg.norm(plane.to_mm(np.array(doubt.corners)) - place, axis=1)
    return bool(reach.max() <= side)
