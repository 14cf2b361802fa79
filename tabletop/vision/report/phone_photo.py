"""Reads photographs from phones, given as bytes, and draws small pictures of what was recognised.

A photograph itself is discarded as soon as it is read; only a smaller one without its metadata (EXIF) is kept.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from tabletop.messages import Message
from tabletop.rules.game import Game
from tabletop.rules.layout import Columns, Layout, Spread
from tabletop.rules.table import Zone
from tabletop.vision.decode.decode import decode
from tabletop.vision.geometry.zones import TABLE_ZONE, arrange, marker_poses, seats_of
from tabletop.vision.image.load import Picture, open_picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import PhotoReading, read_photo
from tabletop.vision.report.canvas import jpeg
from tabletop.vision.report.marked_photo import marked
from tabletop.vision.report.score_picture import ScorePicture
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.score import Score, score
from tabletop.vision.score.seats.zone_views import unread_zones, zones_shown_whole
from tabletop.vision.score.tally import Tally
from tabletop.vision.tags import payloads

PHOTO_NAME = "The photograph"
KEPT_SIDE_PX = 2800
"""Longer side of the picture that is kept of a photograph, px."""
JPEG_QUALITY = 82


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photograph that was read: a smaller, upright JPEG of it, and the reading of the full-size one."""

    jpeg: bytes
    reading: PhotoReading


@dataclass(frozen=True, slots=True, eq=False)
class Understood:
    """The reading of photographs, for people to confirm.

    ``pictures`` are JPEGs with everything drawn in, ``doubts`` are sentences, each with the number of its photograph
    from 0; a number in a picture is that of its sentence, from 1, among those of that photograph.
    ``layout`` contains the zones that are completely visible, ``unsure`` names those in which something cannot be read.
    ``score`` is the answer of ``tabletop score`` if a score was requested; ``named`` are the seats whose cards are
    seen, ``carriers`` the pieces on which others stand, as stated or seen.  The ``shots`` are to be passed back as
    ``before`` with the next photograph.
    """

    pictures: tuple[tuple[int, bytes], ...]
    pieces: tuple[str, ...]
    doubts: tuple[tuple[int, str], ...] = ()
    layout: Layout = field(default_factory=lambda: Layout({}))
    unsure: frozenset[str] = frozenset()
    score: dict[str, Any] | None = None
    named: frozenset[int] = frozenset()
    carriers: frozenset[str] = frozenset()
    shots: tuple[Shot, ...] = ()


class TableTally(Tally):
    """The tally of a table in the middle of a game: no piece scores, and pieces in any zone count."""

    everywhere = True


def pieces_of(data: bytes, kit: Kit) -> Understood:
    """Return the pieces in a photograph, wherever they lie.

    This and the following functions raise PictureError (a ValueError) with a sentence if the bytes are not a usable
    picture.
    """
    shot, small = _taken(data, kit, Tally(), any_set=False)
    return _understood(small, shot.reading, kit.game, shot.reading.unread, markers=False)


def table_of(data: bytes, kit: Kit, seats: int) -> Understood:
    """Return the contents of the zones whose cards a photograph shows, on a table for that many seats."""
    shot, small = _taken(data, kit, TableTally(), any_set=False)
    game = kit.game
    reading, zones = shot.reading, game.table.zones(seats) if game.table is not None else ()
    poses = marker_poses(reading.sightings, zones)
    whole, unsure = zones_shown_whole(reading.plane, zones, poses), unread_zones(reading, zones, poses)
    doubts = [*reading.unread, *(_cut_off(zone) for zone in zones if zone.name in poses.keys() - whole)]
    if any(not unread.corners for unread in reading.unread):
        unsure |= whole  # a tag that is seen twice may belong to any of them
    arranged = arrange(reading.sightings, zones, kit)
    layout = Layout({name: arranged[name] for name in arranged if name in whole})
    return _understood(small, reading, game, doubts, layout, frozenset(unsure - {TABLE_ZONE}))


def _cut_off(zone: Zone) -> Unreadable:
    """Return the doubt about a zone that is not completely visible."""
    text = Message("Not all of “{zone}” can be seen well: nothing there counts.", zone=zone.title)
    return Unreadable(Cause.CUT_OFF, text)


def score_of(
    data: bytes, kit: Kit, tally: Tally, before: Sequence[Shot] = (), called: Mapping[str, str] | None = None
) -> Understood:
    """Return the score from a photograph of the final table, together with the photographs ``before`` it.

    ``called``: piece → what people call it, in the pictures.
    """
    last, small = _taken(data, kit, tally)
    return scored_again((*before, last), kit.game, tally, called, small)


def scored_again(
    shots: Sequence[Shot],
    game: Game,
    tally: Tally,
    called: Mapping[str, str] | None = None,
    last: Picture | None = None,
) -> Understood:
    """Return the score from photographs that were read before; ``last`` is the last one's picture, if it is at hand."""
    scored = score([shot.reading for shot in shots], game, tally)
    pictures = tuple(
        (number, jpeg(panel, JPEG_QUALITY))
        for number, shot in enumerate(shots)
        for panel in ScorePicture(
            last if last is not None and shot is shots[-1] else open_picture(io.BytesIO(shot.jpeg), PHOTO_NAME),
            *(shot.reading, scored, number, game, tally),
            bare=True,
            called=called,
        ).panels()
    )
    pieces = {piece for shot in shots for piece in _pieces(shot.reading, game)}
    doubts = tuple((number, unread.message) for number, unread in scored.unread)
    layout = Layout({f"{tally.zones[0]}{seat.seat}": _built(scored, seat.seat, tally) for seat in scored.seats})
    named = frozenset(seat for shot in shots for seat in _named(shot.reading, game, tally))
    return Understood(
        pictures,
        tuple(sorted(pieces)),
        tuple(dict.fromkeys(doubts)),
        layout,
        score=scored.to_json(),
        named=named,
        carriers=scored.carriers,
        shots=tuple(shots),
    )


def _named(reading: PhotoReading, game: Game, tally: Tally) -> list[int]:
    """Return the seats whose cards are seen."""
    zones = game.table.zones(max(game.seat_range)) if game.table is not None else ()
    poses = marker_poses(reading.sightings, zones)
    owners = seats_of(zones, tally.zones)
    return sorted({owners[zone] for zone in poses if zone in owners})


def _taken(data: bytes, kit: Kit, tally: Tally, *, any_set: bool = True) -> tuple[Shot, Picture]:
    """Return a photograph that was read, and the smaller picture that is kept of it, to draw on.

    ``any_set``: it may show another set than the kit's, which is the one at the table.
    """
    picture = open_picture(io.BytesIO(data), PHOTO_NAME)
    # People are waiting: the second decoder reads only places that the first one found but could not read.
    codes = decode(picture.grey, codes=payloads.codes_of(kit.game))
    reading = read_photo(picture, kit, codes, tally, any_set=any_set)
    height, width = picture.grey.shape
    factor = min(1.0, KEPT_SIDE_PX / max(height, width))
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    grey, colour = (
        cv2.resize(channel, size, interpolation=cv2.INTER_AREA) for channel in (picture.grey, picture.colour)
    )
    encoded = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    return Shot(encoded, reading), Picture(PHOTO_NAME, np.asarray(grey, np.uint8), np.asarray(colour, np.uint8))


def _understood(
    small: Picture,
    reading: PhotoReading,
    game: Game,
    doubts: Sequence[Unreadable],
    layout: Layout = Layout({}),  # noqa: B008 - a value
    unsure: frozenset[str] = frozenset(),
    *,
    markers: bool = True,
) -> Understood:
    said = dict.fromkeys(unread.message for unread in doubts)
    said |= dict.fromkeys(reading.notes)
    picture = jpeg(marked(small, reading, game, doubts, markers=markers), JPEG_QUALITY)
    return Understood(((0, picture),), _pieces(reading, game), tuple((0, text) for text in said), layout, unsure)


def _pieces(reading: PhotoReading, game: Game) -> tuple[str, ...]:
    """Return the ids of the game's pieces that were read, sorted; markers and foreign codes are left out."""
    pieces = {payloads.piece_of(game, sighting.payload) for sighting in reading.sightings}
    return tuple(sorted(piece for piece in pieces if piece is not None))


def _built(found: Score, number: int, tally: Tally) -> Columns | Spread:
    """Return what a seat has built as an arrangement without places."""
    groups = [group.tiles for seat in found.seats if seat.seat == number for group in seat.palazzi]
    if tally.directed:
        return Columns(frozenset(groups))
    return Spread(frozenset(piece for group in groups for piece in group))
