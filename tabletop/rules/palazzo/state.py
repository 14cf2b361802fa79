"""The state of one game of Palazzo as plain values, with the few derived values that every rule needs."""

from __future__ import annotations

from typing import NamedTuple

from tabletop.rules.palazzo.components import TILES
from tabletop.rules.palazzo.options import Options
from tabletop.rules.palazzo.phases.palazzi import Column
from tabletop.rules.palazzo.phases.payments import read
from tabletop.rules.value import Ids, Value, replaced


class Stake(NamedTuple):
    """A seat's stake in an auction: its acts, their total worth (each act read by itself), and their currency."""

    acts: tuple[Ids, ...] = ()
    value: int = 0
    currency: str | None = None

    @property
    def cards(self) -> Ids:
        """All its cards, those of the first act first."""
        return tuple([card for act in self.acts for card in act])

    def add(self, cards: Ids) -> Stake:
        """Return the stake with one more act, which must have a reading."""
        reading = read(cards)
        assert reading is not None
        return Stake((*self.acts, cards), self.value + reading.value, self.currency or reading.currency)


NO_STAKE = Stake()


class State(Value):
    """All pieces on the table and in hands, and the turn; a value that is never changed, only copied with changes.

    Hands, deck and unseen stacks are sorted sets: the state knows no shuffled order.

    Attributes:
        names: one for each seat.
        hands: the money cards of each seat.
        palazzi: of each seat, in the order in which they were begun.
        quarries: the tiles on quarries 1-4.
        architect: the quarry, from 1, on which the architect stands.
        unseen: the unseen pieces of stacks I, II and III; with unknown stacks all of them in the first.
        row: the money cards turned up and not yet taken.
        active: the seat whose turn it is; ``decider`` the seat that decides, None for chance or nobody.
        pending: tiles bought, won or claimed that must be placed now.
        drawn: what this build has turned up so far; None outside a build.
        laid: while an auction runs, each seat's stake; None otherwise.
        out: the seats that have passed in this auction, sorted.
        handout: the seats still to claim while a hand-out runs; None otherwise.
    """

    names: tuple[str, ...] = ()
    options: Options
    hands: tuple[Ids, ...]
    palazzi: tuple[tuple[Column, ...], ...]
    warehouse: Ids = ()
    quarries: tuple[Ids, ...] = ((),) * 4
    architect: int
    unseen: tuple[Ids, ...]
    end_tiles: Ids = ()
    deck: Ids
    discards: Ids = ()
    box: Ids = ()
    row: Ids = ()
    active: int = 0
    phase: str = "setup"
    decider: int | None = None
    pending: Ids = ()
    drawn: Ids | None = None
    laid: tuple[Stake, ...] | None = None
    out: tuple[int, ...] = ()
    handout: tuple[int, ...] | None = None

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.names)

    @property
    def seat(self) -> int:
        """The seat that decides, in a phase where one does."""
        assert self.decider is not None
        return self.decider

    @property
    def quarry(self) -> Ids:
        """The tiles on the architect's quarry: what is offered while an auction or a hand-out runs."""
        return self.quarries[self.architect - 1]

    @property
    def stack(self) -> int:
        """The current stack, 0-2: the first that is not empty."""
        first, second, _ = self.unseen
        return 0 if first else 1 if second else 2

    @property
    def pool(self) -> Ids:
        """What chance may turn up or deal now: of the tile stacks, or of the deck (the discards when it is empty)."""
        phase = self.phase
        if phase == "deal" or (phase == "reveal" and self.drawn is None):
            return self.deck or self.discards
        tiles = self.unseen[self.stack]
        return tiles if phase == "reveal" else tuple([tile for tile in tiles if tile in TILES])

    @property
    def row_size(self) -> int:
        """How many money cards are turned up for a row: two for the active seat, one for each other seat."""
        return self.seats + 1

    @property
    def price(self) -> int:
        """The price of each tile of the warehouse in ``choose``."""
        number = len(self.warehouse)
        if self.options.price_basis == "start_of_turn" and self.drawn and self.drawn[0] in TILES:
            number -= 1
        return self._price_of(number)

    @property
    def price_after_build(self) -> int:
        """The price of each tile of the warehouse in ``choose`` once "build" has brought one more tile."""
        return self._price_of(len(self.warehouse) + (self.options.price_basis == "start_of_buy"))

    def _price_of(self, number: int) -> int:
        """Return the price of a tile if ``number`` tiles of the warehouse count."""
        return max(self.options.min_price, 10 - number)

    def bid_of(self, seat: int) -> int:
        """Return the worth of what a seat has laid in this auction."""
        assert self.laid is not None
        return self.laid[seat].value

    @property
    def highest(self) -> int:
        """The highest bid of this auction."""
        assert self.laid is not None
        return max([stake.value for stake in self.laid])

    @property
    def locked(self) -> str | None:
        """The currency that the deciding seat's acts in this auction have fixed."""
        return None if self.laid is None else self.laid[self.seat].currency

    def put_palazzi(self, palazzi: tuple[Column, ...]) -> tuple[tuple[Column, ...], ...]:
        """Return the palazzi of all seats with other ones for the deciding seat."""
        return replaced(self.palazzi, self.seat, palazzi)

    def put_hand(self, seat: int, hand: Ids) -> tuple[Ids, ...]:
        """Return all hands with another one for the seat."""
        return replaced(self.hands, seat, hand)

    def put_quarry(self, number: int, tiles: Ids) -> tuple[Ids, ...]:
        """Return all quarries with other tiles on quarry ``number`` (from 1)."""
        return replaced(self.quarries, number - 1, tiles)

    def clockwise(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return (seat + 1) % self.seats


def end_turn(state: State, **fields: object) -> State:
    """Return the state at the start of the turn of the seat after the active one, with the other fields changed."""
    seat = state.clockwise(state.active)
    return state.change(phase="action", active=seat, decider=seat, **fields)
