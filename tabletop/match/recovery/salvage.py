"""Finds the events of a damaged journal in the bytes of its pages, wherever SQLite itself no longer finds them.

A row is recognised by its form, and proved by the hash of the event before it: nothing is taken that was not written.
A row in which one bit was flipped is corrected by the same proof.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tabletop.match.event import EventKind, Source
from tabletop.match.recovery import wal

Row = tuple[Any, ...]
"""A row with the journal's ``COLUMNS``; the values of a damaged one may be anything."""

HEADER_PATTERN = re.compile(
    rb"(?=([\x09-\x0c]\x00[\x0d-\x7f][\x80-\xff]{0,3}[\x00-\x7f][\x00-\x09][\x0d-\x7f][\x01-\x09]\x81\x0d))", re.DOTALL
)
"""The header of a row: its length, then the type of each column.  The number is stored before it (type 0), the hash is
text of 64 characters (type 141), all others are short except the data."""
BODY_PATTERN = re.compile(
    rf"({'|'.join(EventKind)})(\{{[ -~]*\}})(|[\x00-\x1f])({'|'.join(Source)})"
    r"(.{4}|.{6}|.{8})([0-9a-f]{64})".encode(), re.DOTALL,
)  # fmt: skip
"""The columns of a row as they stand without their header: kind, data, seat, source, time and hash."""
INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The type of a whole number → its bytes; 8 and 9 are the numbers 0 and 1 themselves."""
INTEGER_TYPES = {size: kind for kind, size in INTEGER_BYTES.items()}
REAL_TYPE = 7
MAX_SEARCHED_BYTES = 64 * 1024
"""The largest row in which a flipped bit is looked for."""


class Salvaged:
    """The rows that lie in the pages of a journal and of its log, each once."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        log = path.with_name(path.name + "-wal")
        size = _page_size(content)
        self._pages = [(at // size + 1, content[at : at + size]) for at in range(0, len(content), size)]
        self._pages += wal.parse(log.read_bytes() if log.exists() else b"", size).pages
        self._room = size - content[20] if len(content) > 20 and content[20] < size - 480 else size
        self._of: dict[int, list[bytes]] = {}
        for number, page in self._pages:
            self._of.setdefault(number, []).append(page)
        self._records: dict[int, dict[bytes, None]] = {}
        for _, page in dict.fromkeys(self._pages):
            for number, record in self._found(page):
                self._records.setdefault(number, {})[record] = None

    def rows(self, number: int) -> Iterator[Row]:
        """Iterate over the rows found with this number."""
        for record in self._records.get(number, ()):
            yield from _read(number, record)

    def strays(self, number: int) -> Iterator[Row]:
        """Iterate over all rows as if they had this number: the damage may be in a row's number or header."""
        for records in self._records.values():
            for record in records:
                yield from _read(number, record)
        for body in dict.fromkeys(found.groups() for _, page in self._pages for found in BODY_PATTERN.finditer(page)):
            kind, data, seat, source, time, digest = body
            whole = len(time) < 8
            moment = float(_value(INTEGER_TYPES[len(time)], time)) if whole else _value(REAL_TYPE, time)
            # Seat 0, seat 1 and no seat are encoded in the header alone.
            for who in (None, 0, 1) if not seat else (seat[0],):
                yield number, kind.decode(), data.decode(), who, source.decode(), moment, digest.decode()

    def put_right(self, number: int, holds: Callable[[Row], bool]) -> Row | None:
        """Return the row of this number with one bit flipped so that it ``holds``, None if no bit does that."""
        for record in self._records.get(number, ()):
            start = record[0]
            for at in range(start, min(len(record), MAX_SEARCHED_BYTES)):
                for bit in range(8):
                    tried = bytearray(record)
                    tried[at] ^= 1 << bit
                    for row in _read(number, bytes(tried)):
                        if holds(row):
                            return row
        return None

    def _found(self, page: bytes) -> Iterator[tuple[int, bytes]]:
        """Iterate over the records that begin in a page, each with the number before it."""
        for found in HEADER_PATTERN.finditer(page):
            at = found.start()
            if page[at] != len(found[1]):
                continue
            length = page[at] + sum(_sizes(found[1]))
            for record in self._whole(page, at, length):
                yield _number_before(page, at), record

    def _whole(self, page: bytes, at: int, length: int) -> Iterator[bytes]:
        """Iterate over the possible contents of a record of this length: a long one continues on other pages."""
        most, least = self._room - 35, (self._room - 12) * 32 // 255 - 23
        if length <= most:
            if at + length <= len(page):
                yield page[at : at + length]
            return
        local = least + (length - least) % (self._room - 4)
        local = local if local <= most else least
        yield from self._gone_on(page[at : at + local], page[at + local : at + local + 4], length)

    def _gone_on(self, begun: bytes, following: bytes, length: int) -> Iterator[bytes]:
        if len(begun) >= length:
            yield begun[:length]
        elif len(following) == 4:
            for page in dict.fromkeys(self._of.get(struct.unpack(">I", following)[0], ())):
                if len(page) > 4:
                    yield from self._gone_on(begun + page[4 : self._room], page[:4], length)


def _page_size(content: bytes) -> int:
    size = int.from_bytes(content[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size in (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536) else 4096


def _types(header: bytes) -> list[int]:
    """Return the types of the columns that a record's header names, without its length."""
    types, value = [], 0
    for byte in header[1:]:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            types.append(value)
            value = 0
    return types


def _sizes(header: bytes) -> list[int]:
    """Return the size of each column in bytes."""
    return [
        (kind - 12) // 2 if kind >= 12 else INTEGER_BYTES.get(kind, 8 if kind == REAL_TYPE else 0)
        for kind in _types(header)
    ]


def _number_before(page: bytes, at: int) -> int:
    """Return the varint that ends before a record: seven bits per byte, with the high bit set in all but the last."""
    value, shift, here = 0, 0, at - 1
    while here >= 0 and shift < 63 and (shift == 0) == (page[here] < 0x80):
        value |= (page[here] & 0x7F) << shift
        shift, here = shift + 7, here - 1
    return value


def _read(number: int, record: bytes) -> Iterator[Row]:
    """Yield the row of a record, if it is a row."""
    header, at = record[: record[0]], record[0]
    values: list[Any] = []
    for kind, size in zip(_types(header), _sizes(header), strict=True):
        values.append(_value(kind, record[at : at + size]))
        at += size
    if len(values) == 7 and isinstance(values[5], int | float):
        yield (number, *values[1:5], float(values[5]), values[6])


def _value(kind: int, content: bytes) -> Any:
    if kind >= 12:
        return content.decode("utf-8", "replace")
    if kind == REAL_TYPE:
        return struct.unpack(">d", content)[0] if len(content) == 8 else None
    if kind in INTEGER_BYTES:
        return int.from_bytes(content, "big", signed=True)
    return {8: 0, 9: 1}.get(kind)
