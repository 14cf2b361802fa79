"""Tags of one size recognised in a picture: found, posed, identified, and believed only when sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.acceptance import HALF_ALIKE, TAG_LIKE, certainty, sure, sure_though_covered
from tabletop.vision.frame import Grey
from tabletop.vision.plane import Plane
from tabletop.vision.recognise.dictionary import Dictionary, Floats
from tabletop.vision.recognise.posing import Guess, Poser, sampled
from tabletop.vision.recognise.sheet import FINE, Box, Mask, Sheet, View, sharpened, view
from tabletop.vision.recognise.spotting import Spotter
from tabletop.vision.tags import ACROSS, MODULES, Pattern

Array: TypeAlias = NDArray[np.float64]

EDGE = 7
"""Modules by which the middle of a tag has to lie inside a sheet: of the others too little is seen."""
SATURATED = 250
GLARE = 0.12
"""Part of a tag's px at the white end of the scale that makes glare the reason."""


class Found(NamedTuple):
    """A tag of ours: payload, its corners (symbol without quiet zone) in mm from its own top left, clockwise.

    ``score`` and ``margin`` are those of :class:`~tabletop.vision.recognise.posing.Guess`; ``size`` is the printed
    size as a part of what was assumed.
    """

    payload: str
    corners: Array
    score: float
    margin: float
    size: float

    @property
    def place(self) -> tuple[float, float]:
        """The middle, mm."""
        x, y = (np.add.reduce(self.corners) / 4).tolist()
        return x, y

    @property
    def certainty(self) -> float:
        """How sure the identity is, 0…1: 0.5 at the thresholds, 1 where nothing else comes near."""
        return certainty(self.margin)


class Doubt(NamedTuple):
    """A place that looks like a tag and could not be identified: mm, the reason, how much it looks like one."""

    x: float
    y: float
    reason: str
    alike: float


class Recognised(NamedTuple):
    """What a part of the table showed."""

    found: tuple[Found, ...]
    doubts: tuple[Doubt, ...]


class Recogniser:
    """Recognises the tags of a set that were printed at one size (``side`` in mm, quiet zone included)."""

    def __init__(self, patterns: Mapping[str, Pattern], side: float) -> None:
        self.side = side
        self.dictionary = Dictionary(patterns)
        self._row = {payload: row for row, payload in enumerate(self.dictionary.payloads)}
        self._spotter = Spotter(self.dictionary.mean)
        self._poser = Poser(self.dictionary)

    def view(self, plane: Plane, box: Box | None = None, where: Mask | None = None) -> View:
        """Return the view that takes the sheet of a part of the table (all that is visible) out of pictures.

        ``where``: a mask of any size laid over the whole picture; only tags that reach into it are looked for.
        """
        return view(plane, box or plane.bounds(), self.side, where)

    def read(self, sheet: Sheet) -> Recognised:
        """Return every tag on a sheet of two px a module, and the places that could not be identified."""
        height, width = sheet.grey.shape
        half = cv2.resize(sheet.grey, (max(1, width // FINE), max(1, height // FINE)), interpolation=cv2.INTER_AREA)
        spots = self._spotter.spot(half.astype(np.uint8, copy=False), sheet.wanted)
        if not len(spots.scores):
            return Recognised((), ())
        sharp = sharpened(sheet.grey)
        starts = np.column_stack([(spots.places + 0.5) * FINE - 0.5, spots.angles, np.ones_like(spots.angles)])
        inside = ((starts[:, :2] > EDGE * FINE) & (starts[:, :2] < np.array((width, height)) - EDGE * FINE)).all(axis=1)
        if not inside.any():
            return Recognised((), ())
        poses, alike = self._poser.alike(sharp, starts[inside].astype(np.float32))
        poses = poses[alike > 0.12]
        guesses = sorted(self._poser.guesses(sharp, poses), key=lambda guess: -max(guess.score, guess.alike))
        found, doubts, taken = [], [], np.zeros((0, 2))
        for guess in guesses:
            near = np.hypot(*(taken - guess.pose[:2]).T) < ACROSS * FINE / 2
            if near.any():
                continue
            if not sure(guess):
                hidden = self._poser.covered(sharp, guess.pose) if guess.alike > HALF_ALIKE else guess
                if sure_though_covered(hidden):
                    guess = hidden
                elif guess.alike > TAG_LIKE:
                    taken = np.vstack([taken, guess.pose[:2]])
                    doubts.append(self._doubt(sheet, guess))
                    continue
                else:
                    continue
            taken = np.vstack([taken, guess.pose[:2]])
            found.append(self._found(sheet, guess))
        return Recognised(tuple(found), tuple(doubts))

    def check(self, grey: Grey, plane: Plane, known: Sequence[Found]) -> list[bool]:
        """Tell of every known tag whether it still lies exactly where it lay."""
        return [self._still(grey, plane, one) for one in known]

    def _still(self, grey: Grey, plane: Plane, known: Found) -> bool:
        x, y = known.place
        reach = self.side * 0.8
        sheet = self.view(plane, (x - reach, y - reach, x + reach, y + reach)).take(grey)
        pose = self._pose(sheet, known)
        guess = self._poser.judged(sharpened(sheet.grey), pose[None], self.dictionary.full)[0]
        return guess.which == self._row[known.payload] and guess.score > 0.6 * known.score

    def _pose(self, sheet: Sheet, known: Found) -> Floats:
        px = sheet.to_px(known.corners)
        along = px[1] - px[0]
        middle = px.mean(axis=0)
        size = float(np.hypot(*along)) / (MODULES * FINE)
        return np.array([*middle, np.arctan2(along[1], along[0]), size], dtype=np.float32)

    def _found(self, sheet: Sheet, guess: Guess) -> Found:
        x, y, angle, size = (float(value) for value in guess.pose)
        half = MODULES * FINE * size / 2
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        cos, sin = np.cos(angle), np.sin(angle)
        corners = sheet.to_mm(square @ np.array([[cos, sin], [-sin, cos]]) + (x, y))
        return Found(self.dictionary.payloads[guess.which], corners, guess.score, guess.margin, size)

    def _doubt(self, sheet: Sheet, guess: Guess) -> Doubt:
        x, y = sheet.to_mm(guess.pose[:2].astype(np.float64))
        light = sampled(sheet.grey.astype(np.int16), guess.pose[None])
        burnt = float((light >= SATURATED).mean())
        return Doubt(float(x), float(y), "glare" if burnt > GLARE else "unknown", guess.alike)
