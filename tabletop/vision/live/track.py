"""One tag that is assumed to lie somewhere on the table: its pose, and what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

import numpy as np

from tabletop.vision.geometry.boxes import Place
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.live.reread.retries import EASY_SCORE
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Cause, ReadBy, Sighting
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES

SAME_PLACE_MM = 3.0
"""Largest shift, mm, of a tag that has not moved."""
MAX_JITTER_MM = 0.4
"""Largest shift, mm, of any corner of a tag that lies still, so that its poses are averaged."""
MAX_LOOKS = 16
"""Most pictures that count in that mean, so that a smaller shift shows in it after a while."""
DOUBT_MARGIN_MM = 4.0
"""Margin, mm, around a tag that is not read clearly within which a doubtful place is that tag itself."""
MIN_TAG_REACH_MM = 6.0
"""Distance from its middle to the edge of even the smallest tag, mm, quiet zone included."""


@dataclass(frozen=True, slots=True)
class Track:
    """A tag that is assumed to lie somewhere; ``reason``: why it is only kept, None while it is read.

    Its pose is the mean of ``looks`` pictures, as long as it lies still.  ``upon``: the tag that was read on it, as
    long as that one stays there or is itself hidden there.  ``glimpsed``: the number of the picture in which a tag that
    is only kept was last visible where it lay.
    """

    found: RecognisedTag
    how: ReadBy
    certainty: float
    reason: Cause | None = None
    looks: int = 1
    upon: str = ""
    glimpsed: int | None = None


def tag_of(seen: Sighting, plane: Plane) -> RecognisedTag:
    """Return a sighting in a whole picture as a recognised tag."""
    return RecognisedTag(seen.payload, plane.to_mm(np.array(seen.corners)), seen.score, seen.certainty, 1.0)


def belongs_to(place: Place, track: Track) -> bool:
    """Return whether a place, mm, where something like a tag was seen belongs to a track's tag."""
    tag = track.found
    across, down = tag.corners[1] - tag.corners[0], tag.corners[3] - tag.corners[0]
    half, away = float(np.hypot(*across)) / 2, np.subtract(place, tag.place)
    if track.reason or tag.score < EASY_SCORE:
        return float(np.hypot(*away)) < float(np.ptp(tag.corners[:, 0])) / 2 + DOUBT_MARGIN_MM
    return max(abs(float(away @ across)), abs(float(away @ down))) < 2 * half * (half + MIN_TAG_REACH_MM)


def steadied(before: Track | None, tag: RecognisedTag, looks: int) -> Track:
    """Return the track of a tag with its pose averaged over all pictures in which it lay still, to reduce noise."""
    if before is not None and np.abs(tag.corners - before.found.corners).max() < MAX_JITTER_MM:
        share = looks / (before.looks + looks)
        tag = tag._replace(corners=before.found.corners + share * (tag.corners - before.found.corners))
        looks = min(MAX_LOOKS, before.looks + looks)
    return Track(tag, ReadBy.RECOGNISED, tag.certainty, looks=looks)


def placed(shape: Array, tag: RecognisedTag) -> Array:
    """Return points (n, 2), mm from the middle of an upright tag, as mm on the table."""
    across, down = tag.corners[1] - tag.corners[0], tag.corners[3] - tag.corners[0]
    points: Array = tag.place + shape @ np.stack([each / np.hypot(*each) for each in (across, down)])
    return points


def whole(tag: RecognisedTag) -> Array:
    """Return the outline of a whole tag, quiet zone included, mm."""
    middle = tag.corners.mean(axis=0)
    outline: Array = middle + (tag.corners - middle) * (TAG_MODULES / CODE_MODULES)
    return outline


def is_still(track: Track | None, tag: RecognisedTag) -> bool:
    """Return whether a tag was read before at the place where it is found now."""
    return track is not None and not track.reason and distance(track.found, tag) <= SAME_PLACE_MM


def distance(one: RecognisedTag, other: RecognisedTag) -> float:
    """Return the distance of the middles of two tags, mm."""
    return dist(one.place, other.place)
