"""Points: tokens of the cities as they stand, heads of the cards played, and the tie-break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tabletop.rules.game import Json, SeatScore, ranks
from tabletop.rules.patrician.components import CITIES, FLOOR_SUPPLY, HEAD_SET, HEAD_SET_POINTS, HEADS
from tabletop.rules.patrician.phases.towers import Award, Tower, awards, full
from tabletop.rules.patrician.state import State


@lru_cache(maxsize=256)
def standing_awards(towers: tuple[Tower, ...], only_full: bool) -> tuple[Award, ...]:
    """Return the tokens of every city as its towers stand, or of the full cities only.

    Cached, because it is asked once per seat for the same board.
    """
    found: list[Award] = []
    cities = CITIES[: len(towers) // 2]
    for city, first, second in zip(cities, towers[::2], towers[1::2], strict=True):
        if not only_full or full(city, first, second):
            found += awards(city, first, second)
    return tuple(found)


def tokens(state: State, seat: int) -> list[int]:
    """Return the values of the tokens that the seat has won, the highest first."""
    won = standing_awards(state.towers, state.phase != "over")
    return sorted([award.points for award in won if award.seat == seat], reverse=True)


def heads(state: State, seat: int) -> Counter[str]:
    """Return how many of each head the seat has played; a card with two counts two."""
    return Counter(head for card in state.played[seat] for head in state.faces[card].heads)


def score(state: State) -> Sequence[SeatScore]:
    """Return the scores as if the game ended now; fewer own floors on the board win a tie."""
    as_they_stand = standing_awards(state.towers, False)
    parts = [list(_parts(state, seat, as_they_stand)) for seat in range(state.seats)]
    points = [sum(part["points"] for part in own) for own in parts]
    built = [FLOOR_SUPPLY[state.seats] - left for left in state.supply]
    places = ranks([(-total, count) for total, count in zip(points, built, strict=True)])
    return [*map(SeatScore, points, parts, built, places)]


def _parts(state: State, seat: int, won: Sequence[Award]) -> Iterator[dict[str, Json]]:
    for award in won:
        if award.seat == seat:
            part = {"city": award.city, "site": award.site, "points": award.points}
            yield {**part, "ruling": "equal-towers"} if award.ruling else part
    shown = heads(state, seat)
    for head in HEADS:
        if shown[head]:
            yield {"heads": head, "count": shown[head], "points": shown[head] // HEAD_SET * HEAD_SET_POINTS}
