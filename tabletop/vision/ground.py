"""The table under the pieces: where it is seen bare, what hides it, and where a hand reaches in."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from tabletop.vision.background import Background
from tabletop.vision.frame import Grey
from tabletop.vision.overview import Array, Overview
from tabletop.vision.plane import Plane
from tabletop.vision.reasons import GLARE, SATURATED
from tabletop.vision.recognise.sheet import Mask

STRANGE_MM2 = 350.0
"""Least area of an unknown thing that is told of."""
WIDER = 1.7
"""Within so many times the reach of a piece nothing is strange: cards stick out of a pile."""

Footprint = tuple[tuple[float, float], float]
"""Where a piece lies and how far it may reach, mm."""


class Ground:
    """What small pictures of that shape tell of the table itself, on one plane."""

    def __init__(self, plane: Plane, shape: tuple[int, int]) -> None:
        self.overview = Overview(plane, shape)
        self._background = Background(shape)
        self._hand: Mask = np.zeros(shape, dtype=np.bool_)

    def changed(self, mask: Mask) -> None:
        """Take in where the small picture changed (a mask of any size): what reaches in from its edge is a hand."""
        _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
        edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
        reach = np.isin(labels, edge[edge > 0]).astype(np.uint8)
        self._hand = self._laid(reach)

    def learn(self, small: Grey, pieces: Iterable[Footprint], changed: Mask | None = None) -> None:
        """Learn the bare table away from all pieces and from what has just changed."""
        bare = ~self._covered(pieces, 1.0)
        if changed is not None:
            bare &= ~self._laid(cv2.dilate(changed.astype(np.uint8), np.ones((3, 3), np.uint8)))
        self._background.learn(small, bare)

    def is_bare(self, small: Grey, outline: Array) -> bool:
        """Tell whether the table itself is seen within an outline, mm."""
        return self._background.is_bare(small, self.overview.to_px(outline), self._hand)

    def is_half_bare(self, small: Grey, outline: Array) -> bool:
        """Tell whether the table itself, as it is remembered, is seen in one half of an outline, mm."""
        return self._background.is_half_bare(small, self.overview.to_px(outline), self._hand)

    def is_nothing(self, small: Grey, outline: Array) -> bool:
        """Tell whether a hand, or the bare table as it is remembered, is seen within an outline, mm."""
        if (self._hand & self.overview.covering(outline[None])).any():
            return True
        everywhere = np.ones(self.overview.shape, dtype=np.bool_)
        return self._background.is_bare(small, self.overview.to_px(outline), everywhere)

    def hidden_by(self, small: Grey, outline: Array) -> str:
        """Return the reason why a piece that lies within an outline, mm, cannot be read."""
        place = self.overview.covering(outline[None])
        if (small[place] >= SATURATED).mean() > GLARE:
            return "glare"
        return "covered" if (self._hand & place).any() else "face-down"

    def strange(self, small: Grey, pieces: Iterable[Footprint]) -> list[tuple[float, float]]:
        """Return the places, mm, of compact things that hide the bare table where no known piece lies."""
        hidden = self._covered(pieces, WIDER) | self._hand
        spots = self._background.strange(small, hidden, STRANGE_MM2 / self.overview.pitch**2)
        return [(float(x), float(y)) for x, y in (self.overview.to_mm(spot) for spot in spots)]

    def _covered(self, pieces: Iterable[Footprint], wider: float) -> Mask:
        """Return where pieces may lie."""
        listed = list(pieces)
        ways = np.arange(12) * np.pi / 6
        ring = np.stack([np.cos(ways), np.sin(ways)], axis=1)
        middles = np.array([place for place, _ in listed]).reshape(-1, 1, 2)
        reaches = np.array([reach for _, reach in listed]).reshape(-1, 1, 1) * wider
        return self.overview.covering(middles + reaches * ring)

    def _laid(self, mask: cv2.typing.MatLike) -> Mask:
        """Return a mask at the size of the small picture."""
        height, width = self.overview.shape
        return cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST).astype(np.bool_)
