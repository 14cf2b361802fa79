"""The newest event that was accepted, remembered in a second place on the disk: the journal's high-water mark.

A file of two slots beside the journal, written in turn, so that a power cut in the middle of one leaves the other.  It
is written after the journal and before anybody is told: a journal that ends before it has lost something.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import zlib
from pathlib import Path
from typing import NamedTuple

log = logging.getLogger(__name__)

SUFFIX = "-newest"
"""The suffix added to a journal's name for the file of its mark."""
SLOT_BYTES = 512
"""The size of a slot: a sector of a disk, so that no write of one slot touches the other."""
MARK_PATTERN = re.compile(rb"(\d{12} [0-9a-f]{64}) ([0-9a-f]{8})\n")


class Mark(NamedTuple):
    """The number and the hash of the newest event that is known to have been accepted."""

    number: int
    hash: str


class HighWater:
    """The open mark of one journal."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + SUFFIX)
        slots = _slots(self._path)
        self._slot = 1 - slots.index(max(slots))
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)

    def raise_to(self, number: int, digest: str) -> None:
        """Remember an event; it is on the disk when this returns.

        If the disk refuses, only the log says so: the event itself is in the journal.
        """
        try:
            os.pwrite(self._file, _slot(Mark(number, digest)), SLOT_BYTES * self._slot)
            os.fdatasync(self._file)
        except OSError as error:
            log.warning("%s could not be written: %s", self._path, error.strerror)
        else:
            self._slot = 1 - self._slot

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def read(path: Path) -> Mark | None:
    """Return the mark of a journal, None if no readable one exists."""
    newest = max(_slots(path.with_name(path.name + SUFFIX)))
    return newest if newest.number else None


def _slots(path: Path) -> list[Mark]:
    """Return the marks in the two slots; an empty or damaged slot has number 0."""
    content = b""
    with contextlib.suppress(OSError):
        content = path.read_bytes()[: 2 * SLOT_BYTES]
    return [_mark(content[at : at + SLOT_BYTES]) for at in (0, SLOT_BYTES)]


def _slot(mark: Mark) -> bytes:
    said = f"{mark.number:012d} {mark.hash}".encode()
    return (said + f" {zlib.crc32(said):08x}\n".encode()).ljust(SLOT_BYTES, b"\0")


def _mark(slot: bytes) -> Mark:
    mark = MARK_PATTERN.match(slot)
    if mark is None or zlib.crc32(mark[1]) != int(mark[2], 16):
        return Mark(0, "")
    number, digest = mark[1].decode().split()
    return Mark(int(number), digest)
