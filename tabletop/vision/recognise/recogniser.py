"""Recognises the tags of one size in a picture: finds, poses and identifies them, and accepts only sure ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import cached_property
from math import cos, dist, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.candidates import MIN_SCORE, NARROW_SIGHT, CandidateFinder, Candidates
from tabletop.vision.recognise.covered_search import CoveredSearch
from tabletop.vision.recognise.faint.faint_search import FaintSearch
from tabletop.vision.recognise.known_tags import KnownTagCheck
from tabletop.vision.recognise.patches import FINE_MODULE_PX, Patches, cut_patches, joined
from tabletop.vision.recognise.pose_search import Guess, PoseSearch
from tabletop.vision.recognise.recognised import Recognised, RecognisedTag, clearest
from tabletop.vision.recognise.rectified import Cutting, RectifiedImage, RectifiedView
from tabletop.vision.recognise.templates import Templates, offsets
from tabletop.vision.recognise.thresholds import (
    MIN_APART_SIDES,
    MIN_TAG_ALIKE,
    is_usual_size,
    likely_ours,
    maybe_sized,
    nearly_sure,
    required_sum,
    sure,
    sure_in_company,
    sure_of_awaited,
    sure_of_half,
    sure_though_covered,
)
from tabletop.vision.recognise.unreadable_reason import find_reason
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES, Pattern

GLANCE_MODULE_PX = 1
"""Pixels per module at which places that cannot be tags are ruled out."""
MAX_PART_PX = 60_000
"""Most px of a rectified image of a small part of the table: some 300 by 300 mm for tags of 20 mm."""
MIN_GLANCE_SCORE = 0.42
"""Least score of a candidate if the tags may well not be there; most of ours are higher."""
MIN_DISTANCE_SIDES = 0.9
"""No two tags lie nearer than this fraction of a side: if two doubts do, one is part of the other."""
MIN_NARROW_SCORE = 0.5
"""Least score of a place that may have a tag in a dark frame."""
MAX_NARROW_PLACES = 25
"""Most places that are examined for a tag in a dark frame."""
MIN_FAINT_SCORE, MAX_FAINT_PLACES = 0.26, 200
"""The same two if something new must lie there: a tag between dark pieces on paper scores between 0.28 and 0.48."""


class Spotted(NamedTuple):
    """Places on a plane that may have a tag: middles (n, 2) mm, turns (n,) radians, how much each looks like one."""

    seen: Cutting
    plane: Plane
    middles: Array
    turns: Array
    scores: Floats

    def subset(self, selection: NDArray[np.bool_] | slice) -> Spotted:
        """Return the selected places."""
        return self._replace(
            middles=self.middles[selection], turns=self.turns[selection], scores=self.scores[selection]
        )

    def on(self, plane: Plane) -> Spotted:
        """Return the same places in the coordinates of another plane of the same picture."""
        angles = self.turns[:, None] + np.array((0.0, np.pi / 2))
        ends = self.middles[:, None] + np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        mapped = plane.to_mm(self.plane.to_px(np.concatenate([self.middles[:, None], ends], axis=1)))
        middles, sides = mapped[:, 0], mapped[:, 1:] - mapped[:, :1]
        # A square seen at an angle is not square there: its turn is the mean of its two sides' turns.
        turns = np.arctan2(sides[..., 1], sides[..., 0]) - (0.0, np.pi / 2)
        skew = np.angle(np.exp(1j * (turns[:, 1] - turns[:, 0])))
        return Spotted(self.seen, plane, middles, turns[:, 0] + skew / 2, self.scores)


class Recogniser:
    """Recognises the tags of a set that were printed at one size (``side`` in mm, quiet zone included)."""

    def __init__(self, patterns: Mapping[str, Pattern], side: float) -> None:
        self.side = side
        self.templates = Templates(patterns)
        self._finder = CandidateFinder(self.templates.mean, len(patterns))
        self._pose_search = PoseSearch(self.templates)
        self._covered_search = CoveredSearch(self._pose_search)
        self._faint_search = FaintSearch(self._pose_search)
        self._view: RectifiedView | None = None

    @cached_property
    def _narrow_finder(self) -> CandidateFinder:
        return CandidateFinder(self.templates.mean, len(self.templates.payloads), NARROW_SIGHT)

    def of_side(self, side: float) -> Recogniser:
        """Return a recogniser of the same tags printed at another size (mm); both share everything precomputed."""
        other = copy(self)
        other.side, other._view = side, None
        return other

    def forget(self) -> None:
        """Free what takes much memory and is computed again if it is needed: for a plane, tile sizes and faint tags."""
        self._view = None
        self._finder.forget()
        self._faint_search.forget()

    @property
    def known(self) -> KnownTagCheck:
        """The check of tags that were read before."""
        return KnownTagCheck(self._pose_search, self.side)

    def view(self, plane: Plane) -> RectifiedView:
        """Return the view that takes rectified images out of pictures; it is kept until the plane changes."""
        if self._view is None or self._view.plane is not plane:
            self._view = RectifiedView(plane, self.side)
        return self._view

    def read(
        self, image: RectifiedImage, awaited: Collection[str] = (), *, hidden: bool = False, faint: bool = False
    ) -> Recognised:
        """Return every tag on an image, and the places that could not be identified.

        ``awaited``: payloads to accept more readily than others, if the image is the mean of several pictures.
        ``hidden``: also find tags with one half hidden, which takes longer.  ``faint``: on an image of a small part,
        also examine places that hardly look like tags in the coarse image.
        """
        spotted = self.hidden_places(image) if hidden else self.places(image)
        seen = self.read_at(spotted, awaited, hidden=hidden)
        if image.grey.size > MAX_PART_PX or (not faint and any(image.is_asked_for(tag.place) for tag in seen.found)):
            return seen
        # A small part may also contain faint tags in dark frames, which the first search misses.
        max_count, min_score = (MAX_FAINT_PLACES, MIN_FAINT_SCORE) if faint else (MAX_NARROW_PLACES, MIN_NARROW_SCORE)
        spots = self._narrow_finder.find(image.grey, image.wanted, max_count, min_score)
        places, taken = image.to_mm(spots.places), np.array([tag.place for tag in seen.found]).reshape(-1, 2)
        free = (np.hypot(*(places[:, None] - taken).transpose(2, 0, 1)) > self.side / 2).all(axis=1)
        unread = _places(image, Candidates(*(each[free] for each in spots)))
        added = self.read_at(unread, awaited, hidden=hidden).found
        doubts = [
            doubt for doubt in seen.doubts if all(dist(doubt.place, each.place) > self.side / 2 for each in added)
        ]
        return Recognised(clearest(seen.found + added), tuple(doubts))

    def read_at(self, places: Spotted, awaited: Collection[str] = (), *, hidden: bool = False) -> Recognised:
        """Return every tag at places, and the other places that look like tags, with the reason if it is known.

        ``awaited`` and ``hidden`` as for ``read``.
        """
        close = self._patches_at(places, hidden=hidden)
        if close is None:
            return Recognised((), ())
        guesses = sorted(self._pose_search.guesses(close), key=lambda guess: -max(guess.score, guess.alike))
        free, min_sum = _FreePlaces(close, self.side / 2), required_sum(guesses)
        awaited_numbers = {self.templates.numbers[payload] for payload in awaited if payload in self.templates.numbers}
        accepted = self._accepted(close, guesses, free, awaited_numbers, min_sum)
        accepted += self._partly_hidden(close, guesses, accepted, free, min_sum, hidden=hidden)
        doubts: list[Unreadable] = []
        for guess in guesses:
            if (guess.alike > MIN_TAG_ALIKE or nearly_sure(guess)) and free.take(guess):
                doubt = self._doubt(places.plane, close, guess)
                if all(dist(doubt.place, other.place) > self.side * MIN_DISTANCE_SIDES for other in doubts):
                    doubts.append(doubt)
        found = [self._tag_of(close, guess) for guess in self._pose_search.refined(close, accepted)]
        return Recognised(clearest(found), tuple(doubts))

    def places(
        self, image: RectifiedImage, max_count: int | None = None, min_score: float = MIN_SCORE, *, pale: bool = True
    ) -> Spotted:
        """Return the candidates on an image as places; parameters as for ``CandidateFinder.find``."""
        return _places(image, self._finder.find(image.grey, image.wanted, max_count, min_score, pale=pale))

    def hidden_places(self, image: RectifiedImage) -> Spotted:
        """Return the candidates on an image as places, including those that look like half a tag."""
        pale = image.grey.size <= MAX_PART_PX
        return _places(image, self._finder.find_hidden(image.grey, image.wanted, pale=pale))

    def alike(self, places: Sequence[Spotted]) -> Floats:
        """Return how much places look like any of the tags at a glance, on each of several planes, (planes, n)."""
        patches = [
            cut_patches(spotted.seen, spotted.plane, spotted.middles, spotted.turns, self.side, GLANCE_MODULE_PX)
            for spotted in places
        ]
        return self._pose_search.alike(joined(patches)).reshape(len(places), -1)

    def identified(self, places: Spotted, *, faint: bool = True) -> Recognised:
        """Return the tags at places, and the other places that look like tags, without a reason.

        Partly hidden tags are not searched for, nor are faint ones unless ``faint``.
        """
        close = self._patches_at(places)
        if close is None:
            return Recognised((), ())
        guesses = sorted(self._pose_search.guesses(close), key=lambda guess: -max(guess.score, guess.alike))
        free = _FreePlaces(close, self.side / 2)
        accepted = self._accepted(close, guesses, free, set(), required_sum(guesses), faint=faint)
        doubts = [
            guess for guess in guesses if (guess.alike > MIN_TAG_ALIKE or nearly_sure(guess)) and free.take(guess)
        ]
        return Recognised(
            tuple(self._tag_of(close, guess) for guess in self._pose_search.refined(close, accepted)),
            tuple(Unreadable(Cause.UNKNOWN, place=_middle(close, guess), alike=guess.alike) for guess in doubts),
        )

    def samples(self, image: RectifiedImage) -> Floats:
        """Return the samples, as compared with patterns, at places on an image that look like tags, (n, samples)."""
        close = self._patches_at(self.places(image))
        if close is None:
            return np.zeros((0, offsets().shape[1]), np.float32)
        guesses = self._pose_search.guesses(close)
        rows, poses = np.array([guess.row for guess in guesses]), np.array([guess.pose for guess in guesses])
        return close.softly(rows, poses[:, None], offsets())[:, 0]

    def _accepted(
        self,
        close: Patches,
        guesses: Sequence[Guess],
        free: _FreePlaces,
        awaited: Collection[int],
        min_sum: float,
        *,
        faint: bool = True,
    ) -> list[Guess]:
        """Return the guesses accepted by comparing whole tags; ``awaited``: the numbers of the awaited patterns."""
        unsure, found = list[Guess](), list[Guess]()
        for guess in guesses:
            if not sure(guess):
                unsure.append(guess)
            elif free.take(guess):
                found.append(guess)
        # The place of a sure one is taken, by itself or by a better one.
        if not faint or not free.among([guess for guess in unsure if maybe_sized(guess)]):
            return found
        likely = likely_ours(guesses)
        known = self._faint_search.known(close, tuple(found), likely)
        usual = [guess for guess in guesses if is_usual_size(float(guess.pose[3]), known.size)]
        found += [guess for guess in usual if guess.identity in awaited and sure_of_awaited(guess) and free.take(guess)]
        odd_sized = [one for one in guesses if maybe_sized(one) and not is_usual_size(float(one.pose[3]), known.size)]
        resizable = free.among(odd_sized) if known.show_size else []
        candidates = usual + self._pose_search.resized(close, resizable, known.size)
        taken = {guess.identity for guess in found}
        remaining = [guess for guess in free.among(candidates) if guess.identity not in taken]
        weaker = self._faint_search.accepted(close, remaining, known, likely, min_sum)
        return found + [guess for guess in _unique(weaker, found) if free.take(guess)]

    def _partly_hidden(
        self,
        close: Patches,
        rest: Sequence[Guess],
        found: Sequence[Guess],
        free: _FreePlaces,
        min_sum: float,
        *,
        hidden: bool,
    ) -> list[Guess]:
        """Return the guesses accepted with a side, corner or half left out of the comparison."""
        search, rows = self._covered_search, {guess.row for guess in found}
        rest = free.among([guess for guess in rest if guess.row not in rows], MIN_APART_SIDES * self.side)
        rest = search.likely(close, rest, found, min_sum, hidden=hidden)
        if not rest:
            return []
        covered = search.covered(close, rest)
        weaker = [each for each in covered if sure_in_company(each, min_sum, covered=True)]
        new = {id(each) for each in _unique(weaker, found)}
        more = [each for each in covered if sure_though_covered(each) or id(each) in new]
        more = [each for each in self._faint_search.not_bare(close, more) if free.take(each)]
        halved = search.halved(close, free.among(rest)) if hidden else []
        return more + [
            guess for guess in halved if sure_of_half(guess) and search.is_hidden(close, guess) and free.take(guess)
        ]

    def _patches_at(self, places: Spotted, *, hidden: bool = False) -> Patches | None:
        """Return patches of all places that may have a tag (or, if ``hidden``, half a tag), None if there are none."""
        if not len(places.scores):
            return None
        glances = cut_patches(places.seen, places.plane, places.middles, places.turns, self.side, GLANCE_MODULE_PX)
        rows, poses, usual_likeness = self._pose_search.likely(glances, places.scores[: len(glances)])
        if hidden:
            rest = np.setdiff1d(np.arange(len(glances)), rows)
            kept, half_poses = self._covered_search.half_seen(glances, rest, usual_likeness)
            rows, poses = np.concatenate([rows, rest[kept]]), np.concatenate([poses, half_poses])
        if not len(rows):
            return None
        middles = glances.to_mm(rows, poses[:, :2].astype(np.float64))
        return cut_patches(
            places.seen, places.plane, middles, glances.turns[rows] + poses[:, 2], self.side, FINE_MODULE_PX
        )

    def _tag_of(self, close: Patches, guess: Guess) -> RecognisedTag:
        payload, size = self.templates.payloads[guess.identity], float(guess.pose[3])
        return RecognisedTag(payload, _square(close, guess, CODE_MODULES * size), guess.score, guess.margin, size)

    def _doubt(self, plane: Plane, close: Patches, guess: Guess) -> Unreadable:
        outline = _square(close, guess, TAG_MODULES)
        reason = find_reason(plane, outline, close.light(guess.row), self._pose_search.patchiness(close, guess))
        return Unreadable(reason, place=_middle(close, guess), alike=guess.alike)


def _unique(guesses: Sequence[Guess], found: Sequence[Guess]) -> list[Guess]:
    """Return the guesses whose identity is not among ``found`` and is unique among the guesses."""
    counts = Counter(guess.identity for guess in (*guesses, *found))
    return [guess for guess in guesses if counts[guess.identity] == 1]


def _places(image: RectifiedImage, spots: Candidates) -> Spotted:
    """Return candidates on an image as places on the image's plane."""
    return Spotted(image.seen, image.plane, image.to_mm(spots.places), spots.angles.astype(np.float64), spots.scores)


def _middle(close: Patches, guess: Guess) -> tuple[float, float]:
    """Return the middle of a guess, mm."""
    return close.place(guess.row, *guess.pose[:2].tolist())


def _square(close: Patches, guess: Guess, side: float) -> Array:
    """Return the corners (4, 2), mm, of a square with ``side`` in modules at the pose of a guess."""
    across, down, angle = guess.pose[:3].tolist()
    x, y = close.place(guess.row, across, down)
    turn, half = float(close.turns[guess.row]) + angle, side / 2 * close.module
    c, s = half * cos(turn), half * sin(turn)
    return np.array([(x - c + s, y - s - c), (x + c + s, y + s - c), (x + c - s, y + s + c), (x - c - s, y - s + c)])


class _FreePlaces:
    """Keeps track of taken places: another place is free if it is at least ``apart`` mm from all of them."""

    def __init__(self, close: Patches, apart: float) -> None:
        self._close, self._apart = close, apart
        self._taken: list[tuple[float, float]] = []

    def among(self, guesses: Sequence[Guess], apart: float = 0.0) -> list[Guess]:
        """Return the guesses whose places are free, and at least ``apart`` mm from all that are taken."""
        if not guesses or not self._taken:
            return [*guesses]
        rows, poses = np.array([guess.row for guess in guesses]), np.array([guess.pose for guess in guesses])
        offsets = self._close.to_mm(rows, poses[:, :2].astype(np.float64))[:, None] - np.array(self._taken)
        distant = np.hypot(*offsets.transpose(2, 0, 1)).min(axis=1) >= max(apart, self._apart)
        return [guess for guess, free in zip(guesses, distant.tolist(), strict=True) if free]

    def take(self, guess: Guess) -> bool:
        """Take the place of a guess; return whether it was free."""
        place = _middle(self._close, guess)
        if free := all(dist(place, other) >= self._apart for other in self._taken):
            self._taken.append(place)
        return free
