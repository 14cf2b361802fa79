"""Editions: what is printed on a game's pieces and in none of its texts, as data that a table may change.

An edition file is TOML with the game's name in ``game``.  Each game reads its own part; here is what all share:
reading a file, and naming what is wrong with it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

LARGEST = 1_000_000
"""Bytes; an edition file has some thousands."""


class Fault(NamedTuple):
    """One constraint that an edition breaks."""

    where: str
    """The piece or group of pieces: a card, a city, a stack, a key of the file."""
    constraint: str
    """A stable name of the constraint, for programs."""
    message: str
    """The sentence for a person: what is there, and what the constraint asks for."""


class EditionError(ValueError):
    """An edition that cannot be used; ``faults`` says why, each with the place."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


def read(path: Path) -> dict[str, Any]:
    """Return the contents of an edition file.

    Raises EditionError with one fault where the file is absent, too large, no text or no TOML, or names no game.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise _unreadable(path, f"it has more than {LARGEST:,} bytes")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unreadable(path, (error.strerror or "it cannot be opened").lower()) from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, "it is not UTF-8 text") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _unreadable(path, f"it is not TOML ({error})") from error
    if not isinstance(data.get("game"), str):
        raise _unreadable(path, 'it names no game; write game = "patrician" or another at its top')
    return data


def _unreadable(path: Path, why: str) -> EditionError:
    return EditionError((Fault(str(path), "readable", f"{path}: {why}"),))
