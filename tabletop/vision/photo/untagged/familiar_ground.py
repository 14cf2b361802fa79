"""Finds things on a ground of many colours by comparing them with the ground elsewhere in the picture.

A thing on rough ground may differ from it by no more than the ground's own colours differ from each other.  But over
the breadth of a tile, the colours and roughness of a cloth, a mat or wood recur again and again, and the back of a
tile, a cup or a sheet of paper has others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import overhead, whole_table

Looks: TypeAlias = NDArray[np.float32]
"""Looks: mean blue, green and red, and roughness (standard deviation), around places, (n, 4), grey levels."""

PITCH_MM = 3.0
"""Side of the squares into which the table is divided, mm."""
WINDOW_MM = 18.0
"""Side of the square around a place whose look is compared, mm: one that fits into a tile with room to spare."""
WINDOW_SQUARES = round(WINDOW_MM / PITCH_MM)
MAX_PLACES = 2000
"""Most places of ground whose looks are kept."""
MAX_LOOKS = 256
"""Number of looks that are compared with the ground at a time: as many fit into a core's cache."""
MIN_FREE_FRACTION = 0.6
"""Least fraction of the square around a place that has to be visible and free."""
MAX_STRANGENESS = 40.0
"""Largest distance, grey levels, beyond which a thing may have to be from the looks of a usable ground."""
MIN_ELSEWHERE_MM, ELSEWHERE_FRACTION = 300.0, 0.4
"""Distance, mm, and as a fraction of the breadth of a close photograph, at which enough of the ground has to look
similar: a look in only one part of a picture is that of a thing that reaches out of an area, such as a sleeve."""
MIN_PLACES = 300
"""Least number of places of ground for it to be known."""
MIN_ALIKE_FRACTION = 0.006
"""Least fraction of the ground that looks like a familiar look."""
FAMILIAR_QUANTILE = 0.98
"""Quantile of the ground's own distances …"""
MIN_STRANGENESS, STRANGENESS_FACTOR = 9.0, 1.3
"""… that, times the second number, is the distance from the ground at which a look is strange; at least the first one,
in grey levels."""
SMOOTH_QUANTILE, MAX_SMOOTH_RATIO = 0.01, 0.6
"""Quantile of the ground's roughness that counts as its smoothest, and the fraction of that below which a place is a
thing, whatever its colour: the plain back of a tile on wood was 0.4 times as rough."""
COLOUR_LEVELS = 8
"""Number of levels of blue, green and red, from black to paper, whose combinations stand for all colours of things."""
MAX_FAMILIAR_FRACTION = 0.1
"""Largest fraction of these colours that may be familiar: on other grounds too many things would go unnoticed.  Of 78
bare tables none had a fraction between 0.06 and 0.13."""


class Compared(NamedTuple):
    """The mask of an area that is unlike the ground elsewhere, and the mask where enough is visible to tell."""

    strange: Mask
    judged: Mask


class FamiliarGround:
    """The ground of a picture outside everything that is ``known`` to lie there, outlines (n, 2) mm.

    ``white``: the grey level of paper in its light.
    """

    def __init__(self, colour: Colour, plane: Plane, known: Sequence[Array], white: float) -> None:
        self._colour, self._plane, self._white = colour, plane, white
        grid = whole_table(plane, PITCH_MM, 3)
        looks, free = self._looks(grid, known)
        rows, columns = np.nonzero(free)
        sample = slice(None, None, 1 + len(rows) // MAX_PLACES)
        self._ground_looks = looks[free][sample]
        self._ground_looks = self._ground_looks[
            self._is_spread(grid.mm(*(each[sample].astype(np.float64) for each in (columns, rows))))
        ]
        self._max_distance = self._radius() if self.known else 0.0
        self._min_roughness = (
            MAX_SMOOTH_RATIO * float(np.quantile(self._ground_looks[:, -1], SMOOTH_QUANTILE)) if self.known else 0.0
        )

    @property
    def known(self) -> bool:
        """True if enough of the ground is visible to know its looks."""
        return len(self._ground_looks) >= MIN_PLACES

    @property
    def is_familiar(self) -> bool:
        """True if its looks are similar enough that things on it can be told apart from it."""
        return self.known and self._max_distance <= MAX_STRANGENESS and self._colourfulness <= MAX_FAMILIAR_FRACTION

    @cached_property
    def _colourfulness(self) -> float:
        """The fraction of all colours of plain things that is familiar."""
        levels = (np.arange(COLOUR_LEVELS, dtype=np.float32) + 0.5) * (self._white / COLOUR_LEVELS)
        colours = np.stack(np.meshgrid(levels, levels, levels), axis=-1).reshape(-1, 3)
        plain = np.pad(colours, ((0, 0), (0, 1)))
        return float(1 - self._is_strange(plain).mean())

    @property
    def patterned(self) -> bool:
        """True if the ground itself varies over a tile's breadth by as much as a thing has to differ from it."""
        return self.known and float(np.median(self._ground_looks[:, -1])) > MIN_STRANGENESS

    def strange(self, area: Array, where: Mask, faces: Sequence[Array]) -> Mask:
        """Return which squares of a mask ``where`` over an area are unlike the ground elsewhere."""
        return self.compared(area, where, faces).strange

    def compared(self, area: Array, where: Mask, faces: Sequence[Array]) -> Compared:
        """Compare the squares of a mask ``where`` over an area with the ground elsewhere.

        ``area``: its corners in mm, from its own top left, clockwise; ``faces``: the outlines (4, 2) mm of what was
        read.  The looks of squares do not include what lies outside the mask, such as a card.
        """
        across, along = area[1] - area[0], area[3] - area[0]
        columns, rows = (max(3, int(np.linalg.norm(side) / PITCH_MM)) for side in (across, along))
        within = cv2.resize(where.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_NEAREST)
        # The looks of squares at the edge of the area include what lies beside it.
        around = WINDOW_SQUARES // 2
        grid, inner = SquareGrid.over(area, (columns, rows)).widened(around), (slice(around, -around),) * 2
        looks, free = self._looks(grid, faces, np.pad(within, around, mode="edge") > 0)
        looks, free = looks[inner], free[inner]
        odd = np.zeros(free.shape, np.uint8)
        odd[free] = self._is_strange(looks[free])
        # If a window is smooth, all of its squares are, not only the middle one.
        smooth = (free & (looks[..., -1] < self._min_roughness)).astype(np.uint8)
        wide = cv2.dilate(smooth, np.ones((WINDOW_SQUARES - 1,) * 2, np.uint8))
        odd[free & (wide > 0)] = 1
        strange, judged = (
            where & (cv2.resize(mask, where.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)
            for mask in (odd, free.astype(np.uint8))
        )
        return Compared(strange, judged)

    def _looks(self, grid: SquareGrid, known: Sequence[Array], within: Mask | None = None) -> tuple[Floats, Mask]:
        """Return the looks of all squares, (rows, columns, 4), and the mask of those that are known."""
        seen, sight = overhead(self._colour, self._plane, grid, PITCH_MM / 2)
        free = (sight & ~grid.within(known) & (True if within is None else within)).astype(np.float32)
        window = (WINDOW_SQUARES,) * 2
        weight = np.maximum(cv2.blur(free, window), 1e-3)[..., None]
        light = seen.astype(np.float32)
        mean = cv2.blur(light * free[..., None], window) / weight
        mean_square = cv2.blur(light * light * free[..., None], window) / weight
        roughness = np.sqrt(np.maximum(mean_square - mean * mean, 0)).max(axis=-1, keepdims=True)
        looks = np.concatenate([mean, roughness], axis=-1).astype(np.float32)
        return looks, np.asarray((weight[..., 0] >= MIN_FREE_FRACTION) & (free > 0))

    def _is_spread(self, places: Array) -> Mask:
        """Return which looks of the ground at places (n, 2), mm, recur far away; those of a sleeve do not."""
        if not len(places):
            return np.zeros(0, np.bool_)
        counts, points = [], places.astype(np.float32)
        min_distance = min(MIN_ELSEWHERE_MM, ELSEWHERE_FRACTION * float(np.hypot(*np.ptp(places, axis=0))))
        for rows, squared_distances in zip(
            np.array_split(points, self._batch_count(self._ground_looks)),
            self._squared_distances(self._ground_looks),
            strict=True,
        ):
            # Squared, and x and y separately: this takes an eighth of the time.
            squared_places = (rows[:, :1] - points[:, 0]) ** 2 + (rows[:, 1:] - points[:, 1]) ** 2
            alike = (squared_places > min_distance**2) & (squared_distances <= MAX_STRANGENESS**2)
            counts.append(np.add.reduce(alike, axis=1, dtype=np.uint16))
        return np.asarray(np.concatenate(counts) > self._min_alike)

    def _radius(self) -> float:
        """Return the distance from the ground beyond which a look is strange."""
        return max(
            MIN_STRANGENESS,
            STRANGENESS_FACTOR * float(np.quantile(self._distance(self._ground_looks[::2]), FAMILIAR_QUANTILE)),
        )

    def _distance(self, looks: Looks) -> Floats:
        """Return the distance of looks from the ground: that to the ``_min_alike``-th nearest of its looks."""
        nearest = [
            np.partition(squared, self._min_alike, axis=1)[:, self._min_alike]
            for squared in self._squared_distances(looks)
        ]
        return np.asarray(np.sqrt(np.maximum(np.concatenate(nearest), 0)), dtype=np.float32)

    def _is_strange(self, looks: Looks) -> NDArray[np.bool_]:
        """Return which looks are farther from the ground than most of the ground itself."""
        # Counting near looks is several times as fast as sorting by distance.
        counts = [
            np.add.reduce(squared <= self._max_distance**2, axis=1, dtype=np.uint16)
            for squared in self._squared_distances(looks)
        ]
        return np.asarray(np.concatenate(counts) <= self._min_alike)

    @property
    def _min_alike(self) -> int:
        """The number of places of ground that must look alike."""
        return max(1, int(MIN_ALIKE_FRACTION * len(self._ground_looks)))

    @staticmethod
    def _batch_count(looks: Looks) -> int:
        return max(1, len(looks) // MAX_LOOKS)

    def _squared_distances(self, looks: Looks) -> Iterator[Floats]:
        """Iterate over the squared distances of looks from all of the ground, some looks at a time."""
        usual, squares = self._ground_looks.T, (self._ground_looks**2).sum(axis=1)
        others = np.stack([*(-2 * usual), np.ones_like(squares), squares])
        for batch in np.array_split(looks, self._batch_count(looks)):
            yield np.column_stack([batch, (batch**2).sum(axis=1), np.ones(len(batch), np.float32)]) @ others
