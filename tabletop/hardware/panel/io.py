"""The types shared by panel and referee: what a press is, and how a light can shine."""

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
    """A pattern in which a light shines; each one means the same everywhere."""

    OFF = "nothing"
    STEADY = "this is the case now: the seat that decides, the architect's quarry, a legal action"
    SLOW = "do this: lay a piece here, or press this button"
    FAST = "something is wrong: an illegal move"
    TWICE = "there is no picture from the camera: continue with buttons and pages"
    THRICE = "a phone is asking to be the host: hold OK only if you agree"
    REST = "everything is saved and nothing is running: you may unplug the table"
