"""What can go wrong with a match and its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tabletop.messages import Message, join


class MatchError(Exception):
    """The base of the errors of a match, its journal and its backups; ``str`` is a sentence for people."""


class JournalError(MatchError, OSError):
    """The journal could not be read or written; nothing was acknowledged.

    ``path`` is the journal's file, which ``str`` names but the sentence for pages does not; ``fix`` is what people can
    do about it.
    """

    def __init__(self, path: str, template: str, fix: Message, **facts: Any) -> None:
        super().__init__(join((Message(template, **facts), fix)))
        self.path = path
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.args[0]} ({self.path})"


def write_trouble(path: Path, error: Exception) -> JournalError:
    """Return the error to raise if the disk refuses to write."""
    return JournalError(
        str(path),
        "The record of the game could not be written: {error}.",
        Message("Free some space or check the disk; nothing was lost."),
        error=getattr(error, "strerror", None) or error,
    )


@contextmanager
def raised_as(trouble: Callable[[OSError], JournalError]) -> Iterator[None]:
    """Turn an OSError inside the block into the JournalError that ``trouble`` makes of it."""
    try:
        yield
    except JournalError:
        raise
    except OSError as error:
        raise trouble(error) from error


class BadEvent(MatchError, ValueError):
    """An event that does not follow from the ones before it; ``number`` says which."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"Event {number} does not follow from the ones before it: {why}")
        self.number = number


class UnreadableMatch(MatchError):
    """The match that was played last cannot be read, and nobody has decided yet to skip it."""

    def __init__(self, file: str, why: Message) -> None:
        super().__init__(join((Message("The game that was played last ({file}) cannot be opened.", file=file), why)))
