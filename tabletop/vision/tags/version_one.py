"""Encodes version-1 codes of level H with at most ten alphanumeric characters, according to ISO/IEC 18004.

The library that draws codes for print takes nearly a millisecond for each, and comparing the tags of all sets with a
picture needs thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

SIDE_MODULES = 21
"""Modules along a side."""
LETTERS = {letter: number for number, letter in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")}
"""The alphanumeric characters of such a code, with their numbers."""
MAX_CHARACTERS = 10
"""Number of characters that fit into a code."""
DATA_BYTES, CHECK_BYTES = 9, 17
"""Number of bytes of data, and of error correction."""
PADDING = b"\xec\x11" * DATA_BYTES
"""The bytes that follow a text, as many as there is room for."""
FORMAT_BITS = (0x1689, 0x13BE, 0x1CE7, 0x19D0, 0x0762, 0x0255, 0x0D0C, 0x083B)
"""The 15 format bits for level H and each of the masks 0-7."""

Modules: TypeAlias = NDArray[np.bool_]


def modules(text: str, mask: int) -> Modules:
    """Return the modules of a text, (21, 21), True where dark.  Raises ValueError for a text that does not fit."""
    own: Modules = modules_of([text], [mask])[0]
    return own


def modules_of(texts: Sequence[str], masks: Sequence[int]) -> Modules:
    """Return the modules of several texts, (n, 21, 21), as ``modules`` does of one, in a sixth of the time for each."""
    frames, cells, masks_at_cells = _layout()
    data = np.unpackbits(np.frombuffer(b"".join(map(_packed, texts)), np.uint8).reshape(-1, DATA_BYTES), axis=1)
    checks = (data.astype(np.float32) @ _checks().astype(np.float32)).astype(np.uint8) & 1
    chosen = np.array(masks, np.intp)
    out: Modules = frames[chosen]
    out[:, cells[:, 0], cells[:, 1]] = np.concatenate([data, checks], axis=1).astype(np.bool_) ^ masks_at_cells[chosen]
    return out


def _packed(text: str) -> bytes:
    """Return a text packed into the bytes of data."""
    if len(text) > MAX_CHARACTERS or not LETTERS.keys() >= set(text):
        raise ValueError(f"A code of version 1 cannot hold {text!r}.")
    bits, count = 0b0010 << 9 | len(text), 13
    for first in range(0, len(text) - 1, 2):
        bits, count = bits << 11 | 45 * LETTERS[text[first]] + LETTERS[text[first + 1]], count + 11
    if len(text) % 2:
        bits, count = bits << 6 | LETTERS[text[-1]], count + 6
    ended = min(count + 4, 8 * DATA_BYTES)
    # Like the library that printed the tags: if the last byte is full, a byte of zeros follows.
    filled = ended + min(8 - ended % 8, 8 * DATA_BYTES - ended)
    return ((bits << filled - count).to_bytes(filled // 8, "big") + PADDING)[:DATA_BYTES]


@cache
def _checks() -> NDArray[np.uint8]:
    """Return the bits of error correction that each bit of data flips, (bits of data, bits of error correction)."""
    rows = []
    for bit in range(8 * DATA_BYTES):
        data = [0] * DATA_BYTES
        data[bit // 8] = 0x80 >> bit % 8
        rows.append(np.unpackbits(np.array(_with_checks(data)[DATA_BYTES:], dtype=np.uint8)))
    return np.array(rows)


def _with_checks(data: list[int]) -> list[int]:
    """Return data followed by its error correction: the remainder of its division by the generator polynomial."""
    powers, logs, generator = _field()
    rest = data + [0] * CHECK_BYTES
    for at in range(DATA_BYTES):
        if rest[at]:
            first = logs[rest[at]]
            for step, factor in enumerate(generator, start=1):
                rest[at + step] ^= powers[(first + factor) % 255]
    return data + rest[DATA_BYTES:]


@cache
def _field() -> tuple[list[int], list[int], list[int]]:
    """Return powers and logarithms in GF(256), and the generator polynomial's coefficients as logarithms."""
    powers, logs, value = [0] * 255, [0] * 256, 1
    for power in range(255):
        powers[power], logs[value] = value, power
        value = value << 1 ^ (0x11D if value & 0x80 else 0)
    generator = [1]
    for root in range(CHECK_BYTES):
        longer = [*generator, 0]
        for at, factor in enumerate(generator):
            longer[at + 1] ^= powers[(logs[factor] + root) % 255]
        generator = longer
    return powers, logs, [logs[factor] for factor in generator[1:]]


@cache
def _layout() -> tuple[Modules, NDArray[np.intp], Modules]:
    """Return the fixed dark modules for each mask (8, 21, 21), the places of the bits (208, 2), and the masks there."""
    frame, taken = np.zeros((SIDE_MODULES, SIDE_MODULES), np.bool_), np.zeros((SIDE_MODULES, SIDE_MODULES), np.bool_)
    y, x = np.indices((7, 7)) - 3
    finder = np.maximum(abs(x), abs(y)) != 2
    for top, left in ((0, 0), (0, SIDE_MODULES - 7), (SIDE_MODULES - 7, 0)):
        frame[top : top + 7, left : left + 7] = finder
    taken[:9, :9] = taken[:9, -8:] = taken[-8:, :9] = True
    taken[6], taken[:, 6] = True, True
    frame[6, 8:13:2] = frame[8:13:2, 6] = frame[SIDE_MODULES - 8, 8] = True
    frames = np.repeat(frame[None], 8, axis=0)
    for mask, format_bits in enumerate(FORMAT_BITS):
        bits = [bool(format_bits >> at & 1) for at in range(15)]
        for at, bit in enumerate(bits):
            # From the lowest bit: once down column 8, and once along row 8 from right to left.
            frames[mask, (at if at < 6 else at + 1 if at < 8 else SIDE_MODULES - 15 + at), 8] = bit
            frames[mask, 8, (SIDE_MODULES - 1 - at if at < 8 else 7 if at == 8 else 14 - at)] = bit
    cells = []
    for pair, right in enumerate((20, 18, 16, 14, 12, 10, 8, 5, 3, 1)):
        rows = range(SIDE_MODULES) if pair % 2 else range(SIDE_MODULES - 1, -1, -1)
        cells += [(row, column) for row in rows for column in (right, right - 1) if not taken[row, column]]
    places = np.array(cells)
    i, j = places.T
    masks = [
        (i + j) % 2, i % 2, j % 3, (i + j) % 3, (i // 2 + j // 3) % 2, i * j % 2 + i * j % 3,
        (i * j % 2 + i * j % 3) % 2, ((i + j) % 2 + i * j % 3) % 2,
    ]  # fmt: skip
    return frames, places, np.array([each == 0 for each in masks])
