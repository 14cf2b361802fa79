"""The scene that a camera sees once the table stands still: sightings on the plane, and the layout they form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from math import inf

from tabletop.messages import EMPTY, Message
from tabletop.rules.layout import Layout

Point = tuple[float, float]
NOWHERE: Point = (inf, inf)
"""The place of anything that is seen without a plane."""


class Notice(Enum):
    """A notice about a whole picture, with its sentence."""

    NO_MARKER = Message("No zone card can be seen.")
    ONE_MARKER = Message("Only one zone card can be seen: positions far from it are uncertain.")
    BUMPED = Message("The camera was moved; the table has been found again.")
    LOST = Message("The camera was moved and the table cannot be found: no zone card can be seen.")
    OVEREXPOSED = Message(
        "There is too much light: paper is overexposed, and tags may go unread. Dim the lamp or turn it away."
    )
    RESTLESS = Message(
        "Something in the picture has been moving for a minute, and the table is read only while nothing moves: "
        "is there a fan, a screen or a curtain in it?"
    )
    DARK = Message("It is too dark to see the table: changes are ignored until there is light again.")
    DAZZLED = Message("The camera is dazzled and sees only white: changes are ignored until it sees the table again.")


class ReadBy(StrEnum):
    """How a tag was identified."""

    ZXING = "zxing"
    ZBAR = "zbar"
    RECOGNISED = "recognised"
    """Not decoded, but recognised by comparison with all possible patterns."""
    KEPT = "kept"
    """Read before, and not readable now, but assumed to lie there still."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One tag of ours, identified and placed.

    ``x``, ``y`` are mm on the table plane (x right, y down in a top view), ``angle`` degrees clockwise from the
    table's own up to the tag's up.  ``corners`` are px in the full frame, from the code's own top left, clockwise.
    """

    payload: str
    x: float
    y: float
    angle: float
    corners: tuple[Point, Point, Point, Point]
    certainty: float
    how: ReadBy
    score: float = 1.0
    """How well the picture agrees with the tag's pattern, up to 1; 1 also if the tag was only decoded."""
    upon: str = ""
    """The payload of the tag that was read on it, if it is only kept."""


class Cause(StrEnum):
    """Why something cannot be read or does not count; the reasons of the second group occur only in photographs."""

    COVERED = "covered"
    GLARE = "glare"
    CUT_OFF = "cut-off"
    TOO_SMALL = "too-small"
    FACE_DOWN = "face-down"
    DISAGREE = "disagree"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"

    DOUBLE = "double"
    WASHED_OUT = "washed-out"
    NO_TAG = "no-tag"
    OVERLAID = "overlaid"
    BUSY = "busy"
    DARK = "dark"
    HIDDEN_SEAT = "hidden-seat"
    BLURRED = "blurred"
    OVERLAP = "overlap"
    GAP = "gap"
    ASIDE = "aside"
    NO_SEAT = "no-seat"
    NO_MARKER = "no-marker"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something that cannot be read or does not count, and why."""

    reason: Cause
    message: Message = EMPTY
    """The reason as a sentence, in photographs."""
    corners: tuple[Point, ...] = ()
    """Its outline in a photograph, px."""
    piece: str = ""
    """The id of the piece concerned, in photographs."""
    place: Point = NOWHERE
    """Its middle on the table plane, mm."""
    payload: str = ""
    """The tag that lay there before, if any; for ``foreign``, that of another game."""
    alike: float = 0.0
    """How much it looks like a tag of ours."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A table that stands still.

    ``layout`` contains the game's visible zones; pieces outside every zone are in its zone ``table``.  ``foreign`` is
    the number of codes that are not ours; ``doubles`` are payloads seen in two places at once, which are not placed.
    """

    time: float
    number: int
    layout: Layout
    sightings: tuple[Sighting, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    foreign: int = 0
    doubles: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    seeking: bool = False
    """Whether more may soon be read, or the table cannot be seen now: this scene does not answer an OK."""
    spots: tuple[Point, ...] = ()
    """Where something small hides the bare table, mm: it looks like no tag, and counts only where coins are awaited."""


def corner_points(corners: Iterable[Iterable[float]]) -> tuple[Point, ...]:
    """Return the rows of an array (n, 2) as points."""
    return tuple((float(x), float(y)) for x, y in corners)
