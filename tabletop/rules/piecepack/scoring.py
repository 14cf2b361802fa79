"""The score: points for each suit and for the materials, and the tie-breaks."""

from __future__ import annotations

from tabletop.rules.game import Json, SeatScore, ranks
from tabletop.rules.piecepack.components import FACE, SUITS, TITLES
from tabletop.rules.piecepack.state import State

AHEAD_POINTS = (3, 2, 1)
"""The points of each structure of a suit with 0, 1 or 2 seats strictly ahead in that suit; 0 with more."""


def count(state: State, seat: int, suit: str) -> int:
    """Return how many structures of a suit stand in a palazzo, the one with the turret twice."""
    standing = (*state.palazzi[seat], state.turrets[seat])
    return sum(structure is not None and structure[1] == suit for structure in standing)


def materials(state: State, seat: int) -> int:
    """Return the sum of the values in a palazzo, the turret's doubled."""
    standing = (*state.palazzi[seat], state.turrets[seat])
    return sum(FACE[structure] for structure in standing if structure is not None)


def score(state: State) -> list[SeatScore]:
    """Return the scores as if the game ended now, seat 0 first; reserves and pending structures count nothing."""
    counts = {suit: [count(state, seat, suit) for seat in range(state.seats)] for suit in SUITS}
    parts = [_parts(state, seat, counts) for seat in range(state.seats)]
    points = [sum(part["points"] for part in own) for own in parts]
    ties = [_tiebreak(state, seat) for seat in range(state.seats)]
    places = ranks([(-points[seat], -ties[seat][0], ties[seat][1]) for seat in range(state.seats)])
    return [*map(SeatScore, points, parts, ties, places)]


def _parts(state: State, seat: int, counts: dict[str, list[int]]) -> list[dict[str, Json]]:
    parts: list[dict[str, Json]] = []
    for suit, title in TITLES.items():
        own = counts[suit][seat]
        ahead = sum(other > own for other in counts[suit])
        each = AHEAD_POINTS[ahead] if ahead < len(AHEAD_POINTS) else 0
        parts.append({"suit": title, "count": own, "ahead": ahead, "points": own * each})
    value = materials(state, seat)
    return [*parts, {"materials": value, "points": value}]


def _tiebreak(state: State, seat: int) -> list[int]:
    """Return the tie-breaks: more coins in hand and die win, then fewer structures in the palazzo."""
    return [state.purses[seat].reach, len(state.palazzi[seat])]
