"""The rules put together: for each phase what can be chosen, and its kinds of action.

Each rule is written once, in the ``why_not`` of its action or in what that shares with the listing.  A reason is the
key of a sentence of REASONS; the words are made only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tabletop.rules.piecepack.phases import acting, chance, placing
from tabletop.rules.piecepack.phases.flow import deal_on, go_on, lay_out
from tabletop.rules.piecepack.state import Draft, State


class Rule(NamedTuple):
    """One kind of action: why not, and what it changes, which is asked only where ``why_not`` gives no reason."""

    why_not: Callable[[State, Any], str | None]
    act: Callable[[State, Any, Draft], None]


class Phase(NamedTuple):
    """One phase: the lists of its actions, the rule of each kind of them, and what comes after one."""

    complete: Callable[[State], Sequence[Any]]
    thrifty: Callable[[State], Sequence[Any]]
    """What a person would consider."""
    rules: Mapping[str, Rule]
    then: Callable[[Draft], None] = go_on


def nothing(_state: State) -> list[Any]:
    """List nothing: the game is over."""
    return []


PLACING: Mapping[str, Rule] = {
    "build": Rule(placing.why_not_build, placing.build),
    "keep": Rule(placing.why_not_keep, placing.keep),
}
ACTING: Mapping[str, Rule] = {
    "coin": Rule(acting.why_not_coin, acting.coin),
    "reserve": Rule(acting.why_not_reserve, acting.reserve),
    "turret": Rule(acting.why_not_turret, acting.turret),
    "purchase": Rule(acting.why_not_purchase, acting.purchase),
    "pass": Rule(acting.why_not_pass, acting.pass_on),
    **PLACING,
}
"""A structure is placed among the actions while an exact payment's extra action is open."""
REVEAL: Mapping[str, Rule] = {"reveal": Rule(chance.why_not_reveal, chance.reveal)}
DEAL: Mapping[str, Rule] = {"deal": Rule(chance.why_not_deal, chance.deal)}

PHASES: Mapping[str, Phase] = {
    "setup": Phase(chance.reveals, chance.reveals, REVEAL, lay_out),
    "deal": Phase(chance.deals, chance.deals, DEAL, deal_on),
    "action": Phase(acting.complete, acting.thrifty, ACTING),
    "place": Phase(placing.placings, placing.placings, PLACING),
    "reveal": Phase(chance.reveals, chance.reveals, REVEAL),
    "over": Phase(nothing, nothing, {}),
}

SEAT_PHASES = frozenset({"action", "place"})
"""The phases in which the active seat decides; in the others chance does, or nobody."""
KINDS = frozenset(kind for phase in PHASES.values() for kind in phase.rules)
