"""Finds which of our tags a candidate is, and its exact pose, refining pose and identity together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.image.parabola import vertex
from tabletop.vision.recognise.partly_alike import MASK_COUNT
from tabletop.vision.recognise.patches import Patches, Rows
from tabletop.vision.recognise.templates import Comparison, Templates, offsets, turned
from tabletop.vision.recognise.thresholds import (
    MIN_APART_SIDES,
    MIN_CLEAR_SCORE,
    MIN_FAINT_RATIO,
    is_clear,
    usual_likeness,
)
from tabletop.vision.tags.patterns import TAG_MODULES

Scoring: TypeAlias = Callable[[Floats], Floats]
"""A function that returns how well poses (n, tries, 4) fit, (n, tries)."""
Reach: TypeAlias = tuple[float, float, float, float]
"""Steps by which to move poses: across and down in modules, degrees, fraction of the size."""
MIN_BLURRED_SCORE = 0.6
"""A place is compared with softer patterns, which doubles the time, only if a tag of ours could score this much."""
MIN_GLANCE = 0.2
"""Least likeness to our tags at a glance of a place that may be one; half-covered ones in bad light reach 0.21."""
CLEAR_GLANCE = 0.33
"""Likeness to our tags at a glance above which a place is most likely one."""
FAINT_RATIO, MAX_FAINT_GLANCE = 0.45, 0.27
"""Least likeness at a glance as a fraction of that of clear tags, and the likeness above which this does not apply:
half-covered tags in the best light reach 0.28 and more."""
STRIKING_SCORE = 0.46
"""Candidate score above which a place that is faint at a glance is searched all around."""
MIN_POLISHED_SCORE = 0.3
"""Least residual correlation of a place whose pose is polished: in bad light slopes alone are less exact."""
MIN_POLISHED_ALIKE = 0.18
"""Least likeness to our tags of a place whose pose is polished."""
SHARED_WEIGHT = 0.3
"""Weight, in polishing, of the likeness to all our tags, relative to the residual correlation."""
POLISH_RANGE: Reach = (0.35, 0.35, 2.0, 0.035)
"""Steps to the neighbouring poses that polishing compares."""
MAX_REFINE_ROUNDS = 2
"""Most rounds of refining the pose of an accepted tag."""
MAX_SETTLING_STEP = np.array((0.6, 0.6, np.radians(3), 0), dtype=np.float32)
"""The most by which one round may move a pose before the identity is known."""
MAX_FITTING_STEP = np.array((0.5, 0.5, np.radians(3), 0.05), dtype=np.float32)
"""The most by which one round may move a pose once the identity is known."""
MAX_REFINING_STEP = np.array((0.5, 0.5, np.radians(3), 0), dtype=np.float32)
"""The same for a pose fitted to all px, which leaves the size: slopes without the blur give that better."""
MAX_SKEW_STEP = np.float32(0.1)
"""The largest skew that is reported for a tag."""
SETTLED_STEP = np.array((0.05, 0.05, 0.005, np.inf), dtype=np.float32)
"""A round that moves a pose by less than this is the last one."""


class Guess(NamedTuple):
    """The best identity at a place.

    ``row`` is the number of its patch; ``pose`` its pose there, upright; ``identity`` the number of its pattern in the
    templates; ``score`` the residual correlation, and ``margin`` its lead over the next identity; ``alike`` how much
    the place looks like any tag of ours; ``blur`` the number of its blur among the usual ones; ``unexplained`` the
    strength of what the identity leaves unexplained, as a multiple of the noise; ``hidden`` the side or corner that
    seems to be covered, clockwise from the right of the pose, None if it may be any.
    """

    row: int
    pose: Floats
    identity: int
    score: float
    margin: float
    alike: float
    blur: int
    unexplained: float
    hidden: int | None = None


class PoseSearch:
    """Refines candidates against one set of templates."""

    def __init__(self, templates: Templates) -> None:
        self.templates = templates
        self._means = templates.means()

    def likely(self, close: Patches, spotted: Floats) -> tuple[Rows, Floats, float]:
        """Return the patches that look like any of our tags, their poses, and the usual likeness of clear tags.

        ``spotted``: the candidate score of each.
        """
        rows = np.arange(len(close))
        poses = self._settled(close, rows, still_poses(len(rows)), 1)
        alike = self._alike(close.sharply(rows, poses[:, None], offsets()))[:, 0]
        # A tag spotted a module off its place looks like nothing there: search around it.
        again = rows[(alike <= MIN_GLANCE) & (spotted > STRIKING_SCORE)]
        if len(again):
            poses[again] = self._settled(close, again, poses[again], 2)
            alike[again] = self._alike(close.sharply(again, poses[again, None], offsets()))[:, 0]
        usual = _usual_likeness(alike)
        keep = alike > max(MIN_GLANCE, min(MAX_FAINT_GLANCE, FAINT_RATIO * usual))
        return rows[keep], poses[keep], usual

    def alike(self, close: Patches) -> Floats:
        """Return the greatest likeness of every patch to any of our tags, (n,)."""
        rows = np.arange(len(close))
        poses = self._settled(close, rows, still_poses(len(rows)), 1)
        return self._alike(close.sharply(rows, poses[:, None], offsets()))[:, 0]

    def guesses(self, close: Patches) -> list[Guess]:
        """Return the best identity of every patch, with its refined pose, without those of shifted views of a tag."""
        if not len(close):
            return []
        rows = np.arange(len(close))
        judged = _without_shifted(close, self.judged(close, rows, self._fitted(close, rows, still_poses(len(rows)))))
        weak = [one for one in judged if MIN_POLISHED_SCORE < one.score < MIN_CLEAR_SCORE]
        if not weak:
            return judged
        # What looks less like a tag beside clear ones is not accepted, however well it is posed.
        alike = max(MIN_POLISHED_ALIKE, MIN_FAINT_RATIO * usual_likeness([one for one in judged if is_clear(one)]))
        weak = [one for one in weak if one.alike > alike]
        better = {
            before.row: after
            for before, after in zip(weak, self._polished(close, weak), strict=True)
            if after.score > before.score
        }
        return [better.get(guess.row, guess) for guess in judged]

    def judged(self, close: Patches, rows: Rows, poses: Floats) -> list[Guess]:
        """Return the best identity at exactly these poses (n, 4); only the quarter turn is searched for."""
        samples, sharp = (each[:, 0] for each in close.softly_and_sharply(rows, poses[:, None], offsets()))
        scores, rests = self.templates.full.comparable_scores(samples)
        alike = self._alike(sharp)
        _, blurs = self.templates.shared.best(samples)
        numbers, turns = np.arange(len(rows)), scores.max(axis=2).argmax(axis=1)
        clear, softer, noise = self.templates.clear(samples[numbers[:, None], turned()[turns]])
        softer &= clear > MIN_BLURRED_SCORE
        if softer.any():
            again, softer_rests = self.templates.softer.comparable_scores(samples[softer])
            better = again.max(axis=(1, 2), keepdims=True) > scores[softer].max(axis=(1, 2), keepdims=True)
            scores[softer] = np.where(better, again, scores[softer])
            rests[softer] = np.where(better[:, 0], softer_rests, rests[softer])
        unexplained = rests[numbers, turns] * (1 - np.minimum(scores.max(axis=(1, 2)), 1) ** 2)
        return guesses_of(rows, poses, scores, alike, blurs, np.sqrt(unexplained / (noise + 1e-6)))

    def resized(self, close: Patches, guesses: Sequence[Guess], size: float) -> list[Guess]:
        """Return the best identities at the places of guesses, assuming that the tags have that size.

        The size of a faint tag is only roughly visible: a small one seems up to a tenth larger or smaller.
        """
        if not guesses:
            return []
        rows, poses = np.array([guess.row for guess in guesses]), np.array([guess.pose for guess in guesses])
        poses[:, 3] = size
        return self.judged(close, rows, poses)

    def refined(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return the accepted guesses, each with its pose fitted to all px of its tag."""
        refiner, results = self.templates.refiner, list(guesses)
        moving = list(range(len(results)))
        for _ in range(MAX_REFINE_ROUNDS):
            if not moving:
                break
            rows, poses = (
                np.array([results[number].row for number in moving]),
                np.array([results[number].pose for number in moving]),
            )
            samples = close.plainly(rows, poses[:, None], refiner.offsets)[:, 0]
            shifts = refiner.shifts(samples, [(results[number].identity, results[number].blur) for number in moving])
            for number, pose in zip(moving, move_back(poses, shifts, MAX_REFINING_STEP), strict=True):
                results[number] = results[number]._replace(pose=pose)
            moving = [
                number for number, shift in zip(moving, shifts, strict=True) if (np.abs(shift) > SETTLED_STEP).any()
            ]
        return results

    def skews(self, close: Patches, rows: Rows, poses: Floats, identities: Sequence[int]) -> Floats:
        """Return the skew of each pattern at exactly these poses (n, 4): stretch across and shear, (n, 2)."""
        refiner = self.templates.refiner
        _, blurs = self.templates.shared.best(close.softly(rows, poses[:, None], offsets())[:, 0])
        samples = close.plainly(rows, poses[:, None], refiner.offsets)[:, 0]
        return np.clip(refiner.skews(samples, np.array(identities), blurs), -MAX_SKEW_STEP, MAX_SKEW_STEP)

    def half(self, close: Patches, pose: Floats, identity: int, direction: float) -> float:
        """Return the residual correlation of one half of a pattern with the first patch at exactly a pose (4,).

        ``direction``: the direction of the half from the pattern's middle, radians clockwise from its right.
        """
        mask = round(direction / (2 * np.pi) * MASK_COUNT) % MASK_COUNT
        return _fit(self.templates.halves[mask], close, pose, identity)

    def whole(self, close: Patches, pose: Floats, identity: int) -> float:
        """Return the residual correlation of a whole pattern with the first patch at exactly a pose (4,)."""
        return _fit(self.templates.full, close, pose, identity)

    def patchiness(self, close: Patches, guess: Guess) -> float:
        """Return how much more a place looks like a tag without one side or corner than that part does by itself.

        Of all sides and corners, the one with the greatest difference counts.
        """
        samples = close.sharply(np.array([guess.row]), guess.pose[None, None], offsets())[0, 0]
        whole = self._means[int((samples @ self._means.T).argmax())]
        both = np.stack([samples, whole]).astype(np.float64)
        one, other = both
        sums = self.templates.seen_and_not @ np.stack([*both, one * one, other * other, one * other]).T
        lights, squares = sums[..., :2] / self.templates.seen_and_not.sum(axis=2, keepdims=True), sums[..., 2:4]
        variances = np.maximum(squares - lights * sums[..., :2], 0).prod(axis=2)
        seen, hidden = (sums[..., 4] - lights[..., 0] * sums[..., 1]) / (np.sqrt(variances) + 1e-3)
        return float((seen - hidden).max())

    def _settled(self, close: Patches, rows: Rows, poses: Floats, rounds: int) -> Floats:
        """Return poses moved, in that many rounds, to where patches look most like any of our tags."""
        shared = self.templates.shared
        for _ in range(rounds):
            samples = close.softly(rows, poses[:, None], offsets())[:, 0]
            poses = move_back(poses, shared.shift(samples, *shared.best(samples)), MAX_SETTLING_STEP)
        return poses

    def _polished(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return the best identities at the poses near guesses where residual correlation and likeness are highest."""
        if not guesses:
            return []
        rows = np.array([guess.row for guess in guesses])
        wanted = self.templates.full.upright([guess.identity for guess in guesses])

        def fits(tries: Floats) -> Floats:
            samples, sharp = close.softly_and_sharply(rows, tries, offsets())
            samples -= samples.mean(axis=2, keepdims=True)
            total = np.einsum("nts,nts->nt", samples, samples)
            parts = samples @ wanted
            shared = (parts[..., :-1] ** 2).sum(axis=2)
            scores: Floats = parts[..., -1] / np.sqrt(np.maximum(total - shared, 1e-3 * total + 1e-6))
            return scores + SHARED_WEIGHT * self._alike(sharp, 1)

        return self.judged(close, rows, _climb(np.array([guess.pose for guess in guesses]), fits, POLISH_RANGE))

    def _fitted(self, close: Patches, rows: Rows, poses: Floats) -> Floats:
        """Return the poses, turned upright and moved onto the pattern that fits best at each."""
        samples = close.softly(rows, poses[:, None], offsets())[:, 0]
        scores, _ = self.templates.full.comparable_scores(samples)
        turns, identities = np.divmod(scores.reshape(len(rows), -1).argmax(axis=1), scores.shape[2])
        samples = samples[np.arange(len(rows))[:, None], turned()[turns]]
        upright = poses.copy()
        upright[:, 2] += np.pi / 2 * turns
        moved = self._moved_onto(samples, upright, identities)
        return self._moved_onto(close.softly(rows, moved[:, None], offsets())[:, 0], moved, identities)

    def _moved_onto(self, samples: Floats, poses: Floats, identities: NDArray[np.intp]) -> Floats:
        """Return poses moved to where the samples taken at them show their patterns."""
        _, blur = self.templates.shared.best(samples)
        return move_back(poses, self.templates.shifts.shift(samples, identities, blur), MAX_FITTING_STEP)

    def _alike(self, samples: Floats, turns: int = 4) -> Floats:
        """Return how much samples (…, s) look like any tag of ours in any of the first ``turns`` quarter turns."""
        centred = samples - np.add.reduce(samples, axis=-1, keepdims=True) / samples.shape[-1]
        length = np.sqrt(np.einsum("...s,...s->...", centred, centred)) + 1e-3
        likeness: Floats = (centred @ self._means[:turns].T).max(axis=-1) / length
        return likeness


def _fit(part: Comparison, close: Patches, pose: Floats, identity: int) -> float:
    """Return the residual correlation of a part of a pattern with the first patch at exactly a pose (4,)."""
    samples = close.softly(np.zeros(1, np.intp), pose[None, None], offsets())[:, 0]
    return float(part.fits(samples, [identity])[0])


def _without_shifted(close: Patches, guesses: list[Guess]) -> list[Guess]:
    """Return guesses without the weak ones so near to a clear tag that they are that tag, shifted by half its code.

    There its finder patterns lie on one another's places.  Nothing of another tag would be visible that near.
    """
    clear = np.array([is_clear(guess) for guess in guesses])
    if clear.all() or not clear.any():
        return guesses
    rows, poses = np.array([guess.row for guess in guesses]), np.array([guess.pose for guess in guesses])
    middles = close.to_mm(rows, poses[:, :2].astype(np.float64))
    away = np.hypot(*(middles[:, None] - middles[clear]).transpose(2, 0, 1)).min(axis=1)
    stays = clear | (away >= MIN_APART_SIDES * TAG_MODULES * close.module)
    return [guess for guess, kept in zip(guesses, stays.tolist(), strict=True) if kept]


def _usual_likeness(alike: Floats) -> float:
    """Return the median likeness at a glance of the places that are most likely tags, 0 if there are none."""
    clear = np.sort(alike[alike > CLEAR_GLANCE])
    return float(clear[len(clear) // 2]) if len(clear) else 0.0


def _climb(poses: Floats, score: Scoring, reach: Reach) -> Floats:
    """Return each pose moved, along each axis, to the vertex of the parabola through its score and its neighbours'."""
    scores = score(star(poses, reach))
    moved = poses.copy()
    middle = scores[:, 0]
    for number, (axis, step) in enumerate(axis_steps(reach)):
        before, after = scores[:, 1 + 2 * number], scores[:, 2 + 2 * number]
        shift = vertex(before, middle, after, min_bend=1e-6, without_peak=np.sign(after - before))
        moved[:, axis] += np.clip(shift, -1, 1) * step
    return moved


def correlation(one: Floats, other: Floats) -> float:
    """Return the correlation of two lists of samples, -1…1."""
    one, other = one - one.mean(), other - other.mean()
    return float(one @ other) / (float(np.sqrt((one @ one) * (other @ other))) + 1e-3)


def guesses_of(
    rows: Rows, poses: Floats, scores: Floats, alike: Floats, blurs: Rows, unexplained: Floats
) -> list[Guess]:
    """Return for each row the identity with the best of its scores (4, identities), and its lead over the next."""
    numbers = np.arange(len(rows))
    best_turns = scores.max(axis=1)
    identities = best_turns.argmax(axis=1)
    best = best_turns[numbers, identities]
    best_turns[numbers, identities] = 0
    margins = best - np.maximum(best_turns.max(axis=1), 0)
    upright = poses.copy()
    upright[:, 2] += np.pi / 2 * scores[numbers, :, identities].argmax(axis=1)
    columns = (rows, identities, best, margins, alike, blurs, unexplained)
    return [
        Guess(row, pose, *rest)
        for pose, row, *rest in zip(upright, *(values.tolist() for values in columns), strict=True)
    ]


def still_poses(count: int) -> Floats:
    """Return poses in the middle of that many patches, upright and of the assumed size."""
    poses: Floats = np.zeros((count, 4), np.float32)
    poses[:, 3] = 1
    return poses


def move_back(poses: Floats, shifts: Floats, most: Floats) -> Floats:
    """Return poses moved back by their measured ``shifts``, each limited to ``most``."""
    back: Floats = np.minimum(np.maximum(shifts, -most), most)
    # Across and down as one complex number, turned and scaled by each pose.
    back.view(np.complex64)[:, 0] *= np.exp(1j * poses[:, 2]) * poses[:, 3]
    back[:, 3] *= poses[:, 3]
    return np.subtract(poses, back, out=back)


def star(poses: Floats, reach: Reach) -> Floats:
    """Return each pose and its neighbours on both sides along each axis, (n, tries, 4)."""
    steps = axis_steps(reach)
    tries = np.repeat(poses[:, None], 1 + 2 * len(steps), axis=1)
    for number, (axis, step) in enumerate(steps):
        tries[:, 1 + 2 * number, axis] -= step
        tries[:, 2 + 2 * number, axis] += step
    return tries


def axis_steps(reach: Reach) -> list[tuple[int, float]]:
    """Return the axes along which poses are moved, each with its step; angles in radians."""
    across, down, turn, size = reach
    return [(axis, step) for axis, step in enumerate((across, down, float(np.radians(turn)), size)) if step > 0]
