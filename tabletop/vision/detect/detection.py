"""The result of reading one picture, and how the results of decoding and recognition are merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.detect.scale_search import UnnamedTags
from tabletop.vision.geometry.boxes import mean_side
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Notice, Point, ReadBy, Sighting, Unreadable

SAME_PLACE = 0.5
"""Two sightings are the same tag if their middles are nearer than this fraction of a tag's side."""
MAX_SIZE_RATIO = 1.25
"""A code that is this many times larger or smaller than the tag is a picture of the tag: decoders read any size."""


@dataclass(frozen=True, slots=True)
class Detection:
    """The contents of one picture: our tags on the plane, places that cannot be read, foreign codes, and notices."""

    plane: Plane | None
    sightings: tuple[Sighting, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    foreign: int = 0
    doubled: tuple[Sighting, ...] = ()
    """Tags that were seen in more than one place; none of them counts."""
    notices: tuple[Notice, ...] = ()
    codes: tuple[Point, ...] = ()
    """Places of the foreign codes on the plane, mm."""
    scale: float = 1.0
    """Printed size of the pieces' tags relative to the markers, as a fraction of what it should be."""
    unnamed: UnnamedTags | None = None
    """Unidentified places that look like tags of ours, in a photograph in which hardly any tag of the set was found."""

    @property
    def doubles(self) -> tuple[str, ...]:
        """The payloads that were seen in more than one place."""
        return tuple(sorted({tag.payload for tag in self.doubled}))


def without_plane(foreign: int, unnamed: UnnamedTags | None) -> Detection:
    """Return the detection of a picture without a plane; ``foreign``: the number of foreign codes."""
    return Detection(None, foreign=foreign, notices=(Notice.NO_MARKER,), unnamed=unnamed)


def sighting(payload: str, mm: Array, plane: Plane, certainty: float, how: ReadBy = ReadBy.RECOGNISED) -> Sighting:
    """Return the sighting of a tag whose corners (4, 2) on the plane are known."""
    return _sighting(payload, mm, plane.to_px(mm), certainty, how)


def sighted(tags: Iterable[RecognisedTag], plane: Plane) -> tuple[Sighting, ...]:
    """Return the sightings of tags that were recognised on a plane."""
    listed = [*tags]
    px = plane.to_px(np.array([tag.corners for tag in listed]).reshape(-1, 4, 2))
    return tuple(
        _sighting(tag.payload, tag.corners, corners, tag.certainty, ReadBy.RECOGNISED, tag.score)
        for tag, corners in zip(listed, px, strict=True)
    )


def _sighting(payload: str, mm: Array, px: Array, certainty: float, how: ReadBy, score: float = 1.0) -> Sighting:
    x, y = mm.mean(axis=0).tolist()
    up = (mm[0] + mm[1]) - (mm[2] + mm[3])
    angle = float(np.degrees(np.arctan2(up[0], -up[1])))
    one, two, three, four = ((across, down) for across, down in px.tolist())
    return Sighting(payload, x, y, angle, (one, two, three, four), certainty, how, score)


def is_as_large(corners: Array, side: float) -> bool:
    """Return whether a code, corners (4, 2) in mm, is about as large as one with that side, mm."""
    ratio = float(mean_side(corners)) / side
    return 1 / MAX_SIZE_RATIO < ratio < MAX_SIZE_RATIO


def same_place(one: Sequence[Point], others: Iterable[Sequence[Point]]) -> NDArray[np.bool_]:
    """Return for each outline in a picture whether it belongs to the same tag as ``one``."""
    outline = np.array(one)
    middles = np.array([*others]).reshape(-1, 4, 2).mean(axis=1)
    side = float(np.linalg.norm(outline[1] - outline[0]))
    return np.asarray(np.hypot(*(middles - outline.mean(axis=0)).T) < SAME_PLACE * side)


def merged(decoded: Sequence[Sighting], recognised: Sequence[Sighting]) -> tuple[list[Sighting], list[Sighting]]:
    """Return the tags that decoding and recognition saw, each once, and the decoded ones about which they disagree.

    A tag that both read has the decoder's certainty and the place measured by recognition.
    """
    agreed, disputed, remaining = [], [], [*recognised]
    for tag in decoded:
        is_same = same_place(tag.corners, (other.corners for other in remaining))
        near = [other for other, same in zip(remaining, is_same, strict=True) if same]
        if any(other.payload != tag.payload for other in near):
            disputed.append(tag)
        else:
            agreed.append(replace(near[0], certainty=tag.certainty, how=tag.how) if near else tag)
        remaining = [other for other, same in zip(remaining, is_same, strict=True) if not same]
    return [*agreed, *remaining], disputed
