"""Buying from the warehouse, and the reasons why cards are refused as a payment."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from operator import itemgetter

from tabletop.messages import Message, PieceRef, either, listed
from tabletop.rules.palazzo.actions import Buy, make_buys
from tabletop.rules.palazzo.components import CURRENCIES, FACES, KIND
from tabletop.rules.palazzo.phases.chance import one_of_each
from tabletop.rules.palazzo.phases.payments import Cards, PaymentReading, payments, read
from tabletop.rules.palazzo.phases.thrift import thrifty
from tabletop.rules.palazzo.state import State
from tabletop.rules.phase import Why, why
from tabletop.rules.value import Ids, without_all

MAX_BOUGHT_TILES = 2
"""How many tiles a seat may buy at a time."""


def objection(state: State, reading: PaymentReading | None) -> str | None:
    """Return the key of the reason why cards read this way cannot be paid, whatever the price; None if they can."""
    if reading is None:
        return "mixed"
    locked = state.locked
    if locked and reading.currency not in (None, locked):
        return "locked"
    backed = state.options.certificates_alone or reading.currency or locked
    return None if backed or not reading.certificates else "lone-certificates"


def value_of(state: State, cards: Cards) -> int | Why:
    """Return what the cards are worth if the deciding seat lays them in one act, or why it cannot.

    Whether the hand has the cards is checked first, then how they are read.
    """
    hand = state.hands[state.seat]
    laid = {*cards}
    if len(laid) < len(cards) or not laid.issubset(hand):
        card = next(card for at, card in enumerate(cards) if card not in hand or card in cards[:at])
        return why("not-in-hand", card=card)
    reading = read(cards)
    key = objection(state, reading)
    if key is None and reading is not None:
        return reading.value
    letters = {card[0] for card in cards}
    return why(
        key or "mixed",
        currencies=listed([name for letter, name in CURRENCIES.items() if letter in letters]),
        currency=CURRENCIES.get((reading and reading.currency) or ""),
        locked=CURRENCIES.get(state.locked or ""),
    )


def makeweights(state: State, cards: Cards, needed: int) -> list[str]:
    """Return the single cards of the hand, smallest first, any of which makes these cards worth what is needed."""
    rest = one_of_each(without_all(state.hands[state.seat], cards))
    found = []
    for card in sorted(rest, key=itemgetter(1)):
        reading = read((*cards, card))
        if reading and reading.value >= needed and objection(state, reading) is None:
            found.append(card)
    return found


def nearest_payment(state: State, cards: Cards, needed: int) -> Cards | None:
    """Return the payment without superfluous cards that is enough and differs least from these cards."""
    options, laid = state.options, set(cards)
    (ways,) = thrifty(state.hands[state.seat], [needed], state.locked, options.certificates_alone)
    return min(ways, key=lambda way: (len(laid.symmetric_difference(way)), way), default=None)


@lru_cache(maxsize=1024)
def spell(*kinds: str) -> Message:
    """Return the first kinds of cards in words: ``G5 or a certificate``."""
    return either([Message("a certificate") if kind == "C2" else PieceRef(kind) for kind in kinds[:3]])


def choices(tiles: Ids, most: int = MAX_BOUGHT_TILES) -> list[Ids]:
    """Return every choice of one tile, and of two unless ``most`` is 1, that can be bought, twins once."""
    ordered = sorted(tiles)
    singles = one_of_each(ordered)
    pairs = [*combinations(ordered, MAX_BOUGHT_TILES)] if most == MAX_BOUGHT_TILES else []
    if len(singles) < len(ordered):
        pairs = list({(KIND[first], KIND[second]): (first, second) for first, second in pairs}.values())
    return [*zip(singles, strict=True), *pairs]


def buys(state: State) -> Iterable[Buy]:
    """Return every choice of tiles with every payment that suffices."""
    hand, price = state.hands[state.seat], state.price
    sufficient = payments(hand, None, state.options.certificates_alone, price)
    enough = [
        [cards for _, cards in sufficient],
        [cards for value, cards in sufficient if value >= price * MAX_BOUGHT_TILES],
    ]
    return make_buys(choices(state.warehouse), enough)


def thrifty_buys(state: State) -> Iterable[Buy]:
    """Return every choice of tiles with every payment without superfluous cards."""
    enough = thrifty_payments(state)
    return make_buys(choices(state.warehouse, len(enough)), enough) if enough else ()


def thrifty_payments(state: State) -> list[list[Cards]]:
    """Return for one tile, and for two, every payment without superfluous cards."""
    hand, price = state.hands[state.seat], state.price
    # No card is worth more than the highest face, however it is laid.
    most, reach = min(MAX_BOUGHT_TILES, len(state.warehouse)), FACES[-1] * len(hand)
    amounts = [price * number for number in range(1, most + 1) if price * number <= reach]
    return thrifty(hand, amounts, None, state.options.certificates_alone) if amounts else []


def why_not_buy(state: State, action: Buy) -> Why | None:
    """Return why a purchase is refused: the tiles are judged first, then their number, the cards and the amount."""
    for at, tile in enumerate(action.tiles):
        if tile not in state.warehouse or tile in action.tiles[:at]:
            return why("not-in-warehouse", tile=tile)
    number = len(action.tiles)
    if number > MAX_BOUGHT_TILES:
        return why("too-many-tiles", number=number)
    value, price = value_of(state, action.pay), state.price
    needed = price * number
    if isinstance(value, Why):
        return value._replace(nearest=_nearest_buy(state, action, needed))
    if value >= needed:
        return None
    helpful = makeweights(state, action.pay, needed)
    kinds = [KIND[card] for card in helpful]
    added = Buy(action.tiles, tuple(sorted((*action.pay, helpful[0])))) if helpful else None
    return why(
        "price-short-add" if helpful else "price-short",
        added or _nearest_buy(state, action, needed),
        count=number,
        price=price,
        needed=needed,
        value=value,
        short=needed - value,
        add=spell(*kinds),
        cards=kinds,
    )


def _nearest_buy(state: State, action: Buy, needed: int) -> Buy | None:
    """Return the purchase of the same tiles with the nearest payment, if the hand has one."""
    pay = nearest_payment(state, action.pay, needed)
    return None if pay is None else Buy(action.tiles, pay)


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
