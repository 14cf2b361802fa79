"""Makes the report of ``tabletop read`` about one picture, as plain data."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.messages import Message
from tabletop.rules.game import Game
from tabletop.vision.decode.decode import MIN_CODES, Codes, decode
from tabletop.vision.detect.detection import sighting
from tabletop.vision.detect.other_sets import OtherSets, pieces, set_at, sets_beside, tags_of_games
from tabletop.vision.errors import PictureError
from tabletop.vision.geometry.plane import Array, print_notice
from tabletop.vision.image.darkness import SENTENCES, blindness
from tabletop.vision.image.load import Picture, open_picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.doubts import DISAGREE
from tabletop.vision.photo.read_photo import PhotoReading, mirrored, read_photo, seen_twice
from tabletop.vision.scene import Cause, ReadBy, Sighting
from tabletop.vision.tags import payloads
from tabletop.vision.tags.catalogue import markers
from tabletop.vision.tags.payloads import Tag, is_marker, marker_of

NO_TAG = Message("No tag of this set can be read in this picture: go closer, hold still, and check the light.")
MAX_DOUBTFUL_CERTAINTY = 0.5
"""Highest certainty of a tag that is seen in more than one place."""
Ids = Mapping[tuple[str, str], str]


def read_file(path: str | Path, ids: Ids, games: Sequence[Game]) -> dict[str, Any]:
    """Return the protocol's answer for one picture; ``error`` is a sentence if the picture cannot be opened.

    ``ids``: the id of each known piece (``payloads.ids``); codes that name no known piece are foreign.
    Tags that no decoder reads are recognised if they belong to the game of most decoded tags.
    """
    start = time.perf_counter()
    answer: dict[str, Any] = {
        "image": str(path), "size": None, "ms": 0.0, "tags": [], "foreign": [], "error": None, "notes": [],
    }  # fmt: skip
    try:
        picture = open_picture(path, coloured=False)
    except PictureError as error:
        answer["error"] = str(error)
    else:
        codes = decode(picture.grey)
        game, reading = _reading(picture, codes, games)
        if len(reading.sightings) < MIN_CODES:
            # The second decoder takes the longest, so it is used only if few tags were read.
            thorough = decode(picture.grey, thorough=True)
            if len(thorough.tags) > len(codes.tags):
                game, reading = _reading(picture, thorough, games)
            codes = thorough
        answer |= _decoded(picture, codes, ids)
        more = _others(picture, codes, games, game, reading)
        _add_recognised(answer, picture, replace(reading, sightings=(*reading.sightings, *more)), codes, ids)
    answer["ms"] = round((time.perf_counter() - start) * 1000, 1)
    return answer


def _reading(picture: Picture, codes: Codes, games: Sequence[Game]) -> tuple[Game, PhotoReading]:
    """Return the game of most decoded pieces or markers, or else one that is recognised, and its reading."""
    counts = Counter(seen.tag.game for seen in codes.tags if seen.tag.game != payloads.MARKER)
    if counts:
        game = max(games, key=lambda game: counts[game.tag])
        return game, read_photo(picture, Kit(game), codes)
    # Without any decoded tag, the clear tags of all games are searched for.
    side = Kit(games[0]).tag_mm
    search = None if codes.tags else tags_of_games(picture.grey, games, side)
    if search is not None and not search.found and (named := set_at(search, picture.grey, games, side)):
        # Of a set with a letter, no search for plain sets shows a tag, however faint.
        game, letter = named
        return game, read_photo(picture, Kit(game, letter=letter), codes, any_set=False, earlier=search)
    names = [each.tag.payload for each in codes.tags] if search is None else [*search.found]
    shown = Counter(tag.game for name in names if (tag := payloads.parse(name)))
    # Markers are larger than the tags of pieces, so they may be read alone; games share few of them, if any.
    seen = {marker for name in names if (marker := marker_of(name))}
    game = max(games, key=lambda game: (shown[game.tag], len(seen.intersection(markers(game)))))
    reading = read_photo(picture, Kit(game), codes, any_set=bool(codes.tags), earlier=search)
    if _shows_pieces(reading) or reading.unnamed_tags is None:
        return game, reading
    # Tag-like places that match none of that set are compared with the tags of all sets of all games.
    named = set_at(reading.unnamed_tags, picture.grey, games, Kit(game).tag_mm)
    if named is None:
        return game, reading
    game, letter = named
    return game, read_photo(picture, Kit(game, letter=letter), codes, any_set=False, earlier=reading.unnamed_tags)


def _others(
    picture: Picture, codes: Codes, games: Sequence[Game], game: Game, reading: PhotoReading
) -> Sequence[Sighting]:
    """Return the tags of other sets and games that only recognition reads."""
    plane = reading.plane
    if plane is None:
        return ()
    strange = [
        sighting(each.tag.payload, plane.to_mm(each.corners), plane, each.certainty, each.how) for each in codes.tags
    ]
    look = OtherSets(picture.grey, plane, [*reading.sightings, *strange], reading.side)
    others = {(each.tag.game, each.tag.set) for each in codes.tags} - {(game.tag, reading.letter)}
    for other in games:
        for letter in sorted(letter for code, letter in others if code == other.tag):
            look.of_set(pieces(other, letter))
    look.of_sets(sets_beside(games, game, reading.letter), (np.array(each.corners) for each in reading.unnamed))
    return look.found


def _shows_pieces(reading: PhotoReading) -> bool:
    return any(not is_marker(each.payload) for each in reading.sightings)


def _add_recognised(answer: dict[str, Any], picture: Picture, reading: PhotoReading, codes: Codes, ids: Ids) -> None:
    """Add the tags that only recognition reads, and remove those about which it contradicts the decoders."""
    disputed = [_plain(picture, np.array(each.corners)) for each in reading.unread if each.reason == Cause.DISAGREE]
    sure = [entry for entry in answer["tags"] if entry["corners"] not in disputed]
    if len(sure) < len(answer["tags"]):
        answer["notes"].append(DISAGREE)
    for each in reading.sightings:
        tag = payloads.parse(each.payload)
        if each.how == ReadBy.RECOGNISED and tag is not None:
            sure.append(_tag(tag, _plain(picture, np.array(each.corners)), each.certainty, each.how, ids))
    answer["tags"] = sorted(sure, key=lambda entry: str(entry["payload"]))
    answer["notes"] += _doubts(answer["tags"])
    answer["notes"] += double_notes(answer["tags"], reading)
    if reading.plane is not None and (notice := print_notice(reading.plane)):
        answer["notes"].append(notice)
    if not answer["tags"] and not answer["foreign"] and not codes.mirrored:
        answer["notes"].append(SENTENCES.get(blindness(picture.grey), NO_TAG))


def double_notes(tags: Sequence[dict[str, Any]], reading: PhotoReading) -> Iterator[str]:
    """Iterate over notes on tags that are seen in more places than reported, and lower the tags' certainty."""
    counts = Counter(str(tag["id"]) for tag in tags)
    seen = {
        unread.piece: unread.message
        for unread in reading.unread
        if unread.reason == Cause.DOUBLE and counts[unread.piece] < 2
    }
    for tag in tags:
        if tag["id"] in seen:
            tag["certainty"] = min(tag["certainty"], MAX_DOUBTFUL_CERTAINTY)
    yield from seen.values()


def _doubts(tags: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Iterate over notes on tags that were read twice or are of several sets; lower the certainty of the former."""
    counts = Counter(str(tag["payload"]) for tag in tags)
    twice = [tag for tag in tags if counts[str(tag["payload"])] > 1]
    for tag in twice:
        tag["certainty"] = min(tag["certainty"], MAX_DOUBTFUL_CERTAINTY)
    yield from map(seen_twice, sorted({str(tag["id"] or tag["payload"]) for tag in twice}))
    sets = sorted({payload.partition(":")[0] for payload in counts} - {payloads.MARKER})
    letters = {payload.partition(":")[0][2:] for payload in counts}
    if len(sets) > 1 or len(letters) > 1:
        seen = sorted({payload.partition(":")[0] for payload in counts})
        yield f"Tags of several games or sets are in the picture: {', '.join(seen)}."


def _tag(tag: Tag, corners: list[list[float]], certainty: float, how: ReadBy, ids: Ids) -> dict[str, Any]:
    """Return the report of one tag; its id is None if it names no known piece."""
    return {
        "id": tag.piece if tag.game == payloads.MARKER else ids.get((tag.game, tag.piece)),
        "set": tag.set,
        "payload": tag.payload,
        "corners": corners,
        "certainty": round(certainty, 3),
        "how": str(how),
    }


def _decoded(picture: Picture, codes: Codes, ids: Ids) -> dict[str, Any]:
    seen, foreign = [], [{"text": code.text, "corners": _plain(picture, code.corners)} for code in codes.foreign]
    for found in codes.tags:
        entry = _tag(found.tag, _plain(picture, found.corners), found.certainty, found.how, ids)
        if entry["id"] is None:
            foreign.append({"text": found.tag.payload, "corners": entry["corners"]})
        else:
            seen.append(entry)
    notes = [*codes.notes, *mirrored(codes)]
    if codes.disputed:
        notes.append(
            Message("In {count} places the readers disagree: nothing there counts.", count=len(codes.disputed) // 2)
        )
    return {
        "size": list(picture.file_size),
        "tags": seen,
        "foreign": foreign,
        "notes": notes,
    }


def _plain(picture: Picture, corners: Array) -> list[list[float]]:
    """Return corners in px of a picture as they are reported, in px of the file."""
    return [[round(float(x), 2), round(float(y), 2)] for x, y in picture.in_file(corners)]
