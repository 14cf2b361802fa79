"""The surface of the table under the pieces: where it is bare, what hides it, and where a hand reaches in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from tabletop.vision.frame import Frame, Grey
from tabletop.vision.geometry.boxes import Box, Place, holds, ring, square
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.image.glare import MIN_SPOT_MM2, is_washed_out
from tabletop.vision.live.ground.background import Background
from tabletop.vision.live.ground.overview import Overview
from tabletop.vision.scene import Cause, Notice, Unreadable

MIN_STRANGE_MM2 = 350.0
"""Least area of an unknown thing that is reported, mm²."""
PIECE_REACH_FACTOR = 1.7
"""Distance from a piece, as a multiple of its reach, within which nothing counts as unknown: cards stick out of a
pile."""

DOUBT_RADIUS_MM = 8.0
"""Half the side of the square that a doubtful place is assumed to cover, mm."""
MIN_THING_MM = 12.0
"""Side of the smallest thing, mm, that is distinguished from the bare table: tags of real coins are 14 mm wide."""
MAX_SPOTS = 6
"""Most places at a time where something small hides the bare table."""
MIDDLE_GREY = 128
"""Grey level that tells a picture that is too dark from one that is too bright."""
OUTLINE_BLUR_PX = 5
"""Side, px of the small picture, of the kernel that grows outlines because things blur into their surroundings."""

Footprint = tuple[tuple[float, float], float]
"""The place of a piece and how far it may reach from there, mm."""


class TableSurface:
    """The surface of the table in small pictures of that shape, on one plane."""

    def __init__(self, plane: Plane, shape: tuple[int, int]) -> None:
        self.overview = Overview(plane, shape)
        self._background = Background(shape)
        self._hand: Mask = np.zeros(shape, dtype=np.bool_)
        self._lying: tuple[Sequence[Array], Mask] | None = None

    @property
    def is_handled(self) -> bool:
        """Whether something reached in from the edge at the last change."""
        return bool(self._hand.any())

    def is_handled_at(self, place: Place) -> bool:
        """Return whether a hand may lie over a tag at a place, mm."""
        return self.is_handled and bool((self._hand & self.overview.covering([_around(place)])).any())

    def reaches(self, place: Place, part: Box, mask: Mask | None = None) -> bool:
        """Return whether a doubtful place lies in a part, both mm, and in a mask that covers the whole picture."""
        return holds(part, place) and (mask is None or self.overview.reaching([_around(place)], mask)[0])

    def blinded(self, small: Grey) -> Notice | None:
        """Return the notice that it is far too dark or too bright to compare the picture with the learned table."""
        if self._background.is_comparable(small):
            return None
        return Notice.DARK if small.mean() < MIDDLE_GREY else Notice.DAZZLED

    def refit(self, plane: Plane) -> None:
        """Continue with a better plane; the camera has not moved, so the learned table remains valid."""
        self.overview, self._lying = Overview(plane, self.overview.shape), None

    def seen_from(self, plane: Plane, *, handled: bool) -> None:
        """Continue with the plane of a camera that has been moved: what was learned of the table moves along.

        ``handled``: a hand moved it, and may be anywhere over the pieces until something changes.
        """
        before, (height, width) = self.overview, self.overview.shape
        self.refit(plane)
        px = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float64)
        self._background.move(before.to_px(self.overview.to_mm(px)))
        self._hand |= handled

    def changed(self, small: Grey, mask: Mask) -> None:
        """Update the hand from where the small picture changed (a mask of any size): it reaches in from the edge.

        If a changed place looks like the remembered table, a hand has left it.
        """
        _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
        edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
        self._hand = np.zeros(self.overview.shape, dtype=np.bool_)
        for label in edge[edge > 0]:
            reach = self._resized((labels == label).astype(np.uint8))
            if not self._background.is_seen(small, reach):
                self._hand |= reach
        self._background.changed(self._resized(_dilated(mask)))

    def learn(self, small: Grey, outlines: Sequence[Array], changed: Mask | None = None) -> None:
        """Learn the bare table outside all outlines (corners, 2), mm, hands, and what has just changed."""
        bare = self._free(outlines)
        if changed is not None:
            bare &= ~self._resized(_dilated(changed))
        self._background.learn(small, bare)

    def spots(self, small: Grey, outlines: Sequence[Array]) -> list[Place]:
        """Return where something as large as a coin hides the bare table beside all outlines and hands.

        The outlines are (corners, 2), mm.  If there are many such places at once, the light has changed.
        """
        found = self._background.spots(small, self._free(outlines), self._min_side_px)
        places = [self.overview.to_mm(spot).tolist() for spot in found if len(found) <= MAX_SPOTS]
        return [(x, y) for x, y in places]

    def _free(self, outlines: Sequence[Array]) -> Mask:
        """Return the px of the small picture that lie beside all outlines (corners, 2), mm, and hands."""
        covered = self._covered(outlines).astype(np.uint8)
        beside: Mask = cv2.dilate(covered, np.ones((OUTLINE_BLUR_PX, OUTLINE_BLUR_PX), np.uint8)) == 0
        return beside & ~self._hand

    def _covered(self, outlines: Sequence[Array]) -> Mask:
        """Return the px of the small picture within outlines, mm; cached, because all pieces are asked for often."""
        if self._lying is None or self._lying[0] is not outlines:
            self._lying = outlines, self.overview.covering(outlines)
        return self._lying[1]

    def unlearn(self, piece: Array) -> None:
        """Forget the table within the outline, mm, of a piece that was just read, if it was learned with the piece."""
        self._background.unlearn(self.overview.to_px(piece))

    def forget(self, cards: Iterable[Array]) -> None:
        """Forget the table under zone cards (corners, 2), mm, that were laid there: they are now part of the table."""
        for card in cards:
            self._background.forget(self.overview.to_px(card))

    def is_bare(self, small: Grey, outline: Array) -> bool:
        """Return whether the bare table is visible within an outline, mm."""
        return self._background.is_bare(small, self.overview.to_px(outline), self._hand)

    def bare_halves(self, small: Grey, outline: Array) -> list[Array]:
        """Return the directions (2,), mm, of the halves of an outline that look like the remembered table."""
        place = self.overview.to_px(outline)
        middle, directions = place.mean(axis=0), self._background.bare_halves(small, place, self._hand)
        return [self.overview.to_mm(middle + direction) - self.overview.to_mm(middle) for direction in directions]

    def is_nothing(self, small: Grey, outline: Array) -> bool:
        """Return whether there is only a hand or the remembered bare table within an outline, mm."""
        if (self._hand & self.overview.covering([outline])).any():
            return True
        everywhere, place = np.ones(self.overview.shape, dtype=np.bool_), self.overview.to_px(outline)
        bare = self._background.looks_bare(small, place, everywhere)
        return bare and self._background.is_spotless(small, place, self._min_side_px)

    def hidden_by(self, frame: Frame, outline: Array) -> Cause:
        """Return the reason why a piece within an outline, mm, cannot be read."""
        # The full picture is used because the small one averages white px with darker ones beside them.
        if is_washed_out(frame.grey, self.overview.plane.to_px(outline)):
            return Cause.GLARE
        return Cause.COVERED if (self._hand & self.overview.covering([outline])).any() else Cause.FACE_DOWN

    def strange(self, small: Grey, pieces: Iterable[Footprint], outlines: Sequence[Array]) -> list[Unreadable]:
        """Return the compact things that hide the bare table where no known piece may lie.

        Something that reflects a lamp outside the outlines (corners, 2), mm, of all pieces is reported even near one.
        """
        if self._background.has_forgotten:
            self._background.recall(small, self._free(outlines))
        hidden = (
            self.overview.covering([ring(place, reach * PIECE_REACH_FACTOR) for place, reach in pieces]) | self._hand
        )
        mm2, covered = self.overview.mm_per_px**2, self._covered(outlines)
        glossy = self._background.shining(small, covered | self._hand, MIN_SPOT_MM2 / mm2)
        compact = self._background.strange(small, hidden, MIN_STRANGE_MM2 / mm2, covered)
        return [self._unreadable(Cause.GLARE, spot) for spot in glossy] + [
            self._unreadable(Cause.UNKNOWN, spot) for spot in compact
        ]

    @property
    def _min_side_px(self) -> int:
        """The side of the smallest thing, px of the small picture."""
        return max(1, round(MIN_THING_MM / self.overview.mm_per_px))

    def _unreadable(self, reason: Cause, spot: Array) -> Unreadable:
        """Return the report that something at a px of the small picture cannot be read."""
        x, y = self.overview.to_mm(spot)
        return Unreadable(reason, place=(float(x), float(y)))

    def _resized(self, mask: cv2.typing.MatLike) -> Mask:
        """Return a mask resized to the small picture."""
        height, width = self.overview.shape
        return cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST).astype(np.bool_)


def _around(place: Place) -> Array:
    """Return the square, mm, that a tag at a doubtful place may cover."""
    return square(place, DOUBT_RADIUS_MM)


def _dilated(mask: Mask) -> cv2.typing.MatLike:
    """Return a mask grown by one cell."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
