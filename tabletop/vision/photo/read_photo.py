"""Reads the tags in still pictures and places them in mm, with or without table markers, by every way of reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tabletop.messages import N_, Message, PieceRef
from tabletop.vision.decode.decode import Codes, DecodedTag, decode
from tabletop.vision.decode.tag_decoder import Decoded
from tabletop.vision.detect.detection import Detection, sighting
from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.other_sets import TAG_SIDES_MM, OtherSets, set_at
from tabletop.vision.detect.scale_search import UnnamedTags, true_side
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.outlines import outlines
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.zones import of_kind, seat_areas
from tabletop.vision.image.darkness import SENTENCES, blindness
from tabletop.vision.image.load import Picture, give_back
from tabletop.vision.kit import Kit
from tabletop.vision.photo.closer_look import CloserLook, look_closer
from tabletop.vision.photo.doubts import find_doubts, undecided, unrecognised
from tabletop.vision.photo.hidden_seats.blurred_places import blurred_places
from tabletop.vision.photo.hidden_seats.covered_markers import covered_markers
from tabletop.vision.photo.hidden_seats.lens_covers import lens_covers
from tabletop.vision.photo.hidden_seats.painted_over import painted_over
from tabletop.vision.photo.hidden_seats.tag_remnants import covered_pieces, covered_tags, cut_off_tags
from tabletop.vision.photo.hidden_seats.unmarked_cards import unmarked_cards
from tabletop.vision.photo.lost_tags import find_lost
from tabletop.vision.photo.montage import put_together
from tabletop.vision.photo.odd_sizes import of_odd_sizes
from tabletop.vision.photo.photo_contents import CountedPieces, PhotoContents, counted_areas, is_near
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause, Point, Sighting, Unreadable, corner_points
from tabletop.vision.tags import catalogue, payloads
from tabletop.vision.tags.payloads import is_marker, marker_of

MIRRORED = Message("The picture is mirrored, so its tags do not count; turn off mirroring in the camera's settings.")
SOME_MIRRORED = N_("Tags that are mirrored, or do not look like what they say, do not count ({count}).")
MAX_SCALE_ERROR = 0.07
"""Largest relative error of the printed scale; if the pieces' tags differ by more from the expected size, they have
another size."""
TAGLESS_REASONS = frozenset({Cause.NO_TAG, Cause.UNKNOWN})
"""Reasons of doubts about places where a piece may lie whose tag was not found."""
OTHER_CARD = Message(
    "The set letter on this card is not that of the pieces, so it shows no seat: use one set for both."
)
OTHER_PIECE = Message("This piece is from a different set than most, so it does not count: swap it for the right one.")
NOTHING_READ = Message("No tag of this game can be read in this picture: go closer, hold still, and check the light.")


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """The result of reading one game in a still picture."""

    sightings: tuple[Sighting, ...]
    plane: Plane | None
    unread: tuple[Unreadable, ...] = ()
    foreign: int = 0
    notes: tuple[Message, ...] = ()
    letter: str = ""
    """The letter of the set that was searched for."""
    make: str = ""
    """The make of the pieces that were searched for, empty for the game's first."""
    side: float = catalogue.TAG_MM
    """The side of the pieces' tags on the plane, mm."""
    unnamed: tuple[Unreadable, ...] = ()
    """Places that look like a tag of that side but match none of the set."""
    unnamed_tags: UnnamedTags | None = None
    """Such places if hardly any tag of the set was found, on the plane that shows most of them."""
    likely: tuple[Sighting, ...] = ()
    """Tags that are not sure enough to be among the sightings."""
    covered: frozenset[str] = frozenset()
    """Markers of seats that were not read but are partly visible, without the set's letter."""
    shrunk: ShrunkPicture | None = field(default=None, compare=False, repr=False)
    """The picture, shrunk, if it is scored, to compare it with other pictures of the table."""
    nothing_read: bool = False
    """Whether no tag of the game was read, although the picture is neither dark nor blurred."""

    @property
    def sentences(self) -> tuple[Message, ...]:
        """The sentences about the whole picture."""
        return (*self.notes, NOTHING_READ) if self.nothing_read else self.notes


def read_photo(
    picture: Picture,
    kit: Kit,
    codes: Codes | None = None,
    tally: CountedPieces | None = None,
    *,
    any_set: bool = True,
    earlier: UnnamedTags | None = None,
) -> PhotoReading:
    """Return the sightings of a kit's pieces and markers in a still picture, each at most once.

    Decoders read first; the plane is fitted to what they read (every tag is a square of known size, so no marker is
    needed), and the rest is recognised on it.  The kit is the expected one: relative to markers another scale may be
    found, and with ``any_set`` the set of most tags.  A tag that is seen in two places does not count.  ``codes``: what
    the decoders read, if known.  ``tally``: how the game is scored; things that may count but cannot be read are then
    included in ``unread``.  ``earlier``: what a reading of the same picture for another game or set left unnamed.
    """
    if codes is None:
        codes = decode(picture.grey, thorough=True, codes=payloads.codes_of(kit.game))
    if codes.mirrored > len(codes.tags):
        return PhotoReading((), None, (), len(codes.foreign), (*codes.notes, *mirrored(codes)))
    attempt, detection = _best_attempt(picture.grey, kit, codes, any_set, earlier)
    if detection.plane is None:
        return _without_plane(picture.grey, attempt, detection)
    return _on_plane(picture, attempt, detection, detection.plane, tally)


def _best_attempt(
    grey: Grey, kit: Kit, codes: Codes, any_set: bool, earlier: UnnamedTags | None
) -> tuple[_Attempt, Detection]:
    """Return the attempt and the detection with the set (if it may be any) and the scale that fit the picture best."""
    letter = _set_of(codes.tags, kit) if any_set else kit.letter
    attempt = _Attempt(grey, replace(kit, letter=letter), codes)
    detection = attempt.detected(earlier)
    if any_set and not any(each.tag.game == kit.game.tag for each in codes.tags) and detection.unnamed is not None:
        named = set_at(detection.unnamed, grey, [kit.game], kit.tag_mm)
        letter = named[1] if named is not None else letter
    if letter != attempt.kit.letter:
        attempt = _Attempt(grey, replace(kit, letter=letter), codes)
        detection = attempt.detected(detection.unnamed)
    other = attempt.other_scale(detection)
    if other is not None:
        attempt = _Attempt(grey, replace(attempt.kit, scale=other), codes)
        detection = attempt.detected()
    return attempt, detection


def _without_plane(grey: Grey, attempt: _Attempt, detection: Detection) -> PhotoReading:
    """Return the reading of a picture in which too little was read for a plane."""
    kit, codes, why = attempt.kit, attempt.codes, blindness(grey)
    unnamed = unrecognised(detection.unnamed.places, detection.unnamed.plane, kit.tag_mm) if detection.unnamed else ()
    return PhotoReading(
        (),
        None,
        (*undecided(codes), *_cards_of_other_sets(codes, kit)),
        len(codes.foreign),
        (*_notes(codes, kit.entries), *([SENTENCES[why]] if why else [])),
        kit.letter,
        kit.make,
        unnamed=tuple(unnamed),
        unnamed_tags=detection.unnamed,
        nothing_read=not why,
    )


def _on_plane(
    picture: Picture, attempt: _Attempt, detection: Detection, plane: Plane, tally: CountedPieces | None
) -> PhotoReading:
    """Return the reading of a picture on its plane; with a ``tally``, also search for what else may count."""
    kit, codes, side = attempt.kit, attempt.codes, attempt.kit.tag_mm * plane.scale
    sightings = (*detection.sightings, *attempt.of_other_sides(detection, side))
    unmatched = unrecognised(detection.unreadable, plane, kit.tag_mm)
    disputed, unnamed = (
        [doubt for doubt in unmatched if (doubt.reason == Cause.DISAGREE) == wanted] for wanted in (True, False)
    )
    unread = [*(_double(kit.entries[each.payload].id, each.corners) for each in detection.doubled), *disputed]
    shrunk, closer, covered = None, CloserLook(), frozenset[str]()
    if tally is not None:
        contents = PhotoContents(picture, kit, plane, [*sightings, *detection.doubled], tally)
        contents, closer, doubts = _search_again(attempt, contents, [*undecided(codes), *unnamed])
        give_back()
        shrunk = ShrunkPicture.of(picture.colour, plane, contents.faces(), contents.cards(), contents.white())
        covered, parts = attempt.covered(contents, shrunk)
        parts += [*covered_pieces(contents, attempt.codes_read()), *blurred_places(contents, shrunk)]
        parts += [*lens_covers(contents, shrunk), *painted_over(contents, shrunk)]
        sightings = tuple(each for each in contents.sightings if each not in detection.doubled)
        odd = of_odd_sizes(sightings, plane, kit)
        sightings = tuple(each for each in sightings if each not in odd)
        unread += [*doubts, *parts, *odd.values(), *_pieces_of_other_sets(codes, contents)]
        unread += put_together(picture, contents.sightings)
    return PhotoReading(
        sightings,
        plane,
        (*unread, *_cards_of_other_sets(codes, kit)),
        len(codes.foreign),
        _notes(codes, kit.entries),
        kit.letter,
        kit.make,
        side,
        tuple(unnamed),
        detection.unnamed,
        closer.likely,
        covered,
        shrunk,
    )


def _search_again(
    attempt: _Attempt, contents: PhotoContents, like_tags: Sequence[Unreadable]
) -> tuple[PhotoContents, CloserLook, list[Unreadable]]:
    """Search again where pieces count; return the contents with new tags, the closer look, and the doubts.

    ``like_tags``: places that look like a tag.
    """
    closer = look_closer(
        attempt.detector, contents.picture.grey, contents.plane, contents.sightings, counted_areas(contents)
    )
    contents = replace(contents, sightings=[*contents.sightings, *closer.sure])
    attempt.detector.forget_maps(contents.plane)
    give_back()
    doubts = find_doubts(contents, like_tags)
    if lost := attempt.lost(contents, doubts):
        contents = replace(contents, sightings=[*contents.sightings, *lost])
        closer = closer.without(lost)
        doubts = find_doubts(contents, like_tags)
    return contents, closer, doubts


class _Attempt:
    """One attempt to read the tags of a kit in a picture."""

    def __init__(self, grey: Grey, kit: Kit, codes: Codes) -> None:
        self.grey, self.kit, self.codes = grey, kit, codes
        self.detector = Detector(kit.patterns, kit.sides)
        self.ours = [seen for seen in codes.tags if seen.tag.payload in kit.entries]

    def detected(self, earlier: UnnamedTags | None = None) -> Detection:
        """Return the detection, starting from the decoded tags, or from what another attempt left unnamed."""
        # Decoded codes of others explain tag-like places.
        foreign = [each.corners for each in self.codes.tags if each.tag.payload not in self.kit.entries]
        foreign += [code.corners for code in self.codes.foreign]
        decoded = Decoded(tuple(self.ours), tuple(foreign))
        return self.detector.detect(self.grey, decoded=decoded, photo=True, earlier=earlier)

    def codes_read(self) -> list[Array]:
        """Return the corners, px, of all decoded codes, of this game or not."""
        return [*(each.corners for each in self.codes.tags), *(each.corners for each in self.codes.foreign)]

    def lost(self, seen: PhotoContents, doubts: Sequence[Unreadable]) -> tuple[Sighting, ...]:
        """Return sure tags of pieces that count, found on things without a visible tag or among cards."""
        company = [member for member, _ in of_kind(seen.sightings, self.kit.game, seen.tally.kind)]
        if not company:
            return ()
        outlines = [seen.plane.to_mm(np.array(each.corners)) for each in doubts if each.reason in TAGLESS_REASONS]
        # Nothing counts outside the visible zones, for example on a chequered cloth.
        zones = seen.cards()
        outlines = [each for each in outlines if not zones or any(is_near(zone, each.mean(axis=0)) for zone in zones)]
        around = not seen.tally.apart
        return find_lost(self.detector, self.grey, seen.plane, seen.sightings, company, outlines, around=around)

    def covered(self, seen: PhotoContents, shrunk: ShrunkPicture) -> tuple[frozenset[str], list[Unreadable]]:
        """Return the markers of seats that are only partly visible, and doubts about things that may be another seat's.

        Such things are a corner of a tag, a card without its marker, and a tag that the edge of the picture cuts off.
        """
        recogniser = self.detector.recogniser(catalogue.MARKER_MM)
        seats = {zone.marker for zone in seat_areas(seen.zones, seen.tally.zones).values()}
        patterns = {payload: pattern for payload, pattern in self.kit.patterns.items() if is_marker(payload)}
        read = [each for each in seen.sightings if is_marker(each.payload)]
        wanted = {payload for payload in patterns if marker_of(payload) in seats} - {each.payload for each in read}
        if recogniser is None or not wanted:
            return frozenset(), []
        found = covered_markers(recogniser, self.grey, seen.plane, patterns, read, wanted, seen.white())
        named = frozenset(filter(None, map(marker_of, found.keys() & wanted)))
        tags = covered_tags(seen, [*found.values()], self.codes_read())
        places = [*found.values(), *(seen.plane.to_mm(np.array(each.corners)).mean(axis=0) for each in tags)]
        return named, [*tags, *cut_off_tags(seen, self.codes_read()), *unmarked_cards(seen, shrunk, places)]

    def other_scale(self, recognised: Detection) -> float | None:
        """Return the scale of the pieces' tags relative to the markers, None if it is the expected one or unknown."""
        plane = recognised.plane
        if plane is None or not any(is_marker(each.payload) for each in recognised.sightings):
            return None
        if any(not is_marker(each.tag.payload) for each in self.ours):
            return self.kit.scale * plane.scale if abs(plane.scale - 1) > MAX_SCALE_ERROR else None
        if any(not is_marker(each.payload) for each in recognised.sightings):
            return None
        recogniser = self.detector.recogniser(self.kit.tag_mm)
        side = None if recogniser is None else true_side(recogniser, self.grey, plane)
        return None if side is None else self.kit.scale * side / self.kit.tag_mm

    def of_other_sides(self, recognised: Detection, side: float) -> list[Sighting]:
        """Return the pieces whose tags do not have the usual ``side``, mm, at places where nothing else was read."""
        plane = recognised.plane
        if plane is None:
            return []
        strange = [
            sighting(each.tag.payload, plane.to_mm(each.corners), plane, each.certainty, each.how)
            for each in self.codes.tags
        ]
        read = [*recognised.sightings, *recognised.doubled]
        look = OtherSets(self.grey, plane, [*read, *strange], side, self._full_faces(read))
        recogniser = self.detector.recogniser(self.kit.tag_mm)
        if recogniser is not None:
            look.of_other_sides(recogniser)
        return look.found

    def _full_faces(self, read: Sequence[Sighting]) -> list[Array]:
        """Return the outlines (4, 2), mm, of pieces without room for a second tag."""
        full = {
            kind
            for kind, size in self.kit.sizes.items()
            if max(size.width / 2 + abs(size.tag_x), size.height / 2 + abs(size.tag_y)) - size.tag / 2
            < TAG_SIDES_MM[-1]
        }
        return outlines([lying for lying in read if self.kit.entries[lying.payload].kind in full], self.kit)


def _set_of(seen: Sequence[DecodedTag], kit: Kit) -> str:
    """Return the set letter of most decoded pieces of the game, or else of most markers, or else the kit's."""
    pieces = [each.tag.set for each in seen if each.tag.game == kit.game.tag]
    letters = Counter(pieces or [each.tag.set for each in seen if is_marker(each.tag.payload)] or [kit.letter])
    return min(letters, key=lambda letter: (-letters[letter], letter != kit.letter, letter))


def _cards_of_other_sets(codes: Codes, kit: Kit) -> list[Unreadable]:
    """Return a doubt for each marker of the game's table without the letter of the pieces, which shows no seat."""
    return [
        Unreadable(Cause.HIDDEN_SEAT, OTHER_CARD, corner_points(each.corners))
        for each in codes.tags
        if is_marker(each.tag.payload) and each.tag.set != kit.letter
        if each.tag._replace(set=kit.letter).payload in kit.entries
    ]


def _pieces_of_other_sets(codes: Codes, seen: PhotoContents) -> list[Unreadable]:
    """Return a doubt for each piece of another set that would count where it lies: two pieces may have been swapped."""
    areas, entries = counted_areas(seen), seen.kit.entries
    return [
        Unreadable(Cause.UNKNOWN, OTHER_PIECE, corner_points(each.corners))
        for each in codes.tags
        if each.tag.payload not in entries
        if (own := entries.get(each.tag._replace(set=seen.kit.letter).payload)) and own.kind == seen.tally.kind
        if any(is_near(area, seen.plane.to_mm(each.corners).mean(axis=0)) for area in areas)
    ]


def seen_twice(piece: str) -> Message:
    """Return the sentence that a piece, given by id or payload, can be seen in several places."""
    return Message("{piece} can be seen in more than one place: none of them counts.", piece=PieceRef(piece))


def _double(piece: str, corners: tuple[Point, ...]) -> Unreadable:
    return Unreadable(Cause.DOUBLE, seen_twice(piece), corners, piece)


def mirrored(codes: Codes) -> tuple[Message, ...]:
    """Return the sentence about mirrored tags, all or some of a picture's, if there are any."""
    if not codes.mirrored:
        return ()
    return (MIRRORED if codes.mirrored > len(codes.tags) else Message(SOME_MIRRORED, count=codes.mirrored),)


def _notes(codes: Codes, entries: Mapping[str, catalogue.Entry]) -> tuple[Message, ...]:
    notes = [*codes.notes, *mirrored(codes)]
    strange = sorted(seen.tag.payload for seen in codes.tags if seen.tag.payload not in entries)
    if strange:
        notes.append(Message("Left out because they are not from this game and set: {pieces}.", pieces=tuple(strange)))
    if codes.foreign:
        notes.append(
            Message.plural(
                "Another code is in the picture and is left out.",
                "{count} other codes are in the picture and are left out.",
                len(codes.foreign),
            )
        )
    return tuple(notes)
