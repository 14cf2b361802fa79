"""One shape of a rule for all games: what there is to choose, why not, and what it does.

A game says of each phase what it waits for and which kinds of action it has, each with its :class:`Rule`, and has a
table of the sentences with which it refuses.  :class:`RuledPosition` asks them: it lists, refuses and acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from tabletop.messages import EMPTY, Message
from tabletop.rules.game import Action, Illegal, Json, Position
from tabletop.rules.refusals import Reason, refuse

Options: TypeAlias = Callable[[Any], Iterable[Action]]
"""From a state to the legal actions of one kind, or of one phase."""


class Why(NamedTuple):
    """Why not: the key of a sentence among the game's reasons, the facts that it names, and what is near and legal."""

    key: str
    facts: Mapping[str, Json]
    nearest: Action | None = None


def why(key: str, nearest: Action | None = None, **facts: Json) -> Why:
    """Return why not: the key of the sentence, and its facts by name."""
    return Why(key, facts, nearest)


class Rule(NamedTuple):
    """One kind of action.

    ``options`` gives every legal action of this kind, interchangeable copies once, lazily or as a list; ``why_not``
    says why one is not legal, or None; ``act`` gives the state after a legal one.  All three are asked only in a phase
    to which the kind belongs.  ``thrifty`` gives what a person would consider, where that is less.
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
    """Return what lists the actions of all of these, one after the other."""
    return every[0] if len(every) == 1 else lambda state: chain.from_iterable([options(state) for options in every])


def never(_state: object, _action: object) -> None:
    """Nothing forbids the action."""


class RuledPosition(Position):
    """A position that is asked through the rules of its phase."""

    __slots__ = ()

    phases: ClassVar[Mapping[str, Phase]]
    reasons: ClassVar[Mapping[str, Reason]]
    """The sentences of refusal; among them ``over`` and ``wrong-phase``."""

    def list_legal(self) -> Iterator[Action]:
        """Iterate over every legal action, interchangeable copies once."""
        return iter(self.phases[self.phase].options(self))

    def list_thrifty(self) -> Iterator[Action]:
        """Iterate over the legal actions that a person would consider: no payment of which a part would do."""
        return iter(self.phases[self.phase].thrifty(self))

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

    def out_of_phase(self, action: Action) -> Why:
        """Return why no action of this kind is possible in this phase."""
        if self.over:
            return why("over")
        return why("wrong-phase", do=action.do, phase=self.phases[self.phase].waits)

    def nearest(self, action: Action) -> Action | None:
        """Return a legal action that is near a refused one for which the rule names none; None if none is."""
        return None

    def _out_of_phase(self, action: Action) -> Illegal:
        if not any(action.do in phase.rules for phase in self.phases.values()):
            return Illegal("unknown-action", Message("There is no such action in this game."))
        return self._refuse(self.out_of_phase(action), action)

    def _refuse(self, found: Why, action: Action) -> Illegal:
        return refuse(self.reasons[found.key], found.nearest or self.nearest(action), **found.facts)
