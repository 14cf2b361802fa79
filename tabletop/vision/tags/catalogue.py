"""What our tags say and look like: payloads, which piece each names, and the module pattern of each.

A payload is ``<game><set>:<piece>`` in capitals: ``PZ:B3.2``, ``PZB:R5A`` (set B), ``TT:Q1`` (a table marker).  A ``/``
and filler may follow that carries nothing: filler and mask are chosen so that the patterns of a set differ as much as
they can (:mod:`tabletop.vision.tags.choose_patterns`); the choice is data in ``data/``.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple, TypeAlias

import numpy as np
import segno
from numpy.typing import NDArray

from tabletop.rules.game import Game

Pattern: TypeAlias = NDArray[np.bool_]
"""The modules of one tag as one reads it, (21, 21), True where dark, without the quiet zone."""

MODULES = 21
"""Modules along a side of a version-1 code."""
QUIET = 2
"""Modules of quiet zone on each side; a tag's size includes them."""
ACROSS = MODULES + 2 * QUIET
"""Modules along a side of a whole tag: 20 mm are 25 modules of 0.8 mm."""
CAPACITY = 10
"""Alphanumeric characters that a version-1 code of level H holds."""

TAG_MM = 20.0
"""The side of a piece's tag unless it was printed at another size."""
MARKER_MM = 40.0
"""The side of a table marker, whatever the size of the pieces' tags."""

MARKER = "TT"
"""What the payload of a table marker begins with, whatever the game."""
CODES = frozenset({"PZ", "PP", "PA", MARKER})
"""What payloads begin with; a game from elsewhere adds its own."""
SETS = ("", *string.ascii_uppercase)

_GRAMMAR = re.compile(r"([A-Z]{2})([A-Z]?):([A-Z0-9.]+)(?:/[0-9A-Z $%*+\-./:]*)?")


class Tag(NamedTuple):
    """What a payload says: the game's two letters, the set letter or nothing, the piece in capitals."""

    game: str
    set: str
    piece: str

    @property
    def payload(self) -> str:
        """The payload without filler: the name under which a tag goes everywhere."""
        return f"{self.game}{self.set}:{self.piece}"


class Entry(NamedTuple):
    """One tag of a game's set: the piece it is stuck on, or the table marker."""

    id: str
    """The piece's id as the rules write it (``R5a``), a marker's name without its prefix (``Q1``)."""
    payload: str
    kind: str
    """The piece's kind, or ``marker``."""
    size_mm: float
    """The side of the printed tag, quiet zone included."""


class TagEncoding(NamedTuple):
    """How a payload is printed: the whole text of the code, and its mask 0-7 (None: the encoder's choice)."""

    text: str
    mask: int | None


def parse(text: str, codes: Iterable[str] = CODES) -> Tag | None:
    """Return what a code's text says, or None where it is not one of our payloads (a foreign code)."""
    match = _GRAMMAR.fullmatch(text)
    if match is None or len(text) > CAPACITY or match[1] not in codes:
        return None
    return Tag(match[1], match[2], match[3])


def codes_of(game: Game) -> frozenset[str]:
    """Return what the payloads at a table of this game may begin with."""
    return CODES | {game.tag}


def payload_of(game: Game, piece: str, set_letter: str = "") -> str:
    """Return the payload of a piece: ``R5a`` of Palazzo is ``PZ:R5A``.  Raises KeyError for a piece of no such id."""
    return Tag(game.tag, set_letter, game.pieces[piece].id.upper()).payload


def piece_of(game: Game, payload: str) -> str | None:
    """Return the id of the game's piece that a payload names, None for markers, other games and unknown pieces."""
    tag = parse(payload, codes_of(game))
    if tag is None or tag.game != game.tag:
        return None
    return next((piece for piece in game.pieces if piece.upper() == tag.piece), None)


def ids(games: Iterable[Game]) -> dict[tuple[str, str], str]:
    """Return (game letters, piece in capitals) → piece id for every piece of the games."""
    return {(game.tag, piece.upper()): piece for game in games for piece in game.pieces}


def marker_of(payload: str) -> str | None:
    """Return the zone marker that a payload names, without its set letter (``TT:Q1``), None for all others."""
    tag = parse(payload)
    return f"{MARKER}:{tag.piece}" if tag is not None and tag.game == MARKER else None


def markers(game: Game) -> list[str]:
    """Return the payloads (no set letter) of the markers on the game's largest table, in the order of its zones."""
    if game.table is None:
        return []
    return [zone.marker for zone in game.table.zones(max(game.seat_range))]


def catalogue(game: Game, set_letter: str = "", size_mm: float = TAG_MM) -> dict[str, Entry]:
    """Return every tag of a game's set by payload: its pieces, then the markers of its table.

    ``size_mm`` is the side of the pieces' tags; markers are always 40 mm.
    """
    entries = [
        Entry(piece.id, payload_of(game, piece.id, set_letter), piece.kind, size_mm) for piece in game.pieces.values()
    ]
    for marker in markers(game):
        name = marker.partition(":")[2]
        entries.append(Entry(name, Tag(MARKER, set_letter, name).payload, "marker", MARKER_MM))
    return {entry.payload: entry for entry in entries}


def patterns(game: Game, set_letter: str = "") -> dict[str, Pattern]:
    """Return the pattern of every tag of a game's set by payload, its table markers included."""
    return {payload: pattern(payload) for payload in catalogue(game, set_letter)}


def pattern(payload: str) -> Pattern:
    """Return how a tag looks, (21, 21), True where dark.  Raises ValueError for what a tag cannot hold."""
    look = look_of(payload)
    return encode(look.text, look.mask)


def look_of(payload: str) -> TagEncoding:
    """Return how a payload is printed: as the data of its game says, else plainly."""
    head, _, piece = payload.partition(":")
    chosen = _chosen(head[:2]).get(head[2:], {}).get(piece)
    return TagEncoding(payload, None) if chosen is None else TagEncoding(payload + chosen[:-1], int(chosen[-1]))


@lru_cache(maxsize=8192)  # every tag of our games in every set: whoever looks for them all needs each more than once
def encode(text: str, mask: int | None) -> Pattern:
    """Return the modules of a text as a version-1 code of level H, (21, 21), True where dark; not to be changed.

    Raises ValueError where the text is longer than ten characters or has others than a code's capitals and digits.
    """
    code = segno.make(text, version=1, error="h", mode="alphanumeric", mask=mask, boost_error=False)
    modules = np.array([list(row) for row in code.matrix], dtype=np.bool_)
    modules.setflags(write=False)
    return modules


def draw(pattern: Pattern, pixels: int, quiet: int = QUIET) -> NDArray[np.uint8]:
    """Return a tag as a grey picture, 0 or 255, with that many pixels a module and its quiet zone."""
    light = np.pad(~pattern, quiet, constant_values=True).astype(np.uint8) * np.uint8(255)
    return np.kron(light, np.ones((pixels, pixels), dtype=np.uint8))


def distance(one: Pattern, other: Pattern) -> int:
    """Return in how many modules two tags differ, whichever way each is turned."""
    return min(int(np.count_nonzero(one ^ np.rot90(other, turns))) for turns in range(4))


@cache
def _chosen(code: str) -> Mapping[str, Mapping[str, str]]:
    """Return set letter → piece → filler and mask digit, as stored for the game of these letters."""
    source = files("tabletop.vision.tags") / "data" / f"patterns-{code}.json"
    return json.loads(source.read_text(encoding="ascii"))["sets"] if source.is_file() else {}
