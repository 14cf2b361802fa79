"""Games from prepared positions, for exceptions that no game from its beginning can reach or hardly one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME as PALAZZO
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.piecepack.components import COINS
from tabletop.rules.testing import take_walk
from tests.rules.piecepack.board import board


def late(left: int) -> Any:
    """Return a position of Patrician for three seats in which each hand has so many cards left, before a play."""
    walk = take_walk(PATRICIAN, 3, 3)
    return next(
        position
        for position in walk.positions
        if position.phase == "play" and not position.deck and [len(hand) for hand in position.hands] == [left] * 3
    )


def supply_short() -> Position:
    """Black has every floor it owns on the board, wherever another seat's was."""
    position = late(2)
    towers, black = list(position.towers), sum(tower.count(0) for tower in position.towers)
    wanted = black + position.supply[0]
    for place, tower in enumerate(towers):
        turned = list(tower)
        for floor, seat in enumerate(tower):
            if seat != 0 and black < wanted:
                turned[floor] = 0
                black += 1
        towers[place] = tuple(turned)
    supply = tuple(29 - sum(tower.count(seat) for tower in towers) for seat in range(3))
    return position.change(towers=tuple(towers), supply=supply)


def uneven_hands() -> Position:
    """The seat after the active one has given its last cards to the one after it."""
    position = late(1)
    hands = list(position.hands)
    giver, taker = (position.active + 1) % 3, (position.active + 2) % 3
    hands[taker] = tuple(sorted((*hands[taker], *hands[giver])))
    hands[giver] = ()
    return position.change(hands=tuple(hands))


def nothing_to_do() -> Position:
    """One seat holds all coins, and the other's die buys nothing."""
    return board(bank=[], coins=[], die=4, other={"hand": list(COINS), "die": 0})


def one_card_each() -> Position:
    """Palazzo's last tiles: one card each, too few for a row, so that only so many turns can come."""
    return PALAZZO.new(["Ada", "Ben"], {"stacks": "unknown"}).change(
        hands=(("G7a",), ("C2a",)),
        palazzi=((("B1.1", "B3.2"), ("S1.2",)), (("M5.1",),)),
        warehouse=("S3.1a", "S3.1b", "M2.2", "M4.3"),
        quarries=(("B4.1",), (), (), ()),
        unseen=(("B2.1", "E5", "M1.3"), (), ()),
        end_tiles=("E1", "E2", "E3", "E4"),
        deck=(),
        phase="action",
        decider=0,
    )


def four_to_hand_out() -> Position:
    """Palazzo's last two tiles, with five tiles on a quarry."""
    return one_card_each().change(
        hands=((), ("G7a",)),
        palazzi=((("B1.1", "B3.2"), ("S1.2",)), (("M5.1",),)),
        warehouse=(),
        quarries=((), (), ("B4.1", "S2.2", "S4.2", "M3.1a", "M3.1b"), ()),
        unseen=(("B2.1", "E5", "S2.1"), (), ()),
    )


TREES: Mapping[str, Mapping[str, Callable[[], Position]]] = {
    "palazzo": {"one-card-each": one_card_each, "four-to-hand-out": four_to_hand_out},
}
"""Title → a position from which few games can follow; Patrician's golden records end with such."""

STARTS: Mapping[str, Mapping[str, tuple[Callable[[], Position], int | None]]] = {
    "palazzo": {},
    "patrician": {"supply-short": (supply_short, None), "uneven-hands": (uneven_hands, None)},
    "piecepack": {"nothing-to-do": (nothing_to_do, 1)},
}
"""Title → the position, and after how many actions the record ends (None: at the end of the game)."""
