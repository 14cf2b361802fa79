"""Still pictures → the tags in them, placed in mm: with table markers or without, by every way of reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.rules.game import Game
from tabletop.vision import tags
from tabletop.vision.decode import Codes, Tagged, decode
from tabletop.vision.decoding import Decoded
from tabletop.vision.faces import on_faces, outlines
from tabletop.vision.frame import Colour, Grey
from tabletop.vision.glare import spots
from tabletop.vision.pictures import Picture
from tabletop.vision.plane import Array, Plane, Square, fit
from tabletop.vision.reader import Reader, Reading
from tabletop.vision.readers import Code
from tabletop.vision.recognise.sheet import Box
from tabletop.vision.scene import Point, Sighting
from tabletop.vision.sharpness import print_of
from tabletop.vision.stance import modules
from tabletop.vision.unexplained import things
from tabletop.vision.zones import marker_poses

MIRRORED = "The picture is mirrored: its tags do not count; turn mirroring off in the camera's settings."
LENS_FROM = 8
"""Tags from which on the lens is fitted too: fewer lie on too little of the picture."""
MOST_MM = 2400.0
"""The longest side of a table that is searched beyond what decoders read."""
LEAST_MODULES = 0.6
"""Px a module below which no tag was ever recognised: farther away nothing is looked for."""
RECOGNISED = "recognised"
"""How the sightings were identified that no decoder read."""
ENOUGH_PRINTS = 16
"""Tags from which the grey level of paper is taken."""
OVERLAP = 0.75
"""Nearer than this part of their mean side the middles of two tags cannot lie, both to be read."""
SQUARE = 1.5
"""How much longer than another a side of a square may come out, seen badly."""
NOTHING = "No tag of this game can be read in this picture: go nearer, hold still, mind the light."
UNKNOWN = "Something like a tag lies here that cannot be read."
WASHED_OUT = "Light is mirrored here and hides what may lie under it."
NO_TAG = "Something lies here and shows no tag: is a tile turned over, or covered?"
REASONS: Mapping[str, str] = {
    "glare": "Light is mirrored here, so that the tag cannot be read.",
    "disagree": "The ways of reading disagree about this tag: it does not count.",
}
"""Why a tag cannot be read, where it can be told."""
DISAGREE = REASONS["disagree"]
SAME_PLACE = 0.5
"""Two sightings are one when their middles are nearer than this part of a tag's side."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Something in a picture that does not count, and why."""

    reason: str
    """``double``, ``disagree``, ``glare``, ``washed-out``, ``no-tag`` or ``unknown``."""
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
    reader = Reader(tags.patterns(game, letter), sizes)
    squares = {seen.tag.payload: reader.square(seen.tag.payload, seen.corners) for seen in ours}
    plane = fit(list(squares.values()), shape, lens=len(squares) >= LENS_FROM)
    if plane is None:
        recognised = reader.read(picture.grey)
    else:
        recognised = _recognised(reader, picture.grey, plane, size_mm, squares)
    plane = recognised.plane
    notes = _notes(codes, entries)
    if plane is None:
        return Still((), None, tuple(_undecided(codes)), len(codes.foreign), (*notes, NOTHING))
    found, disputed = united([_sighting(seen, plane) for seen in ours], recognised.sightings)
    found, beneath = _uncovered(found, sizes)
    single, doubles = _single(found, recognised.doubles)
    read = [*single, *doubles]
    faces = outlines(read, game)
    looked_at = [*_undecided(codes), *_doubtful(recognised, plane, size_mm), *beneath]
    blurred = [
        each
        for each in looked_at
        if not _is_read(each, read)
        and _is_tag_sized(each, plane, sizes.values())
        and not on_faces(plane.to_mm(np.array(each.corners, dtype=np.float64)), faces)
    ]
    washed = _washed_out(picture.grey, plane, read, tags.patterns(game, letter), faces)
    tagless = _tagless(picture.colour, plane, read, game, faces)
    nameless = set(recognised.doubles) - {each.payload for each in doubles}
    doubted = [*_doubted(doubles, entries), *(_double(entries[payload].id) for payload in sorted(nameless))]
    unread = (*doubted, *disputed, *_apart([*blurred, *tagless]), *washed)
    return Still(tuple(single), plane, unread, len(codes.foreign), notes)


def _recognised(reader: Reader, grey: Grey, plane: Plane, size_mm: float, decoded: Mapping[str, Square]) -> Reading:
    """Return what is recognised on a plane fitted from few tags, and on the better plane that all of them give."""
    box = _worth(plane, size_mm)
    found, doubts = reader.region(grey, plane, box)
    squares = {**{one.payload: reader.square(one.payload, plane.to_px(one.corners)) for one in found}, **decoded}
    better = fit(list(squares.values()), plane.shape, lens=len(squares) >= LENS_FROM)
    if better is not None:
        plane = better
        found, doubts = reader.region(grey, plane, _worth(plane, size_mm))
    return reader.united(plane, Decoded(), found, doubts)


def _worth(plane: Plane, size_mm: float) -> Box:
    """Return the part of the table (mm) in which tags could be read at all: a horizon cannot be searched for tags."""
    height, width = plane.shape
    across, along = np.meshgrid(np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 25))
    px = np.stack([across.ravel(), along.ravel()], axis=1)
    mm = plane.to_mm(px)
    # Beyond the horizon the plane comes back from the other side: there px and mm do not answer each other.
    seen = np.abs(plane.to_px(mm) - px).max(axis=1) < 1
    worth = mm[seen & (modules(plane, mm, size_mm) >= LEAST_MODULES)]
    if not len(worth):
        return plane.bounds()
    middle = np.median(worth, axis=0)
    low = np.maximum(worth.min(axis=0), middle - MOST_MM / 2)
    high = np.minimum(worth.max(axis=0), middle + MOST_MM / 2)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


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


def _uncovered(found: Sequence[Sighting], sizes: Mapping[str, float]) -> tuple[list[Sighting], list[Unread]]:
    """Return the sightings that can all be there at once, the surest first, and the places of the others.

    Of two tags that overlap so far that one would hide much of the other, one is an illusion of the other's modules.
    """
    kept: list[Sighting] = []
    beneath = []
    for one in sorted(found, key=lambda each: (each.how == RECOGNISED, -each.certainty, each.payload)):
        near = [OVERLAP * (sizes[one.payload] + sizes[other.payload]) / 2 for other in kept]
        if any(np.hypot(one.x - other.x, one.y - other.y) < least for other, least in zip(kept, near, strict=True)):
            beneath.append(Unread("unknown", UNKNOWN, one.corners))
        else:
            kept.append(one)
    return kept, beneath


def _set_of(seen: Sequence[Tagged]) -> str:
    """Return the set letter that most tags have, none where nothing was read."""
    letters = Counter(each.tag.set for each in seen)
    return min(letters, key=lambda letter: (-letters[letter], letter)) if letters else ""


def _side(size_mm: float) -> float:
    """Return the side of the code itself, without its quiet zone, mm."""
    return size_mm * tags.MODULES / tags.ACROSS


def _sighting(seen: Tagged, plane: Plane) -> Sighting:
    return placed(seen.tag.payload, seen.corners, plane, seen.certainty, seen.how)


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


def _is_tag_sized(unread: Unread, plane: Plane, sizes: Iterable[float]) -> bool:
    """Tell whether the outline of what could not be read is about a square of a size that a tag has."""
    mm = plane.to_mm(np.array(unread.corners, dtype=np.float64))
    sides = np.linalg.norm(np.roll(mm, -1, axis=0) - mm, axis=1)
    usual = [_side(size) for size in sizes]
    return bool(sides.max() < SQUARE * sides.min() and min(usual) < SQUARE * sides.max() < SQUARE**2 * max(usual))


def _apart(unread: Iterable[Unread]) -> list[Unread]:
    """Return each place once, however many ways of reading failed there."""
    kept: list[Unread] = []
    for each in unread:
        if not any(_same_place(each.corners, other.corners) for other in kept):
            kept.append(each)
    return kept


def _single(found: Sequence[Sighting], known: Iterable[str]) -> tuple[list[Sighting], list[Sighting]]:
    """Return the tags that were seen once, and those that were seen in more places than one."""
    counts = Counter(each.payload for each in found) + Counter(known)
    single = [each for each in found if counts[each.payload] == 1]
    return single, [each for each in found if counts[each.payload] > 1]


def _doubted(doubles: Iterable[Sighting], entries: Mapping[str, tags.Entry]) -> list[Unread]:
    return [_double(entries[each.payload].id, each.corners) for each in doubles]


def _double(piece: str, corners: tuple[Point, ...] = ()) -> Unread:
    return Unread("double", f"{piece} is seen in more places than one: none of them counts.", corners, piece)


def _undecided(codes: Codes) -> list[Unread]:
    disputed = [
        Unread("disagree", DISAGREE, _points(code)) for code in codes.disputed if code.how == codes.disputed[0].how
    ]
    blurred = [Unread("unknown", UNKNOWN, _points(corners)) for corners in codes.unread]
    return [*disputed, *blurred]


def _doubtful(recognised: Reading, plane: Plane, size_mm: float) -> list[Unread]:
    """Return the places at which recognition saw something like a tag, as squares of a tag's size."""
    half = _side(size_mm) / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return [
        Unread(
            each.reason if each.reason in REASONS else "unknown",
            REASONS.get(each.reason, UNKNOWN),
            _points(plane.to_px(square + np.array((each.x, each.y)))),
        )
        for each in recognised.unreadable
    ]


def _washed_out(
    grey: Grey, plane: Plane, read: Sequence[Sighting], patterns: Mapping[str, tags.Pattern], faces: Sequence[Array]
) -> list[Unread]:
    """Return the spots of mirrored light beside what was read: a tag may lie under them."""
    prints = [print_of(grey, np.array(each.corners), patterns[each.payload]) for each in read[:ENOUGH_PRINTS]]
    papers = [each.light for each in prints if each is not None]
    if not papers:
        return []
    boxes = spots(grey, plane, float(np.median(papers)))
    return [Unread("washed-out", WASHED_OUT, _points(box)) for box in boxes if not on_faces(plane.to_mm(box), faces)]


def _tagless(
    colour: Colour, plane: Plane, read: Sequence[Sighting], game: Game, faces: Sequence[Array]
) -> list[Unread]:
    """Return what lies in the seats' areas and shows no tag."""
    zones = game.table.zones(max(game.seat_range)) if game.table is not None else ()
    poses = marker_poses(read, zones)
    found = []
    for zone in (zone for zone in zones if zone.shape == "columns" and zone.name in poses):
        left, top, right, bottom = zone.area
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        area = np.array([poses[zone.name].table(x, y) for x, y in corners])
        found += [Unread("no-tag", NO_TAG, _points(plane.to_px(box))) for box in things(colour, plane, area, faces)]
    return found


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
