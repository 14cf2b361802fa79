"""Decodes one set of tags in a picture, and separates all other codes as foreign."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.decode.decode import DecodedTag, decode
from tabletop.vision.decode.decoders import Decoders
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box, corners_of
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.tags.patterns import CODE_MODULES

LARGE_WIDTH_PX = 3000
"""Width, px, below which a picture is doubled to read every code; wider ones are halved to read only large codes."""


class Decoded(NamedTuple):
    """What the decoders read: the tags of the set, and the corners, px, of all other codes."""

    tags: tuple[DecodedTag, ...] = ()
    foreign: tuple[Array, ...] = ()


class TagDecoder:
    """Reads the tags with these payloads by the decoders of this machine."""

    def __init__(self, readers: Decoders, payloads: Collection[str]) -> None:
        self._readers, self._payloads = readers, payloads
        # The first reader reads all large codes; a second opinion on all small places would take most of the time.
        self._first = Decoders(readers.first, None, readers.notes) if readers.first is not None else readers

    @property
    def possible(self) -> bool:
        """Whether there is any decoder."""
        return self._readers.first is not None or self._readers.second is not None

    def large(self, grey: Grey) -> Decoded:
        """Return the large codes of a picture, mostly markers, in a tenth of the time that all codes take."""
        return self._read(grey, _factor(grey), self._first)

    def all(self, grey: Grey) -> Decoded:
        """Return every code that can be decoded in a picture."""
        return self._read(grey, 2 * _factor(grey), self._readers)

    def part(self, grey: Grey, plane: Plane, box: Box) -> tuple[DecodedTag, ...]:
        """Return the tags of the set in a part of the table, mm; corners in px of the whole picture."""
        part, corner = _cut(grey, plane, box)
        read = self._read(part, 2 * _factor(grey), self._readers)
        return tuple(replace(tag, corners=tag.corners + corner) for tag in read.tags)

    def foreign(self, grey: Grey, plane: Plane, box: Box, *, large: bool = False) -> tuple[Array, ...]:
        """Return the corners, px, of the codes (only ``large`` ones) in a part of the table, mm, that are not ours."""
        part, corner = _cut(grey, plane, box)
        # The scale depends on the width of the whole picture, not of this part.
        factor, readers = (_factor(grey), self._first) if large else (2 * _factor(grey), self._readers)
        return tuple(corners + corner for corners in self._read(part, factor, readers, exact=False).foreign)

    def _read(self, grey: Grey, factor: float, readers: Decoders, *, exact: bool = True) -> Decoded:
        if not self.possible or min(grey.shape) < CODE_MODULES:
            return Decoded()
        codes = decode(_scaled(grey, factor), exact=exact, readers=readers)
        ours, foreign = [], [(code.corners + 0.5) / factor - 0.5 for code in codes.foreign]
        for code in codes.tags:
            corners = (code.corners + 0.5) / factor - 0.5
            if code.tag.payload in self._payloads:
                ours.append(replace(code, corners=corners))
            else:
                foreign.append(corners)
        return Decoded(tuple(ours), tuple(foreign))


def _cut(grey: Grey, plane: Plane, box: Box) -> tuple[Grey, Array]:
    """Return the part of a picture that shows a part of the table, mm, and its top left px."""
    px = plane.to_px(corners_of(box))
    x0, y0, x1, y1 = (max(0, int(value)) for value in (*px.min(axis=0), *(px.max(axis=0) + 2)))
    return np.ascontiguousarray(grey[y0:y1, x0:x1]), np.array((x0, y0), dtype=np.float64)


def _factor(grey: Grey) -> float:
    """Return the factor by which a picture is scaled to read only large codes."""
    return 0.5 if grey.shape[1] >= LARGE_WIDTH_PX else 1.0


def _scaled(grey: Grey, factor: float) -> Grey:
    if factor == 1:
        return grey
    how = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    return cv2.resize(grey, None, fx=factor, fy=factor, interpolation=how).astype(np.uint8, copy=False)
