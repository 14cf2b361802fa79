"""SQLite's write-ahead log, parsed directly: all its pages, and whether frames lie behind the last valid commit.

Every number is big-endian.  The header has 32 bytes: magic, version, page size, sequence, two salts, two checksums.
Each frame has 24 bytes (page number, size of the file after a commit or 0, the salts, two checksums that continue those
of the frame before) and a page.  https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
MAGIC = 0x377F0682
"""Its last bit says how the words under the checksums are stored: 0 little-endian, 1 big-endian."""
UINT32_MASK = 0xFFFFFFFF
Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WriteAheadLog:
    """The contents of a log.

    ``pages`` are the pages of all its frames with their numbers, oldest first, valid or not.  ``broken`` is True if
    something was written to it that SQLite will not find: its header is not valid, or a frame that was written after
    the same header lies behind the last valid commit.  A power cut can leave such a log, as damage can.
    """

    pages: tuple[tuple[int, bytes], ...] = ()
    broken: bool = False


def parse(content: bytes, page_size: int = 4096) -> WriteAheadLog:
    """Return the contents of a log; ``page_size`` is used if its header is not valid."""
    if not content.strip(b"\0"):
        return WriteAheadLog()
    magic, _, size, *_ = struct.unpack(">4I", content[:16].ljust(16, b"\0"))
    sound = len(content) >= HEADER_BYTES and magic & ~1 == MAGIC and size in range(512, 65537)
    order = ">" if magic & 1 else "<"
    sums = _summed((0, 0), content[:24], order) if sound else (0, 0)
    sound = sound and sums == struct.unpack(">2I", content[24:32])
    size = size if sound else page_size
    frames = list(_frames(content, size))
    pages = tuple((struct.unpack(">I", head[:4])[0], page) for head, page in frames)
    return WriteAheadLog(pages, not sound or _cut_off(content[16:24], frames, sums, order))


def _frames(content: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Iterate over the heads and pages of the frames; the last page may be cut short."""
    for at in range(HEADER_BYTES, len(content) - FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + size):
        yield content[at : at + FRAME_HEADER_BYTES], content[at + FRAME_HEADER_BYTES : at + FRAME_HEADER_BYTES + size]


def _cut_off(salts: bytes, frames: list[tuple[bytes, bytes]], sums: Sums, order: str) -> bool:
    """Return whether frames with these salts lie behind the last valid commit."""
    commit = 0
    for number, (head, page) in enumerate(frames, start=1):
        if head[8:16] != salts or len(page) % 8:
            break
        sums = _summed(_summed(sums, head[:8], order), page, order)
        if sums != struct.unpack(">2I", head[16:24]):
            break
        if head[4:8] != bytes(4):
            commit = number
    # Frames of an earlier header differ in both salts; a damaged frame differs in one of them.
    return any(head[8:12] == salts[:4] or head[12:16] == salts[4:] for head, _ in frames[commit:])


def _summed(sums: Sums, content: bytes, order: str) -> Sums:
    """Return the checksums continued over these bytes."""
    one, two = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + two) & UINT32_MASK
        two = (two + odd + one) & UINT32_MASK
    return one, two
