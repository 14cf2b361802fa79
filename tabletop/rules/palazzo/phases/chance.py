"""Chance actions: the setup, the deal, the money row, and the two tiles of a build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tabletop.messages import Message
from tabletop.rules.chance_actions import Deal, Reveal
from tabletop.rules.palazzo.components import END_TILES, KIND, TILES
from tabletop.rules.palazzo.state import State
from tabletop.rules.phase import Why, why
from tabletop.rules.value import Ids, replaced, without, without_all

HAND_SIZE = 4
"""How many cards each seat is dealt."""


REVEALS: Mapping[str, Reveal] = {piece: Reveal(piece) for piece in KIND}


def one_of_each(ids: Iterable[str]) -> list[str]:
    """Return one id of each kind: copies are interchangeable."""
    return list({KIND[piece]: piece for piece in ids}.values())


def copy_of(piece: str, there: Sequence[str]) -> str | None:
    """Return a copy of the piece among those there, else the only piece there; None if there is neither."""
    for other in there:
        if KIND[other] == KIND[piece]:
            return other
    return there[0] if len(there) == 1 else None


def due(state: State) -> int:
    """Return the seat that is dealt its cards now: the first without any."""
    return state.hands.index(())


def reveals(state: State) -> list[Reveal]:
    """Return the reveals that may come, one for each kind of piece."""
    return [REVEALS[piece] for piece in one_of_each(state.pool)]


def why_not_reveal(state: State, action: Reveal) -> Why | None:
    """Return why a piece cannot be turned up: only pieces still in the current stack, or in the deck, can come."""
    if action.piece in state.pool:
        return None
    money = state.phase == "reveal" and state.drawn is None
    return why("not-drawn", piece=action.piece, where=Message("the deck") if money else Message("the current stack"))


def reveal(state: State, action: Reveal) -> State:
    """Lay the piece where it belongs."""
    if state.phase == "setup":
        return _set_up(state, action.piece)
    if state.drawn is None:
        return _turn_up_money(state, action.piece)
    return _turn_up_tile(state, state.drawn, action.piece)


def _leaving_stack(state: State, piece: str) -> tuple[Ids, ...]:
    """Return the unseen stacks without a piece of the current one."""
    number = state.stack
    return replaced(state.unseen, number, without(state.unseen[number], piece))


def _set_up(state: State, tile: str) -> State:
    """Lay the tile on the first empty quarry; the fifth goes to the warehouse, and the deal follows."""
    unseen = _leaving_stack(state, tile)
    for number, tiles in enumerate(state.quarries, start=1):
        if not tiles:
            return state.change(unseen=unseen, quarries=state.put_quarry(number, (tile,)))
    return state.change(unseen=unseen, warehouse=(tile,), phase="deal")


def _turn_up_money(state: State, card: str) -> State:
    """Add a card to the row; the discards become the deck when a card is needed and the deck is empty."""
    deck, discards = (state.deck, state.discards) if state.deck else (tuple(sorted(state.discards)), ())
    row = (*state.row, card)
    deck = without(deck, card)
    if len(row) < state.row_size:
        return state.change(deck=deck, discards=discards, row=row)
    return state.change(deck=deck, discards=discards, row=row, phase="take", decider=state.active)


def _turn_up_tile(state: State, drawn: Ids, piece: str) -> State:
    """Lay the first tile in the warehouse, the second on its quarry; set an end tile aside: the fifth ends the game."""
    unseen = _leaving_stack(state, piece)
    drawn = (*drawn, piece)
    done = len(drawn) == 2
    now = {"phase": "choose", "decider": state.active} if done else {}
    if piece in END_TILES:
        end_tiles = (*state.end_tiles, piece)
        if len(end_tiles) == len(END_TILES):
            return state.change(unseen=unseen, end_tiles=end_tiles, drawn=None, phase="over", decider=None)
        return state.change(unseen=unseen, end_tiles=end_tiles, drawn=drawn, **now)
    if not done:
        return state.change(unseen=unseen, warehouse=(*state.warehouse, piece), drawn=drawn)
    number = (state.architect - 1 + TILES[piece].windows) % 4 + 1
    tiles = (*state.quarries[number - 1], piece)
    return state.change(unseen=unseen, quarries=state.put_quarry(number, tiles), drawn=drawn, **now)


def deals(state: State) -> Iterator[Deal]:
    """Iterate over every hand of four that may be dealt, interchangeable cards once."""
    copies: dict[str, Ids] = {}
    for card in state.pool:
        copies[KIND[card]] = (*copies.get(KIND[card], ()), card)
    stock = list(copies.values())
    seat = due(state)

    def fill(hand: Ids, start: int) -> Iterator[Deal]:
        if len(hand) == HAND_SIZE:
            yield Deal(seat, hand)
            return
        for at in range(start, len(stock)):
            for number in range(1, min(len(stock[at]), HAND_SIZE - len(hand)) + 1):
                yield from fill(hand + stock[at][:number], at + 1)

    return fill((), 0)


def why_not_deal(state: State, action: Deal) -> Why | None:
    """Return why a deal is refused: the seats are dealt four cards of the deck each, in order."""
    if misdealt := action.misdealt(due(state), HAND_SIZE):
        return misdealt
    missing = next((card for card in action.cards if card not in state.deck), None)
    return why("not-drawn", piece=missing, where=Message("the deck")) if missing is not None else None


def deal(state: State, action: Deal) -> State:
    """Give the seat its cards; after the last seat the first turn begins."""
    hands = state.put_hand(action.seat, action.cards)
    deck = without_all(state.deck, action.cards)
    if () in hands:
        return state.change(hands=hands, deck=deck)
    return state.change(hands=hands, deck=deck, phase="action", decider=state.active)
