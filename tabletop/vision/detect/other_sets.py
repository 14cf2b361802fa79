"""Finds tags in a still picture other than those it was read for: of another size, another set or another game.

The plane is already known, and the places of tags that were read are taken.  Only recognition is used: decoders have
already found everything that they can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules.game import Game
from tabletop.vision.detect.detection import sighting
from tabletop.vision.detect.recognisers import recogniser_of
from tabletop.vision.detect.scale_search import (
    MAX_PLACES,
    MIN_PLACE_SCORE,
    MIN_TAGS,
    SIZE_STEP,
    UnnamedTags,
    clear_tags,
    read_at_sizes,
)
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box, area, bounding, box, corners_of
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.kit import Kit
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.recognise.rectified import RectifiedImage, RectifiedView
from tabletop.vision.scene import Sighting
from tabletop.vision.tags import payloads
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES, Pattern, patterns_of

TAG_SIDES_MM = tuple(30 / SIZE_STEP**step for step in range(7))
"""Approximate sides at which tags are searched for, mm."""
MIN_MODULE_PX = 1.0
"""Least px per module, in the middle of the picture, at which a side is searched for."""
MAX_ASKED_PLACES = 3
"""Most unidentified places that are compared with tags of other sets."""
MIN_PLACES = 6
"""Least number of unidentified places for that comparison: it takes seconds, and a few foreign codes may be
anywhere."""
MAX_LIKELY_SETS = 3
"""Number of sets that are recognised at those places, of all those whose patterns are compared with them."""
MIN_SET_TAGS = 2
"""Least number of tags that show that a set is there if no decoder found any of it."""
MAP_STEP_PX = 4
"""Factor by which the map of free places is smaller than the picture."""
MIN_INK_DEVIATION, MIN_INK_CONTRAST, INK_WINDOW_PX = 9.0, 0.1, 5
"""Least standard deviation of grey levels at ink, absolute and as a fraction of the mean, and the side, px of the map,
of the square it is taken over: ink on paper deviates by more in weak light, and wood grain by less."""
MIN_SOLID_FRACTION = 0.5
"""Least fraction of a tag's side that is inked without a gap, even seen at an angle."""
JOIN_DISTANCE_PX = 9
"""Distance, px of the map, below which inked parts are examined together."""
JOINED_SIDES = 8
"""Side of a square, in sides of a tag, that is searched as fast as one more part is prepared."""
FAINTEST_QUANTILE, MIN_RELATIVE_CONTRAST = 0.1, 0.4
"""Quantile of the contrast of the tags that were read that counts as their contrast, and the least fraction of it that
smaller tags have, because blur affects them more."""

Patterns: TypeAlias = Mapping[str, Pattern]


class OtherSets:
    """Searches one picture for more tags.

    ``read``: the tags that are known; ``side``: that of the pieces' tags on the plane, mm; ``faces``: outlines (4, 2)
    mm inside which there is no room for another tag.
    """

    def __init__(
        self, grey: Grey, plane: Plane, read: Sequence[Sighting], side: float, faces: Iterable[Array] = ()
    ) -> None:
        self.found: list[Sighting] = []
        self._grey, self._plane, self._side = grey, plane, side
        self._names = {each.payload for each in read}
        self._taken, self._faces = [np.array(each.corners) for each in read], [*faces]

    @cached_property
    def _free(self) -> NDArray[np.uint8]:
        """The map of places with ink that no tag explains, computed only if it is needed."""
        free = _inked(self._grey, self._taken)
        for corners in self._taken:
            _occupy(free, corners)
        return free

    @cached_property
    def _unread(self) -> NDArray[np.uint8]:
        """The map of places outside all tags and faces."""
        unread = np.ones_like(self._free)
        for corners in self._taken:
            _occupy(unread, corners)
        for face in self._faces:
            cv2.fillConvexPoly(unread, np.round(self._plane.to_px(face) / MAP_STEP_PX).astype(np.int32), 0)
        return unread

    def of_other_sides(self, usual: Recogniser) -> None:
        """Add the tags of a set that have another side than the pieces' usual one."""
        middle = np.array(((self._plane.shape[1] - 1) / 2, (self._plane.shape[0] - 1) / 2))
        mm_per_px = self._plane.mm_per_px(middle)
        for side in TAG_SIDES_MM:
            if side < MIN_MODULE_PX * TAG_MODULES * mm_per_px:
                break
            true = self._side_about(usual.of_side(side), side / mm_per_px)
            if true is not None:
                # Once their side is known, all of them can be recognised.
                self._take(usual.of_side(true))

    def _side_about(self, recogniser: Recogniser, px: float) -> float | None:
        """Return the side, mm, of tags whose side is about that of the recogniser, None if none of them is sure.

        ``px``: that side in the picture.
        """
        where, sides = self._filled(px), []
        sure = False
        for part in self._parts(where, recogniser.side):
            image = RectifiedView(self._plane, recogniser.side, part).take(self._grey, where=where)
            places = recogniser.places(image, MAX_PLACES, MIN_PLACE_SCORE)
            for seen in read_at_sizes(recogniser, places, faint=False):
                new = [tag for tag in seen.found if self._is_new(tag, seen.plane)]
                sides += [recogniser.side * tag.size * seen.size for tag in new]
                sure = sure or any(tag.is_sure for tag in new)
        return median(sides) if sure else None

    def _filled(self, px: float) -> Mask:
        """Return where ink covers an area as wide as a tag with a side of ``px``; lines and edges are narrower."""
        width = INK_WINDOW_PX + round(MIN_SOLID_FRACTION * px / MAP_STEP_PX)
        closed = cv2.morphologyEx(self._free, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        solid = cv2.morphologyEx(
            cv2.bitwise_and(closed, self._unread), cv2.MORPH_OPEN, np.ones((width, width), np.uint8)
        )
        return np.asarray(solid, np.bool_)

    def _parts(self, where: Mask, side: float) -> list[Box]:
        """Return boxes on the table, mm, around the set parts of a mask of the picture, each with room for a tag."""
        wide = cv2.dilate(where.astype(np.uint8), np.ones((JOIN_DISTANCE_PX, JOIN_DISTANCE_PX), np.uint8))
        outlines, _ = cv2.findContours(wide, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        parts: list[Box] = []
        for x, y, width, height in map(cv2.boundingRect, outlines):
            mm = self._plane.to_mm(MAP_STEP_PX * (np.array(corners_of((x, y, x + width, y + height)), np.float64)))
            (left, top), (right, bottom) = mm.min(axis=0) - side, mm.max(axis=0) + side
            parts.append((float(left), float(top), float(right), float(bottom)))
        return _joined(parts, (JOINED_SIDES * side) ** 2)

    def of_set(self, patterns: Patterns) -> None:
        """Add the tags of a set."""
        self._take(Recogniser(patterns, self._side))

    def of_sets(self, sets: Iterable[Patterns], unnamed: Iterable[Array]) -> None:
        """Add the tags of those ``sets`` to which some of the ``unnamed`` places, corners (4, 2) px, belong."""
        places = [self._plane.to_mm(corners.mean(axis=0)) for corners in unnamed if self._is_free(corners.mean(axis=0))]
        if len(places) < MIN_PLACES:
            return
        view = RectifiedView(self._plane, self._side)
        images = [
            view.take(self._grey, box((float(place[0]), float(place[1])), self._side))
            for place in places[:MAX_ASKED_PLACES]
        ]
        all_sets = [*sets]
        for number in _likeliest_sets(all_sets, images, self._side):
            recogniser = Recogniser(all_sets[number], self._side)
            if any(recogniser.read(image).found for image in images):
                self._take(recogniser, MIN_SET_TAGS)

    def _take(self, recogniser: Recogniser, min_count: int = 1) -> None:
        """Add the recogniser's tags at places where nothing was read, if there are at least that many."""
        image = recogniser.view(self._plane).take(self._grey, where=self._free.astype(np.bool_))
        seen = [tag for tag in recogniser.read(image).found if self._is_new(tag, self._plane)]
        for tag in seen if len(seen) >= min_count else ():
            self._names.add(tag.payload)
            self.found.append(sighting(tag.payload, tag.corners, self._plane, tag.certainty))
            for mask in (self._free, self._unread):
                _occupy(mask, self._plane.to_px(tag.corners))

    def _is_new(self, tag: RecognisedTag, plane: Plane) -> bool:
        """Return whether a tag on ``plane`` was not read before and lies at a free place."""
        return tag.payload not in self._names and self._is_free(plane.to_px(np.array(tag.place)))

    def _is_free(self, px: Array) -> bool:
        x, y = px / MAP_STEP_PX
        height, width = self._free.shape
        return 0 <= x < width and 0 <= y < height and bool(self._free[int(y), int(x)])


def _joined(parts: Iterable[Box], room: float) -> list[Box]:
    """Return boxes, two of them joined if the box around both is larger by at most ``room`` than they are together.

    Searching many small boxes takes longer than searching a few large ones.
    """
    joined: list[Box] = []
    for part in parts:
        whole = part
        for other in [*joined]:
            both = bounding(whole, other)
            if area(both) <= area(whole) + area(other) + room:
                joined.remove(other)
                whole = both
        joined.append(whole)
    return joined


def _occupy(mask: NDArray[np.uint8], corners: Array) -> None:
    """Clear the place of a tag, including its quiet zone, in a mask."""
    middle = corners.mean(axis=0)
    whole = middle + (corners - middle) * (TAG_MODULES / CODE_MODULES)
    cv2.fillConvexPoly(mask, np.round(whole / MAP_STEP_PX).astype(np.int32), 0)


def _inked(grey: Grey, read: Sequence[Array]) -> NDArray[np.uint8]:
    """Return a map, smaller by ``MAP_STEP_PX``, that is 1 where there may be ink on paper and 0 elsewhere.

    ``read``: the corners (4, 2) px of tags, whose contrast shows how strong ink appears in this light.
    """
    size = (max(1, grey.shape[1] // MAP_STEP_PX), max(1, grey.shape[0] // MAP_STEP_PX))
    half = cv2.resize(grey, (2 * size[0], 2 * size[1]), interpolation=cv2.INTER_AREA)
    light = cv2.resize(half, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    squares = cv2.resize(np.square(half, dtype=np.uint16), size, interpolation=cv2.INTER_AREA)
    mean_square, mean = (cv2.blur(each, (INK_WINDOW_PX, INK_WINDOW_PX)) for each in (squares.astype(np.float32), light))
    deviation, mean = np.sqrt(np.maximum(mean_square - mean**2, 0)), np.maximum(mean, 1)
    middles = np.array([corners.mean(axis=0) for corners in read]).reshape(-1, 2) / MAP_STEP_PX
    columns, rows = (np.clip(middles.astype(np.intp), 0, np.array(size) - 1)).T
    contrasts = deviation[rows, columns] / mean[rows, columns]
    usual = float(np.quantile(contrasts, FAINTEST_QUANTILE)) if len(middles) >= MIN_PLACES else 0.0
    min_contrast = max(MIN_INK_CONTRAST, MIN_RELATIVE_CONTRAST * usual)
    return np.asarray(deviation > np.maximum(MIN_INK_DEVIATION, min_contrast * mean), np.uint8)


def sets_beside(games: Sequence[Game], game: Game, letter: str) -> Iterator[Patterns]:
    """Iterate over the patterns of all sets but the given one: the game's other letters, then the other games."""
    for other in sorted(games, key=lambda each: each is not game):
        for own_letter in payloads.SET_LETTERS if other is game else dict.fromkeys(("", letter)):
            if (other is not game or own_letter != letter) and (patterns := pieces(other, own_letter)):
                yield patterns


def tags_of_games(grey: Grey, games: Iterable[Game], side: float) -> UnnamedTags | None:
    """Return the clear tags of the plain sets of all games in a photograph, and the places that look like tags.

    They are searched for together.  None if the photograph is too small.
    """
    if min(grey.shape) < TAG_MODULES:
        return None
    # Not kept: other pictures are searched for one set.
    recogniser = Recogniser({name: each for game in games for name, each in Kit(game).patterns.items()}, side)
    seen = clear_tags(recogniser, grey).unnamed_tags
    # The candidates are needed only for another search, and hold parts of the picture at every size.
    return seen._replace(spotted=()) if seen is not None and len(seen.found) >= MIN_TAGS else seen


def set_at(unnamed_tags: UnnamedTags, grey: Grey, games: Sequence[Game], side: float) -> tuple[Game, str] | None:
    """Return the game and set letter of the unidentified places that look most like tags, None if it is not sure.

    ``side``: that of the pieces' tags on the plane of these places, mm.
    """
    likely = sorted(unnamed_tags.places, key=lambda place: -place.alike)[: 2 * MAX_ASKED_PLACES]
    if len(likely) < MIN_SET_TAGS:
        return None
    view = RectifiedView(unnamed_tags.plane, side)
    images = [view.take(grey, box(place.place, side)) for place in likely]
    named = ((game, letter, pieces(game, letter)) for game in games for letter in payloads.SET_LETTERS)
    sets = [each for each in named if each[2]]
    for number in _likeliest_sets([each[2] for each in sets], images, side):
        game, letter, patterns = sets[number]
        if _are_shown(recogniser_of(patterns, side), images):
            return game, letter
    return None


def _are_shown(recogniser: Recogniser, images: Sequence[RectifiedImage]) -> bool:
    """Return whether images show tags of a recogniser; faint ones are read only if the clear ones are too few."""
    clear = (recogniser.identified(recogniser.places(image), faint=False) for image in images)
    if len({tag.payload for seen in clear for tag in seen.found}) >= MIN_SET_TAGS:
        return True
    return len({tag.payload for image in images for tag in recogniser.read(image).found}) >= MIN_SET_TAGS


def _likeliest_sets(sets: Sequence[Patterns], images: Sequence[RectifiedImage], side: float) -> list[int]:
    """Return the numbers of the few sets whose patterns best match the tags with that ``side``, mm, on images."""
    if not sets:
        return []
    usual = Recogniser(sets[0], side)
    samples = np.concatenate([usual.samples(image) for image in images])
    if not len(samples):
        return []
    # Poses do not depend on the set, so only the patterns are compared, one set after another.
    scores_of_sets = [usual.templates.compared(samples, [*patterns.values()]) for patterns in sets]
    # Twice the best score minus the second; if a set has only one pattern, the second is 0.
    leads = [np.partition(np.pad(scores, ((0, 0), (0, 1))), -2, axis=1)[:, -2:] @ (-1, 2) for scores in scores_of_sets]
    fits = [float(np.sort(leads_of_set)[-MIN_SET_TAGS:].sum()) for leads_of_set in leads]
    return sorted(range(len(sets)), key=lambda number: -fits[number])[:MAX_LIKELY_SETS]


def pieces(game: Game, letter: str) -> Patterns:
    """Return the patterns of the pieces' tags in a game's set, by payload."""
    return patterns_of(entry.payload for entry in Kit(game, letter=letter).pieces)
