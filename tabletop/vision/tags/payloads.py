"""The text of a tag, which names a game's piece or a table marker.

A payload is ``<game><set>:<piece>`` in capitals: ``PZ:B3.2``, ``PZB:R5A`` (set B), ``TT:Q1`` (a table marker).  A ``/``
and filler without meaning may follow (:mod:`tabletop.vision.tags.choose_patterns`).
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from tabletop.rules import registry
from tabletop.rules.game import Game

MAX_PAYLOAD_LENGTH = 10
"""Number of alphanumeric characters that fit into a version-1 code of level H."""
MARKER = "TT"
"""Prefix of the payloads of table markers in every game."""
SET_LETTERS = ("", *string.ascii_uppercase)

_GRAMMAR = re.compile(r"([A-Z]{2})([A-Z]?):([A-Z0-9.]+)(?:/[0-9A-Z $%*+\-./:]*)?")


class Tag(NamedTuple):
    """The parts of a payload: the game's two letters, the set letter or nothing, and the piece in capitals."""

    game: str
    set: str
    piece: str

    @property
    def payload(self) -> str:
        """The payload without filler, which identifies a tag everywhere."""
        return f"{self.game}{self.set}:{self.piece}"


@cache
def known_codes() -> frozenset[str]:
    """Return the prefixes of payloads: those of all installed games, and that of table markers."""
    return frozenset({MARKER, *(game.tag for game in registry.games())})


def codes_of(game: Game) -> frozenset[str]:
    """Return the possible prefixes of payloads at a table of this game, whether the game is installed or not."""
    return known_codes() | {game.tag}


def parse(text: str, codes: Iterable[str] | None = None) -> Tag | None:
    """Return the parts of a code's text, or None if it is not one of our payloads (a foreign code).

    ``codes``: the possible prefixes of payloads, by default those of all installed games.
    """
    match = _GRAMMAR.fullmatch(text)
    if match is None or len(text) > MAX_PAYLOAD_LENGTH or match[1] not in (known_codes() if codes is None else codes):
        return None
    return Tag(match[1], match[2], match[3])


def payload_of(game: Game, piece: str, set_letter: str = "") -> str:
    """Return the payload of a piece: ``PZ:R5A`` for ``R5a``.  Raises KeyError if there is no such piece."""
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


def is_marker(payload: str) -> bool:
    """Return whether a payload names a table marker."""
    return payload.startswith(MARKER)
