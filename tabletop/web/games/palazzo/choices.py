"""What a seat of Palazzo may do, with what each choice would earn and why the others are not possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tabletop.rules.game import Action, Illegal
from tabletop.rules.palazzo.actions import Bid, Buy, Money, Place, Rebuild, Scrap
from tabletop.rules.palazzo.components import CERTIFICATES, KIND, TILES, VALUE
from tabletop.rules.palazzo.phases.palazzi import Column, goes_on, points
from tabletop.rules.palazzo.phases.payments import Payment, payments, read, worth
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.state import State
from tabletop.rules.value import Ids, without_all
from tabletop.web.games.choice import Choice
from tabletop.web.games.palazzo import prospects
from tabletop.web.games.palazzo.faces import CURRENCIES
from tabletop.web.games.words import points_after
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext

MAX_SUGGESTIONS = 4
"""How many payments are offered to be laid with one tap, at most."""


def money_refusal(position: PalazzoPosition) -> Illegal | None:
    """Return why the seat cannot have money turned up, None if it can."""
    return position.refusal(Money())


def rebuildings(position: PalazzoPosition) -> Iterator[Choice]:
    """Iterate over every rebuilding: possible ones first, discards last; the card that pays is chosen separately."""
    seat = position.seat
    hand = position.hands[seat]
    moves = [_rebuilding(position, seat, *move, hand[0]) for move in _moves(position.palazzi[seat])] if hand else []
    yield from sorted(
        moves,
        key=lambda choice: (choice.refusal is not None, choice.data["kind"] == "scrap", -(choice.gain or 0)),
    )


def _moves(palazzi: tuple[Column, ...]) -> Iterator[tuple[str, str, Column]]:
    for column in palazzi:
        if len(column) > 1:
            yield from (("lift", tile, ()) for tile in reversed(column))
        else:
            yield from (("insert", column[0], other) for other in palazzi if other != column)
            yield "scrap", column[0], ()


def _rebuilding(position: PalazzoPosition, seat: int, kind: str, tile: str, target: Column, pay: str) -> Choice:
    action = Rebuild(kind, tile, target[0] if target else None, pay)
    refusal = position.refusal(action)
    gain = points_after(position, action, seat) if refusal is None else None
    titles = {"lift": _("stand alone"), "insert": _("put into"), "scrap": _("discard")}
    data = {key: value for key, value in action.to_json().items() if key not in ("do", "pay")}
    then = tuple(sorted((tile, *target), key=lambda piece: TILES[piece].floor)) if target else ()
    return Choice(titles[kind], data, pieces=(tile, *target), refusal=refusal, gain=gain, then=then)


def places(position: PalazzoPosition, tile: str) -> list[Choice]:
    """Return every place for a tile that must be built: the best first, closed ones last; ``then`` is its prospect."""
    own, pool = position.palazzi[position.seat], prospects.to_come(position)
    ways = [_placing(position, own, column, tile, pool) for column in (*own, ())]
    return sorted(ways, key=lambda choice: (choice.refusal is None, choice.then and choice.then.order), reverse=True)


def _placing(
    position: PalazzoPosition, own: tuple[Column, ...], column: Column, tile: str, pool: tuple[str, ...]
) -> Choice:
    action = Place(tile, column[-1] if column else None)
    title = _("Build on top") if column else _("Start a new palazzo")
    refusal = position.refusal(action)
    if refusal is not None:
        return Choice(title, action.to_json(), pieces=column, refusal=refusal)
    return Choice(title, action.to_json(), pieces=(*column, tile), then=prospects.on(own, column, tile, pool))


def closed_choices(position: PalazzoPosition) -> Iterator[Choice]:
    """Iterate over what the deciding seat may find impossible, with the reason if it is."""
    match position.phase:
        case "action":
            yield Choice(_("Money"), {"do": "money"}, refusal=money_refusal(position))
            for move in rebuildings(position):
                yield replace(move, data={"do": "rebuild", **move.data})
        case "choose" if position.warehouse:
            refusal = position.refusal(Buy(position.warehouse[:1], _highest(position)[1]))
            yield Choice(_("Buy"), {"do": "buy"}, refusal=refusal)
        case "bid":
            yield Choice(_("Raise"), {"do": "bid"}, refusal=position.refusal(Bid(_highest(position)[1])))
        case "place":
            for tile in position.pending:
                yield from (replace(choice, pieces=choice.pieces[-1:]) for choice in places(position, tile))
                yield discard(position, tile)


def _highest(state: State) -> Payment:
    """Return the highest payment that the deciding seat can lay, one without cards if it has none."""
    return max(payments(state.hands[state.seat], state.locked, state.options.certificates_alone))


def promised_gain(state: State, action: Action) -> str:
    """Return what building a tile, or taking a tile or a card, brings; empty for any other action."""
    data, own = action.to_json(), state.palazzi[state.seat]
    match data:
        case {"do": "place", "tile": tile, "onto": onto}:
            column = next((column for column in own if onto in column), ())
            return prospects.on(own, column, tile, prospects.to_come(state)).in_words
        case {"do": "claim", "tile": tile}:
            return prospects.best(own, (tile,), prospects.to_come(state)).in_words
        case {"do": "take", "card": card}:
            return brings(state.hands[state.seat], card)
        case {"do": "scrap"}:
            return _("it scores nothing and is gone for good")
    return ""


def discard(position: PalazzoPosition, tile: str) -> Choice:
    """Return the choice to build a tile nowhere, which stands below all places and shows no points."""
    return Choice(
        _("Discard it to the box"),
        Scrap(tile).to_json(),
        _("it scores nothing and is gone for good"),
        refusal=position.refusal(Scrap(tile)),
    )


def cheapest(actions: Iterable[Action], field: str) -> list[tuple[int, tuple[str, ...]]]:
    """Return a few payments of the actions as (value, cards), the cheapest and shortest first, without duplicates."""
    found: dict[tuple[str, ...], tuple[int, tuple[str, ...]]] = {}
    for action in actions:
        cards: tuple[str, ...] = getattr(action, field)
        reading = read(cards)
        found.setdefault(tuple(KIND[card] for card in cards), (reading.value if reading else 0, cards))
    return sorted(found.values(), key=lambda payment: (payment[0], len(payment[1])))[:MAX_SUGGESTIONS]


def cheapest_cards(hand: tuple[str, ...]) -> list[tuple[int, tuple[str, ...]]]:
    """Return a few single cards of the hand as (value, cards), the cheapest first, without duplicates."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {KIND[card]: (VALUE[card], (card,)) for card in reversed(hand)}
    return sorted(found.values())[:MAX_SUGGESTIONS]


def groups(hand: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the groups of three that the hand holds."""
    held: dict[str, list[str]] = {}
    for card in hand:
        held.setdefault("C" if card in CERTIFICATES else KIND[card], []).append(card)
    threes: list[tuple[str, ...]] = []
    for value in "34567":
        threes += zip(*(held.get(letter + value, ()) for letter in "RNG"), strict=False)
    certificates = held.get("C", [])
    threes += [tuple(certificates[at : at + 3]) for at in range(0, len(certificates) // 3 * 3, 3)]
    return threes


def useless_cards(hand: tuple[str, ...], locked: str | None) -> frozenset[str]:
    """Return the cards that cannot be laid while the currency is fixed: those of other currencies, in no group."""
    grouped = {KIND[card] for group in groups(hand) for card in group}
    return frozenset(card for card in hand if locked and card[0] not in ("C", locked) and KIND[card] not in grouped)


def reach(state: State) -> int:
    """Return the highest bid that the deciding seat could still make."""
    return state.bid_of(state.seat) + _highest(state)[0]


def reach_later(state: State, cards: Ids) -> int:
    """Return the highest bid that the deciding seat could still reach later if it lays these cards now.

    The cards must be a valid payment.
    """
    stake = (state.laid or ())[state.seat].add(cards)
    rest = without_all(state.hands[state.seat], cards)
    more = payments(rest, stake.currency, state.options.certificates_alone)
    return stake.value + max(value for value, _cards in more)


def currency_sum(cards: list[str]) -> int:
    """Return what cards of one currency, or certificates, are worth together."""
    if cards and cards[0] in CERTIFICATES:
        return worth(len(cards))
    return sum(VALUE[card] for card in cards)


def brings(hand: tuple[str, ...], card: str) -> str:
    """Return in words what a card of the money row would add to the hand."""
    with_it = (*hand, card)
    if len(groups(with_it)) > len(groups(hand)):
        return _("makes a group: 15")
    if card in CERTIFICATES:
        return _("goes with any currency")
    own = currency_sum([other for other in with_it if other[0] == card[0]])
    return _("%(currency)s: %(sum)s in total", currency=_(CURRENCIES[card[0]]), sum=own)


def reckoning(column: Column) -> str:
    """Return how the points of a palazzo come about, in words."""
    if len(column) == 1:
        return _("alone")
    if len(column) < 3:
        return ngettext("%(num)s tile", "%(num)s tiles", len(column))
    windows = sum(TILES[tile].windows for tile in column)
    reasons = [ngettext("%(num)s window", "%(num)s windows", windows)]
    if len(column) > 3:
        reasons.append(_("%(points)s for %(tiles)s tiles", points=3 * (len(column) - 3), tiles=len(column)))
    rest = points(column) - windows - 3 * (len(column) - 3)
    if rest:
        reasons.append(_("%(points)s for a single material", points=rest))
    return " + ".join(reasons)


def homes(palazzi: tuple[Column, ...], tile: str) -> int:
    """Return on how many of the palazzi the tile could be built."""
    return sum(goes_on(column, tile) for column in palazzi)
