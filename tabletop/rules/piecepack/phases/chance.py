"""What chance does: structures and coins are turned up, hands are dealt."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

from tabletop.rules.actions import Deal, Reveal
from tabletop.rules.piecepack.actions import REVEAL
from tabletop.rules.piecepack.components import FACE, HAND, ordered, with_one
from tabletop.rules.piecepack.phases.money import Purse, one_of_each
from tabletop.rules.piecepack.state import Draft, State
from tabletop.rules.value import replaced, without, without_all


def reveals(state: State) -> list[Reveal]:
    """List every structure of the stack, or one coin of each value in the pool."""
    return [REVEAL[piece] for piece in (state.stack if state.awaits == "structure" else one_of_each(state.pool))]


def why_not_reveal(state: State, action: Reveal) -> str | None:
    """Only what lies face down comes up, and only of the kind that is awaited."""
    return None if action.piece in state.pool else "not-drawn"


def reveal(state: State, action: Reveal, new: Draft) -> None:
    """Lay the piece in the yard or the bank; without face-down coins the discards become the pool, not sooner."""
    piece = action.piece
    if state.awaits == "structure":
        new["yard"], new["stack"] = with_one(state.yard, piece), without(state.stack, piece)
    else:
        new["bank"] = with_one(state.bank, piece)
        if state.coins:
            new["coins"] = without(state.coins, piece)
        else:
            new["coins"], new["discards"] = without(state.discards, piece), ()


def deals(state: State) -> list[Deal]:
    """List every hand that the seat may be dealt, like hands once."""
    kinds = Counter(FACE[coin] for coin in state.coins)
    copies = {face: [coin for coin in state.coins if FACE[coin] == face] for face in kinds}
    return [
        Deal(state.due, (copies[one][0], copies[two][1 if one == two else 0]))
        for one, two in combinations_with_replacement(sorted(kinds), HAND)
        if one != two or kinds[one] > 1
    ]


def why_not_deal(state: State, action: Deal) -> str | None:
    """Two face-down coins go to the seat that is due."""
    if action.seat != state.due:
        return "deal-seat"
    if len(action.cards) != HAND:
        return "deal-number"
    return None if undealable(state, action.cards) is None else "not-dealt"


def undealable(state: State, cards: tuple[str, ...]) -> str | None:
    """Return the first coin that cannot be dealt: not face down, or named before."""
    return next((coin for at, coin in enumerate(cards) if coin not in state.coins or coin in cards[:at]), None)


def deal(state: State, action: Deal, new: Draft) -> None:
    """Give the seat its hand."""
    purse = state.purses[action.seat]
    new["purses"] = replaced(state.purses, action.seat, Purse(ordered(*action.cards), purse.die, purse.null))
    new["coins"] = without_all(state.coins, action.cards)
