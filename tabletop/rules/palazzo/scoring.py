"""The scores, as if the game ended now."""

from __future__ import annotations

from tabletop.rules.game import SeatScore, ranks
from tabletop.rules.palazzo.phases.palazzi import points
from tabletop.rules.palazzo.phases.payments import best
from tabletop.rules.palazzo.state import State


def score(state: State) -> tuple[SeatScore, ...]:
    """Return each seat's points, its palazzi, its tie-break (the highest payment of its hand) and its rank."""
    rules = state.options
    parts = [[{"palazzo": list(column), "points": points(column)} for column in own] for own in state.palazzi]
    totals = [sum(points(column) for column in own) for own in state.palazzi]
    breaks = [best(hand, rules.tiebreak_groups, rules.certificates_alone) for hand in state.hands]
    places = ranks([(-total, -tiebreak) for total, tiebreak in zip(totals, breaks, strict=True)])
    return tuple(map(SeatScore, totals, parts, breaks, places))
