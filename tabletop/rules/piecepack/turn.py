"""The rules put together: for each phase its kinds of action, each asked three ways.

Each rule is written once, in the ``why_not`` of its action or in what that shares with the listing.  A reason is the
key of a sentence of REASONS; the words are made only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tabletop.rules.piecepack import acting, chance, placing
from tabletop.rules.piecepack.state import State


class Rule(NamedTuple):
    """One kind of action: all of them, why not, and what one does.

    ``act`` is asked only where ``why_not`` gives no reason.  ``thrifty`` lists what a person would consider, where
    that is less.
    """

    listing: Callable[[State], Iterable[Any]]
    why_not: Callable[[State, Any], str | None]
    act: Callable[[Any, Any], Any]
    thrifty: Callable[[State], Iterable[Any]] | None = None


REVEAL = Rule(chance.reveals, chance.why_not_reveal, chance.reveal)
DEAL = Rule(chance.deals, chance.why_not_deal, chance.deal)
BUILD = Rule(placing.builds, placing.why_not_build, placing.build)
KEEP = Rule(placing.keeps, placing.why_not_keep, placing.keep)

TURN: Mapping[str, Rule] = {
    "coin": Rule(acting.coins, acting.why_not_coin, acting.coin),
    "reserve": Rule(acting.reserves, acting.why_not_reserve, acting.reserve),
    "turret": Rule(acting.turrets, acting.why_not_turret, acting.turret),
    "purchase": Rule(acting.purchases, acting.why_not_purchase, acting.purchase, acting.thrifty_purchases),
    "pass": Rule(acting.passes, acting.why_not_pass, acting.pass_on),
}
PLACING: Mapping[str, Rule] = {"build": BUILD, "keep": KEEP}

PHASES: Mapping[str, Mapping[str, Rule]] = {
    "setup": {"reveal": REVEAL},
    "deal": {"deal": DEAL},
    "action": {**TURN, **PLACING},
    "place": PLACING,
    "reveal": {"reveal": REVEAL},
    "over": {},
}
"""The rules of each phase; in ``action`` a structure is placed while an exact payment's extra action is open."""

Listings: TypeAlias = Mapping[str, Sequence[Callable[[State], Iterable[Any]]]]
"""What is asked for the actions of each phase."""

LISTINGS: Listings = {
    phase: [rule.listing for rule in (rules if phase != "action" else TURN).values()] for phase, rules in PHASES.items()
}
THRIFTY: Listings = {
    phase: [rule.thrifty or rule.listing for rule in (rules if phase != "action" else TURN).values()]
    for phase, rules in PHASES.items()
}


def listed(state: State, listings: Listings) -> Iterator[Any]:
    """Iterate over the actions that the listings of the state's phase give."""
    found: list[Any] = []
    for listing in listings[state.phase]:
        found += listing(state)
    if state.pending and state.phase == "action":
        for listing in listings["place"]:
            found += listing(state)
    return iter(found)


SEAT_PHASES = frozenset({"action", "place"})
"""The phases in which the active seat decides; in the others chance does, or nobody."""
KINDS = frozenset(kind for rules in PHASES.values() for kind in rules)
