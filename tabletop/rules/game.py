"""The types every game is written with: Game, Position, Action, Legal, Illegal, SeatScore, View.

A game fills in their abstract methods.  Each rule is written once, as the reason an action would be refused, and asked
in three ways: ``position.legal`` lists, ``position.refusal(action)`` says why not, ``position.after(action)`` acts.
Layout lives in :mod:`tabletop.rules.layout`; what a game says about its physical table lives in
:mod:`tabletop.rules.table`.
"""

from __future__ import annotations

import enum
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from tabletop.messages import Declined, Message, SeatRef, foreign
from tabletop.rules.data_words import words
from tabletop.rules.layout import Layout
from tabletop.rules.table import ButtonMeaning, Size, Table

Json: TypeAlias = Any
"""What ``json.loads`` gives: dicts, lists, strings, numbers, booleans, None."""

MAX_SHOWN_ACTIONS = 8
"""The most legal actions that are spelt out when a listing is printed."""

View: TypeAlias = Mapping[str, Json]
"""What one seat, or a spectator, may know of a position: its JSON form with secrets left out or counted."""


Number = TypeVar("Number", int, float)


class Illegal(Declined):
    """A refusal by the rules of a game, with the clause that says so and the closest legal action, if one is known."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        rule: str = "",
        facts: Mapping[str, Json] | None = None,
        nearest: Action | None = None,
        template: bool = False,
    ) -> None:
        """``template``: the message has gaps, which the facts fill."""
        # Not through super(): a refusal is made for every action that is asked about, and this takes a third less time.
        self.code = code
        self._text = message
        self.facts = {**facts} if facts else {}
        self.rule = rule
        self.nearest = nearest
        self._template = template

    @property
    def message(self) -> str:
        """The sentence.  A template is filled in only here, because the sentences of most refusals are never read."""
        return Message(self._text, **self.facts) if self._template else self._text

    def to_json(self) -> dict[str, Json]:
        """Return the ``error`` object of the referee protocol."""
        data: dict[str, Json] = {"code": self.code, "message": self.message, "rule": self.rule}
        if self.facts:
            data["facts"] = self.facts
        if self.nearest is not None:
            data["nearest"] = self.nearest.to_json()
        return data

    def __repr__(self) -> str:
        nearest = "" if self.nearest is None else f" · nearest: {self.nearest}"
        return f"{super().__repr__()[:-1]}{nearest}>"


class Action(Protocol):
    """Something a seat or chance does: a hashable value (a named tuple whose field ``do`` names its kind)."""

    @property
    def do(self) -> str:
        """The kind of action, the protocol's ``"do"``."""

    def to_json(self) -> dict[str, Json]:
        """Return the protocol's form; ``game.action(data)`` is its inverse."""


class Policy(enum.Enum):
    """Who may know a field of a position.  A field without a policy is an error, never public by default."""

    ALL = "everybody sees it"
    OWNER = "its seat sees it, the others its count"
    COUNT = "everybody sees how many, nobody which"
    NOBODY = "nobody sees anything of it"


class Piece(NamedTuple):
    """One physical piece: its id as the tags say it, and its kind (``tile``, ``money``, ``end`` …).

    ``like`` is the name that interchangeable pieces share (``black`` for the floor K07): positions and layouts use it
    instead of their ids.
    """

    id: str
    kind: str
    like: str = ""


class SeatScore(NamedTuple):
    """The score of one seat as if the game ended now; ``rank`` starts at 1 with gaps (1, 1, 3).

    ``tiebreak`` is None if nothing breaks ties; the ``points`` of a part are what its other entries are worth.
    """

    points: int
    parts: Sequence[Mapping[str, Json]]
    tiebreak: Json
    rank: int


def ranks(keys: Sequence[Any]) -> list[int]:
    """Return the rank of each seat, given keys that sort the best seat first; seats with equal keys share a rank."""
    return [1 + sum([other < key for other in keys]) for key in keys]


def lead(points: Sequence[Number], seat: int) -> Number:
    """Return by how many points a seat leads the best other seat; all its points if it plays alone."""
    return points[seat] - max([each for at, each in enumerate(points) if at != seat], default=0)


def win_share(ranks: Sequence[int], seat: int) -> float:
    """Return a seat's share of the win, 0 … 1: the seats of rank 1 share it equally."""
    return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0


class Legal:
    """The legal actions of a seat or chance, listed lazily: ``in`` checks one action without building the list."""

    __slots__ = ("_actions", "_position")

    def __init__(self, position: Position) -> None:
        self._position = position
        self._actions: list[Action] | None = None

    def __iter__(self) -> Iterator[Action]:
        return iter(self._listed())

    def __contains__(self, action: object) -> bool:
        return self._position.refusal(action) is None  # type: ignore[arg-type]

    def __bool__(self) -> bool:
        return next(self._position.list_legal(), None) is not None

    def __len__(self) -> int:
        return len(self._listed())

    def __repr__(self) -> str:
        game, listed = self._position.game, iter(self)
        shown = [game.format(action) for action in islice(listed, MAX_SHOWN_ACTIONS)]
        more = sum(1 for _ in listed)
        return f"<Legal: {', '.join(shown) or 'nothing'}{f', and {more:,} more' if more else ''}>"

    def thrifty(self) -> Iterator[Action]:
        """Iterate over the actions that a person would consider: no payment with superfluous cards."""
        return self._position.list_thrifty()

    def _listed(self) -> list[Action]:
        # Kept, because list(legal) asks for an iterator and for the length.
        if self._actions is None:
            self._actions = [*self._position.list_legal()]
        return self._actions


class Position(ABC):
    """The state of one game, a value: ``after(action)`` gives the next one; nothing changes in place.

    Equal positions compare equal and hash alike.
    """

    __slots__ = ()

    game: Game

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The names of the seats, seat 0 first."""

    @property
    @abstractmethod
    def phase(self) -> str:
        """The protocol's phase."""

    @property
    @abstractmethod
    def decider(self) -> int | None:
        """The seat that decides (from 0); None means chance, or nobody when the game is over."""

    @property
    @abstractmethod
    def active(self) -> int:
        """The seat whose turn it is, even while another one decides."""

    @property
    def over(self) -> bool:
        """True once the game has ended."""
        return self.phase == "over"

    @property
    def legal(self) -> Legal:
        """The legal actions of the seat or chance that decides; chance actions too, empty when the game is over."""
        return Legal(self)

    @property
    def shows_secrets(self) -> bool:
        """True while pieces that not everybody may know may be shown to the camera, as at a deal."""
        undeclared = self.game.secret_kinds is None and not self.over
        return undeclared or any(self.game.may_be_secret(action.do) for action in self.list_thrifty())

    @abstractmethod
    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action, interchangeable copies once; callers use ``legal``."""

    def list_thrifty(self) -> Iterator[Action]:
        """Iterate over the legal actions that a person would consider."""
        return self.list_legal()

    @abstractmethod
    def refusal(self, action: Action) -> Illegal | None:
        """Return why the action is not legal, or None if it is."""

    @abstractmethod
    def after(self, action: Action) -> Position:
        """Return the position after the action.

        Raises Illegal if it is not legal; the position is left as it was in any case.
        """

    def following(self, action: Action) -> Position:
        """Return the position after an action that is known to be legal, unchecked if that is quicker."""
        return self.after(action)

    @abstractmethod
    def layout(self) -> Layout:
        """Return where every piece should lie."""

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """Return what the seat may know (None: a spectator), from the declared policies."""

    def hidden(self, seat: int | None) -> Mapping[str, Sequence[str]]:
        """Return the pieces of which the seat (None: a spectator) sees only the number, by their place in the data.

        A place is the keys that lead to it: ``seats.1.hand``.
        """
        return dict(_counted(self.to_json(), self.view(seat), ""))

    @abstractmethod
    def score(self) -> Sequence[SeatScore]:
        """Return the scores as if the game ended now, seat 0 first."""

    @abstractmethod
    def to_json(self) -> dict[str, Json]:
        """Return the protocol's position; ``game.load(data)`` is its inverse."""


def _counted(whole: Json, view: Json, at: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each place where the data lists pieces and the view gives their number, with the pieces."""
    if isinstance(whole, list) and isinstance(view, int):
        yield at, whole
    elif isinstance(whole, dict) and isinstance(view, Mapping):
        for key in (key for key in whole if key in view):
            yield from _counted(whole[key], view[key], f"{at}.{key}" if at else key)
    elif isinstance(whole, list) and isinstance(view, list):
        for number, (one, other) in enumerate(zip(whole, view, strict=False)):
            yield from _counted(one, other, f"{at}.{number}")


class Around(NamedTuple):
    """The positions before and after an action."""

    before: Position
    after: Position


class Game(ABC):
    """One game: its components, its options, and how positions and actions are made from data."""

    name: str
    """The protocol's name, lower case."""
    title: str
    """The name as printed on the box."""
    tag: str
    """The two letters its tags begin with."""
    version: str
    """The version of the rules as this project plays them; part of every record."""
    seat_range: range
    """How many seats can play."""
    pieces: Mapping[str, Piece]
    """Every piece by id."""
    options: Mapping[str, Sequence[Json]]
    """The values of each option, the default first; an empty sequence means any (checked by ``new``)."""
    open_points: bool = False
    """True if everybody may know the points at any time: they follow from what a spectator sees."""
    table: Table | None = None
    """What the game says about its physical table; None for a game that is played on its pages alone."""
    secret_kinds: frozenset[str] | None = None
    """The kinds of action that may name pieces which not everybody may know; None: any kind may.

    While one of them can be done, such pieces may lie before the camera, and nobody is shown its picture.
    """

    ground_keys: frozenset[str] = frozenset()
    """The keys of an action's data that name a piece only because another one is laid on it."""

    def pieces_in(self, data: Json) -> Iterator[str]:
        """Iterate over the pieces that data names, such as an action's, in its order."""
        return (word for word in words(data) if word in self.pieces)

    @property
    def buttons(self) -> Mapping[str, Mapping[str, ButtonMeaning]]:
        """Phase → button → what the panel's button means then; empty for a game that is played on its pages alone."""
        return self.table.buttons if self.table is not None else {}

    @property
    def makes(self) -> Mapping[str, Mapping[str, Size]]:
        """Make → kind of piece → size; empty for a game that is played on its pages alone."""
        return self.table.makes if self.table is not None else {}

    def may_be_secret(self, kind: str) -> bool:
        """Return whether actions of a kind may name pieces that not everybody may know."""
        return self.secret_kinds is None or kind in self.secret_kinds

    @abstractmethod
    def new(self, names: Sequence[str], options: Mapping[str, Json] | None = None, edition: Json = None) -> Position:
        """Return the first position.  Raises Illegal (``bad-request``) for wrong seats, options or edition."""

    @abstractmethod
    def load(self, data: Json) -> Position:
        """Return the position that the data describes.  Raises Illegal (``bad-position``) naming what is wrong."""

    @abstractmethod
    def action(self, data: Json) -> Action:
        """Return the action that the data describes.

        Raises Illegal: ``unknown-action``, ``bad-request`` (a key missing or of a wrong type), ``unknown-piece``.
        """

    @abstractmethod
    def format(self, action: Action) -> str:
        """Return the action's short notation; ``parse`` is its inverse."""

    @abstractmethod
    def parse(self, text: str) -> Action:
        """Return the action that the short notation describes.  Raises Illegal (``bad-request``)."""

    def describe(self, action: Action, seat: int | None, around: Around | None) -> Message:
        """Return what an action of a seat (None: of chance) does, as a sentence; the pieces it names are listed after
        it.

        ``around`` are the positions before and after it, None if they are not known.  The sentence is for everybody.
        """
        facts = action.to_json() if around is not None else {}
        dealt = facts.get("seat")
        if seat is None and self.may_be_secret(action.do) and type(dealt) is int:
            return Message("{name} is dealt cards.", name=SeatRef(dealt))
        rest = [
            f"{key} {fact}"
            for key, fact in facts.items()
            if key not in ("do", "seat") and not any(self.pieces_in(fact))
        ]
        act = " ".join([action.do, *([", ".join(rest)] if rest else [])])
        return foreign(act) if seat is None else Message("{name}: {act}", name=SeatRef(seat), act=act)

    @abstractmethod
    def draw(self, position: Position, rng: random.Random) -> Action:
        """Draw the next chance action of a position in which chance decides, uniformly from what may come."""
