"""Prepared positions for exceptions that games played from the beginning seldom or never reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME as PALAZZO
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.piecepack.components import COINS, STRUCTURES
from tests.rules.patrician.board import board as cities
from tests.rules.piecepack.board import board


def late(left: int) -> PatricianPosition:
    """Return a position of Patrician for three seats, before a play, with that many cards left in each hand."""
    walk = play_random_game(PATRICIAN, 3, 3)
    return next(
        position
        for position in walk.positions
        if isinstance(position, PatricianPosition)
        and position.phase == "play"
        and not position.deck
        and [len(hand) for hand in position.hands] == [left] * 3
    )


def supply_short() -> Position:
    """Return a position in which black has all of its floors on the board, in place of other seats' floors."""
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
    """Return a position in which the seat after the active one has given its last cards to the seat after it."""
    position = late(1)
    hands = list(position.hands)
    giver, taker = (position.active + 1) % 3, (position.active + 2) % 3
    hands[taker] = tuple(sorted((*hands[taker], *hands[giver])))
    hands[giver] = ()
    return position.change(hands=tuple(hands))


def unfinished_cities() -> Position:
    """Return a position with the very last card in hand; two cities have equal towers, others an empty site or none."""
    towers = {"FIR": ("bw", "wb"), "LUC": ("r", "b"), "SIE": ("bwb", "")}
    position: Position = cities(hands=[["ROM3"]], towers=towers)
    return position


def nothing_to_do() -> Position:
    """Return a position in which one seat holds all coins and the other's die buys nothing."""
    return board(bank=[], coins=[], die=4, other={"hand": list(COINS), "die": 0})


def one_card_each() -> PalazzoPosition:
    """Return a position of Palazzo with the last tiles and one card for each seat, so that few turns can follow."""
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
    """Return a position of Palazzo before the last two tiles, with five tiles on a quarry."""
    return one_card_each().change(
        hands=((), ("G7a",)),
        palazzi=((("B1.1", "B3.2"), ("S1.2",)), (("M5.1",),)),
        warehouse=(),
        quarries=((), (), ("B4.1", "S2.2", "S4.2", "M3.1a", "M3.1b"), ()),
        unseen=(("B2.1", "E5", "S2.1"), (), ()),
    )


def last_purchase() -> Position:
    """Return a position with the last structure exactly paid for: it is placed, then comes the closing round."""
    palazzo = {"TM1": [0, 0], "TM2": [1, 0]}
    rest = [structure for structure in STRUCTURES if structure not in ("TM0", *palazzo)]
    other = {"hand": list(COINS[4:]), "reserve": rest}
    return board(pending=["TM0"], yard=[], stack=[], bank=list(COINS[:4]), coins=[], palazzo=palazzo, other=other)


def closing_round() -> Position:
    """Return the piecepack's closing round: coins, and for each seat a reserve of two and a palazzo of three."""
    mine = {"TM1": [0, 0], "TM2": [1, 0], "TS2": [1, 1]}
    theirs = {"TC3": [0, 0], "TC4": [0, 1], "TA4": [0, 2]}
    bank = ["DM1", "DM2"]
    named = {*mine, *theirs, "TM0", "TS0", "TA0", "TC0"}
    rest = [structure for structure in STRUCTURES if structure not in named]
    return board(
        palazzo=mine,
        reserve=["TM0", "TS0"],
        other={
            "palazzo": theirs,
            "reserve": ["TA0", "TC0", *rest],
            "hand": [coin for coin in COINS if coin not in bank],
        },
        yard=[],
        stack=[],
        bank=bank,
        coins=[],
        closing=[0, 1],
    )


TREES: Mapping[str, Mapping[str, Callable[[], Position]]] = {
    "palazzo": {"one-card-each": one_card_each, "four-to-hand-out": four_to_hand_out},
    "piecepack": {"last-purchase": last_purchase, "closing-round": closing_round},
}
"""Title → a position from which few games can follow; the ends of Patrician's golden records serve as well."""

STARTS: Mapping[str, Mapping[str, tuple[Callable[[], Position], int | None]]] = {
    "palazzo": {},
    "patrician": {
        "supply-short": (supply_short, None),
        "uneven-hands": (uneven_hands, None),
        "unfinished-cities": (unfinished_cities, None),
    },
    "piecepack": {"nothing-to-do": (nothing_to_do, 1)},
}
"""Title → the position, and the number of actions in the record (None: to the end of the game)."""
