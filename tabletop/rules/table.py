"""What a game says about its physical table: makes, zones, what each button means, what a layout shows was done.

Still no camera and no pin: zones are rectangles in millimetres on a printed card, buttons are names, and what the
camera saw arrives as a :class:`~tabletop.rules.layout.Layout`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tabletop.messages import EMPTY, Message
from tabletop.rules.layout import Layout, zone_kind
from tabletop.rules.look import Look

if TYPE_CHECKING:
    from tabletop.rules.game import Action, Position

BUTTONS = ("MONEY", "BUILD", "REBUILD", "BUY", "AUCTION", "PASS", "OK")
"""The buttons of the panel to which a game can give a meaning; UNDO means the same everywhere."""
OK_BUTTON = frozenset({"OK"})
"""The buttons by which players confirm what lies on the table, for games in which only OK does."""


class ZoneShape(enum.StrEnum):
    """How the pieces of a zone lie: how they are read, drawn on the zone card, and laid by simulated hands."""

    SPREAD = "spread"
    """Side by side or fanned, every tag in sight."""
    SPACES = "spaces"
    """Side by side and never on one another: a piece that another one lies on was taken."""
    COLUMNS = "columns"
    """Columns of pieces, each bottom up."""
    GRID = "grid"
    """Edge to edge on cells."""
    TOWER = "tower"
    """One column, from the line at its foot, of interchangeable pieces (``Piece.like``)."""
    PILE = "pile"
    """One on the other in a known order, the top in sight."""
    HEAP = "heap"
    """One on the other in no order: none has to be in sight."""
    STORE = "store"
    """Nothing here is missed, and nothing is strange."""


class ZoneMark(enum.StrEnum):
    """What the light of a zone shows."""

    HERE = "here"
    """Something stands there."""
    GOES = "goes"
    """A piece belongs there and is waited for."""


class Zone(NamedTuple):
    """One place on the table, known by the 40 mm marker on its card.  Zones that name one marker share a card.

    ``area`` is (left, top, right, bottom) in mm in the marker's own frame: origin at the marker's centre, x to its
    right, y down as one reads it.  A tag belongs to the zone whose area holds its centre.
    """

    name: str
    """As in ``position.layout()``: ``warehouse``, ``quarry1``, ``seat0``, ``bid0`` …"""
    marker: str
    """The payload of its marker: ``TT:WH``, ``TT:Q1``, ``TT:SEAT1``, ``TT:BID1`` … (people count seats from 1)."""
    title: Message
    area: tuple[float, float, float, float]
    shape: ZoneShape

    def of_seat(self, seat: int) -> Zone:
        """Return this zone of the first seat as the zone of another seat, with its number in name, marker and title."""
        marker, title = f"{self.marker.removesuffix('1')}{seat + 1}", self.title.with_facts(number=seat + 1)
        return self._replace(name=f"{self.name.removesuffix('0')}{seat}", marker=marker, title=title)


class Size(NamedTuple):
    """How large a kind of piece is, in mm: itself, and its tag, whose middle is so far from the piece's centre.

    A ``tag`` of 0 says that this make has none; a ``round`` piece is a disc.
    """

    width: float
    height: float
    tag_x: float = 0.0
    tag_y: float = 0.0
    tag: float = 20.0
    thick: float = 0.4
    round: bool = False


CARD = Size(44, 62, tag_x=-9, tag_y=-18)
"""A card: its tag sits near the top left, so that a fan of cards shows every one of them."""


class CardSpot(NamedTuple):
    """Where a zone card is laid unless somebody lays it elsewhere: its marker's middle, mm, and its turn clockwise.

    ``faces`` is the turn at which people lay pieces on it, upright for those whose card it is: 0, or 180 across.
    """

    x: float
    y: float
    turn: float = 0.0
    faces: float = 0.0


class ButtonMeaning(NamedTuple):
    """What a button means in a phase: in a few words, for the table in the docs; and what it does.

    ``does`` is an action, the name of an intent (see :meth:`Table.button`), or None for OK, which finishes what lies on
    the table.  UNDO means the same everywhere and is in no game's list.
    """

    says: str
    does: Action | str | None = None
    finishes: bool = False
    """It confirms what lies there, as OK does, and passes its intent to the reading."""
    instead: bool = False
    """It says what pieces without tags cannot show; where all have tags, hands show it."""


class Presses(NamedTuple):
    """The buttons of one action: those that are pressed before hands do it, and after."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class TableReading(NamedTuple):
    """What a still table shows was done since a position.

    ``actions`` are complete and in order (they may turn out illegal: the rules say why).  ``underway`` are pieces
    whose place is explained by something legal that is being done right now: nothing is said of them (of a tower,
    whose pieces have no names, it is the zone).  ``waiting`` is what the table would have to show, or a press it needs,
    before more can be said, as a sentence; ``confirms`` are the buttons that would make an action of what is seen;
    ``question`` is asked aloud because the table cannot be understood without an answer.
    """

    actions: Sequence[Action] = ()
    underway: frozenset[str] = frozenset()
    waiting: Message = EMPTY
    question: Message = EMPTY
    confirms: frozenset[str] = frozenset()

    @classmethod
    def of_deal(
        cls,
        look: Look[Any],
        deal: Callable[[int, tuple[str, ...]], Action],
        zone: str,
        seat: int,
        needed: int,
        waiting: Message,
        *,
        out_of: str = "",
    ) -> TableReading:
        """Return the deal of what a seat shows in its zone (named without its number), once that is as many as needed.

        Until then ``waiting`` is said, which may tell its {name} and how many are {seen}; ``out_of`` as for ``came``.
        """
        shown = look.came(f"{zone}{seat}", out_of=out_of)
        if len(shown) == needed:
            return cls([deal(seat, tuple(shown))], frozenset(shown))
        return cls((), frozenset(shown), waiting.with_facts(name=look.name(seat), seen=len(shown)))

    @classmethod
    def of_one(
        cls,
        moved: Sequence[str],
        act: Callable[[str], Action],
        underway: Iterable[str] = (),
        *,
        waiting: Message = EMPTY,
        many: Message,
    ) -> TableReading:
        """Return the action for the one piece that was moved; wait if there is none, ask ``many`` if there are more."""
        begun = frozenset(underway).union(moved)
        if len(moved) > 1:
            return cls(underway=begun, question=many)
        return cls([act(piece) for piece in moved], begun, EMPTY if moved else waiting)


Reader: TypeAlias = Callable[[Any], TableReading]
"""What a look at the table shows was done in a phase."""


class Table:
    """The table part of a game."""

    makes: Mapping[str, Mapping[str, Size]]
    """Make (``printed``, ``box``) → kind of piece → size; the first is what is played with unless somebody says."""
    called: Mapping[str, Message] = {}
    """Make → what it is in this game's words, if “printed pieces” and “the pieces of the box” do not say enough."""
    extent: tuple[float, float]
    """Width and height of the table that ``setting`` is for, mm."""
    shared: Sequence[Zone] = ()
    """The zones that belong to no seat, the same for any number of seats."""
    own: Sequence[Zone] = ()
    """The zones of the first seat: the others have the same, with their numbers in name, marker and title."""
    spots: Mapping[str, CardSpot] = {}
    """Marker → where its card is laid, for any number of seats that ``spots_for`` says nothing of."""
    spots_for: Mapping[int, Mapping[str, CardSpot]] = {}
    """Number of seats → marker → where its card is laid instead."""
    buttons: Mapping[str, Mapping[str, ButtonMeaning]] = {}
    """Phase → button → what it means, legal or not: the whole of what the panel can do."""
    readers: Mapping[str, Reader] = {}
    """Phase → what a look at the table shows was done in it."""
    shows: Mapping[str, str] = {}
    """Kind of act → zone, without its seat, in which the cards of a hand that it names are shown (deal → ``bid``)."""
    confirmed: frozenset[str] = frozenset()
    """Kinds of act that count only with a press that confirms what lies there."""
    unplaced: frozenset[str] = frozenset()
    """Kinds of pieces whose tags are read and mean nothing: they are in no layout."""
    rules: Mapping[str, Message] = {}
    """Zone, without its number → why pieces belong there, in one sentence."""

    @property
    def sizes(self) -> Mapping[str, Size]:
        """The size of each kind of piece of the first make."""
        return next(iter(self.makes.values()))

    def bare(self, make: str = "") -> frozenset[str]:
        """Return the kinds of pieces that have no tag in a make (empty: the first): what is done to them is said."""
        sizes = self.makes[make] if make else self.sizes
        return frozenset(kind for kind, size in sizes.items() if not size.tag)

    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the zones of a table with that many seats."""
        return [*self.shared, *(zone.of_seat(seat) for seat in range(seats) for zone in self.own)]

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        """Return where each marker's card is laid, for that many seats (marker → spot).

        A marker that has no spot is left out; the contract of games names it.
        """
        spots = {**self.spots, **self.spots_for.get(seats, {})}
        return {zone.marker: spots[zone.marker] for zone in self.zones(seats) if zone.marker in spots}

    def meanings(self, position: Position) -> Mapping[str, ButtonMeaning]:
        """Return what each button means now, legal or not."""
        return self.buttons.get(position.phase, {})

    def button(self, position: Position, button: str) -> Action | str | None:
        """Return what a button means now: an action; the name of an intent (``buy``, ``rebuild``: the table shows the
        rest and OK confirms); or None if the game gives it no meaning in this phase.
        """
        meaning = self.meanings(position).get(button)
        return meaning.does if meaning is not None else None

    def finishes(self, position: Position, button: str) -> bool:
        """Return whether a button confirms what lies there, as OK does."""
        meaning = self.meanings(position).get(button)
        return meaning is not None and meaning.finishes

    def presses(self, position: Position, action: Action, make: str = "") -> Presses:
        """Return what is pressed for an action with pieces of a make (empty: the first): the buttons read backwards."""
        bare, intent = bool(self.bare(make)), self.finish(action)
        meanings = [(name, one) for name, one in self.meanings(position).items() if one.instead <= bare]
        before = [name for name, meaning in meanings if not meaning.finishes and meaning.does in (action, action.do)]
        after = (
            ["OK"]
            if intent == ""
            else [name for name, meaning in meanings if meaning.finishes and meaning.does == intent]
        )
        return Presses(tuple(before[:1]), tuple(after[:1]))

    def finish(self, action: Action) -> str | None:
        """Return what a press says after the hands to finish an action: the intent of a button that finishes, empty
        for OK; None if the action needs no press.
        """
        return "" if action.do in self.confirmed else None

    def pointers(self, position: Position, action: Action, make: str = "") -> Mapping[str, str]:
        """Return the extra pieces, and their zones, that hands lay to show what pieces without tags cannot."""
        return {}

    def payable(self, position: Position) -> frozenset[str]:
        """Return the kinds of action for which only a payment from a hidden hand may be missing, as everybody sees the
        lights."""
        return frozenset()

    def open_buttons(self, position: Position) -> frozenset[str]:
        """Return the buttons that can lead to a legal action, as far as everyone may know: the ones that are lit."""
        begin = {name: one.does for name, one in self.meanings(position).items() if not one.finishes}
        intents = any(isinstance(does, str) for does in begin.values())
        kinds = {action.do for action in position.legal.thrifty()} | self.payable(position) if intents else set()
        return frozenset(
            name
            for name, does in begin.items()
            if (does in kinds if isinstance(does, str) else does is not None and does in position.legal)
        )

    def marks(self, position: Position) -> Mapping[str, ZoneMark]:
        """Return what the zone lights show, by their names."""
        return {}

    def rule(self, zone: str) -> Message:
        """Return why pieces belong into a zone, in one sentence; empty if the game has nothing to say."""
        return self.rules.get(zone_kind(zone), EMPTY)

    def read(self, position: Position, seen: Layout, intent: str | None, confirmed: bool) -> TableReading:
        """Return what the seen layout shows was done since the position.

        ``intent`` is the last button that asked for the table's help, or the one that finishes; ``confirmed`` is True
        when OK, or another button that finishes, was pressed: an action that could still be extended (a bid, a payment)
        is reported only then.
        """
        reader = self.readers.get(position.phase)
        return reader(Look(position, seen, intent, confirmed)) if reader is not None else TableReading()

    def news(self, before: Position, after: Position) -> Message:
        """Return what hands must do between two positions that no camera sees (turn a die); empty if nothing."""
        return EMPTY

    def places(self, position: Position) -> Mapping[str, Sequence[str]]:
        """Return every place that somebody could name for each piece when the table wins over the record; nothing
        if this game cannot go on from what lies on the table.
        """
        return {}

    def adopt(self, position: Position, places: Mapping[str, str]) -> Position:
        """Return the position in which the pieces lie in these places, whatever brought them there (piece → place).

        Raises Illegal if they cannot; a game without ``places`` is never asked.
        """
        raise NotImplementedError(f"{position.game.title} goes on from its record alone")
