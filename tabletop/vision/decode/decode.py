"""Decodes the codes in a picture: zxing-cpp first, zbar as a second opinion; either works without the other.

A tag of ours is accepted only if the readers do not contradict each other about its place, and if the rectified picture
looks like the tag and not like its mirror image.  Other codes are reported as foreign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.vision.decode.decoders import Code, DecoderResult, Decoders, QrDecoder, available
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import mean_side
from tabletop.vision.geometry.plane import Array
from tabletop.vision.scene import ReadBy
from tabletop.vision.tags import patterns
from tabletop.vision.tags.payloads import Tag, known_codes, parse

CERTAINTY_BOTH = 1.0
"""Certainty of a tag on which two readers agree."""
CERTAINTY_ONE = 0.97
"""Certainty of a tag that one reader read: with error correction of level H, wrong texts do not occur in practice."""
MIN_CORRELATION = 0.35
"""Least correlation between a rectified tag and its modules; a tag that was decoded reaches 0.6 and more."""
MIN_CODES = 3
"""Number of tags of ours after which the second reader is skipped: it is by far the slowest in a large picture."""
_GRID_PX = 4
_MAX_ROUNDS, _MIN_GAIN = 10, 4e-3
"""Most iterations of aligning a tag with its pattern, and the gain in correlation below which that stops."""
_MAX_SHIFT_MODULES = 2.5
"""Largest shift of a decoder's corner, modules; a refinement that moves it farther has failed."""
_CROP_MARGIN = 0.35
_CROP_SIDE_PX = 240


@dataclass(frozen=True, slots=True)
class DecodedTag:
    """A tag of ours in a picture: corners in px from the code's own top left, clockwise, without the quiet zone."""

    tag: Tag
    corners: Array
    certainty: float
    how: ReadBy
    """``zxing`` or ``zbar``: which reader found it first."""


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes that the readers found in one picture."""

    tags: tuple[DecodedTag, ...] = ()
    foreign: tuple[Code, ...] = ()
    disputed: tuple[Code, ...] = ()
    """Codes about which the readers disagree; they are not accepted."""
    unread: tuple[Array, ...] = ()
    """Corners (4, 2) px of places that look like a code but that no reader could read."""
    mirrored: int = 0
    """Number of tags that were read from a mirror image; they are not accepted."""
    notes: tuple[Message, ...] = ()


def decode(
    grey: Grey,
    *,
    thorough: bool = False,
    exact: bool = True,
    readers: Decoders | None = None,
    codes: Iterable[str] | None = None,
) -> Codes:
    """Return the codes in a grey picture.

    ``thorough``: the second reader searches the whole picture (for stills) unless the first one read several tags of
    ours, after which the rest are recognised; otherwise it reads only places that the first one found but could not
    read.  ``exact``: refine the corners of tags of ours, which a decoder gives in whole px; this takes most of the
    time.  ``codes``: the prefixes of our payloads, by default those of every game.
    """
    readers = readers if readers is not None else available()
    ours = known_codes() if codes is None else frozenset(codes)
    read = _read_all(grey, readers, ours, thorough)
    places, disputed = unite(read.codes, ours)
    found, mirrored = [], 0
    for place in places:
        tag = parse(place.text, ours)
        if tag is None:
            continue
        seen = _verified(grey, tag, place, exact=exact)
        if seen is None:
            mirrored += 1
        else:
            found.append(seen)
    foreign = tuple(place for place in places if parse(place.text, ours) is None)
    unread = tuple(corners for corners in read.unread if not any(_covers(code.corners, corners) for code in read.codes))
    return Codes(tuple(found), foreign, tuple(disputed), unread, mirrored, readers.notes)


def unite(codes: Iterable[Code], ours: Iterable[str] | None = None) -> tuple[list[Code], list[Code]]:
    """Return one code for each place, and the codes that contradict each other about a tag of ours.

    If the readers differ only about a foreign code (for example its text), the first one counts.
    """
    places: list[tuple[_Extent, list[Code]]] = []
    for code in codes:
        extent = _extent(code.corners)
        place = next((together for there, together in places if _same_place(there, extent)), None)
        if place is None:
            places.append((extent, [code]))
        else:
            place.append(code)
    agreed, disputed = [], []
    for _, place in places:
        payloads = {parse(code.text, ours) for code in place}
        if len(payloads) > 1:
            disputed += place
        else:
            certainty = CERTAINTY_BOTH if len({code.how for code in place}) > 1 else CERTAINTY_ONE
            agreed.append(replace(place[0], certainty=certainty))
    return agreed, disputed


def _read_all(grey: Grey, readers: Decoders, ours: frozenset[str], thorough: bool) -> DecoderResult:
    if readers.first is None:
        return readers.second.read(grey) if readers.second is not None else DecoderResult([], [])
    first = readers.first.read(grey)
    if readers.second is None:
        return first
    thorough = thorough and sum(parse(code.text, ours) is not None for code in first.codes) < MIN_CODES
    second = readers.second.read(grey).codes if thorough else _second_opinion(grey, first.unread, readers.second)
    return DecoderResult([*first.codes, *second], first.unread)


def _second_opinion(grey: Grey, places: Sequence[Array], reader: QrDecoder) -> list[Code]:
    """Return the codes that the second reader reads in places that look like a code, each cut out and enlarged."""
    codes = []
    height, width = grey.shape
    for corners in places:
        low, high = corners.min(axis=0), corners.max(axis=0)
        margin = _CROP_MARGIN * float((high - low).max())
        left, top = (max(0, int(value)) for value in low - margin)
        right, bottom = min(width, int(high[0] + margin) + 1), min(height, int(high[1] + margin) + 1)
        crop = grey[top:bottom, left:right]
        if min(crop.shape) < patterns.CODE_MODULES:
            continue
        scale = max(1.0, _CROP_SIDE_PX / max(crop.shape))
        large = cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        codes += [replace(code, corners=code.corners / scale + (left, top)) for code in reader.read(large).codes]  # type: ignore[arg-type]
    return codes


class _Extent(NamedTuple):
    """The middle and the side of a code, px."""

    x: float
    y: float
    side: float


def _extent(corners: Array) -> _Extent:
    x, y = corners.mean(axis=0)
    return _Extent(float(x), float(y), float(mean_side(corners)))


def _same_place(one: _Extent, other: _Extent) -> bool:
    """Return whether two codes are the same: of similar size, and their middles nearer than half a side.

    The size matters because a large code may contain a small one in its middle.
    """
    small, large = sorted((one.side, other.side))
    return math.hypot(one.x - other.x, one.y - other.y) < small / 2 and large < 1.5 * small


def _covers(code: Array, corners: Array) -> bool:
    """Return whether a code that was read lies at a place that looks like a code."""
    apart = np.linalg.norm(code.mean(axis=0) - corners.mean(axis=0))
    return bool(apart < max(mean_side(code), mean_side(corners)))


def _verified(grey: Grey, tag: Tag, code: Code, *, exact: bool) -> DecodedTag | None:
    """Return the tag with its corners in reading order, None if the picture shows it mirrored or not at all."""
    grid = straightened(grey, code.corners)
    fit = max((_fit(grid, pattern) for pattern in _patterns(code.text, tag)), key=lambda fit: fit.score)
    if fit.mirrored or fit.score < MIN_CORRELATION:
        return None
    corners: Array = np.roll(code.corners, -fit.turns, axis=0)
    return DecodedTag(tag, refined(grey, corners, fit.pattern) if exact else corners, code.certainty, code.how)


class _Fit(NamedTuple):
    """How well a rectified tag matches a pattern after a number of quarter turns, mirrored or not."""

    score: float
    turns: int
    mirrored: bool
    pattern: patterns.Pattern


def _fit(grid: Array, pattern: patterns.Pattern) -> _Fit:
    ways = [(turns, mirrored) for mirrored in (False, True) for turns in range(4)]
    views = np.array([np.rot90(grid.T if mirrored else grid, turns) for turns, mirrored in ways])
    scores = module_correlation(views, pattern).tolist()
    return _Fit(*max((score, *way) for score, way in zip(scores, ways, strict=True)), pattern)


def _patterns(text: str, tag: Tag) -> list[patterns.Pattern]:
    """Return the patterns with which a text may have been printed: ours, or that of another printer with any mask."""
    own = patterns.encoding_of(tag.payload)
    return [patterns.encode(text, own.mask)] if own.text == text else [patterns.encode(text, mask) for mask in range(8)]


def straightened(grey: Grey, corners: Array) -> Array:
    """Return the brightness of each module of a version-1 code with these corners, (21, 21)."""
    blocks = _flat(grey, corners, 0).reshape(patterns.CODE_MODULES, _GRID_PX, patterns.CODE_MODULES, _GRID_PX)
    inner: Array = blocks[:, 1:-1, :, 1:-1].mean(axis=(1, 3))
    return inner


def refined(grey: Grey, corners: Array, pattern: patterns.Pattern) -> Array:
    """Return the corners moved to where the pattern fits the picture best, unchanged if that fails.

    A decoder's corners are whole px, and up to three px off at the corner without a finder pattern.
    """
    flat = _flat(grey, corners, patterns.QUIET_MODULES).astype(np.float32)
    model = cv2.GaussianBlur(patterns.draw(pattern, _GRID_PX), (0, 0), _GRID_PX / 3).astype(np.float32)
    start = np.eye(3, dtype=np.float32)
    enough = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _MAX_ROUNDS, _MIN_GAIN)
    try:
        _, change = cv2.findTransformECC(model, flat, start, cv2.MOTION_HOMOGRAPHY, enough)
    except cv2.error:
        return corners
    edge = _target(patterns.QUIET_MODULES)
    moved = cv2.perspectiveTransform(edge[None].astype(np.float64), np.asarray(change, dtype=np.float64))[0]
    if np.abs(moved - edge).max() > _MAX_SHIFT_MODULES * _GRID_PX:
        return corners
    back = cv2.getPerspectiveTransform(edge, corners.astype(np.float32))
    better: Array = cv2.perspectiveTransform(moved[None], back)[0]
    return better


def _target(quiet: int) -> NDArray[np.float32]:
    """Return the corners of a code in a rectified picture with ``quiet`` modules around it."""
    low, high = quiet * _GRID_PX - 0.5, (quiet + patterns.CODE_MODULES) * _GRID_PX - 0.5
    return np.array([(low, low), (high, low), (high, high), (low, high)], dtype=np.float32)


def _flat(grey: Grey, corners: Array, quiet: int) -> Array:
    """Return the rectified code, ``_GRID_PX`` px per module, with ``quiet`` modules of its surroundings."""
    side = (patterns.CODE_MODULES + 2 * quiet) * _GRID_PX
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), _target(quiet))
    flat = cv2.warpPerspective(grey, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, dtype=np.float64)


def module_correlation(grids: Array, pattern: patterns.Pattern) -> Array:
    """Return the correlation between measured brightness (n, 21, 21) and a tag's modules, 1 if they agree fully."""
    light = (~pattern).astype(np.float64).ravel()
    one, two = grids.reshape(len(grids), -1), light - light.mean()
    one = one - one.mean(axis=1, keepdims=True)
    correlation: Array = one @ two / (np.sqrt((one**2).sum(axis=1) * (two**2).sum()) + 1e-9)
    return correlation
