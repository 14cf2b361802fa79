"""What a game declares about its physical table: makes, zones, buttons, and how actions are read from a layout.

It needs neither camera nor pins: zones are rectangles in millimetres on a printed card, buttons are names, and what
the camera saw arrives as a :class:`~tabletop.rules.layout.Layout`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tabletop.messages import EMPTY, Message, join, listed_pieces
from tabletop.rules.layout import Layout, zone_kind
from tabletop.rules.look import Look

if TYPE_CHECKING:
    from tabletop.rules.game import Action, Position

BUTTONS = ("MONEY", "BUILD", "REBUILD", "BUY", "AUCTION", "PASS", "OK")
"""The buttons of the panel to which a game can give a meaning; UNDO means the same everywhere."""
OK_BUTTON = frozenset({"OK"})
"""The buttons that confirm what lies on the table, in games in which only OK does."""


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
    """On top of each other in a known order, the top piece in sight."""
    HEAP = "heap"
    """On top of each other in no order: none has to be in sight."""
    STORE = "store"
    """A store that is not compared with the record: no piece in it is missing or out of place."""


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
    """The size of a kind of piece, in mm, with the size of its tag and the tag's offset from the piece's centre.

    A ``tag`` of 0 means that this make has no tag; a ``round`` piece is a disc.
    """

    width: float
    height: float
    tag_x: float = 0.0
    tag_y: float = 0.0
    tag: float = 20.0
    thick: float = 0.4
    round: bool = False


CARD = Size(44, 62, tag_x=-9, tag_y=-18)
"""A card: its tag sits near the top left, so that every tag of a fan of cards is visible."""


class CardSpot(NamedTuple):
    """The default place of a zone card on the table: its marker's centre, mm, and its clockwise turn, degrees.

    ``faces`` is the turn of pieces laid on it, upright for the seat whose card it is: 0, or 180 on the far side.
    """

    x: float
    y: float
    turn: float = 0.0
    faces: float = 0.0


class ButtonMeaning(NamedTuple):
    """The meaning of a button in a phase: a few words for people, marked for translation, and what it does.

    ``does`` is an action, the name of an intent (see :meth:`Table.button`), or None for OK, which finishes what lies on
    the table.  UNDO means the same everywhere and is in no game's list.
    """

    says: str
    does: Action | str | None = None
    finishes: bool = False
    """True if it confirms what lies there, as OK does, and passes its intent to the reading."""
    instead: bool = False
    """True if it is needed only for makes whose pieces lack tags: it says what tagged pieces would show."""


class Presses(NamedTuple):
    """The buttons of one action: those pressed before the hands move pieces, and those pressed after."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def perhaps_done(asked: Message) -> Message:
    """Return a sentence that asks for something, and what helps if it was done but glare hides it."""
    return join([asked, Message("Done already? Push the piece a little, or turn away any lamp reflected in it.")])


def into_hand(look: Look[Any], zones: Iterable[str], shown: str = "") -> Message:
    """Return the sentence on pieces that were taken from these zones but lie open on the table; empty if none do.

    They may lie in the zone ``shown``, where a seat shows what it holds.
    """
    taken = sorted(piece for zone in zones for piece in look.went(zone) if look.lies(piece) not in ("", shown))
    if not taken:
        return EMPTY
    return Message.plural(
        "Take {pieces} into your hand, or put it back.",
        "Take {pieces} into your hand, or put them back.",
        len(taken),
        pieces=listed_pieces(taken),
    )


class TableReading(NamedTuple):
    """What was done since a position, as far as a still table shows it.

    ``actions`` are complete and in order (they may turn out illegal: the rules say why).  ``underway`` are pieces
    whose place is explained by something legal that is being done right now, so they are not reported as misplaced
    (for a tower, whose pieces have no names, it is the zone).  ``waiting`` is a sentence with what the table must show,
    or which press it needs, before more can be read; ``confirms`` are the buttons that would turn what is seen into an
    action; ``question`` is put to the players because the table cannot be understood without an answer.
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
        """Return the deal of the pieces that a seat shows in its zone (named without its number), once all are there.

        Until then it is ``waiting``, filled with the seat's {name} and how many are {seen}; ``out_of`` as for ``came``.
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
        """Return the action for the one piece that was moved; ``waiting`` if none was, ``many`` if several were."""
        begun = frozenset(underway).union(moved)
        if len(moved) > 1:
            return cls(underway=begun, question=many)
        return cls([act(piece) for piece in moved], begun, EMPTY if moved else waiting)


Reader: TypeAlias = Callable[[Any], TableReading]
"""Reads what was done in a phase from a look at the table."""


class Table:
    """What a game declares about its physical table."""

    makes: Mapping[str, Mapping[str, Size]]
    """Make (``printed``, ``box``) → kind of piece → size; the first make is the default."""
    called: Mapping[str, Message] = {}
    """Make → its description, if “printed pieces” and “the pieces of the box” do not say enough."""
    extent: tuple[float, float]
    """Width and height of the table that ``setting`` is for, mm."""
    shared: Sequence[Zone] = ()
    """The zones that belong to no seat, the same for any number of seats."""
    own: Sequence[Zone] = ()
    """The zones of the first seat: the others have the same, with their numbers in name, marker and title."""
    spots: Mapping[str, CardSpot] = {}
    """Marker → where its card is laid, unless ``spots_for`` has another place for the number of seats."""
    spots_for: Mapping[int, Mapping[str, CardSpot]] = {}
    """Number of seats → marker → where its card is laid instead."""
    buttons: Mapping[str, Mapping[str, ButtonMeaning]] = {}
    """Phase → button → what it means, legal or not: everything that the panel can do."""
    readers: Mapping[str, Reader] = {}
    """Phase → the function that reads from a look at the table what was done in it."""
    shows: Mapping[str, str] = {}
    """Kind of action → zone, without its seat, where the hand cards that it names are shown (deal → ``bid``)."""
    confirmed: frozenset[str] = frozenset()
    """Kinds of action that count only with a press that confirms what lies there."""
    unplaced: frozenset[str] = frozenset()
    """Kinds of pieces whose tags are read but ignored: they are in no layout."""
    rules: Mapping[str, Message] = {}
    """Zone, without its number → why pieces belong there, in one sentence; piece → why it belongs where it does."""

    @property
    def sizes(self) -> Mapping[str, Size]:
        """The size of each kind of piece of the first make."""
        return next(iter(self.makes.values()))

    def bare(self, make: str = "") -> frozenset[str]:
        """Return the kinds of pieces without tags in a make (empty: the first); presses say what is done to them."""
        sizes = self.makes[make] if make else self.sizes
        return frozenset(kind for kind, size in sizes.items() if not size.tag)

    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the zones of a table with that many seats."""
        return [*self.shared, *(zone.of_seat(seat) for seat in range(seats) for zone in self.own)]

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        """Return where each marker's card is laid, for that many seats (marker → spot).

        A marker without a spot is left out; the contract of games reports it.
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
        """Return the buttons to press for an action with pieces of a make (empty: the first)."""
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
        """Return the intent of the button that finishes an action after the hands have moved, empty for OK; None if
        the action needs no such press.
        """
        return "" if action.do in self.confirmed else None

    def pointers(self, position: Position, action: Action, make: str = "") -> Mapping[str, str]:
        """Return extra piece → zone: the pieces that hands lay to show what pieces without tags cannot."""
        return {}

    def payable(self, position: Position) -> frozenset[str]:
        """Return the kinds of action that lack at most a payment from a hidden hand; their buttons are lit even if the
        hand could not pay, because everybody sees the lights."""
        return frozenset()

    def open_buttons(self, position: Position) -> frozenset[str]:
        """Return the buttons to light: those that can lead to a legal action, as far as everybody may know."""
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

    def rule(self, zone: str, piece: str = "") -> Message:
        """Return why a piece belongs in a zone, in one sentence; empty if the game does not say."""
        return self.rules.get(piece) or self.rules.get(zone_kind(zone), EMPTY)

    def read(self, position: Position, seen: Layout, intent: str | None, confirmed: bool) -> TableReading:
        """Return what was done since the position, as the seen layout shows it.

        ``intent`` is the last button that asked for the table's help, or the one that finishes; ``confirmed`` is True
        when OK, or another button that finishes, was pressed: an action that could still be extended (a bid, a payment)
        is reported only then.
        """
        reader = self.readers.get(position.phase)
        return reader(Look(position, seen, intent, confirmed)) if reader is not None else TableReading()

    def news(self, before: Position, after: Position) -> Message:
        """Return what players must do by hand that the camera cannot see (turn a die); empty if nothing."""
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
