"""What a game says about its physical table: zones, sizes, what each button means, what a layout shows was done.

Still no camera and no pin: zones are rectangles in millimetres on a printed card, buttons are names, and what the
eyes saw arrives as a :class:`~tabletop.rules.layout.Layout`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tabletop.messages import EMPTY, Message

if TYPE_CHECKING:
    from tabletop.rules.game import Action, Position
    from tabletop.rules.layout import Layout


class Zone(NamedTuple):
    """One place on the table, known by the 40 mm marker on its card.

    ``area`` is (left, top, right, bottom) in mm in the marker's own frame: origin at the marker's centre, x to its
    right, y down as one reads it.  A tag belongs to the zone whose area holds its centre.
    """

    name: str
    """As in ``position.layout()``: ``warehouse``, ``quarry1``, ``seat0``, ``bid0`` …"""
    marker: str
    """The payload of its marker: ``TT:WH``, ``TT:Q1``, ``TT:SEAT1``, ``TT:BID1`` … (people count seats from 1)."""
    title: Message
    area: tuple[float, float, float, float]
    shape: str
    """How its pieces are read: ``spread``, ``columns``, ``pile`` or ``grid``."""


class Size(NamedTuple):
    """How large a kind of piece is, and where on it the tag sticks, in mm; the offset is from the piece's centre."""

    width: float
    height: float
    tag_x: float = 0.0
    tag_y: float = 0.0


class ButtonMeaning(NamedTuple):
    """What a button means in a phase: in a few words, for the table in the docs; and what it does.

    ``does`` is an action, the name of an intent (see :meth:`Table.button`), or None for OK, which finishes what lies on
    the table.  UNDO means the same everywhere and is in no game's list.
    """

    says: str
    does: Action | str | None = None


class TableReading(NamedTuple):
    """What a still table shows was done since a position.

    ``actions`` are complete and in order (they may turn out illegal: the rules say why).  ``underway`` are pieces
    whose place is explained by something legal that is being done right now: nothing is said of them.  ``waiting`` is
    what the table would have to show, or a press it needs, before more can be told, as a sentence; ``confirms`` is
    True where OK would make an action of what is seen; ``question`` is asked aloud because the table cannot be
    understood without an answer.
    """

    actions: Sequence[Action] = ()
    underway: frozenset[str] = frozenset()
    waiting: Message = EMPTY
    question: Message = EMPTY
    confirms: bool = False


class Table(ABC):
    """The table part of a game."""

    sizes: Mapping[str, Size]
    """The size of each kind of piece."""
    buttons: Mapping[str, Mapping[str, ButtonMeaning]] = {}
    """Phase → button → what it means, legal or not: the whole of what the panel can do."""

    @abstractmethod
    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the zones of a table with that many seats."""

    def button(self, position: Position, button: str) -> Action | str | None:
        """Return what a button means now: an action; the name of an intent (``buy``, ``rebuild``: the table shows the
        rest and OK confirms); or None where the game gives it no meaning in this phase.
        """
        meaning = self.buttons.get(position.phase, {}).get(button)
        return meaning.does if meaning is not None else None

    @abstractmethod
    def open_buttons(self, position: Position) -> frozenset[str]:
        """Return the buttons that can lead to a legal action now: the ones that are lit."""

    @abstractmethod
    def marks(self, position: Position) -> Mapping[str, str]:
        """Return what the zone lights show: light name → ``here`` (something stands there) or ``goes`` (a piece
        belongs there and is waited for).
        """

    def rule(self, zone: str) -> Message:
        """Return why pieces belong into a zone, in one sentence; empty where the game has nothing to say."""
        return EMPTY

    @abstractmethod
    def read(self, position: Position, seen: Layout, intent: str | None, confirmed: bool) -> TableReading:
        """Return what the seen layout shows was done since the position.

        ``intent`` is the last button that asked for the table's help, ``confirmed`` is True when OK was pressed: an
        action that could still be extended (a bid, a payment) is told only then.
        """

    def places(self, position: Position) -> Mapping[str, Sequence[str]]:
        """Return every place that somebody could name for each piece when the table wins over the record; nothing
        where this game cannot go on from what lies on the table.
        """
        return {}

    def adopt(self, position: Position, places: Mapping[str, str]) -> Position:
        """Return the position in which the pieces lie in these places, whatever brought them there (piece → place).

        Raises Illegal where they cannot; a game without ``places`` is never asked.
        """
        raise NotImplementedError(f"{position.game.title} goes on from its record alone")
