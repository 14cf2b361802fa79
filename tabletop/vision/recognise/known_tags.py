"""Looks at the places of tags that were read before: whether they still lie there, and how skewed they look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, dist, inf

import numpy as np

from tabletop.vision.frame import Floats, Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.patches import FINE_MODULE_PX, Patches, Rows, cut_patches
from tabletop.vision.recognise.pose_search import PoseSearch
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.rectified import Cutting
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES

MIN_HALF_SCORE = 0.3
"""Least residual correlation of half a tag if that half may be visible."""
ALIKE_WEIGHT, MIN_TRACE = 2.0, 0.42
"""The weight of the likeness to any tag, and the least sum of it and the residual correlation, of a tag that may still
lie where it lay, too faint to be recognised: of more than 470 places that seemed bare, sixteen on which coins still lay
in a veil of light had 0.44 and more; of the others one had 0.43, and the rest had at most 0.40."""
MIN_KEPT_RATIO = 0.6
"""Least score of a tag that still lies there, as a fraction of the score with which it was read."""


class KnownTagCheck:
    """Checks tags of one size (``side`` in mm, quiet zone included) exactly where they lay, without a search."""

    def __init__(self, search: PoseSearch, side: float) -> None:
        self._search, self._side = search, side

    def still_there(
        self, grey: Grey, plane: Plane, known: Sequence[RecognisedTag], max_shift: float = inf
    ) -> list[bool]:
        """Return for each known tag whether it still lies exactly where it did.

        Some 0.7 modules away a tag is no longer recognised; a shift below that matters only beyond ``max_shift``, mm.
        """
        if not known:
            return []
        close, rows, poses = self._where_they_lay(grey, plane, known)
        guesses = self._search.judged(close, rows, poses)
        stays = [
            guess.identity == self._search.templates.numbers[tag.payload] and guess.score > MIN_KEPT_RATIO * tag.score
            for guess, tag in zip(guesses, known, strict=True)
        ]
        if max_shift < inf:
            for guess in self._search.refined(close, [guess for guess in guesses if stays[guess.row]]):
                x, y = guess.pose[:2].tolist()
                stays[guess.row] = dist(close.place(guess.row, x, y), known[guess.row].place) <= max_shift
        return stays

    def is_glimpsed(self, grey: Grey, plane: Plane, known: RecognisedTag, directions: Iterable[Array]) -> bool:
        """Return whether any half of a known tag, in these directions (2,) mm, may be visible where it lay."""
        close, _, poses = self._where_they_lay(grey, plane, [known])
        turns = (atan2(y, x) - float(close.turns[0]) for x, y in directions)
        number = self._search.templates.numbers[known.payload]
        return any(self._search.half(close, poses[0], number, turn) > MIN_HALF_SCORE for turn in turns)

    def leaves_trace(self, grey: Grey, plane: Plane, known: RecognisedTag) -> bool:
        """Return whether a known tag may still lie where it lay, although it is too faint to be recognised."""
        close, rows, poses = self._where_they_lay(grey, plane, [known])
        (guess,) = self._search.judged(close, rows, poses)
        number = self._search.templates.numbers[known.payload]
        return ALIKE_WEIGHT * guess.alike + self._search.whole(close, poses[0], number) >= MIN_TRACE

    def skewed(self, grey: Grey, plane: Plane, known: Sequence[RecognisedTag]) -> list[Array]:
        """Return the corners (4, 2), mm, of known tags as they look; on a wrong plane they are not squares.

        A tag's own corners form a square, because its pose is estimated as if the plane were right.
        """
        if not known:
            return []
        close, rows, poses = self._where_they_lay(grey, plane, known)
        skews = self._search.skews(close, rows, poses, [self._search.templates.numbers[tag.payload] for tag in known])
        return [_skewed(tag.corners, *skew) for tag, skew in zip(known, skews.astype(np.float64).tolist(), strict=True)]

    def _where_they_lay(self, grey: Grey, plane: Plane, known: Sequence[RecognisedTag]) -> tuple[Patches, Rows, Floats]:
        """Return patches of the places of known tags, their numbers, and the poses of the tags in them."""
        corners = np.array([tag.corners for tag in known])
        along = corners[:, 1] - corners[:, 0]
        turns = np.arctan2(along[:, 1], along[:, 0])
        close = cut_patches(Cutting(grey), plane, corners.mean(axis=1), turns, self._side, FINE_MODULE_PX)
        poses = np.zeros((len(known), 4), np.float32)
        poses[:, 3] = np.hypot(*along.T) / (self._side * CODE_MODULES / TAG_MODULES)
        return close, np.arange(len(known)), poses


def _skewed(corners: Array, longer: float, leaning: float) -> Array:
    """Return a square's corners (4, 2) stretched and sheared along its own sides."""
    middle = corners.mean(axis=0)
    across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    x, y = np.array((-1, 1, 1, -1)), np.array((-1, -1, 1, 1))
    skewed: Array = np.outer(x - longer * x - leaning * y, across) + np.outer(y + longer * y - leaning * x, down)
    skewed += middle
    return skewed
