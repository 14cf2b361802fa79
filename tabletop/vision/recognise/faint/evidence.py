"""How strongly samples speak for one identity: how much likelier it makes them than any other code does.

In bad light a score says too little: a window mirrored in a sleeve brightens one side of a tag and takes its contrast,
the pose is half a module off, the blur is not known, and errors are alike over many samples.  So each identity is
fitted together with a light, a pose and a blur of its own, each as likely as it usually is, and so is a code of which
only what all our tags share is known.  Everybody gets the same freedom, and what remains is judged by how noise errs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.faint.tone import CURVATURE_DEVIATION, bent, steepness
from tabletop.vision.recognise.shift import GRID_SIDE, lit, row_places, seen, square_places, squared_distances
from tabletop.vision.tags.patterns import TAG_MODULES

NOISE_LEVELS = (0.05, 0.1, 0.2)
"""How strong noise may be, as a part of half a contrast."""
NOISE_MODULES = (0.6, 0.75, 0.9)
"""Over how far, modules, what softens a picture may spread it: the smaller a tag, the farther."""
USUAL_BLURS = (0.95, 1.25)
"""Widths, modules, of the blur with which a softened tag may be seen in a picture of which nothing else is known."""
MAX_READY_BLURS = 6
"""Widths for which everything is kept ready, some five megabytes each."""
WHITE_NOISE = 0.02
"""Noise that each sample has by itself, as a part of the other: it is all the camera's and softened with the rest."""
LIGHT_VARIANCE, LIGHT_MODULES = 0.3, 6.0
"""How much light is added to a tag unevenly, in squared half contrasts, and over how many modules it is alike."""
FREE_LIGHTS = 3
"""Even light and ramps across and down: nothing is known of them."""
MIN_LIGHT = 1e-6
"""Ways in which light may vary are left out if they vary less than this part of the most usual one."""
CONTRAST_DEVIATION = 0.55
"""How much contrast varies over a tag: by this part of itself for each of the ways in which it may."""
POSE_DEVIATIONS = (0.3, 0.3, 0.03, 0.02, 0.03, 0.03)
"""How far off a pose is: across and down in modules, radians, and as parts the size and both skews."""
BLUR_STEP, BLUR_DEVIATION = 0.15, 0.2
"""The change of blur that is tried on both sides, and how far a blur is off."""
MIN_OTHER_CODES, USUAL_OUTSTANDING, MIN_DEVIATION = 8, 4.0, 0.1
"""How many other codes show how likely codes are, how far one stands out if they are fewer, and by how much they
deviate at least."""
MIN_OWN_VARIANCE = 0.05
"""Modules that vary less than this among our tags are what all share."""


class _FittedCodes(NamedTuple):
    """Some codes seen with one blur, made ready for every way to err.

    ``parts`` (codes, parts, samples) add up to what is seen of them.  For each way to err, ``solved`` (codes, ways,
    parts, parts) makes of how much each part is seen what the parts explain together; ``volume`` (codes, ways) is by
    how much less likely each code is because it may look in many ways.
    """

    parts: Floats
    solved: Array
    volume: Array

    def some(self, which: NDArray[np.intp] | slice) -> _FittedCodes:
        """Return the codes with these numbers."""
        return _FittedCodes(self.parts[which], self.solved[which], self.volume[which])

    def room_for(self, count: int) -> _FittedCodes:
        """Return room for that many codes like these."""
        parts, solved, volume = ((count, *each.shape[1:]) for each in self)
        return _FittedCodes(np.zeros(parts, np.float32), np.zeros(solved), np.zeros(volume))

    def put(self, which: NDArray[np.intp], told: _FittedCodes) -> None:
        """Put codes in the places with these numbers."""
        self.parts[which], self.solved[which], self.volume[which] = told


class Strength(NamedTuple):
    """How strongly samples speak for one pattern.

    ``lead``: the natural logarithm of how many times likelier it makes them than any other code does, negative if
    another one is likelier.  ``outstanding``: by how many deviations it is likelier than our other patterns are on
    average.  If samples show much detail, codes differ widely in how likely they are, and one that merely resembles
    what is seen leads by much.
    """

    lead: float
    outstanding: float


class Evidence:
    """Compares samples with patterns, whole ones (n, 25, 25), and with any code that is like ``several``.

    What it keeps ready is for one thread at a time.
    """

    def __init__(self, patterns: Floats, several: Floats) -> None:
        self._patterns, self._several = patterns.astype(np.float64), several
        self._ready: dict[float, _Blurred] = {}

    def strength(self, samples: Floats, which: Sequence[int], blurs: Sequence[float] = USUAL_BLURS) -> list[Strength]:
        """Return how strongly upright samples (n, all) speak for one pattern each rather than for any other code.

        ``blurs``: the widths, modules, of the blur with which a tag may be seen.
        """
        if not len(samples):
            return []
        ready = [self._blurred(blur) for blur in blurs]
        likely = _likeliest([codes.ours(slice(None)) for codes in ready], samples)
        any_code = _likeliest([codes.any_code for codes in ready], samples)
        leads = _leads(np.concatenate([likely, any_code], axis=1), list(which))
        return [
            Strength(*each) for each in zip(leads.tolist(), _outstanding(likely, list(which)).tolist(), strict=True)
        ]

    def lead_among(
        self, samples: Floats, which: Sequence[int], rivals: Sequence[int], blurs: Sequence[float] = USUAL_BLURS
    ) -> Array:
        """Return how far one pattern each leads a few rivals, (n,): no less than it leads all, and found sooner."""
        some, place = np.unique([*which, *rivals], return_inverse=True)
        few = [self._blurred(blur).ours(some) for blur in blurs]
        return _leads(_likeliest(few, samples), place[: len(which)].tolist())

    def _blurred(self, blur: float) -> _Blurred:
        """Return our codes and any code, seen with a blur of that width."""
        if blur not in self._ready:
            while len(self._ready) >= MAX_READY_BLURS:
                del self._ready[next(iter(self._ready))]
            self._ready[blur] = _Blurred(self._patterns, self._several, blur)
        return self._ready[blur]


class _Blurred:
    """Our codes and any code, seen with one blur; each of them is made ready when it is first asked for."""

    def __init__(self, patterns: Array, several: Floats, blur: float) -> None:
        self._patterns, self._several, self._blur = patterns, several, blur
        self._ours: _FittedCodes | None = None
        self._known = np.zeros(len(patterns), np.bool_)

    def ours(self, which: NDArray[np.intp] | slice) -> _FittedCodes:
        """Return our codes with these numbers."""
        if self._ours is None or not self._known[which].all():
            new = np.arange(len(self._known))[which]
            new = new[~self._known[new]]
            told = _fitted(_parts(self._patterns[new], self._blur))
            if self._ours is None:
                self._ours = told.room_for(len(self._known))
            self._ours.put(new, told)
            self._known[new] = True
        return self._ours.some(which)

    @cached_property
    def any_code(self) -> _FittedCodes:
        """What looks like the mean of our codes, each module that is not shared lighter or darker."""
        modules, mean = _modules(self._several), self._several.mean(axis=0)[None].astype(np.float64)
        line = row_places(GRID_SIDE)
        own = lit(modules + 1, self._blur, line)[None] - 1
        varying = np.square(own).sum(axis=1)
        own = own * steepness(lit(mean, self._blur, line))
        return _fitted(np.concatenate([_parts(mean, self._blur, varying), own], axis=1))


def _fitted(parts: Array) -> _FittedCodes:
    """Return codes with these parts, (codes, parts, samples), ready for every way to err."""
    fits: list[tuple[Array, Array]] = []
    for noise in _every_noise():
        # What does not depend on the strength of the noise takes the longest.
        own, beside = noise.products(parts)
        fits += [_fit(errors.products(own, beside)) for errors in noise.levels]
    solved, volumes = zip(*fits, strict=True)
    return _FittedCodes(parts.astype(np.float32), np.stack(solved, axis=1), np.stack(volumes, axis=1))


def _likeliest(each: Sequence[_FittedCodes], samples: Floats) -> Array:
    """Return the logarithms of how likely each code makes samples (n, all) with its best blur and errors, (n, codes).

    ``each``: the same codes with each blur.  What all codes have alike is left out.
    """
    best = np.full((len(samples), len(each[0].parts)), -np.inf)
    for number, errors in enumerate(_every_errors()):
        weighed, total = errors.weighed(samples.astype(np.float64))
        for codes in each:
            best = np.maximum(best, _likely(codes, number, weighed, total) - errors.volume / 2)
    return best


def _leads(likely: Array, which: list[int]) -> Array:
    """Return how far one of the codes leads all others in each row of how likely they are, (n,)."""
    here, rest = np.arange(len(likely)), likely.copy()
    rest[here, which] = -np.inf
    leads: Array = likely[here, which] - rest.max(axis=1)
    return leads


class _SpreadNoise:
    """How noise of one spread errs, and which light is added unevenly.

    Noise errs alike across and down, so that it comes apart into products of what varies along a line.
    """

    def __init__(self, spread: float) -> None:
        noises, self._ways = np.linalg.eigh(np.exp(-squared_distances(row_places(GRID_SIDE)) / 4 / spread**2))
        self.variances: Array = (np.outer(noises, noises) + WHITE_NOISE).ravel()
        every, known = _light()
        self.light = self.apart(every.T)
        self.levels = [_Errors(self, level, known) for level in NOISE_LEVELS]

    def apart(self, samples: Array) -> Array:
        """Return samples (n, all) as how much there is of each product of lines, (n, all)."""
        square = samples.reshape(-1, GRID_SIDE, GRID_SIDE)
        found: Array = (self._ways.T @ square @ self._ways).reshape(len(square), -1)
        return found

    def together(self, products: Array) -> Array:
        """Return how much there is of each product of lines (n, all) as samples, (n, all)."""
        square = products.reshape(-1, GRID_SIDE, GRID_SIDE)
        samples: Array = (self._ways @ square @ self._ways.T).reshape(products.shape)
        return samples

    def products(self, parts: Array) -> tuple[Array, Array]:
        """Return the products of parts (n, parts, all) with each other and with each way of light, (n, parts, …).

        They are weighed by noise of level one.
        """
        some = self.apart(parts.reshape(-1, parts.shape[-1]))
        beside = (some @ (self.light / self.variances).T).reshape(*parts.shape[:2], -1)
        some /= np.sqrt(self.variances)
        some = some.reshape(parts.shape)
        return some @ some.transpose(0, 2, 1), beside


def _outstanding(likely: Array, which: list[int]) -> Array:
    """Return how far one of the codes stands out among the others in each row of how likely they are, (n,).

    It is counted in deviations of the others.
    """
    if likely.shape[1] <= MIN_OTHER_CODES:
        return np.full(len(likely), USUAL_OUTSTANDING)
    here = np.arange(len(likely))
    others = np.ones(likely.shape, np.bool_)
    others[here, which] = False
    rest = likely[others].reshape(len(likely), -1)
    far: Array = (likely[here, which] - rest.mean(axis=1)) / (rest.std(axis=1) + MIN_DEVIATION)
    return far


class _Errors:
    """How samples err in one condition: by noise of one level, and by the few ways in which light varies.

    ``known``: how surely each way of light is nought.
    """

    def __init__(self, noise: _SpreadNoise, level: float, known: Array) -> None:
        self._noise, self._variances = noise, level**2 * noise.variances
        weighed = noise.light / self._variances
        gram = weighed @ noise.light.T + np.diag(known)
        self._level, self._root = level, np.linalg.inv(np.linalg.cholesky(gram))
        self._solved = self._root @ weighed
        self.volume = float(np.log(self._variances).sum() + np.linalg.slogdet(gram)[1])
        """The logarithm of how much room samples have to err."""

    def weighed(self, samples: Array) -> tuple[Array, Array]:
        """Return samples (n, all) multiplied by the inverse of how they err, and the products with themselves, (n,)."""
        some = self._noise.apart(samples)
        weighed = some / self._variances
        weighed -= (some @ self._solved.T) @ self._solved
        total: Array = np.einsum("ns,ns->n", some, weighed)
        return self._noise.together(weighed), total

    def products(self, own: Array, beside: Array) -> Array:
        """Return the products of parts with each other, weighed in the same way, (n, parts, parts).

        ``own`` and ``beside``: those with each other and with each way of light, weighed by noise of level one.
        """
        light = beside @ (self._root.T / self._level**2)
        found: Array = own / self._level**2 - light @ light.transpose(0, 2, 1)
        return found


@cache
def _every_noise() -> list[_SpreadNoise]:
    """Return how samples err by noise of every spread."""
    return [_SpreadNoise(spread) for spread in NOISE_MODULES]


def _every_errors() -> list[_Errors]:
    """Return how samples err by noise of every level and spread."""
    return [errors for noise in _every_noise() for errors in noise.levels]


@cache
def _light() -> tuple[Array, Array]:
    """Return the ways in which added light may vary, (samples, ways), and how surely each is nought, (ways,)."""
    strengths, ways = np.linalg.eigh(np.exp(-squared_distances(row_places(GRID_SIDE)) / 2 / LIGHT_MODULES**2))
    strength, every = np.outer(strengths, strengths).ravel(), np.kron(ways, ways)
    some = strength > MIN_LIGHT * strength.max()
    x, y = square_places(GRID_SIDE).T
    free = np.stack([np.ones_like(x), x, y], axis=1)
    light = np.concatenate([free, every[:, some] * np.sqrt(LIGHT_VARIANCE * strength[some])], axis=1)
    known = np.ones(light.shape[1])
    known[:FREE_LIGHTS] = 0
    return light, known


def _parts(patterns: Array, blur: float, varying: Array | float = 0.0) -> Array:
    """Return what samples of each pattern are made of, (n, parts, samples).

    The first is the pattern itself; the others are what adds to it, each as much as is usual.  ``varying``: how much,
    squared, the light at each sample varies if the patterns are means.
    """
    line, (x, y) = row_places(GRID_SIDE), square_places(GRID_SIDE).T
    light, across, down = seen(patterns, blur, line)
    wider = lit(patterns, blur + BLUR_STEP, line) - lit(patterns, blur - BLUR_STEP, line)
    across, down, wider = (part * steepness(light) for part in (across, down, wider))
    squared = np.square(light) + varying
    shown = bent(light, squared)
    u, v = x / x.max(), y / y.max()
    ramps = [u, v, (3 * u * u - 1) / 2, u * v, (3 * v * v - 1) / 2]
    moved = [across, down, x * down - y * across, x * across + y * down, x * across - y * down, y * across + x * down]
    every = [shown, *(CONTRAST_DEVIATION * ramp * shown for ramp in ramps)]
    every += [much * part for much, part in zip(POSE_DEVIATIONS, moved, strict=True)]
    every += [wider * BLUR_DEVIATION / BLUR_STEP, squared * CURVATURE_DEVIATION]
    return np.stack(every, axis=1)


def _modules(patterns: Floats) -> Array:
    """Return the modules that are not the same in all patterns, each as much as it varies, (modules, 25, 25)."""
    deviations = patterns.std(axis=0).ravel().astype(np.float64)
    own = np.flatnonzero(deviations**2 > MIN_OWN_VARIANCE)
    modules = np.zeros((len(own), TAG_MODULES * TAG_MODULES))
    modules[np.arange(len(own)), own] = deviations[own]
    return modules.reshape(-1, TAG_MODULES, TAG_MODULES)


def _fit(gram: Array) -> tuple[Array, Array]:
    """Return what solves for the parts that have these products with each other, (n, parts, parts), and its volume."""
    # A contrast can be anything; all else is about as much as usual.
    gram[:, np.arange(1, gram.shape[1]), np.arange(1, gram.shape[1])] += 1
    root = np.linalg.cholesky(gram)
    volume = 2 * np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
    return np.linalg.inv(root), volume


def _likely(codes: _FittedCodes, way: int, weighed: Array, total: Array) -> Array:
    """Return the logarithms of how likely each code makes samples weighed for one way to err (n, all), (n, codes).

    What all codes have is left out.  How strong the noise is follows from what is left over.
    """
    count, many, all_ = codes.parts.shape
    seen_ = (weighed.astype(np.float32) @ codes.parts.reshape(-1, all_).T).astype(np.float64).reshape(-1, count, many)
    explained = np.einsum("cpq,ncq->ncp", codes.solved[:, way], seen_)
    left = np.maximum(total[:, None] - np.einsum("ncp,ncp->nc", explained, explained), 1e-9)
    free = all_ - FREE_LIGHTS
    likely: Array = -(free * np.log(left) + codes.volume[:, way]) / 2
    return likely
