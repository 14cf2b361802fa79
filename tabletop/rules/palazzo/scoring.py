"""The scores, as if the game ended now."""

from __future__ import annotations

from tabletop.rules.game import SeatScore
from tabletop.rules.palazzo.phases.palazzi import points
from tabletop.rules.palazzo.phases.payments import best
from tabletop.rules.palazzo.state import State


def score(state: State) -> tuple[SeatScore, ...]:
    """Return each seat's points, its palazzi, its tie-break (the highest payment of its hand) and its rank."""
    rules = state.options
    parts = [[{"palazzo": list(column), "points": points(column)} for column in own] for own in state.palazzi]
    totals = [sum(points(column) for column in own) for own in state.palazzi]
    breaks = [best(hand, rules.tiebreak_groups, rules.certificates_alone) for hand in state.hands]
    order = list(zip(totals, breaks, strict=True))
    return tuple(
        SeatScore(total, own, tiebreak, 1 + sum(other > (total, tiebreak) for other in order))
        for own, (total, tiebreak) in zip(parts, order, strict=True)
    )
