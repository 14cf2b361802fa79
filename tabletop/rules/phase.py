"""The common form of a rule for all games: which actions are legal, why one is not, and what it does.

A game declares for each phase what it waits for and which kinds of action it has, each with its :class:`Rule`, and a
table of the sentences with which it refuses.  :class:`RuledPosition` uses them to list, refuse and carry out actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from tabletop.messages import EMPTY, Message
from tabletop.rules.fields import Data
from tabletop.rules.game import Action, Illegal, Json, Position, View
from tabletop.rules.refusals import Reason, refused

Options: TypeAlias = Callable[[Any], Iterable[Action]]
"""Lists the legal actions of one kind, or of one phase, in a state."""


class Why(NamedTuple):
    """A refusal: the key of a sentence among the game's reasons, the facts that it names, and a legal action nearby."""

    key: str
    facts: Mapping[str, Json]
    nearest: Action | None = None


def why(key: str, nearest: Action | None = None, **facts: Json) -> Why:
    """Return the refusal with this key of a sentence and these facts."""
    return tuple.__new__(Why, (key, facts, nearest))  # quicker than the class


class Rule(NamedTuple):
    """One kind of action.

    ``options`` gives every legal action of this kind, interchangeable copies once, lazily or as a list; ``why_not``
    says why one is not legal, or None; ``act`` gives the state after a legal one.  All three are called only in a phase
    to which the kind belongs.  ``thrifty`` gives the actions that a person would consider, if they are fewer.
    """

    options: Options
    why_not: Callable[[Any, Any], Why | None]
    act: Callable[[Any, Any], Any]
    thrifty: Options | None = None


class Phase:
    """One phase: what it waits for, in words for a sentence, and the rule of each kind of action."""

    __slots__ = ("options", "rules", "thrifty", "waits")

    def __init__(self, waits: Message = EMPTY, **rules: Rule) -> None:
        self.waits = waits
        self.rules: Mapping[str, Rule] = rules
        self.options = _together([rule.options for rule in rules.values()])
        self.thrifty = _together([rule.thrifty or rule.options for rule in rules.values()])


def _together(every: list[Options]) -> Options:
    """Return a function that lists the actions of all of these, one after the other."""
    if len(every) == 1:
        return every[0]

    def options(state: Any) -> list[Action]:
        actions: list[Action] = []
        for each in every:
            actions += each(state)
        return actions

    return options


def never(_state: object, _action: object) -> None:
    """Return None: nothing forbids the action."""


class RuledPosition(Position):
    """A position that answers through the rules of its phase."""

    __slots__ = ()

    data: ClassVar[Data]
    """How it is represented as data."""
    phases: ClassVar[Mapping[str, Phase]]
    reasons: ClassVar[Mapping[str, Reason]]
    """The sentences of refusal by key, which must include ``over`` and ``wrong-phase``."""
    kinds: ClassVar[frozenset[str]]
    """The kinds of action of every phase."""
    elsewhere: ClassVar[Mapping[str, str]] = {}
    """Kind of action → the sentence that refuses it in other phases than its own, if it is not ``wrong-phase``."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.kinds = frozenset(kind for phase in cls.phases.values() for kind in phase.rules)

    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action, interchangeable copies once."""
        return iter(self.phases[self.phase].options(self))

    def list_thrifty(self) -> Iterator[Action]:
        """Iterate over the legal actions that a person would consider: no payment with superfluous cards."""
        return iter(self.phases[self.phase].thrifty(self))

    @property
    def views(self) -> Data:
        """How its views are made, if not in the same way as its data."""
        return self.data

    def view(self, seat: int | None) -> View:
        """Return what the seat may know (None: a spectator), from the declared policies."""
        return self.views.seen(self, seat)

    def hidden(self, seat: int | None) -> Mapping[str, Sequence[str]]:
        """Return the pieces of which the seat (None: a spectator) sees only the number, by their place in the data."""
        return self.views.hidden(self, seat)

    def to_json(self) -> dict[str, Json]:
        """Return the protocol's position."""
        return self.data.whole(self)

    def refusal(self, action: Action) -> Illegal | None:
        """Return why the action is not legal, or None if it is."""
        rule = self.phases[self.phase].rules.get(action.do)
        if rule is None:
            return self._out_of_phase(action)
        found = rule.why_not(self, action)
        return None if found is None else self._refuse(found, action)

    def after(self, action: Action | str) -> Self:
        """Return the position after the action, a value or short notation.  Raises Illegal if it is not legal."""
        if isinstance(action, str):
            action = self.game.parse(action)
        rule = self.phases[self.phase].rules.get(action.do)
        if rule is None:
            raise self._out_of_phase(action)
        found = rule.why_not(self, action)
        if found is not None:
            raise self._refuse(found, action)
        following: Self = rule.act(self, action)
        return following

    def following(self, action: Action) -> Self:
        """Return the position after an action that is known to be legal."""
        new: Self = self.phases[self.phase].rules[action.do].act(self, action)
        return new

    def nearest(self, action: Action) -> Action | None:
        """Return a legal action near a refused one if the rule itself names none; None if there is no such action."""
        return None

    def _out_of_phase(self, action: Action) -> Illegal:
        """Return why no action of this kind is possible in this phase."""
        kind, phase = action.do, self.phase
        if kind not in self.kinds:
            return Illegal("unknown-action", Message("There is no such action in this game."))
        if phase == "over":
            return refused(self.reasons["over"], {})
        if kind in self.elsewhere:
            return refused(self.reasons[self.elsewhere[kind]], {}, self.nearest(action))
        facts = {"do": kind, "phase": self.phases[phase].waits}
        return refused(self.reasons["wrong-phase"], facts, self.nearest(action))

    def _refuse(self, found: Why, action: Action) -> Illegal:
        key, facts, near = found
        return refused(self.reasons[key], facts, self.nearest(action) if near is None else near)
