"""Groups the actions that hands do in one movement: pending pieces are placed at once, hasty people do whole turns."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable

from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Anywhere, Layout, Tower, zone_kind
from tabletop.rules.table import Presses, Table

Choose = Callable[[Position], Action]
"""Chooses the action of the deciding seat or of chance; it must use only what the decider may know."""


class Pace(enum.Enum):
    """How much people do in one movement of the hand."""

    CALM = "one act, and what is pending after it"
    BRISK = "the same, and all with which chance fills empty zones of one name"
    HASTY = "all that a turn brings, as long as no button is pressed, nothing is moved twice and no order is lost"


class Movements:
    """Asks ``choose`` for as many actions, in order, as are done in one movement.

    An action that was chosen but belongs to the next movement is kept, so that each decision is asked for only once.
    """

    def __init__(self, rules: Table, make: str) -> None:
        self._rules, self._make = rules, make
        self._kept: tuple[Position, Action] | None = None

    def next(self, position: Position, choose: Choose, pace: Pace) -> list[Action]:
        """Return the actions that are done in one movement from a position."""
        first, actions = position, [self._chosen(position, choose)]
        alone = self._alone(position, actions[0])
        # Pieces that were pending before are placed one by one: their order would be lost.
        before_all, at = _pending(position.layout()), position
        while True:
            before, at = at, at.after(actions[-1])
            if at.over:
                return actions
            same = before.decider is not None and at.decider == before.decider
            pending = _pending(at.layout()) - before_all if same else frozenset()
            ends = alone or not _may_go_on(pace, first, at)
            if ends and not pending:
                return actions
            action = self._chosen(at, choose)
            placed = not pending.isdisjoint(at.game.pieces_in(action.to_json()))
            if not placed and (ends or not self._fits(before, at, action, first, actions)):
                self._kept = (at, action)
                return actions
            actions.append(action)

    def _chosen(self, position: Position, choose: Choose) -> Action:
        kept, self._kept = self._kept, None
        return kept[1] if kept is not None and kept[0] == position else choose(position)

    def _alone(self, position: Position, action: Action) -> bool:
        """Return whether nothing may follow an action in the same movement: it needs a press, or shows a dealt hand."""
        shown = position.decider is None and action.do in self._rules.shows
        return shown or self._rules.presses(position, action, self._make) != Presses()

    def _fits(self, before: Position, at: Position, action: Action, first: Position, done: list[Action]) -> bool:
        """Return whether an action can still be recognised if it is done in the same movement as those already done."""
        named = [*at.game.pieces_in(action.to_json())]
        before_it = {piece for action in done for piece in at.game.pieces_in(action.to_json())}
        if self._alone(at, action) or not before_it.isdisjoint(named):
            return False
        if before.decider is None and at.decider is None:
            kinds = _zone_kinds(at.layout(), at.game.pieces_in(done[-1].to_json()))
            return _is_empty(first.layout(), kinds) and kinds == _zone_kinds(at.after(action).layout(), named)
        if _shrinks(first.layout(), at.layout(), at.after(action).layout()):
            return False
        return _has_order(before, done[-1], action) or before.after(action).after(done[-1]) == at.after(action)


def _may_go_on(pace: Pace, first: Position, at: Position) -> bool:
    match pace:
        case Pace.BRISK:
            return first.decider is None and at.decider is None and at.phase == first.phase
        case Pace.HASTY:
            return at.active == first.active and at.decider in (None, first.active)
        case _:
            return False


def _has_order(before: Position, one: Action, other: Action) -> bool:
    """Return whether two actions are legal only in this order."""
    return before.refusal(other) is not None or before.after(other).refusal(one) is not None


def _pending(layout: Layout) -> frozenset[str]:
    return frozenset(piece for there in layout.values() if isinstance(there, Anywhere) for piece in there.pieces)


def _zone_kinds(layout: Layout, pieces: Iterable[str]) -> set[str]:
    """Return the kinds of the zones in which pieces lie."""
    lies = layout.zone_of()
    return {zone_kind(lies[piece]) for piece in pieces if piece in lies}


def _is_empty(layout: Layout, kinds: set[str]) -> bool:
    """Return whether nothing lies in the zones of these kinds."""
    return not any(layout.pieces(zone) for zone in layout if zone_kind(zone) in kinds)


def _shrinks(first: Layout, before: Layout, after: Layout) -> bool:
    """Return whether a piece is taken off one tower after a tower involved was changed in the same movement."""
    towers = [zone for zone, there in after.items() if isinstance(there, Tower) and there != before[zone]]
    taken = any(len(after.floors(zone)) < len(before.floors(zone)) for zone in towers)
    return taken and any(before[zone] != first[zone] for zone in towers)
