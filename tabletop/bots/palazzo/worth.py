"""What things of Palazzo are worth to a seat, in points: palazzi with their future, tiles, cards.

Rules of thumb, not rules: points as the game counts them, plus what an unfinished palazzo may still become.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tabletop.rules.game import View
from tabletop.rules.palazzo.components import END_TILES, FLOOR
from tabletop.rules.palazzo.phases.building import points
from tabletop.rules.palazzo.phases.money import read

HOPE = (0.0, 8.0, 6.5, 3.5, 2.0, 0.0)
"""By number of tiles, what a palazzo may gain in the time that is left, at the beginning of a game."""
MONEY_A_POINT = 2.2
"""How much money a thrifty person gives for a point."""

Column = tuple[str, ...]


def own(view: View) -> Any:
    """Return the part of the view that is about the seat that decides."""
    return view["seats"][view["turn"]["seat"]]


def columns(view: View) -> list[Column]:
    """Return the bot's palazzi."""
    return [tuple(column) for column in own(view)["palazzi"]]


def time_left(view: View) -> float:
    """Return about how much of the game is still to come, 1 … 0."""
    hidden = view["unseen"].values()
    unseen = sum(count if isinstance(count, int) else len(count) for count in hidden)
    return max(0.0, min(unseen / 48, 1 - len(view["end_tiles"]) / (len(END_TILES) + 1)))


def column_worth(column: Column, left: float) -> float:
    """Return what a palazzo is worth with ``left`` of the game to come."""
    room = min(1.0, (5 - FLOOR[column[-1]] + (FLOOR[column[0]] - 1) * 0.5) / 2)
    pure = 1.0 if len({tile[0] for tile in column}) == 1 and len(column) > 1 else 0.0
    return points(column) + min(1.0, left * 1.5) * (HOPE[len(column)] * room + pure)


def placed(palazzi: Sequence[Column], tile: str, onto: str | None) -> list[Column]:
    """Return the palazzi with a tile built onto the one whose top is ``onto``, or as a new one."""
    if onto is None:
        return [*palazzi, (tile,)]
    return [(*column, tile) if column[-1] == onto else column for column in palazzi]


def gain(palazzi: Sequence[Column], tile: str, left: float) -> float:
    """Return what a tile adds at its best place; not less than 0, for it may be discarded."""
    best = column_worth((tile,), left)
    for column in palazzi:
        if FLOOR[column[-1]] < FLOOR[tile]:
            best = max(best, column_worth((*column, tile), left) - column_worth(column, left))
        else:
            # A palazzo that it cannot crown now may take it in by a rebuild, which costs a turn and a card.
            grown = tuple(sorted((*column, tile), key=lambda t: FLOOR[t]))
            if len({FLOOR[t] for t in grown}) == len(grown):
                best = max(best, column_worth(grown, left) - column_worth(column, left) - 3)
    return max(0.0, best)


def gain_of_all(palazzi: Sequence[Column], tiles: Iterable[str], left: float) -> float:
    """Return what several tiles add, each as if it came alone, a little less for each further one."""
    gains = sorted((gain(palazzi, tile, left) for tile in tiles), reverse=True)
    return sum(value * 0.9**number for number, value in enumerate(gains))


def money(cards: Sequence[str]) -> int:
    """Return what cards are worth when they are laid together; 0 if they are not a payment."""
    reading = read(cards)
    return reading.value if reading else 0


def purse(hand: Sequence[str]) -> int:
    """Return about the most that a hand can pay: its best currency with its certificates."""
    certificates = [card for card in hand if card.startswith("C")]
    return max(money([*certificates, *(card for card in hand if card.startswith(c))]) for c in "RNG")
