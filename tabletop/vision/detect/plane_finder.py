"""Finds the plane of a picture about which nothing is known, by the tags that decoders read, or else by others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.vision.decode.tag_decoder import Decoded, TagDecoder
from tabletop.vision.detect.recognisers import recogniser_of
from tabletop.vision.detect.refine_plane import MAX_FITS, SETTLED_MM, OnPlane, Squares, is_sane, refined
from tabletop.vision.detect.scale_search import (
    ASLANT,
    MIN_PIECE_MODULE_PX,
    MIN_TAGS,
    STRAIGHT_DOWN,
    FirstSquares,
    ScaleSearch,
    UnnamedTags,
    clear_tags,
    from_above,
    search_scales,
)
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.plane_fit import Square, fit
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser, Spotted
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES, Pattern
from tabletop.vision.tags.payloads import is_marker

MIN_LENS_TAGS = 8
"""Least number of tags in a photograph for fitting the lens as well: fewer cover too little of the picture."""
MIN_MARKERS = 6
"""Least number of markers that determine the plane without the pieces' own tags."""
MIN_MARKER_MODULE_PX = 1.1
"""Least px per module at which markers are searched for if no decoder finds a first square."""
PIECE_WEIGHT = 0.3
"""The weight of a piece's tag in the fit, relative to a marker: it is smaller, and may lie on a tile instead of the
table."""


class FoundPlane(NamedTuple):
    """The plane of a picture, None if it shows no tags; the decoded tags; and a search without decoders, if made."""

    plane: Plane | None
    decoded: Decoded
    search: FirstSquares | None


class PlaneFinder:
    """Finds planes by the tags of a set: ``sizes`` are their sides, mm, by payload.

    ``recognisers`` are those of the tags of each side; without any, tags are only decoded.
    """

    def __init__(
        self,
        patterns: Mapping[str, Pattern],
        sizes: Mapping[str, float],
        decoding: TagDecoder,
        recognisers: Mapping[float, Recogniser],
    ) -> None:
        self._patterns, self._sizes = dict(patterns), sizes
        self._decoding, self._recognisers = decoding, recognisers
        self._markers = Counter(size for payload, size in sizes.items() if is_marker(payload))

    def find(
        self, grey: Grey, decoded: Decoded | None = None, *, photo: bool = False, earlier: UnnamedTags | None = None
    ) -> FoundPlane:
        """Return the plane of a picture; ``decoded``: what decoders read in it, if known.

        It is the plane of the markers, or of any tags if no marker is seen; in a ``photo`` all tags determine it.
        """
        if decoded is None:
            decoded = self._decoding.large(grey) if self._recognisers else Decoded()
            if not any(is_marker(tag.tag.payload) for tag in decoded.tags):
                decoded = self._decoding.all(grey)
        squares = self.decoded_squares(decoded)
        marks = {payload: square for payload, square in squares.items() if is_marker(payload)}
        shown = squares if photo else marks or squares
        plane = fitted(shown, grey, lens=not photo or len(shown) >= MIN_LENS_TAGS)
        search = None
        if plane is None:
            search = self.first_squares(grey, photo=photo, earlier=earlier)
            plane = fitted(search.marks, grey) or (fitted(search.pieces, grey) if photo else None)
        if photo or plane is None or not self._markers or not self._recognisers or len(marks) >= MIN_MARKERS:
            return FoundPlane(plane, decoded, search)

        def by_markers(plane: Plane) -> OnPlane:
            return refined(
                lambda plane: OnPlane(plane, self._marks(grey, plane)),
                lambda seen: self.squares(grey, seen.plane, seen.found),
                lambda known: fitted(known | marks, grey),
                *(plane, SETTLED_MM, MAX_FITS),
            )

        seen = by_markers(plane)
        if search is None and len(seen.found) < 2 <= self._markers.total():
            # One square determines a plane badly: on a wrong one the others look too large or too small to be read.
            search = self.first_squares(grey, photo=False)
            other = fitted(search.marks | marks, grey) if len(search.marks) > len(seen.found) else None
            seen = seen if other is None else by_markers(other)
        return FoundPlane(seen.plane, decoded, search)

    def first_squares(self, grey: Grey, *, photo: bool, earlier: UnnamedTags | None = None) -> FirstSquares:
        """Return tags that are recognised without a plane or decoder, at all the sizes that they may have.

        ``photo``: also search for faint tags if the clear ones are too few, as if the camera looked at the table from
        an angle as well.  ``earlier``: a search of the same picture for other sets; if it found tags of this one, these
        are enough.
        """
        if min(grey.shape) < TAG_MODULES or not self._recognisers:
            return FirstSquares({}, {}, None)
        known = {} if earlier is None else {name: px for name, px in earlier.found.items() if name in self._patterns}
        seen = ScaleSearch(known, earlier)
        if len(known) < MIN_TAGS:
            seen = self._searched(grey, () if earlier is None else earlier.spotted, photo=photo)
        squares = {payload: self.square(payload, corners) for payload, corners in seen.all.items()}
        marks = {payload: square for payload, square in squares.items() if is_marker(payload)}
        pieces = {payload: square for payload, square in squares.items() if not is_marker(payload)}
        return FirstSquares(marks, pieces, seen.unnamed_tags)

    def _searched(self, grey: Grey, spotted: Sequence[Spotted], *, photo: bool) -> ScaleSearch:
        """Return the tags found at all sizes; ``spotted``: the candidates of an earlier search of the same picture."""
        # Markers and pieces look alike at a distance, so one recogniser searches for both.
        if not photo:
            planes = from_above((grey.shape[0], grey.shape[1]), self._any.side, MIN_MARKER_MODULE_PX)
            return search_scales(self._any, grey, planes, (STRAIGHT_DOWN,), is_marker, spotted)
        seen = clear_tags(self._any, grey, spotted)
        if len(seen.all) < MIN_TAGS:
            planes = from_above((grey.shape[0], grey.shape[1]), self._any.side, MIN_PIECE_MODULE_PX)
            spotted = () if seen.unnamed_tags is None else seen.unnamed_tags.spotted
            seen = search_scales(self._any, grey, planes, (STRAIGHT_DOWN, ASLANT), is_marker, spotted)
        # Photographs are searched like this once, and reading the rest of them takes memory as well.
        self._any.forget()
        return seen

    def squares(self, grey: Grey, plane: Plane, tags: Sequence[RecognisedTag]) -> Squares:
        """Return tags as squares by payload, to fit a better plane; they are measured as they look, skewed or not."""
        squares: Squares = {}
        for side in {self._sizes[tag.payload] for tag in tags}:
            same_side = [tag for tag in tags if self._sizes[tag.payload] == side]
            recogniser = self._recognisers.get(side)
            corners = (
                [tag.corners for tag in same_side]
                if recogniser is None
                else recogniser.known.skewed(grey, plane, same_side)
            )
            for tag, px in zip(same_side, plane.to_px(np.array(corners)), strict=True):
                squares[tag.payload] = self.square(tag.payload, px)
        return squares

    def decoded_squares(self, decoded: Decoded) -> Squares:
        """Return the tags that decoders read as squares by payload, to fit a plane."""
        return {tag.tag.payload: self.square(tag.tag.payload, tag.corners) for tag in decoded.tags}

    def square(self, payload: str, corners: Array) -> Square:
        """Return a tag as a square to fit a plane: markers set the scale, pieces may be printed at another size."""
        if is_marker(payload):
            return Square(corners, self._side(payload))
        return Square(corners, self._side(payload), PIECE_WEIGHT, scaled=True)

    def _marks(self, grey: Grey, plane: Plane) -> list[RecognisedTag]:
        """Return the markers recognised on a plane that may still be inaccurate."""
        recognisers = [self._recognisers[side] for side in self._markers if is_sane(plane)]
        return [
            tag
            for each in recognisers
            for tag in each.read(each.view(plane).take(grey)).found
            if is_marker(tag.payload)
        ]

    def _side(self, payload: str) -> float:
        return self._sizes[payload] * CODE_MODULES / TAG_MODULES

    @cached_property
    def _any(self) -> Recogniser:
        """A recogniser of all tags, as if they all had the most common side."""
        sides = Counter(self._sizes.values())
        return recogniser_of(self._patterns, max(sides, key=lambda side: (sides[side], side)))


def fitted(squares: Squares, grey: Grey, *, lens: bool = True) -> Plane | None:
    """Return the plane on which tags of a picture are squares, None if there are no usable ones."""
    return fit([*squares.values()], (grey.shape[0], grey.shape[1]), lens=lens)
