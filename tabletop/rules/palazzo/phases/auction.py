"""The auction and the hand-out: the architect moves on to a quarry, seats bid, pass or claim."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.rules.palazzo.actions import Auction, Bid, Claim, Pass, make_bids
from tabletop.rules.palazzo.components import KIND, START_CERTIFICATE
from tabletop.rules.palazzo.phases.buying import makeweights, nearest_payment, spell, value_of
from tabletop.rules.palazzo.phases.chance import copy_of, one_of_each
from tabletop.rules.palazzo.phases.payments import payments
from tabletop.rules.palazzo.phases.thrift import thrifty
from tabletop.rules.palazzo.state import NO_STAKE, Stake, State, end_turn
from tabletop.rules.phase import Why, why
from tabletop.rules.value import Ids, replaced, without, without_all

MIN_HANDOUT_TILES = 4
"""The least number of tiles on a quarry that are handed out instead of auctioned."""


OPENING_STAKE = NO_STAKE.add((START_CERTIFICATE,))
"""The active seat's opening bid."""


# ---- auction


def goal(state: State) -> int | None:
    """Return the next quarry clockwise that holds a tile; None if none does."""
    for step in range(1, 5):
        number = (state.architect - 1 + step) % 4 + 1
        if state.quarries[number - 1]:
            return number
    return None


def auctions(_: State) -> list[Auction]:
    """Return the auction, which is always legal after the draw, so that no seat is ever stuck."""
    return [Auction()]


def auction(state: State, _: Auction) -> State:
    """Move the architect, then open the bidding with the start certificate or begin a hand-out.

    If no quarry has a tile, the turn ends.
    """
    number = goal(state)
    if number is None:
        return end_turn(state, drawn=None)
    active, seats = state.active, state.seats
    if len(state.quarries[number - 1]) >= MIN_HANDOUT_TILES:
        order = tuple((active + step) % seats for step in range(seats))
        return state.change(architect=number, drawn=None, phase="claim", decider=active, handout=order)
    laid = replaced((NO_STAKE,) * seats, active, OPENING_STAKE)
    return state.change(architect=number, drawn=None, phase="bid", decider=state.clockwise(active), laid=laid, out=())


# ---- bid and pass


def lacking(state: State) -> int:
    """Return how much the deciding seat must add at least: one more than the highest bid."""
    return state.highest + 1 - state.bid_of(state.seat)


def bids(state: State) -> Iterable[Bid]:
    """Return a bid for every set of cards that raises the highest bid."""
    hand, alone = state.hands[state.seat], state.options.certificates_alone
    return make_bids([cards for _, cards in payments(hand, state.locked, alone, lacking(state))])


def thrifty_bids(state: State) -> Iterable[Bid]:
    """Return a bid for every set of cards that raises the highest bid without superfluous cards."""
    hand, alone = state.hands[state.seat], state.options.certificates_alone
    (raising,) = thrifty(hand, [lacking(state)], state.locked, alone)
    return make_bids(raising)


def why_not_bid(state: State, action: Bid) -> Why | None:
    """Return why a bid is refused: the cards are judged first, then the amount."""
    if not action.cards:
        return why("empty-bid", Pass())
    added = value_of(state, action.cards)
    if isinstance(added, Why):
        return added._replace(nearest=_nearest_bid(state, action))
    value, highest = state.bid_of(state.seat) + added, state.highest
    if value > highest:
        return None
    short = highest + 1 - value
    helpful = makeweights(state, action.cards, added + short)
    kinds = [KIND[card] for card in helpful]
    return why(
        "bid-short-add" if helpful else "bid-short",
        Bid(tuple(sorted((*action.cards, helpful[0])))) if helpful else _nearest_bid(state, action),
        value=value,
        highest=highest,
        short=short,
        add=spell(*kinds),
        cards=kinds,
    )


def _nearest_bid(state: State, action: Bid) -> Bid | Pass:
    """Return the raise that differs least from the refused one; passing if the hand has none."""
    cards = nearest_payment(state, action.cards, lacking(state))
    return Pass() if cards is None else Bid(cards)


def bid(state: State, action: Bid) -> State:
    """Lay the cards; the next seat still in decides."""
    assert state.laid is not None
    seat = state.seat
    return state.change(
        hands=state.put_hand(seat, without_all(state.hands[seat], action.cards)),
        laid=replaced(state.laid, seat, state.laid[seat].add(action.cards)),
        decider=_next_bidder(state, state.out),
    )


def _next_bidder(state: State, out: tuple[int, ...]) -> int:
    seat = state.clockwise(state.seat)
    while seat in out:
        seat = state.clockwise(seat)
    return seat


def passes(_: State) -> list[Pass]:
    """Return the pass, which is always legal."""
    return [Pass()]


def pass_(state: State, _: Pass) -> State:
    """Take the cards back and be out; the last seat left wins."""
    assert state.laid is not None
    seat = state.seat
    back = _money(state.laid[seat])
    hands = state.put_hand(seat, tuple(sorted((*state.hands[seat], *back)))) if back else state.hands
    laid = replaced(state.laid, seat, NO_STAKE)
    out = tuple(sorted((*state.out, seat)))
    bidder = _next_bidder(state, out)
    if len(out) < state.seats - 1:
        return state.change(hands=hands, laid=laid, out=out, decider=bidder)
    return state.change(
        hands=hands,
        discards=state.discards + _money(laid[bidder]),
        pending=state.quarry,
        quarries=state.put_quarry(state.architect, ()),
        laid=None,
        out=(),
        phase="place",
        decider=bidder,
    )


def _money(stake: Stake) -> Ids:
    """Return the cards of a stake that came from a hand: all but the start certificate."""
    return tuple([card for card in stake.cards if card != START_CERTIFICATE])


# ---- claim


def claims(state: State) -> list[Claim]:
    """Return a claim for each tile that is handed out, twins once."""
    return [Claim(tile) for tile in one_of_each(state.quarry)]


def why_not_claim(state: State, action: Claim) -> Why | None:
    """Return why a tile cannot be claimed: only those on the architect's quarry are handed out."""
    if action.tile in state.quarry:
        return None
    tile = copy_of(action.tile, state.quarry)
    return why("not-on-quarry", Claim(tile) if tile else None, tile=action.tile)


def claim(state: State, action: Claim) -> State:
    """Take the tile; it must be placed now."""
    assert state.handout is not None
    return state.change(
        quarries=state.put_quarry(state.architect, without(state.quarry, action.tile)),
        pending=(action.tile,),
        handout=state.handout[1:],
        phase="place",
    )
