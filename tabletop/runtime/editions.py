"""Edition files: what is printed on a table's own pieces, read from the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tabletop.files import text
from tabletop.messages import Message
from tabletop.rules.edition import EditionError, EditionFault, parse


def read(file: Path) -> dict[str, Any]:
    """Return the data of an edition file.

    Raises EditionError, whose sentence does not name the file, if it cannot be read or is not TOML.
    """
    try:
        return parse(text.read(file))
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
    except UnicodeDecodeError:
        why = "it is not UTF-8 text"
    raise EditionError(EditionFault("file", "readable", why))


def unusable(file: Path, error: Exception) -> Message:
    """Return the sentence that no game can begin with an edition, and why."""
    return Message("No game can begin with the edition {file}: {error}.", file=file, error=str(error).rstrip("."))
