"""The words between panel and referee: what a press is, and how a light can shine."""

from __future__ import annotations

import enum
from typing import NamedTuple


class Kind(enum.Enum):
    """How a button was used."""

    PRESS = "press"
    LONG = "long"
    CHORD = "chord"


class Press(NamedTuple):
    """A debounced press: button name (``OK``, ``MONEY`` …; ``OK+UNDO`` for a chord) and monotonic seconds."""

    button: str
    kind: Kind
    time: float


class Pattern(enum.Enum):
    """How a light shines; each way has one meaning everywhere."""

    OFF = "nothing"
    STEADY = "this is so now: the seat to decide, the architect's quarry, a legal action"
    SLOW = "do this: where a piece belongs, a button that is waited for"
    FAST = "something is wrong: an illegal move"
    TWICE = "the camera gives no picture: play on by buttons and pages"
    THRICE = "a phone asks to be the host: hold OK only if it is to lead the game"
    REST = "everything is saved and nothing is running: the table may be unplugged"
