"""Chance actions: structures and coins are turned up, hands are dealt."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

from tabletop.rules.chance_actions import Deal, Reveal
from tabletop.rules.phase import Why, why
from tabletop.rules.piecepack.actions import REVEAL
from tabletop.rules.piecepack.components import FACE, HAND_SIZE, ordered, with_one
from tabletop.rules.piecepack.phases.flow import S, go_on, lay_out
from tabletop.rules.piecepack.phases.payments import Purse, one_of_each
from tabletop.rules.piecepack.state import State
from tabletop.rules.value import replaced, without, without_all


def reveals(state: State) -> list[Reveal]:
    """List every structure of the stack, or one coin of each value in the pool."""
    return [REVEAL[piece] for piece in (state.stack if state.awaits == "structure" else one_of_each(state.pool))]


def why_not_reveal(state: State, action: Reveal) -> Why | None:
    """Return why a piece cannot be turned up: only face-down pieces of the kind that is awaited can."""
    if action.piece in state.pool:
        return None
    return why("not-a-coin-to-come" if state.awaits == "coin" else "not-a-structure-to-come", piece=action.piece)


def reveal(state: S, action: Reveal) -> S:
    """Lay the piece in the yard or the bank; the discards become the pool once no face-down coins are left."""
    piece = action.piece
    follow = lay_out if state.phase == "setup" else go_on
    if state.awaits == "structure":
        return follow(state, yard=with_one(state.yard, piece), stack=without(state.stack, piece))
    bank = with_one(state.bank, piece)
    if state.coins:
        return follow(state, bank=bank, coins=without(state.coins, piece))
    return follow(state, bank=bank, coins=without(state.discards, piece), discards=())


def deals(state: State) -> list[Deal]:
    """List every hand that the seat may be dealt, coins of one value being interchangeable."""
    kinds = Counter(FACE[coin] for coin in state.coins)
    copies = {face: [coin for coin in state.coins if FACE[coin] == face] for face in kinds}
    return [
        Deal(state.due, (copies[one][0], copies[two][1 if one == two else 0]))
        for one, two in combinations_with_replacement(sorted(kinds), HAND_SIZE)
        if one != two or kinds[one] > 1
    ]


def why_not_deal(state: State, action: Deal) -> Why | None:
    """Return why a deal is refused: two face-down coins go to the seat that is due."""
    if misdealt := action.misdealt(state.due, HAND_SIZE):
        return misdealt
    missing = next((coin for coin in action.cards if coin not in state.coins), None)
    return why("not-dealt", piece=missing) if missing is not None else None


def deal(state: S, action: Deal) -> S:
    """Give the seat its hand; after the last hand the first turn begins."""
    purse = state.purses[action.seat]
    purses = replaced(state.purses, action.seat, Purse(ordered(*action.cards), purse.die, purse.null))
    phase = "action" if all(purse.coins for purse in purses) else state.phase
    return state.change(purses=purses, coins=without_all(state.coins, action.cards), phase=phase)
