"""Buying from the warehouse, and how any set of cards is refused as a payment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tabletop.rules.game import Illegal
from tabletop.rules.palazzo.actions import Buy
from tabletop.rules.palazzo.chance import one_of_each
from tabletop.rules.palazzo.components import CURRENCIES, KIND
from tabletop.rules.palazzo.money import Cards, payments, read
from tabletop.rules.palazzo.reasons import REASONS
from tabletop.rules.palazzo.rule import Rule
from tabletop.rules.palazzo.state import Ids, State, without_all
from tabletop.rules.palazzo.thrift import thrifty
from tabletop.rules.refusals import refuse

MOST = 2
"""How many tiles may be bought at once."""


def refuse_cards(state: State, cards: Cards) -> Illegal | None:
    """Say why the deciding seat cannot lay these cards in one act, whatever they are worth: hand, then reading."""
    hand = state.hands[state.seat]
    for at, card in enumerate(cards):
        if card not in hand or card in cards[:at]:
            return refuse(REASONS["not-in-hand"], card=card)
    reading = read(cards)
    if reading is None:
        letters = {card[0] for card in cards}
        return refuse(
            REASONS["mixed"], currencies=" and ".join(name for key, name in CURRENCIES.items() if key in letters)
        )
    locked = state.locked
    if locked and reading.currency not in (None, locked):
        return refuse(REASONS["locked"], locked=CURRENCIES[locked], currency=CURRENCIES[reading.currency or locked])
    backed = state.options.certificates_alone or reading.currency or locked
    return None if backed or not reading.certificates else refuse(REASONS["lone-certificates"])


def choices(tiles: Ids) -> list[Ids]:
    """Return every one or two tiles that can be bought, twins once."""
    singles = one_of_each(tiles)
    ordered = sorted(tiles)
    pairs: dict[tuple[str, str], Ids] = {}
    for pair in combinations(ordered, MOST):
        pairs.setdefault((KIND[pair[0]], KIND[pair[1]]), pair)
    return [*((tile,) for tile in singles), *pairs.values()]


def list_buys(state: State) -> Iterator[Buy]:
    """Every choice of tiles with every payment that suffices."""
    price = state.price
    found = payments(state.hands[state.seat], None, state.options.certificates_alone)
    for tiles in choices(state.warehouse):
        cost = price * len(tiles)
        yield from [Buy(tiles, cards) for value, cards in found if value >= cost]


def list_thrifty_buys(state: State) -> Iterator[Buy]:
    """Every choice of tiles with every payment of which no part would do."""
    price = state.price
    hand, alone = state.hands[state.seat], state.options.certificates_alone
    found = [thrifty(hand, price * number, None, alone) for number in range(1, MOST + 1)]
    for tiles in choices(state.warehouse):
        yield from [Buy(tiles, cards) for cards in found[len(tiles) - 1]]


def refuse_buy(state: State, action: Buy) -> Illegal | None:
    """The tiles, their number, the cards, the amount."""
    for at, tile in enumerate(action.tiles):
        if tile not in state.warehouse or tile in action.tiles[:at]:
            return refuse(REASONS["not-in-warehouse"], tile=tile)
    number = len(action.tiles)
    if number > MOST:
        return refuse(REASONS["too-many-tiles"], number=number)
    if (reason := refuse_cards(state, action.pay)) is not None:
        return reason
    reading = read(action.pay)
    value, needed = reading.value if reading else 0, state.price * number
    if value >= needed:
        return None
    words = "tile" if number == 1 else "tiles"
    return refuse(
        REASONS["price-short"],
        number=f"{number} {words}",
        price=state.price,
        needed=needed,
        value=value,
        short=needed - value,
    )


def buy(state: State, action: Buy) -> State:
    """Discard the payment; the tiles must be placed now."""
    seat = state.seat
    return state.change(
        hands=state.put_hand(seat, without_all(state.hands[seat], action.pay)),
        discards=state.discards + action.pay,
        warehouse=without_all(state.warehouse, action.tiles),
        pending=action.tiles,
        drawn=None,
        phase="place",
    )


BUY = Rule(list_buys, refuse_buy, buy, list_thrifty_buys)
