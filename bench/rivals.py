"""Other readers of tags: decoders of QR codes and readers of 36h11 markers, each from a picture to names and corners.

They are not part of the program: ``pip install pupil-apriltags`` installs AprilTag 3; OpenCV's ArUco and zxing-cpp are
there anyway.  A reader that is not installed is reported and left out.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
import zxingcpp

from tabletop.vision.decode.decoders import available
from tabletop.vision.frame import Grey
from tabletop.vision.tags.patterns import CODE_MODULES, Pattern
from tabletop.vision.tags.payloads import parse

Reader: TypeAlias = Callable[[Grey], dict[str, np.ndarray]]
"""Returns name → corners (4, 2), px, of the codes that it reads in a picture."""
CELLS = 8
"""Cells along a side of a 36h11 marker, its black border included."""
MARKERS = 126
"""The number of different markers in use: as many as of our tags."""
NAME = "H:{}"


def doubled(read: Reader) -> Reader:
    """Return a reader that reads the picture enlarged twice and sharpened."""

    def reader(grey: Grey) -> dict[str, np.ndarray]:
        large = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        sharp = cv2.addWeighted(large, 2.5, cv2.GaussianBlur(large, (0, 0), 2.5), -1.5, 0)
        return {name: (corners + 0.5) / 2 - 0.5 for name, corners in read(np.asarray(sharp, dtype=np.uint8)).items()}

    return reader


def qr_readers() -> dict[str, Reader]:
    """Return the decoders of QR codes by name."""
    readers: dict[str, Reader] = {"zxing": zxing, "zxing x2 sharp": doubled(zxing)}
    second = available().second
    if second is None:
        print("zbar is not installed: its column is missing.")
    else:
        readers["zbar"] = lambda grey: _ours({code.text: code.corners for code in second.read(grey).codes})
    return readers


@cache
def marker_readers() -> dict[str, Reader]:
    """Return the readers of 36h11 markers by name; they are never destroyed, because AprilTag's may crash then."""
    readers: dict[str, Reader] = {"ArUco": aruco}
    try:
        from pupil_apriltags import Detector
    except ImportError:
        print("pupil-apriltags is not installed: AprilTag's columns are missing.")
        return readers
    detector = Detector(families="tag36h11", nthreads=1, quad_decimate=1.0)
    atexit.register(setattr, detector, "tag_detector_ptr", None)

    def april(grey: Grey) -> dict[str, np.ndarray]:
        # AprilTag lists corners in the other direction, beginning at the one opposite to OpenCV's first.
        return {NAME.format(tag.tag_id): np.roll(tag.corners[::-1], 2, axis=0) for tag in detector.detect(grey)}

    return {"AprilTag": april, "AprilTag x2 sharp": doubled(april), **readers}


def zxing(grey: Grey) -> dict[str, np.ndarray]:
    """Return what zxing-cpp reads with its default settings."""
    corners = {}
    for code in zxingcpp.read_barcodes(np.ascontiguousarray(grey)):
        at = code.position
        corners[code.text] = np.array(
            [(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        )
    return _ours(corners)


def aruco(grey: Grey) -> dict[str, np.ndarray]:
    """Return what OpenCV's ArUco reads, with refined corners."""
    asked = cv2.aruco.DetectorParameters()
    asked.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(_dictionary(), asked).detectMarkers(grey)
    numbers = [] if ids is None else ids.ravel().tolist()
    return {NAME.format(number): each[0] for number, each in zip(numbers, corners, strict=True)}


@cache
def markers() -> dict[str, Pattern]:
    """Return the 36h11 markers in use, (8, 8) cells each, True for dark ones."""
    drawn = {number: cv2.aruco.generateImageMarker(_dictionary(), number, CELLS) for number in range(MARKERS)}
    return {NAME.format(number): np.asarray(picture < 128, dtype=np.bool_) for number, picture in drawn.items()}


def on_our_grid(patterns: Mapping[str, Pattern]) -> dict[str, Pattern]:
    """Return markers resampled to as many modules as our tags have, so that our detector can look for them."""
    near = ((np.arange(CODE_MODULES) + 0.5) * CELLS / CODE_MODULES).astype(int)
    return {name: pattern[np.ix_(near, near)] for name, pattern in patterns.items()}


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def _ours(read: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return payload → corners of the texts that are payloads of our tags."""
    parsed = {text: parse(text) for text in read}
    return {tag.payload: np.asarray(read[text], dtype=np.float64) for text, tag in parsed.items() if tag is not None}
