"""A background model of the bare table, which distinguishes a piece that was taken from one that is only covered.

It is learned while playing; only a place where the bare table is visible counts as empty.
"""

from __future__ import annotations

from types import EllipsisType
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import BURNT_GREY, Grey
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.live.ground.table_look import (
    MIN_EDGE_STEP,
    RIM_PX,
    AnyFloats,
    OlderLook,
    PictureLight,
    Rows,
    compact,
    even_parts,
    stale_places,
    steepness,
    unevenness,
)

Part: TypeAlias = tuple[Rows, Rows] | tuple[slice, slice] | EllipsisType
"""An index of px of a picture: rows and columns, slices of them, or all."""

MAX_MEAN_DIFFERENCE = 7.0
"""Largest difference of a bare place from the remembered table, grey levels, on average over a tag …"""
MAX_PATCH_DIFFERENCE = 14.0
"""… and in its worst part: a finger over a corner of a tag."""
MIN_KNOWN_FRACTION = 0.6
"""Least fraction of a place that must have been seen bare before to compare the place with that."""
MAX_BARE_DEVIATION = 9.0
"""Largest standard deviation of grey levels of a bare place that was never seen bare before."""
MAX_EVEN_DEVIATION = 4.5
"""The same after removing a linear gradient of light: half, because a veil of light lowers the contrast."""
MIN_HIDDEN_STEP = 2 * MIN_EDGE_STEP
"""Least difference of grey levels across two px at an edge of the table that something else may hide …"""
MIN_HIDDEN_PX = 20
"""… and the number of px of such edges above which it does."""
MIN_REFLECTION = 1.5 * MIN_EDGE_STEP
"""Least difference of grey levels of a bare place from the remembered table if a lamp is or was reflected there: a
thing that differs that much still has such edges where it blurs into the table."""
MIN_REACHED_FRACTION = 0.9
"""Least fraction of such a place into which the bare table beside it continues without an edge."""
NEIGHBOURHOOD_PX = 60
"""Distance, px of the small picture, up to which the table around a place that was never seen bare is assumed to look
like it."""
MIN_ALIKE_FRACTION = 0.15
"""Least fraction of the bare table around such a place that is as grey, if nothing else is compared."""
BLACK_GREY, WHITE_GREY = 4.0, 250.0
"""Grey levels below and above which a camera shows nothing of the table."""
BLOCK_PX = 8
"""Side of the blocks for which the light is estimated, px of the small picture."""
MIN_BLOCK_FRACTION = 0.25
"""Least fraction of a block that has to be known to estimate its light."""
MIN_RELATIVE_LIGHT = 0.55
"""Least light in a shadow, relative to the whole picture."""
MAX_RELATIVE_LIGHT = 1.15
"""Most light in a part, relative to the whole picture: extra light is rarer than shadow."""
LIGHT_RANGE = 0.3, 3.0
"""Range of brightness, relative to when the table was learned, in which pictures are compared with it."""
MIN_GRAIN = 3.0
"""Least standard deviation of grey levels of a table with a visible grain."""
MIN_GRAIN_CORRELATION = 0.7
"""Least correlation of a place with the table's grain if it is the bare table."""
MIN_STRANGE_DIFFERENCE = 22.0
"""Least difference of an unknown thing from the bare table, grey levels."""
MIN_SHINE = 14.0
"""Least difference, grey levels, of an overexposed spot from the bare table: something there reflects a lamp."""


class Background:
    """The model of the bare table in the small picture; places where a piece has always lain are unknown."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._look = np.zeros(shape, dtype=np.float32)
        self._known = np.zeros(shape, dtype=np.bool_)
        self._fresh = np.zeros(shape, dtype=np.bool_)
        self._older = OlderLook(shape)
        self._lit: PictureLight | None = None
        self._range: tuple[AnyFloats, AnyFloats] | None = None
        self._blocks: tuple[AnyFloats, AnyFloats] | None = None

    @property
    def known(self) -> Mask:
        """The mask of px where the table has been seen bare."""
        return self._known

    @property
    def has_forgotten(self) -> bool:
        """Whether the table was ever forgotten anywhere because something seemed to have lain there."""
        return self._older.count > 0

    def learn(self, small: Grey, bare: Mask) -> None:
        """Learn the appearance of those ``bare`` places that were never seen bare before."""
        new = bare & ~self._known
        if new.any() and self.is_comparable(small):
            self._look[new] = small[new] / self._light(small).everywhere[new]
            self._known |= new
            # What was learned in this light fits it, so the light stays the same.
            self._light(small).wrong = self._range = self._blocks = None
        self._fresh |= new

    def move(self, places: Array) -> None:
        """Continue in another view of the same table; ``places`` (h, w, 2): where each px was in the view before."""
        x, y = (np.ascontiguousarray(places[..., axis], dtype=np.float32) for axis in (0, 1))
        look, known = (cv2.remap(each.astype(np.float32), x, y, cv2.INTER_LINEAR) for each in (self._look, self._known))
        self._look, self._known = look.astype(np.float32, copy=False), known > 1 - 1e-3
        self._fresh, self._older = np.zeros_like(self._known), OlderLook(self._known.shape)
        self._lit = self._range = self._blocks = None

    def changed(self, mask: Mask) -> None:
        """Note where the picture changed: everything learned there is older than the change."""
        self._fresh &= ~mask

    def unlearn(self, outline: Array) -> None:
        """Forget what was learned within the outline, px (n, 2), of a piece since the last change there.

        A piece that is read only now has lain there since that change.
        """
        place = _inside(outline, self._look.shape)
        self._known[place] &= ~self._fresh[place]
        self._lit = self._blocks = None

    def forget(self, outline: Array) -> None:
        """Forget the table within an outline, px (n, 2), because something was laid there on which pieces will lie."""
        self._known[_inside(outline, self._look.shape)] = False
        self._lit = self._blocks = None

    def is_seen(self, small: Grey, place: Mask) -> bool:
        """Return whether most of a place is known and looks like the remembered table."""
        ys, xs = np.nonzero(place & self._known)
        if len(ys) <= MIN_KNOWN_FRACTION * np.count_nonzero(place):
            return False
        return self._alike(small[ys, xs] / self._light(small).usual, (ys, xs))

    def is_bare(self, small: Grey, outline: Array, hand: Mask) -> bool:
        """Return whether the bare table is visible within an outline, px (n, 2) of the small picture.

        A thing as white as the table that hides the table's edges beside that place lies over it.
        """
        return self.looks_bare(small, outline, hand) and not self._is_hidden(small, *_inside(outline, small.shape))

    def looks_bare(self, small: Grey, outline: Array, hand: Mask) -> bool:
        """Return whether a place, an outline px (n, 2), looks like the bare table.

        ``hand``: where something reaches in from the edge; a place under it is bare only if it looks like the
        remembered table.  Elsewhere a place where the reflection of a lamp has come or gone is bare as well if it is
        smooth.
        """
        ys, xs = _inside(outline, small.shape)
        if len(xs) < 4 or not BLACK_GREY < float(small[ys, xs].mean()) < WHITE_GREY:
            return False
        light = self._light(small)
        now = small[ys, xs] / light.usual
        known = self._known[ys, xs]
        if known.mean() > MIN_KNOWN_FRACTION:
            seen, plain = (ys[known], xs[known]), now[known]
            if self._alike(plain, seen) or (
                self._same_grain(plain, seen) and self._alike(small[seen] / light.everywhere[seen], seen)
            ):
                return True
            # A lamp's reflection fades out, but a thing that differs as much from the table has an edge.
            brighter = float((plain - self._look[seen]).mean())
            is_lit = brighter > MIN_REFLECTION and int(small[seen].max()) < BURNT_GREY
            was_lit = brighter < -MIN_REFLECTION and self._fits_neighbours(now, ys, xs)
            return (is_lit or was_lit) and not hand[ys, xs].any() and self._is_smooth(small, now, ys, xs)
        if hand[ys, xs].any():
            return False
        if now.std() <= MAX_BARE_DEVIATION and self._fits_neighbours(now, ys, xs):
            return True
        return self._is_smooth(small, now, ys, xs)

    def bare_halves(self, small: Grey, outline: Array, hand: Mask) -> list[tuple[int, int]]:
        """Return the directions, px, of the halves of an outline (n, 2) that look like the remembered table.

        There are none if a hand reaches into the outline or something lies over it.
        """
        ys, xs = _inside(outline, small.shape)
        if len(xs) < 4 or hand[ys, xs].any():
            return []
        usual = self._light(small).usual
        across, down = xs - xs.mean(), ys - ys.mean()

        def is_bare(half: NDArray[np.bool_]) -> bool:
            seen = ys[half], xs[half]
            lit = BLACK_GREY < float(small[seen].mean()) < WHITE_GREY
            return lit and bool(self._known[seen].all()) and self._alike(small[seen] / usual, seen)

        halves = [(x, y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)) if is_bare(across * x + down * y > 0)]
        return [] if halves and self._is_hidden(small, ys, xs) else halves

    def is_spotless(self, small: Grey, outline: Array, side: int) -> bool:
        """Return whether no square with ``side`` px within an outline, px (n, 2), differs from the bare table.

        In the average over a large place a small piece hardly shows.
        """
        ys, xs = _inside(outline, small.shape)
        if not len(xs):
            return True
        top, left = max(0, int(ys.min()) - side), max(0, int(xs.min()) - side)
        near = slice(top, int(ys.max()) + side + 1), slice(left, int(xs.max()) + side + 1)
        even = small[near] / self._light(small).everywhere[near]
        wrong = np.where(self._known[near], self._wrong(even, near), 0)
        return bool(cv2.blur(wrong, (side, side))[ys - top, xs - left].max() < MAX_MEAN_DIFFERENCE)

    def spots(self, small: Grey, free: Mask, side: int) -> list[Array]:
        """Return the middles, px, of what differs from the bare table in all of a square of that many px that is free.

        Wherever that is not ``free`` something is known to lie.
        """
        if not self.is_comparable(small):
            return []
        odd = free & self._known & (self._all_wrong(small) > MAX_MEAN_DIFFERENCE)
        # As the light is everywhere it is a little wrong beside what is dark or bright, as it usually is in a shadow.
        rows, columns = np.nonzero(odd)
        odd[odd] = self._wrong(small[odd] / self._light(small).usual, (rows, columns)) > MAX_MEAN_DIFFERENCE
        # Here and there, a third of that wide, print is as grey as the table.
        gap, whole = (np.ones((px, px), np.uint8) for px in (max(1, side // 3), side))
        solid = cv2.erode(cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_CLOSE, gap), whole)
        if not solid.any():
            return []
        count, _, _, middles = cv2.connectedComponentsWithStats(solid)
        return [np.asarray(middle, dtype=np.float64) for middle in middles[1:count]]

    def strange(self, small: Grey, known_pieces: Mask, min_area: float, pieces: Mask | None = None) -> list[Array]:
        """Return the middles, px, of compact things that hide the bare table outside known pieces.

        ``min_area``: their least area in px.  Things that reach in from the edge are hands or sleeves and not reported.
        ``known_pieces``: where pieces may reach; ``pieces``: where they lie.
        """
        if not self.is_comparable(small):
            return []
        odd, free = self._odd(small), ~(known_pieces if pieces is None else pieces)
        for place in stale_places(self._light(small).even, self._look, odd & free, self._known & free, min_area):
            self._older.keep(self._look, place & free & self._known)
            self._known &= ~(place & free)
            self._lit = self._blocks = None
        return compact(odd & self._known & ~known_pieces, min_area)

    def recall(self, small: Grey, free: Mask) -> None:
        """Know the table again as it was before it was forgotten, where it looks like that wherever it is ``free``."""
        # Where the table was learned with a sheet on it the light seems to have changed.
        if self.is_comparable(small) and self._older.recall(
            self._look, small / self._light(small).usual, self._odd(small), free
        ):
            self._lit = self._range = self._blocks = None

    def _odd(self, small: Grey) -> Mask:
        """Return the mask of px that show something else than the bare table."""
        odd: Mask = (self._all_wrong(small) > MIN_STRANGE_DIFFERENCE) & self._known
        return odd

    def shining(self, small: Grey, known_pieces: Mask, min_area: float) -> list[Array]:
        """Return the middles, px, of compact overexposed spots where the remembered table is not overexposed.

        Something glossy lies there and reflects a lamp.  ``min_area``: the spots' least area in px.  A spot that is
        mostly outside ``known_pieces`` counts as a whole: the next piece may lie partly under or over the glossy thing.
        """
        spots, free = (small >= BURNT_GREY) & self._known, ~known_pieces
        if np.count_nonzero(spots) < min_area:
            return []
        spots &= self._light(small).even - self._look > MIN_SHINE
        if np.count_nonzero(spots) < min_area:
            return []
        count, labels = cv2.connectedComponents(spots.astype(np.uint8))
        beyond, whole = (np.bincount(labels[mask], minlength=count) for mask in (spots & free, spots))
        return compact(spots & (free | (beyond > whole / 2)[labels]), min_area)

    def _alike(self, even: AnyFloats, seen: tuple[Rows, Rows]) -> bool:
        """Return whether px (rows, columns), corrected for light to ``even``, look like the bare table there."""
        wrong = self._wrong(even, seen)
        return bool(wrong.mean() < MAX_MEAN_DIFFERENCE and np.quantile(wrong, 0.9) < MAX_PATCH_DIFFERENCE)

    def _same_grain(self, now: AnyFloats, seen: tuple[Rows, Rows]) -> bool:
        """Return whether px show the table's own grain, which remains visible in a shadow but not under a thing."""
        before = self._look[seen]
        return bool(before.std() > MIN_GRAIN and np.corrcoef(now, before)[0, 1] > MIN_GRAIN_CORRELATION)

    def _wrong(self, even: AnyFloats, part: Part) -> AnyFloats:
        """Return the difference of px, corrected for light to ``even``, from the bare table, grey levels.

        ``part``: the index of these px.  Edges may be a px off, because a camera trembles.
        """
        if self._range is None:
            around = np.ones((3, 3), np.uint8)
            brightest, darkest = (change(self._look, around) for change in (cv2.dilate, cv2.erode))
            self._range = brightest.astype(np.float32, copy=False), darkest.astype(np.float32, copy=False)
        brightest, darkest = self._range
        wrong: AnyFloats = np.maximum(np.maximum(even - brightest[part], darkest[part] - even), 0)
        return wrong

    def _all_wrong(self, small: Grey) -> AnyFloats:
        """Return the difference of a whole picture from the bare table; cached as the light in it is."""
        light = self._light(small)
        if light.wrong is None:
            light.wrong = self._wrong(light.even, ...)
        return light.wrong

    def _light(self, small: Grey) -> PictureLight:
        """Return the light in a picture; cached until another picture comes or something is learned or forgotten."""
        if self._lit is None or self._lit.small is not small:
            self._lit = PictureLight(small, self._lit_by(small))
        return self._lit

    def _lit_by(self, small: Grey) -> AnyFloats:
        """Return the light in every block relative to when the table was learned.

        A shadow is wide and soft: the median over a neighbourhood follows it, but ignores pieces and other things.
        """
        height, width = small.shape
        size = (max(1, width // BLOCK_PX), max(1, height // BLOCK_PX))
        known = self._known.astype(np.float32)
        if self._blocks is None:
            part, light = (cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (known, self._look * known))
            self._blocks = part.astype(np.float32, copy=False), light.astype(np.float32, copy=False)
        share, before = self._blocks
        now = cv2.resize(small * known, size, interpolation=cv2.INTER_AREA)
        seen = share > MIN_BLOCK_FRACTION
        if not seen.any():
            return np.ones(size[::-1], np.float32)
        ratio = (now + 4 * share) / (before + 4 * share + 1e-3)
        overall = float(np.median(ratio[seen]))
        wide = cv2.medianBlur(np.where(seen, ratio, overall).astype(np.float32), 5)
        gain = cv2.GaussianBlur(np.clip(wide, overall * MIN_RELATIVE_LIGHT, overall * MAX_RELATIVE_LIGHT), (0, 0), 1.0)
        return np.clip(gain, *LIGHT_RANGE)

    def is_comparable(self, small: Grey) -> bool:
        """Return whether the light is similar enough to that in which the table was learned to compare pictures."""
        darkest, brightest = LIGHT_RANGE
        return bool(darkest < self._light(small).usual < brightest)

    def _is_smooth(self, small: Grey, now: AnyFloats, ys: Rows, xs: Rows) -> bool:
        """Return whether px, ``now`` corrected for light, are even and the bare table beside them continues there."""
        return unevenness(now, xs, ys) < MAX_EVEN_DEVIATION and self._continues(small, ys, xs)

    def _continues(self, small: Grey, ys: Rows, xs: Rows) -> bool:
        """Return whether the bare table beside px (rows, columns) continues into them without an edge.

        This is for uneven light, in which the table farther away looks different.
        """
        part = self._near(int(xs.mean()), int(ys.mean()))
        plain = small[part] / self._light(small).usual
        bare = self._known[part] & (self._wrong(plain, part) < MAX_MEAN_DIFFERENCE)
        even, labels = even_parts(plain)
        reached = np.isin(labels, np.unique(labels[bare & even])) & even
        return bool(reached[ys - part[0].start, xs - part[1].start].mean() >= MIN_REACHED_FRACTION)

    def _is_hidden(self, small: Grey, ys: Rows, xs: Rows) -> bool:
        """Return whether px (rows, columns) continue without an edge to where an edge of the table cannot be seen."""
        part = self._near(int(xs.mean()), int(ys.mean()), int(max(np.ptp(xs), np.ptp(ys))))
        even, labels = even_parts(small[part] / self._light(small).usual)
        within = np.isin(labels, np.unique(labels[ys - part[0].start, xs - part[1].start])) & even
        wide = np.ones((RIM_PX, RIM_PX), np.uint8)
        inside, known = (cv2.erode(mask.astype(np.uint8), wide) > 0 for mask in (within, self._known[part]))
        hidden = inside & known & (steepness(self._look[part]) > MIN_HIDDEN_STEP)
        return int(np.count_nonzero(hidden)) > MIN_HIDDEN_PX

    def _fits_neighbours(self, now: AnyFloats, ys: Rows, xs: Rows) -> bool:
        """Return whether enough of the bare table around px, ``now`` corrected for light, is as grey as they are.

        A grey between wood and paper is neither.
        """
        part = self._near(int(xs.mean()), int(ys.mean()))
        near = self._look[part][self._known[part]]
        if len(near) < 50:
            return False
        return bool((np.abs(near - float(now.mean())) < MAX_MEAN_DIFFERENCE).mean() > MIN_ALIKE_FRACTION)

    def _near(self, x: int, y: int, reach: int = 0) -> tuple[slice, slice]:
        """Return the rows and columns around a px, or a place that reaches so far, in which the table looks alike."""
        wide = NEIGHBOURHOOD_PX + reach
        return slice(max(0, y - wide), y + wide), slice(max(0, x - wide), x + wide)


def _inside(outline: Array, shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the px within an outline that the picture shows."""
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, (shape[1], shape[0]))
    if (high <= low).any():
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline - low).astype(np.int32), 1)
    ys, xs = np.nonzero(mask)
    return ys + low[1], xs + low[0]
