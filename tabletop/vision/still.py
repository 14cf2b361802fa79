"""Still pictures → the tags in them, placed in mm: with table markers or without, by every way of reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.rules.game import Game
from tabletop.vision import tags
from tabletop.vision.decode import Codes, Tagged, decode
from tabletop.vision.faces import on_faces, outlines
from tabletop.vision.pictures import Picture
from tabletop.vision.plane import Array, Plane, Square, fit
from tabletop.vision.reader import Reader, Reading
from tabletop.vision.readers import Code
from tabletop.vision.scene import Point, Sighting

MIRRORED = "The picture is mirrored: its tags do not count; turn mirroring off in the camera's settings."
LENS_FROM = 8
"""Tags from which on the lens is fitted too: fewer lie on too little of the picture."""
MOST_MM = 3000.0
"""The longest side of a table that is searched beyond what decoders read."""
NOTHING = "No tag of this game can be read in this picture: go nearer, hold still, mind the light."
DISAGREE = "The ways of reading disagree about this tag: it does not count."
SAME_PLACE = 0.5
"""Two sightings are one when their middles are nearer than this part of a tag's side."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Something in a picture that does not count, and why."""

    reason: str
    """``double``, ``disagree`` or ``unknown``."""
    message: str
    corners: tuple[Point, ...] = ()
    piece: str = ""


@dataclass(frozen=True, slots=True)
class Still:
    """What a still picture shows of one game."""

    sightings: tuple[Sighting, ...]
    plane: Plane | None
    unread: tuple[Unread, ...] = ()
    foreign: int = 0
    notes: tuple[str, ...] = ()


def read_still(
    picture: Picture,
    game: Game,
    set_letter: str | None = None,
    size_mm: float = tags.TAG_MM,
    codes: Codes | None = None,
) -> Still:
    """Return the sightings of a game's pieces and markers in a still picture, each at most once.

    Decoders read first; from what they read the plane is fitted (every tag is a square of known size, so no marker is
    needed), and on it the rest is recognised.  ``set_letter``: None takes the one that most tags have.  A tag that is
    seen in two places counts in none.  ``codes``: what the decoders read, where that is known.
    """
    if codes is None:
        codes = decode(picture.grey, thorough=True, codes=tags.codes_of(game))
    if codes.mirrored > len(codes.tags):
        return Still((), None, (), len(codes.foreign), (*codes.notes, MIRRORED))
    letter = _set_of(codes.tags) if set_letter is None else set_letter
    entries = tags.catalogue(game, letter, size_mm)
    ours = [seen for seen in codes.tags if seen.tag.payload in entries]
    sizes = {payload: entry.size_mm for payload, entry in entries.items()}
    shape = (picture.grey.shape[0], picture.grey.shape[1])
    squares = [Square(seen.corners, _side(sizes[seen.tag.payload])) for seen in ours]
    plane = fit(squares, shape, lens=len(squares) >= LENS_FROM)
    recognised = Reading(plane)
    if plane is None or _table_sized(plane):
        recognised = Reader(tags.patterns(game, letter), sizes).read(picture.grey, plane)
        plane = plane or recognised.plane
    notes = _notes(codes, entries)
    if plane is None:
        return Still((), None, tuple(_undecided(codes)), len(codes.foreign), (*notes, NOTHING))
    found, disputed = united([_sighting(seen, plane) for seen in ours], _moved(recognised.sightings, plane))
    single, doubles = _single(found, recognised.doubles)
    read = [*single, *doubles]
    faces = outlines(read, game)
    blurred = [
        each
        for each in _undecided(codes)
        if not _is_read(each, read) and not on_faces(plane.to_mm(np.array(each.corners, dtype=np.float64)), faces)
    ]
    return Still(tuple(single), plane, (*_doubted(doubles, entries), *disputed, *blurred), len(codes.foreign), notes)


def united(first: Sequence[Sighting], second: Sequence[Sighting]) -> tuple[list[Sighting], list[Unread]]:
    """Return what two ways of reading saw, each tag once, and the places about which they disagree."""
    agreed, disputed, left = [], [], list(second)
    for one in first:
        here = [other for other in left if _same_place(one.corners, other.corners)]
        left = [other for other in left if other not in here]
        if any(other.payload != one.payload for other in here):
            disputed.append(Unread("disagree", DISAGREE, one.corners))
        else:
            agreed.append(one)
    return [*agreed, *left], disputed


def _set_of(seen: Sequence[Tagged]) -> str:
    """Return the set letter that most tags have, none where nothing was read."""
    letters = Counter(each.tag.set for each in seen)
    return min(letters, key=lambda letter: (-letters[letter], letter)) if letters else ""


def _side(size_mm: float) -> float:
    """Return the side of the code itself, without its quiet zone, mm."""
    return size_mm * tags.MODULES / tags.ACROSS


def _sighting(seen: Tagged, plane: Plane) -> Sighting:
    return placed(seen.tag.payload, seen.corners, plane, seen.certainty, seen.how)


def _moved(sightings: Iterable[Sighting], plane: Plane) -> list[Sighting]:
    """Return sightings on another fit of the same table."""
    return [
        placed(each.payload, np.array(each.corners, dtype=np.float64), plane, each.certainty, each.how)
        for each in sightings
    ]


def placed(payload: str, corners: Array, plane: Plane, certainty: float, how: str) -> Sighting:
    """Return the sighting of a tag whose corners (4, 2) px are known."""
    mm = plane.to_mm(corners)
    x, y = mm.mean(axis=0)
    up = (mm[0] + mm[1]) - (mm[2] + mm[3])
    angle = float(np.degrees(np.arctan2(up[0], -up[1])))
    one, two, three, four = ((float(px), float(py)) for px, py in corners)
    return Sighting(payload, float(x), float(y), angle, (one, two, three, four), certainty, how)


def _same_place(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Tell whether two outlines in a picture are those of one tag."""
    first, second = np.array(one), np.array(other)
    side = float(np.linalg.norm(second[1] - second[0]))
    return float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0))) < SAME_PLACE * side


def _is_read(unread: Unread, sightings: Iterable[Sighting]) -> bool:
    return any(_same_place(unread.corners, each.corners) for each in sightings)


def _table_sized(plane: Plane) -> bool:
    """Tell whether a picture shows no more of the plane than a table: a horizon cannot be searched for tags."""
    left, top, right, bottom = plane.bounds()
    return max(right - left, bottom - top) <= MOST_MM


def _single(found: Sequence[Sighting], known: Iterable[str]) -> tuple[list[Sighting], list[Sighting]]:
    """Return the tags that were seen once, and those that were seen in more places than one."""
    counts = Counter(each.payload for each in found) + Counter(known)
    single = [each for each in found if counts[each.payload] == 1]
    return single, [each for each in found if counts[each.payload] > 1]


def _doubted(doubles: Iterable[Sighting], entries: Mapping[str, tags.Entry]) -> list[Unread]:
    return [
        Unread(
            "double",
            f"{entries[each.payload].id} is seen in more places than one: none of them counts.",
            each.corners,
            entries[each.payload].id,
        )
        for each in doubles
    ]


def _undecided(codes: Codes) -> list[Unread]:
    disputed = [
        Unread("disagree", DISAGREE, _points(code)) for code in codes.disputed if code.how == codes.disputed[0].how
    ]
    blurred = [
        Unread("unknown", "Something like a tag lies here that cannot be read.", _points(corners))
        for corners in codes.unread
    ]
    return [*disputed, *blurred]


def _points(code: Code | Array) -> tuple[Point, ...]:
    corners = code.corners if isinstance(code, Code) else code
    return tuple((float(x), float(y)) for x, y in corners)


def _notes(codes: Codes, entries: Mapping[str, tags.Entry]) -> tuple[str, ...]:
    notes = list(codes.notes)
    if codes.mirrored:
        notes.append(MIRRORED)
    strange = sorted(seen.tag.payload for seen in codes.tags if seen.tag.payload not in entries)
    if strange:
        notes.append(f"Not of this game and set, and left out: {', '.join(strange)}.")
    if codes.foreign:
        notes.append(f"{len(codes.foreign)} other codes are in the picture and are left out.")
    return tuple(notes)
