"""The two readers of QR codes, zxing-cpp and zbar, behind one interface; each may be missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from tabletop.messages import Message
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array
from tabletop.vision.scene import ReadBy

NO_ZXING = Message("zxing-cpp is not installed: pictures are read with zbar alone.")
NO_ZBAR = Message("libzbar is not installed: there is no second reader.")
NO_READER = Message("Neither zxing-cpp nor libzbar is installed: no tag can be read.")
_TURN = {"UP": 0, "RIGHT": 1, "DOWN": 2, "LEFT": 3}


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A code as one reader read it; ``corners`` (4, 2) px, clockwise in the picture from the code's own top left."""

    text: str
    corners: Array
    how: ReadBy
    certainty: float = 0.0


class DecoderResult(NamedTuple):
    """The codes that a reader read, and the corners of places that look like one but could not be read."""

    codes: list[Code]
    unread: list[Array]


class QrDecoder(Protocol):
    """Reads every QR code in a grey picture."""

    def read(self, grey: Grey) -> DecoderResult:
        """Return the codes in a picture; does not raise for any picture."""


@dataclass(frozen=True, slots=True)
class Decoders:
    """The readers of this machine, and notes for people about missing ones."""

    first: QrDecoder | None
    second: QrDecoder | None
    notes: tuple[Message, ...] = field(default=())


class Zxing:
    """zxing-cpp: fast, and its wheel needs no system library."""

    def __init__(self) -> None:
        import zxingcpp

        self._library: Any = zxingcpp

    def read(self, grey: Grey) -> DecoderResult:
        """Return the codes that zxing-cpp finds."""
        found = DecoderResult([], [])
        for result in self._library.read_barcodes(
            np.ascontiguousarray(grey), formats=self._library.BarcodeFormat.QRCode, return_errors=True
        ):
            place = result.position
            marks = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
            # Its origin is the picture's corner, ours is the middle of the first px.
            corners = np.array([(mark.x, mark.y) for mark in marks], dtype=np.float64) - 0.5
            if result.valid:
                found.codes.append(Code(result.text, corners, ReadBy.ZXING))
            elif len(np.unique(corners, axis=0)) == 4:
                found.unread.append(corners)
        return found


class Zbar:
    """zbar: reads some codes that zxing-cpp does not; needs libzbar from the system."""

    def __init__(self) -> None:
        from pyzbar import pyzbar

        self._library: Any = pyzbar

    def read(self, grey: Grey) -> DecoderResult:
        """Return the codes that zbar finds."""
        found = DecoderResult([], [])
        for result in self._library.decode(np.ascontiguousarray(grey), symbols=[self._library.ZBarSymbol.QRCODE]):
            if len(result.polygon) != 4:
                continue
            corners = np.array([(point.x, point.y) for point in result.polygon], dtype=np.float64)
            text = result.data.decode("utf-8", errors="replace")
            found.codes.append(Code(text, from_top_left(corners, result.orientation or "UP"), ReadBy.ZBAR))
        return found


@cache
def available() -> Decoders:
    """Return the readers of this machine; cached, because searching for a missing library takes time."""
    first, second = _made(Zxing), _made(Zbar)
    if first is None and second is None:
        return Decoders(None, None, (NO_READER,))
    if first is None:
        return Decoders(None, second, (NO_ZXING,))
    return Decoders(first, second, () if second is not None else (NO_ZBAR,))


def from_top_left(corners: Array, orientation: str) -> Array:
    """Return corners clockwise in the picture, beginning with the code's own top left.

    zbar reports the code's up only as one of four directions, and its corners in order from any of them.
    """
    middle = corners.mean(axis=0)
    order = np.argsort(np.arctan2(*(corners - middle).T[::-1]))
    outline = corners[order]
    up = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])[_TURN.get(orientation, 0)]
    rises = [
        float(((outline[k] + outline[(k + 1) % 4]) - (outline[(k + 2) % 4] + outline[(k + 3) % 4])) @ up)
        for k in range(4)
    ]
    return np.roll(outline, -int(np.argmax(rises)), axis=0)


def _made(kind: type[Zxing] | type[Zbar]) -> QrDecoder | None:
    try:
        return kind()
    except (ImportError, OSError):
        return None
