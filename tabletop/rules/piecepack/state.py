"""The state of one game of Palazzo for the piecepack as plain values, with the derived values that rules need."""

from __future__ import annotations

from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo
from tabletop.rules.piecepack.options import Options
from tabletop.rules.piecepack.phases.payments import Purse
from tabletop.rules.value import Ids, Value


class State(Value):
    """All pieces on the table and in hands, and the turn; a value that is never changed, only copied with changes.

    Hands, yard, bank, pool, stack, reserves and discards are sorted sets: the state knows no shuffled order.

    Attributes:
        names: one for each seat.
        purses: the coins and the die of each seat; its face goes from 5 down to 0 for null.
        turrets: the structure each seat's turret stands on; None if it stands on none.
        palazzi: the palazzo of each seat.
        reserves: the structures of each seat that are not built.
        yard: the structures that can be bought.
        bank: the coins that can be taken.
        coins: the face-down coins.
        stack: the face-down structures.
        active: the seat whose turn it is.
        left: the actions it still has, 1 or 0.
        pending: structures it has purchased and neither built nor kept.
        closing: once the last structure has been purchased, the seats still to act; None before.
        awaits: what a ``reveal`` turns up, ``coin`` or ``structure``; empty if chance turns up nothing.
    """

    names: tuple[str, ...] = ()
    options: Options
    purses: tuple[Purse, ...]
    turrets: tuple[str | None, ...]
    palazzi: tuple[PiecepackPalazzo, ...]
    reserves: tuple[Ids, ...]
    yard: Ids = ()
    bank: Ids = ()
    coins: Ids
    discards: Ids = ()
    stack: Ids
    active: int = 0
    left: int = 1
    pending: Ids = ()
    closing: tuple[int, ...] | None = None
    phase: str = "setup"
    awaits: str = ""

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.names)

    @property
    def palazzo(self) -> PiecepackPalazzo:
        """The palazzo of the active seat."""
        return self.palazzi[self.active]

    @property
    def reserve(self) -> Ids:
        """The reserve of the active seat."""
        return self.reserves[self.active]

    @property
    def due(self) -> int:
        """The seat that is dealt its coins next, in ``deal``."""
        return next(seat for seat, purse in enumerate(self.purses) if not purse.coins)

    @property
    def pool(self) -> Ids:
        """What chance may turn up or deal now: of the structures, or of the coins (the discards when none are left)."""
        return self.stack if self.awaits == "structure" else self.coins or self.discards
