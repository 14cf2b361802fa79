"""From one full picture to the tags in it: every way of reading united on one plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.plane import Plane, Square, aligned, fit
from tabletop.vision.scene import Sighting, Unreadable
from tabletop.vision.tags import ACROSS, MODULES, Pattern, parse

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture showed: our tags on the plane, places that cannot be read, foreign codes, notes for people."""

    plane: Plane | None
    sightings: tuple[Sighting, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    foreign: int = 0
    doubles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Reader:
    """Reads the tags of a set: ``patterns`` by payload, and the side of each payload's tag in mm."""

    def __init__(self, patterns: Mapping[str, Pattern], sizes: Mapping[str, float]) -> None:
        self.patterns = dict(patterns)
        self.sizes = dict(sizes)

    def read(self, grey: Grey, before: Plane | None = None) -> Reading:
        """Return all that the picture shows, on the frame of the plane before where there was one."""
        found, foreign = self._decoded(grey)
        counts: dict[str, int] = {}
        for payload, _ in found:
            counts[payload] = counts.get(payload, 0) + 1
        doubles = tuple(sorted(payload for payload, count in counts.items() if count > 1))
        single = [(payload, corners) for payload, corners in found if counts[payload] == 1]
        squares = [
            Square(corners, self.sizes[payload] * MODULES / ACROSS) for payload, corners in single if _marks(payload)
        ]
        plane = fit(squares or [Square(c, self.sizes[p] * MODULES / ACROSS) for p, c in single], grey.shape)
        if plane is None:
            return Reading(None, foreign=foreign, doubles=doubles, notes=("No marker is visible.",))
        if before is not None:
            plane = aligned(plane, [(c, before.to_mm(c)) for p, c in single if _marks(p)])
        sightings = tuple(_sighting(payload, corners, plane) for payload, corners in single)
        return Reading(plane, sightings, (), foreign, doubles)

    def _decoded(self, grey: Grey) -> tuple[Sequence[tuple[str, Array]], int]:
        big = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        found, foreign = [], 0
        for code in zxingcpp.read_barcodes(big, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)):
            place = code.position
            marks = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
            corners = np.array([(mark.x, mark.y) for mark in marks], dtype=np.float64) / 2
            tag = parse(code.text)
            if tag is not None and tag.payload in self.patterns:
                found.append((tag.payload, corners))
            else:
                foreign += 1
        return found, foreign


def _marks(payload: str) -> bool:
    return payload.startswith("TT")


def _sighting(payload: str, corners: Array, plane: Plane) -> Sighting:
    mm = plane.to_mm(corners)
    x, y = mm.mean(axis=0)
    up = (mm[0] + mm[1]) - (mm[2] + mm[3])
    angle = float(np.degrees(np.arctan2(up[0], -up[1])))
    one, two, three, four = ((float(px), float(py)) for px, py in corners)
    return Sighting(payload, float(x), float(y), angle, (one, two, three, four), 1.0, "zxing")
