"""Editions: what is printed on a game's pieces but not in its rules, as data that a table may replace.

An edition is a TOML text.  Each game reads its own part; this module has what all share: the text itself, which game it
is for, and how to name what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

MAX_EDITION_LENGTH = 1_000_000
"""The longest edition that is read, in characters; a real one has a few thousand."""


class EditionFault(NamedTuple):
    """One constraint that an edition breaks."""

    where: str
    """The piece or group of pieces: a card, a city, a stack, a key."""
    constraint: str
    """A stable name of the constraint, for programs."""
    message: str
    """The sentence for a person: what is there, and what the constraint asks for."""


class Enrolment(NamedTuple):
    """How a table enters its own edition of a game: one short answer per piece, and the file made from the answers."""

    pieces: Mapping[str, str]
    """The pieces in the order in which they are asked for, each with the name that people call it."""
    kind: str
    """What a piece is called: a card, a tile."""
    answers: str
    """What may be answered, in words."""
    single: bool
    """True if each piece has an answer of its own; else one answer may hold for many pieces at once."""
    normal: Callable[[str], str]
    """Turns an answer into the form in which it is kept.  Raises ValueError with a sentence if it is not an answer."""
    entered: Callable[[Mapping[str, Any]], dict[str, str]]
    """Extracts the answers from the data of an edition file, finished or not."""
    to_toml: Callable[[str, Mapping[str, str]], str]
    """Makes the file's text from the edition's name and the answers."""
    table: str
    """The TOML table that only this game's editions have: it identifies an edition that does not name its game."""
    faults: Callable[[Mapping[str, Any], int | None], Iterable[EditionFault]]
    """Lists the constraints that the data of an edition file breaks for a number of seats (None: for any)."""


class EditionError(ValueError):
    """An edition that cannot be used; ``faults`` says why, each with the place."""

    def __init__(self, *faults: EditionFault) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


def parse(text: str) -> dict[str, Any]:
    """Return the data of an edition.  Raises EditionError if the text is too long or not TOML."""
    if len(text) > MAX_EDITION_LENGTH:
        raise EditionError(EditionFault("file", "readable", f"it has more than {MAX_EDITION_LENGTH:,} characters"))
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EditionError(EditionFault("file", "readable", f"it is not TOML: {error}")) from error
    except (ValueError, RecursionError) as error:  # Python's own limits
        why = "it is nested too deeply, or a number is too long"
        raise EditionError(EditionFault("file", "readable", f"it is not TOML: {why}")) from error


def toml_string(text: str) -> str:
    """Return any text as a quoted TOML string on one line."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
