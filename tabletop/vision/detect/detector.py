"""Detects the tags in one full picture, merging every way of reading on one plane.

Decoders do not need the plane and find the first squares; recognition needs it and finds the rest.  A place about which
they disagree is not accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import dist, inf
from statistics import median

import numpy as np

from tabletop.vision.decode.decoders import Decoders, available
from tabletop.vision.decode.tag_decoder import Decoded, TagDecoder
from tabletop.vision.detect.detection import Detection, merged, sighted, sighting, without_plane
from tabletop.vision.detect.distant_markers import distant_markers
from tabletop.vision.detect.glance import Glance
from tabletop.vision.detect.overlap import Spot, uncovered
from tabletop.vision.detect.plane_finder import MIN_LENS_TAGS, MIN_MARKERS, PlaneFinder, fitted
from tabletop.vision.detect.recognisers import recogniser_of
from tabletop.vision.detect.refine_plane import (
    MAX_FITS,
    REREAD_SHIFT_MM,
    SETTLED_MM,
    OnPlane,
    Squares,
    moved,
    refined,
)
from tabletop.vision.detect.scale_search import MIN_TAGS, FirstSquares, UnnamedTags
from tabletop.vision.detect.stripes import continues_as_stripe, unlike_stripes
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.plane import Array, Mask, Plane, aligned
from tabletop.vision.recognise.recognised import Recognised, RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.recognise.rectified import Cutting
from tabletop.vision.scene import Cause, Notice, ReadBy, Sighting, Unreadable
from tabletop.vision.tags.patterns import Pattern
from tabletop.vision.tags.payloads import is_marker

READING_METHODS = ("zxing", "zbar", "recognise")
"""All methods of reading; each works without the others."""
MAX_PHOTO_FITS = 12
"""Most fits of a photograph's plane: each may reveal more tags."""
GLANCED_SHIFT_MM = 40.0
"""Shift of a plane by a fit, mm, from which a photograph's easy tags are searched for again: after a smaller one, the
same were found, and the whole reading that follows corrects the plane as well."""
DOUBT_RADIUS_MM = 12.0
"""A doubt nearer than this, mm, to a code that was read is about the same code."""


class Detector:
    """Reads the tags of a set: ``patterns`` by payload, and ``sizes``, the side of each tag in mm by payload.

    ``methods``: those of :data:`READING_METHODS` that may be used.
    """

    def __init__(
        self, patterns: Mapping[str, Pattern], sizes: Mapping[str, float], methods: Sequence[str] = READING_METHODS
    ) -> None:
        self.sizes = {payload: sizes[payload] for payload in patterns}
        decoders = available()
        first, second = decoders.first if "zxing" in methods else None, decoders.second if "zbar" in methods else None
        self.decoding = TagDecoder(Decoders(first, second, decoders.notes), self.sizes)
        self._recognisers: dict[float, Recogniser] = {}
        if "recognise" in methods:
            for side in sorted(set(self.sizes.values())):
                patterns_of_side = {
                    payload: pattern for payload, pattern in patterns.items() if self.sizes[payload] == side
                }
                self._recognisers[side] = recogniser_of(patterns_of_side, side)
        self._planes = PlaneFinder(patterns, self.sizes, self.decoding, self._recognisers)
        markers = {size for payload, size in self.sizes.items() if is_marker(payload)}
        pieces = {size for payload, size in self.sizes.items() if not is_marker(payload)}
        self._only_markers, self._has_markers = markers - pieces, bool(markers)

    def detect(
        self,
        grey: Grey,
        plane: Plane | None = None,
        decoded: Decoded | None = None,
        *,
        photo: bool = False,
        hidden: bool = False,
        earlier: UnnamedTags | None = None,
    ) -> Detection:
        """Return everything that a picture shows; if no plane is given, it is found first.

        ``decoded``: what decoders read in the picture, if known.  ``photo``: all tags determine the plane, and a
        picture without markers is read as well.  ``hidden``: also search for half-hidden tags, as always in a photo.
        ``earlier``: what a search of the same picture for another set found.
        """
        search: FirstSquares | None = None
        if plane is None:
            plane, decoded, search = self._planes.find(grey, decoded, photo=photo, earlier=earlier)
        if decoded is None:
            decoded = Decoded() if self._recognisers else self.decoding.all(grey)
        if plane is None:
            return without_plane(len(decoded.foreign), search.unnamed if search is not None and photo else None)
        ours = self._planes.decoded_squares(decoded) if photo else {}
        seen = self._refined(grey, plane, ours, photo=photo, hidden=hidden or photo)
        if photo:
            seen = self._reaching_far(grey, seen, ours)
        if not photo or len(seen.found) >= MIN_TAGS:
            return self._merged(seen, decoded)
        # One square determines a plane badly, and wrongly if it lies askew or does not have the assumed size.
        search = search or self._planes.first_squares(grey, photo=True)
        other = fitted(search.pieces, grey)
        reread = seen if other is None else self._refined(grey, other, {}, photo=True, hidden=True)
        seen = max(seen, reread, key=lambda one: len(one.found))
        if not decoded.tags and len(seen.found) < MIN_TAGS and not any(tag.is_sure for tag in seen.found):
            # Among all these places and sizes, one may look like a tag by chance.
            return without_plane(len(decoded.foreign), search.unnamed)
        return self._merged(seen, decoded, search.unnamed if len(seen.found) < MIN_TAGS else None)

    def _refined(self, grey: Grey, plane: Plane, ours: Squares, *, photo: bool, hidden: bool) -> OnPlane:
        """Return the reading on the plane that all tags determine, including ``ours``; ``plane`` is the first guess."""

        def squares(seen: OnPlane) -> Squares:
            marks = sum(is_marker(tag.payload) for tag in seen.found)
            if not photo and (marks >= MIN_MARKERS or marks == len(seen.found) or len(seen.found) < 3):
                return {}
            # The corners that a decoder measured take precedence.
            return self._planes.squares(grey, seen.plane, [tag for tag in seen.found if tag.payload not in ours])

        def plane_of(known: Squares) -> Plane | None:
            return fitted(known | ours, grey, lens=not photo or len(known | ours) >= MIN_LENS_TAGS)

        glance: Glance | None = None
        if photo and len(ours) < MIN_LENS_TAGS:
            # The tags that are easily found determine most of the plane.
            glance = Glance(grey, self._recognisers)
            plane = refined(glance.found_on, squares, plane_of, plane, GLANCED_SHIFT_MM, MAX_PHOTO_FITS).plane
        return refined(
            lambda plane: self._all_of(grey, plane, glance, hidden=hidden),
            *(squares, plane_of, plane, REREAD_SHIFT_MM, MAX_PHOTO_FITS if photo else MAX_FITS),
            twice=photo,
        )

    def _reaching_far(self, grey: Grey, seen: OnPlane, ours: Squares) -> OnPlane:
        """Return a photograph's reading, improved by distant markers that look too large or small on its plane."""
        markers = [self._recognisers[side] for side in self._only_markers if side in self._recognisers]
        far: Squares = {}
        corners = seen.plane.to_px(np.array([tag.corners for tag in seen.found]).reshape(-1, 4, 2))
        squares = [self._planes.square(tag.payload, px) for tag, px in zip(seen.found, corners, strict=True)]
        for plane, tag in distant_markers(markers, grey, seen, squares):
            far |= self._planes.squares(grey, plane, [tag])
        near = [tag for tag in seen.found if tag.payload not in ours]
        better = fitted(self._planes.squares(grey, seen.plane, near) | ours | far, grey) if far else None
        if better is None:
            return seen
        reread = self._refined(grey, better, ours | far, photo=True, hidden=True)
        return max(seen, reread, key=lambda one: len(one.found))

    def _all_of(self, grey: Grey, plane: Plane, glance: Glance | None, *, hidden: bool) -> OnPlane:
        """Return the reading of a whole picture; candidates are reused if ``glance`` has those of a similar plane."""
        places = None if glance is None else glance.candidates_on(plane)
        if places is None:
            return OnPlane(plane, *self.region(grey, plane, hidden=hidden))
        seen = {side: self._recognisers[side].read_at(spotted, hidden=hidden) for side, spotted in places.items()}
        return OnPlane(plane, *self._together(grey, plane, seen))

    def recogniser(self, side: float) -> Recogniser | None:
        """Return the recogniser of the tags with that side, mm, None if there is none."""
        return self._recognisers.get(side)

    def forget_maps(self, plane: Plane) -> None:
        """Free what is kept to look at the same plane again; in a photograph that is as much as the picture."""
        for recogniser in self._recognisers.values():
            recogniser.view(plane).forget_maps()

    def refitted(self, grey: Grey, seen: OnPlane) -> Detection | None:
        """Return a reading transferred to the plane that all its tags determine, None if that is the same plane.

        The new plane is aligned with the old one, so that tags keep their places as far as possible.
        """
        counts = Counter(tag.payload for tag in seen.found)
        once = [tag for tag in seen.found if counts[tag.payload] == 1]
        better = fitted(self._planes.squares(grey, seen.plane, once), grey)
        if better is None:
            return None
        marks = [tag for tag in once if is_marker(tag.payload)] or once
        better = aligned(better, [(seen.plane.to_px(tag.corners), tag.corners) for tag in marks])
        return None if moved(seen.plane, better) < SETTLED_MM else self._merged(seen.carried(better), Decoded())

    def found_plane(self, grey: Grey) -> Plane | None:
        """Return the plane of a picture about which nothing is known.

        It is the plane of the markers, or of any tags if no marker is visible; None if there are no tags.
        """
        return self._planes.find(grey).plane

    def region(
        self,
        grey: Grey,
        plane: Plane,
        box: Box | None = None,
        *,
        markers: bool = True,
        where: Mask | None = None,
        awaited: Collection[str] = (),
        hidden: bool = False,
        faint: bool = False,
    ) -> tuple[list[RecognisedTag], list[Unreadable]]:
        """Return the tags and doubts in a part of the table (``box``, mm), or in the whole picture.

        Without recognition a part is decoded.  ``markers``: False leaves out sizes that only markers have.  ``where``:
        a mask stretched over the whole picture; only tags that reach into it are searched for.  Others as for ``read``.
        """
        if not self._recognisers:
            return [] if box is None else self._decoded(grey, plane, box), []
        seen: dict[float, Recognised] = {}
        cut: Cutting | None = None
        for side, recogniser in self._recognisers.items():
            if not markers and side in self._only_markers:
                continue
            # If only a corner of a tag changed, the whole tag still has to be inside.
            wide = None if box is None else (box[0] - side, box[1] - side, box[2] + side, box[3] + side)
            image = recogniser.view(plane).take(grey, wide, where, cut)
            cut = image.seen
            seen[side] = recogniser.read(image, awaited, hidden=hidden, faint=faint)
        return self._together(grey, plane, seen)

    def _together(
        self, grey: Grey, plane: Plane, seen: Mapping[float, Recognised]
    ) -> tuple[list[RecognisedTag], list[Unreadable]]:
        """Combine the readings of all tag sizes; return the tags that can all lie there, and the doubts."""
        doubts: list[Unreadable] = []
        found: list[RecognisedTag] = []
        for side, each in seen.items():
            found += unlike_stripes(grey, plane, each.found, side)
            # At the size of markers the strip of wood between cards looks like a tag, and no piece can lie there.
            if side not in self._only_markers:
                doubts += [
                    doubt
                    for doubt in each.doubts
                    if doubt.reason != Cause.UNKNOWN or not continues_as_stripe(grey, plane, doubt.place, side)
                ]
        kept, beneath = uncovered(found, self.spot)
        return kept, [*doubts, *(Unreadable(Cause.UNKNOWN, place=tag.place) for tag in beneath)]

    def spot(self, tag: RecognisedTag) -> Spot:
        """Return the place and side of a tag, and how sure its identity is."""
        return Spot(*tag.place, self.sizes[tag.payload], tag.score + tag.margin)

    def still_there(
        self, grey: Grey, plane: Plane, known: Sequence[RecognisedTag], max_shift: float = inf
    ) -> list[bool]:
        """Return for each tag whether it still lies exactly where it did, shifted by at most ``max_shift``, mm."""
        stays_by_number = dict.fromkeys(range(len(known)), False)
        for side in {self.sizes[tag.payload] for tag in known}:
            numbers = [number for number, tag in enumerate(known) if self.sizes[tag.payload] == side]
            tags = [known[number] for number in numbers]
            recogniser = self._recognisers.get(side)
            stays = (
                recogniser.known.still_there(grey, plane, tags, max_shift)
                if recogniser is not None
                else [self._decoded_there(grey, plane, tag) for tag in tags]
            )
            stays_by_number.update(zip(numbers, stays, strict=True))
        return list(stays_by_number.values())

    def is_glimpsed(self, grey: Grey, plane: Plane, known: RecognisedTag, directions: Iterable[Array]) -> bool:
        """Return whether any half of a tag, in these ``directions`` (2,) mm, may still be visible where it lay."""
        recogniser = self._recognisers.get(self.sizes[known.payload])
        return recogniser is not None and recogniser.known.is_glimpsed(grey, plane, known, directions)

    def leaves_trace(self, grey: Grey, plane: Plane, known: RecognisedTag) -> bool:
        """Return whether a tag may still lie where it lay, although it is too faint to be recognised."""
        recogniser = self._recognisers.get(self.sizes[known.payload])
        return recogniser is not None and recogniser.known.leaves_trace(grey, plane, known)

    def _decoded_there(self, grey: Grey, plane: Plane, known: RecognisedTag) -> bool:
        (x, y), reach = known.place, self.sizes[known.payload]
        near = self._decoded(grey, plane, (x - reach, y - reach, x + reach, y + reach))
        return any(tag.payload == known.payload and dist(tag.place, known.place) < 1.5 for tag in near)

    def _merged(self, seen: OnPlane, decoded: Decoded, unnamed: UnnamedTags | None = None) -> Detection:
        """Merge recognised and decoded tags into one detection; places about which they disagree are unreadable."""
        plane = seen.plane
        ours = [
            sighting(tag.tag.payload, plane.to_mm(tag.corners), plane, tag.certainty, tag.how) for tag in decoded.tags
        ]
        tags, disputed = merged(ours, sighted(seen.found, plane))
        tags, beneath = uncovered(sorted(tags, key=lambda tag: tag.payload), self._spot)
        counts = Counter(tag.payload for tag in tags)
        kept = tuple(sorted((tag for tag in tags if counts[tag.payload] == 1), key=lambda tag: tag.payload))
        codes = tuple(tuple(plane.to_mm(corners).mean(axis=0).tolist()) for corners in decoded.foreign)
        taken = [(tag.x, tag.y) for tag in tags] + [*codes]
        unreadable = [
            Unreadable(reason, corners=tag.corners, place=(tag.x, tag.y))
            for reason, tags_of_reason in ((Cause.DISAGREE, disputed), (Cause.UNKNOWN, beneath))
            for tag in tags_of_reason
        ]
        unreadable += [
            doubt for doubt in seen.doubts if all(dist(doubt.place, place) > DOUBT_RADIUS_MM for place in taken)
        ]
        lone = self._has_markers and sum(is_marker(tag.payload) for tag in kept) == 1
        sizes = [tag.size for tag in seen.found if not is_marker(tag.payload)]
        return Detection(
            plane,
            kept,
            tuple(unreadable),
            len(codes),
            tuple(tag for tag in tags if counts[tag.payload] > 1),
            (Notice.ONE_MARKER,) if lone else (),
            codes,
            median(sizes) if len(sizes) >= 3 else 1.0,
            unnamed,
        )

    def _spot(self, seen: Sighting) -> Spot:
        # A decoded tag is surer than any recognised one: it has a checksum.
        return Spot(seen.x, seen.y, self.sizes[seen.payload], seen.certainty + (seen.how != ReadBy.RECOGNISED))

    def _decoded(self, grey: Grey, plane: Plane, box: Box) -> list[RecognisedTag]:
        read = self.decoding.part(grey, plane, box)
        return [RecognisedTag(tag.tag.payload, plane.to_mm(tag.corners), 1.0, 1.0, 1.0) for tag in read]
