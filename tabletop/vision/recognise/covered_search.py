"""Identifies a tag that is partly covered, by comparing it with any one side, corner or half left out.

Every identity has the same choice of what to leave out, so that its lead over the next one remains meaningful.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.recognise.partly_alike import MASK_COUNT, far_each_way
from tabletop.vision.recognise.patches import Patches, Rows
from tabletop.vision.recognise.pose_search import (
    MAX_SETTLING_STEP,
    Guess,
    PoseSearch,
    Reach,
    correlation,
    guesses_of,
    move_back,
    star,
    still_poses,
)
from tabletop.vision.recognise.templates import Comparison, Templates, offsets
from tabletop.vision.recognise.thresholds import MIN_COMPANY_SUM, maybe_covered, usual_likeness

MIN_HALF_ALIKE = (0.18, 0.26, 0.3)
"""Least likeness to our tags of a half whose other half may be hidden: at the place where it was spotted, then after
each refinement of its pose."""
MIN_HALF_RATIO = (0.45, 0.65, 0.7)
"""The same as fractions of the likeness of clear tags: halves of covered tags reach 0.56, 0.78 and 0.8 of it."""
MIN_HALF_FIT = 0.6
"""Least residual correlation of that half with an identity."""
MAX_HIDDEN_RATIO = 0.75
"""A half is covered if its likeness to a tag is below this fraction of the other half's: that is so for one in ten
foreign codes that are wholly visible, and for nineteen in twenty tags that are covered by a third."""
REST_LOOKS = 3
"""How often the pose is refined to compare the half that may be covered."""
MIN_REFINED_SUM, MAX_REFINED_SUM = 0.65, 1.2
"""The range of score plus lead, with a side, corner or half left out, in which a place is examined more closely."""
HALF_RANGES: tuple[Reach, ...] = ((0.7, 0.7, 4, 0), (0.4, 0.4, 2.5, 0))
"""Steps around the estimated pose at which half a tag is searched for: first coarse, then fine."""
COVERED_RANGE: Reach = (0.25, 0.25, 0.8, 0)
"""Steps around its pose at which a covered tag is searched for."""


class CoveredSearch:
    """Refines guesses about tags that may be partly covered."""

    def __init__(self, search: PoseSearch) -> None:
        self._search, self._templates = search, search.templates

    def half_seen(self, close: Patches, rows: Rows, usual: float) -> tuple[Rows, Floats]:
        """Return which of the patches ``rows`` look like a half-hidden tag, as numbers into ``rows``, and their poses.

        The poses are refined because a cover shifts a tag's apparent place to the side.  ``usual``: how much clear
        tags look like ours, 0 if they are too few to tell.
        """
        alike, hidden = self._templates.partly_alike, self._templates.partly_hidden
        kept, poses, likeness = np.arange(len(rows)), still_poses(len(rows)), np.full(len(rows), -1, np.float32)
        part = turn = np.zeros(len(rows), np.intp)
        for round_number, (min_alike, min_ratio) in enumerate(zip(MIN_HALF_ALIKE, MIN_HALF_RATIO, strict=True)):
            if not len(kept):
                break
            tried = poses
            if round_number:
                samples = close.softly(rows[kept], poses[:, None], offsets())[:, 0]
                tried = move_back(poses, hidden.shift(samples, part, turn), MAX_SETTLING_STEP)
            best, parts, turns = alike.best(close.sharply(rows[kept], tried[:, None], offsets())[:, 0])
            # The pose of half a tag is uncertain: a step that makes it look less like one is undone.
            better = best > likeness
            poses, likeness = np.where(better[:, None], tried, poses), np.where(better, best, likeness)
            part, turn = np.where(better, parts, part), np.where(better, turns, turn)
            is_alike = likeness > max(min_alike, min_ratio * usual)
            kept, poses, likeness, part, turn = (
                kept[is_alike],
                poses[is_alike],
                likeness[is_alike],
                part[is_alike],
                turn[is_alike],
            )
        return kept, poses

    def _best_poses(self, close: Patches, rows: Rows, poses: Floats) -> tuple[Floats, Rows]:
        """Return the poses near ``poses``, (n, 4), that look most like half a tag, and the half hidden in each."""
        part = np.zeros(len(rows), np.intp)
        for reach in HALF_RANGES if len(rows) else ():
            tries = star(poses, reach)
            samples = close.sharply(rows, tries, offsets())
            likeness, parts, _ = self._templates.partly_alike.best(samples.reshape(-1, samples.shape[2]))
            best, numbers = likeness.reshape(samples.shape[:2]).argmax(axis=1), np.arange(len(rows))
            poses, part = tries[numbers, best], parts.reshape(samples.shape[:2])[numbers, best]
        return poses, part

    def likely(
        self, close: Patches, guesses: Sequence[Guess], found: Sequence[Guess], min_sum: float, *, hidden: bool
    ) -> list[Guess]:
        """Return the guesses whose tags may be partly covered.

        ``hidden``: half of a tag may be hidden; the pose is then estimated from the other half.  ``found``: guesses
        that are already accepted; ``min_sum``: the least sum of score and lead that is asked for in this picture.
        """
        usual = usual_likeness(found)
        if not hidden or not guesses:
            return [guess for guess in guesses if maybe_covered(guess, min_sum, usual)]
        rows, fits = np.array([guess.row for guess in guesses]), np.zeros(len(guesses))
        kept, poses = self.half_seen(close, rows, usual)
        poses, part = self._best_poses(close, rows[kept], poses)
        for direction in np.unique(part):
            same = part == direction
            samples = close.softly(rows[kept[same]], poses[same, None], offsets())[:, 0]
            fits[kept[same]] = self._templates.half_covered[direction].scores(samples).max(axis=(1, 2))
        halves = {
            number: guesses[number]._replace(pose=pose, hidden=direction)
            for number, pose, direction in zip(kept.tolist(), poses, part.tolist(), strict=True)
            if fits[number] > MIN_HALF_FIT
        }
        return [
            halves.get(number, guess)
            for number, guess in enumerate(guesses)
            if number in halves or maybe_covered(guess, min_sum, usual)
        ]

    def covered(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return the best identity near each guess when any one side or corner of the tag may be covered."""
        comparisons = self._templates.covered
        return self._with_unexplained(close, self._best_near(close, guesses, comparisons), comparisons)

    def halved(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return the best identity near each guess when any one half of the tag may be covered."""
        comparisons = self._templates.half_covered
        return self._with_unexplained(close, self._best_near(close, guesses, comparisons), comparisons)

    def is_hidden(self, close: Patches, guess: Guess) -> bool:
        """Return whether the half opposite the one that fits a guess's identity best looks much less like a tag.

        Of several refined poses, the one at which that half looks most like a tag counts: half of a foreign code fits
        at a pose of its own.
        """
        row, pose = np.array([guess.row]), guess.pose[None]
        soft = close.softly(row, pose[:, None], offsets())[0]
        direction = int(np.argmax([half.fits(soft, [guess.identity])[0] for half in self._templates.halves]))
        upright, poses = np.zeros(1, np.intp), [pose]
        for _ in range(REST_LOOKS):
            shift = self._templates.partly_hidden.shift(soft, np.array([direction]), upright)
            poses.append(move_back(poses[-1], shift, MAX_SETTLING_STEP))
            soft = close.softly(row, poses[-1][:, None], offsets())[0]
        used, mean = self._templates.halves[direction].sample_indices, self._templates.means()[0]
        samples = close.sharply(row, np.stack(poses, axis=1), offsets())[0]
        seen = correlation(samples[0][used], mean[used])
        rest = max(correlation(np.delete(sample, used), np.delete(mean, used)) for sample in samples)
        return rest < MAX_HIDDEN_RATIO * seen

    def _best_near(self, close: Patches, guesses: Sequence[Guess], comparisons: Sequence[Comparison]) -> list[Guess]:
        """Return the best identity near each guess; ``comparisons``: the comparisons, of which the best counts."""
        if not guesses:
            return []
        found = self._best_identities(close, guesses, np.array([guess.pose for guess in guesses])[:, None], comparisons)
        for poses_near in (self._refined_poses, self._poses_around, self._poses_around):
            numbers = [number for number, each in enumerate(found) if MIN_REFINED_SUM < _sum(each) < MAX_REFINED_SUM]
            unsettled = [found[number] for number in numbers]
            better = (
                self._best_identities(close, unsettled, poses_near(close, unsettled), comparisons) if unsettled else []
            )
            for number, other in zip(numbers, better, strict=True):
                if _sum(other) > _sum(found[number]):
                    found[number] = other
        return found

    def _with_unexplained(
        self, close: Patches, guesses: Sequence[Guess], comparisons: Sequence[Comparison]
    ) -> list[Guess]:
        """Return the guesses, with ``unexplained`` updated for those that score high enough to be accepted."""
        return [
            guess._replace(unexplained=self._unexplained(close, guess, comparisons))
            if _sum(guess) > MIN_COMPANY_SUM
            else guess
            for guess in guesses
        ]

    def _unexplained(self, close: Patches, guess: Guess, comparisons: Sequence[Comparison]) -> float:
        """Return how much a guess leaves unexplained in the part by which it was compared."""
        samples = close.softly(np.array([guess.row]), guess.pose[None, None], offsets())[0]
        direction = int(np.argmax([comparison.fits(samples, [guess.identity])[0] for comparison in comparisons]))
        return left_over(self._templates, samples[0], guess.identity, comparisons[direction], direction)

    def _refined_poses(self, close: Patches, guesses: Sequence[Guess]) -> Floats:
        """Return the pose of each guess fitted to all its px, (n, 1, 4)."""
        return np.array([guess.pose for guess in self._search.refined(close, guesses)])[:, None]

    @staticmethod
    def _poses_around(_: Patches, guesses: Sequence[Guess]) -> Floats:
        """Return the poses around guesses, (n, tries, 4)."""
        return star(np.array([guess.pose for guess in guesses]), COVERED_RANGE)

    def _best_identities(
        self, close: Patches, guesses: Sequence[Guess], tries: Floats, comparisons: Sequence[Comparison]
    ) -> list[Guess]:
        """Return the best identity of each guess over poses ``tries`` (n, tries, 4) and these comparisons."""
        rows, numbers = np.array([guess.row for guess in guesses]), np.arange(len(guesses))
        samples = close.softly(rows, tries, offsets())
        scores = np.full((*samples.shape[:2], 4, len(self._templates.payloads)), -1, np.float32)
        for direction, comparison in enumerate(comparisons):
            compared = [number for number, guess in enumerate(guesses) if _is_near(direction, guess.hidden)]
            if compared:
                scores[compared] = np.maximum(scores[compared], comparison.scores(samples[compared]))
        best = scores.max(axis=(2, 3)).argmax(axis=1)
        alike, blurs = np.array([guess.alike for guess in guesses]), np.array([guess.blur for guess in guesses])
        unexplained = np.array([guess.unexplained for guess in guesses])
        poses = tries[numbers, best]
        found = guesses_of(rows, poses, scores[numbers, best], alike, blurs, unexplained)
        return [_hidden_as(old, pose, new) for old, pose, new in zip(guesses, poses, found, strict=True)]


def left_over(templates: Templates, samples: Floats, identity: int, comparison: Comparison, direction: int) -> float:
    """Return how much an identity leaves unexplained of upright samples (samples,), as a multiple of the noise.

    A foreign code that resembles a tag of ours differs from it in some modules everywhere.  A cover differs as well,
    and blur spreads it into the visible part beside it, so only the half farther from the cover is measured.
    ``comparison``: how they were compared; ``direction``: the side or corner left out, clockwise from the right.
    """
    kinds = comparison.shared.shape[1] // 4
    shared, own = comparison.shared[:, :kinds], comparison.residuals[0][:, identity]
    rest = samples[comparison.sample_indices] - samples[comparison.sample_indices].mean()
    rest -= shared @ (shared.T @ rest)
    rest -= own * (own @ rest)
    away = far_each_way(offsets())[direction][comparison.sample_indices] < 0
    return float(np.sqrt((rest[away] ** 2).mean() / (_noise(templates, samples, comparison) + 1e-6)))


def _noise(templates: Templates, samples: Floats, comparison: Comparison) -> float:
    """Return the mean squared deviation from its expected value of the part that all tags share."""
    is_compared = np.isin(templates.alike_in_all, comparison.sample_indices)
    compared = samples[templates.alike_in_all[is_compared]].astype(np.float64)
    bases = [np.linalg.qr(expected[is_compared])[0] for expected in templates.expected]
    residual = min(float(compared @ compared) - float(((compared @ basis) ** 2).sum()) for basis in bases)
    return max(residual, 0.0) / (len(compared) - len(bases[0][0]))


def _sum(guess: Guess) -> float:
    return guess.score + guess.margin


def _is_near(direction: int, hidden: int | None) -> bool:
    """Return whether a side or corner is the one that seems to be hidden, or next to it."""
    return hidden is None or (direction - hidden + 1) % MASK_COUNT <= 2


def _hidden_as(old: Guess, pose: Floats, new: Guess) -> Guess:
    """Return the new guess with the old one's hidden part, adjusted for the quarter turn that was found since."""
    if old.hidden is None:
        return new
    turns = round(float(new.pose[2] - pose[2]) / (np.pi / 2))
    return new._replace(hidden=(old.hidden - turns * MASK_COUNT // 4) % MASK_COUNT)
