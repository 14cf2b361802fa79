"""Still pictures → the tags in them, placed in mm: with table markers or without, by every way of reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.messages import N_, Message, PieceRef
from tabletop.rules.game import Game
from tabletop.vision.decode.decode import Codes, DecodedTag, decode
from tabletop.vision.decode.tag_decoder import Decoded
from tabletop.vision.detect.detector import FAR_OFF, Detection, Detector, moved
from tabletop.vision.detect.other_sets import set_at
from tabletop.vision.detect.overlap import Spot, uncovered
from tabletop.vision.detect.scale_search import UnnamedTags
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Plane, Square, fit
from tabletop.vision.image.darkness import SENTENCES, blindness
from tabletop.vision.image.load import Picture
from tabletop.vision.photo.counted_pieces import CountedPieces
from tabletop.vision.photo.doubts import (
    DISAGREE,
    UNKNOWN,
    PhotoContents,
    beside,
    same_place,
    undecided,
    unrecognised,
)
from tabletop.vision.scene import Point, Sighting, Unreadable
from tabletop.vision.tags import catalogue, payloads
from tabletop.vision.tags.payloads import is_marker

MIRRORED = Message("The picture is mirrored: its tags do not count; turn mirroring off in the camera's settings.")
SOME_MIRRORED = N_("Tags that are seen mirrored, or that do not look like what they say, do not count ({count}).")
LENS_FROM = 8
"""Tags from which on the lens is fitted too: fewer lie on too little of the picture."""
RECOGNISED = "recognised"
"""How the sightings were identified that no decoder read."""
MOST_FITS = 12
"""How often the plane is fitted again while ever more tags are found on it."""
OTHER_SIZE = 0.07
"""The pieces' tags are of another size when they are so much larger or smaller than expected, as a part; up to that
they were printed at a scale that is not true."""
NOTHING = Message("No tag of this game can be read in this picture: go nearer, hold still, mind the light.")


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """What a still picture shows of one game."""

    sightings: tuple[Sighting, ...]
    plane: Plane | None
    unread: tuple[Unreadable, ...] = ()
    foreign: int = 0
    notes: tuple[Message, ...] = ()
    letter: str = ""
    """The set that was looked for."""
    side: float = catalogue.TAG_MM
    """The side of the pieces' tags on the plane, mm."""
    unnamed: tuple[Unreadable, ...] = ()
    """Places that look like a tag of that side and are none of the set."""


def read_photo(
    picture: Picture,
    game: Game,
    set_letter: str | None = None,
    size_mm: float = catalogue.TAG_MM,
    codes: Codes | None = None,
    tally: CountedPieces | None = None,
) -> PhotoReading:
    """Return the sightings of a game's pieces and markers in a still picture, each at most once.

    Decoders read first; from what they read the plane is fitted (every tag is a square of known size, so no marker is
    needed), and on it the rest is recognised.  ``set_letter``: None takes the one that most tags have.  ``size_mm`` is
    what is expected: beside markers another size is found.  A tag that is seen in two places counts in none.
    ``codes``: what the decoders read, where that is known.  ``tally``: how the game is scored; what may count there
    and cannot be read is unread as well.
    """
    if codes is None:
        codes = decode(picture.grey, thorough=True, codes=payloads.codes_of(game))
    if codes.mirrored > len(codes.tags):
        return PhotoReading((), None, (), len(codes.foreign), (*codes.notes, *mirrored(codes)))
    letter = _set_of(codes.tags) if set_letter is None else set_letter
    look = _Attempt(picture.grey, game, letter, size_mm, codes)
    recognised = look.recognised()
    if set_letter is None and not codes.tags and (seen := look.other_set()) is not None:
        letter = seen
        look = _Attempt(picture.grey, game, letter, size_mm, codes)
        recognised = look.recognised()
    other = look.other_size(recognised)
    if other is not None:
        look = _Attempt(picture.grey, game, letter, other, codes)
        recognised = look.recognised()
    notes = _notes(codes, look.entries)
    if recognised.plane is None:
        said = (*notes, SENTENCES.get(blindness(picture.grey), NOTHING))
        return PhotoReading((), None, tuple(undecided(codes)), len(codes.foreign), said, letter, unnamed=look.unnamed())
    plane = recognised.plane
    unnamed = tuple(unrecognised(recognised.unreadable, plane, look.size_mm))
    single, unread = _understood(picture, look, recognised, plane, unnamed, tally)
    side = look.size_mm * plane.scale
    return PhotoReading(tuple(single), plane, tuple(unread), len(codes.foreign), notes, letter, side, unnamed)


class _Attempt:
    """One look at a picture for the tags of a game and set, the pieces' of one size."""

    def __init__(self, grey: Grey, game: Game, letter: str, size_mm: float, codes: Codes) -> None:
        self.grey, self.game, self.size_mm, self.codes = grey, game, size_mm, codes
        self.entries = catalogue.entries(game, letter, size_mm)
        self.detector = Detector(
            catalogue.patterns(game, letter), {name: entry.size_mm for name, entry in self.entries.items()}
        )
        self.ours = [seen for seen in codes.tags if seen.tag.payload in self.entries]
        self._decoded = {seen.tag.payload: self.detector.square(seen.tag.payload, seen.corners) for seen in self.ours}
        self._unnamed_tags: UnnamedTags | None = None
        """What looked like tags of ours where none of the set was found at all."""

    def recognised(self) -> Detection:
        """Return what is recognised on the plane of what was decoded, and on the better ones that all tags give."""
        plane = self._fitted(self._decoded) or self.detector.plane_by_scale(self.grey)[0]
        if plane is None:
            plane, unnamed_tags = self.detector.plane_by_scale(self.grey, pieces=True)
            self._unnamed_tags = unnamed_tags if plane is None else None
        if plane is None:
            return Detection(None)
        found, doubts = self.detector.region(self.grey, plane, plane.bounds())
        best = len(found), plane, found, doubts
        squares: dict[str, Square] = {}
        for _ in range(MOST_FITS):
            squares |= self.detector.squares(self.grey, plane, found)
            better = self._fitted({**squares, **self._decoded})
            if better is None:
                break
            # From a few tags in a corner the plane of the whole picture comes out bit by bit.
            rests = moved(plane, better) < FAR_OFF
            plane = better
            found, doubts = self.detector.region(self.grey, plane, plane.bounds())
            more = len(found) > best[0]
            if len(found) >= best[0]:
                best = len(found), plane, found, doubts
            if rests and not more:
                break
        _, plane, found, doubts = best
        return self.detector.united(plane, Decoded(), found, doubts)

    def other_size(self, recognised: Detection) -> float | None:
        """Return the size that the pieces' tags have beside the markers where it is not the expected one."""
        plane = recognised.plane
        if plane is None or not any(is_marker(each.payload) for each in recognised.sightings):
            return None
        if any(not is_marker(payload) for payload in self._decoded):
            return self.size_mm * plane.scale if abs(plane.scale - 1) > OTHER_SIZE else None
        if any(not is_marker(each.payload) for each in recognised.sightings):
            return None
        return self.detector.true_side(self.grey, plane, self.size_mm)

    def unnamed(self) -> tuple[Unreadable, ...]:
        """Return the places that looked like tags and were none of the set, where no plane was found."""
        if self._unnamed_tags is None:
            return ()
        return tuple(unrecognised(self._unnamed_tags.places, self._unnamed_tags.plane, self.size_mm))

    def other_set(self) -> str | None:
        """Return the letter of the set of those tags, None where none is sure."""
        return (
            set_at(self._unnamed_tags, self.grey, self.game, self.size_mm) if self._unnamed_tags is not None else None
        )

    def _fitted(self, squares: Mapping[str, Square]) -> Plane | None:
        shape = (self.grey.shape[0], self.grey.shape[1])
        return fit(list(squares.values()), shape, lens=len(squares) >= LENS_FROM)


def _understood(
    picture: Picture,
    look: _Attempt,
    recognised: Detection,
    plane: Plane,
    unnamed: Iterable[Unreadable],
    tally: CountedPieces | None,
) -> tuple[list[Sighting], list[Unreadable]]:
    """Return the tags that are sure, each seen once, and what is not sure."""
    decoded = [placed(each.tag.payload, each.corners, plane, each.certainty, each.how) for each in look.ours]
    found, disputed = united(decoded, recognised.sightings)
    found, beneath = _uncovered(found, look.entries)
    single, doubles = _single(found, recognised.doubles)
    unnamed_tags = set(recognised.doubles) - {each.payload for each in doubles}
    doubted = [
        *(_double(look.entries[each.payload].id, each.corners) for each in doubles),
        *(_double(look.entries[payload].id) for payload in sorted(unnamed_tags)),
    ]
    if tally is None:
        return single, [*doubted, *disputed]
    like_tags = [*undecided(look.codes), *unnamed, *beneath]
    seen = PhotoContents(picture, look.game, look.entries, plane, [*single, *doubles], tally)
    return single, [*doubted, *disputed, *beside(seen, like_tags)]


def united(first: Sequence[Sighting], second: Sequence[Sighting]) -> tuple[list[Sighting], list[Unreadable]]:
    """Return what two ways of reading saw, each tag once, and the places about which they disagree."""
    agreed, disputed, left = [], [], list(second)
    for one in first:
        here = same_place(one.corners, (other.corners for other in left))
        if any(other.payload != one.payload for other, same in zip(left, here, strict=True) if same):
            disputed.append(Unreadable("disagree", DISAGREE, one.corners))
        else:
            agreed.append(one)
        left = [other for other, same in zip(left, here, strict=True) if not same]
    return [*agreed, *left], disputed


def _uncovered(
    found: Sequence[Sighting], entries: Mapping[str, catalogue.Entry]
) -> tuple[list[Sighting], list[Unreadable]]:
    """Return the sightings that can all be there at once, the surest first, and the places of the others."""

    def spot(one: Sighting) -> Spot:
        # What a decoder read has a check sum of its own.
        return Spot(one.x, one.y, entries[one.payload].size_mm, one.certainty + (one.how != RECOGNISED))

    kept, beneath = uncovered(sorted(found, key=lambda each: each.payload), spot)
    return kept, [Unreadable("unknown", UNKNOWN, one.corners) for one in beneath]


def _set_of(seen: Sequence[DecodedTag]) -> str:
    """Return the set letter that most tags have, none where nothing was read."""
    letters = Counter(each.tag.set for each in seen)
    return min(letters, key=lambda letter: (-letters[letter], letter)) if letters else ""


def placed(payload: str, corners: Array, plane: Plane, certainty: float, how: str) -> Sighting:
    """Return the sighting of a tag whose corners (4, 2) px are known."""
    mm = plane.to_mm(corners)
    x, y = mm.mean(axis=0)
    up = (mm[0] + mm[1]) - (mm[2] + mm[3])
    angle = float(np.degrees(np.arctan2(up[0], -up[1])))
    one, two, three, four = ((float(px), float(py)) for px, py in corners)
    return Sighting(payload, float(x), float(y), angle, (one, two, three, four), certainty, how)


def _single(found: Sequence[Sighting], known: Iterable[str]) -> tuple[list[Sighting], list[Sighting]]:
    """Return the tags that were seen once, and those that were seen in more places than one."""
    counts = Counter(each.payload for each in found) + Counter(known)
    single = [each for each in found if counts[each.payload] == 1]
    return single, [each for each in found if counts[each.payload] > 1]


def _double(piece: str, corners: tuple[Point, ...] = ()) -> Unreadable:
    return Unreadable(
        "double",
        Message("{piece} is seen in more places than one: none of them counts.", piece=PieceRef(piece)),
        corners,
        piece,
    )


def mirrored(codes: Codes) -> tuple[Message, ...]:
    """Return what is to be said of tags that are seen mirrored: all of a picture, or some in it."""
    if not codes.mirrored:
        return ()
    return (MIRRORED if codes.mirrored > len(codes.tags) else Message(SOME_MIRRORED, count=codes.mirrored),)


def _notes(codes: Codes, entries: Mapping[str, catalogue.Entry]) -> tuple[Message, ...]:
    notes = [*codes.notes, *mirrored(codes)]
    strange = sorted(seen.tag.payload for seen in codes.tags if seen.tag.payload not in entries)
    if strange:
        notes.append(Message("Not of this game and set, and left out: {pieces}.", pieces=tuple(strange)))
    if codes.foreign:
        notes.append(
            Message.plural(
                "Another code is in the picture and is left out.",
                "{count} other codes are in the picture and are left out.",
                len(codes.foreign),
            )
        )
    return tuple(notes)
