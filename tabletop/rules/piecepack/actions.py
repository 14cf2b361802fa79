"""What a seat or chance does: one small value a kind.  Coins are kept in one order: theirs means nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tabletop.rules.actions import Deal, Reveal
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import COINS, STRUCTURES

A = TypeVar("A")


class Coin(NamedTuple):
    """The active seat takes a coin from the bank."""

    coin: str
    do: str = "coin"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "coin": self.coin}


class Reserve(NamedTuple):
    """The active seat uses its reserve: ``add`` a structure, ``remove`` one, or ``exchange`` one of each.

    ``swap`` is the structure of the palazzo that is exchanged away; ``at`` the cell that is built on, None where the
    action names none.
    """

    kind: str
    structure: str
    at: Cell | None = None
    swap: str | None = None
    do: str = "reserve"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form: ``swap`` is called ``for``."""
        swap = {} if self.swap is None else {"for": self.swap}
        at = {} if self.at is None else {"at": list(self.at)}
        return {"do": self.do, "kind": self.kind, "structure": self.structure, **swap, **at}


class Turret(NamedTuple):
    """The active seat puts its pawn on a structure of its palazzo."""

    on: str
    do: str = "turret"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "on": self.on}


class Purchase(NamedTuple):
    """The active seat buys a structure from the yard with coins and, if ``die``, its die."""

    structure: str
    pay: tuple[str, ...]
    die: bool
    do: str = "purchase"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "structure": self.structure, "pay": list(self.pay), "die": self.die}


class Pass(NamedTuple):
    """The active seat can do nothing, or does without its last action."""

    do: str = "pass"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do}


class Build(NamedTuple):
    """The active seat puts a purchased structure into its palazzo."""

    structure: str
    at: Cell
    do: str = "build"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "structure": self.structure, "at": list(self.at)}


class Keep(NamedTuple):
    """The active seat puts a purchased structure into its reserve."""

    structure: str
    do: str = "keep"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "structure": self.structure}


PiecepackAction: TypeAlias = Reveal | Deal | Coin | Reserve | Turret | Purchase | Pass | Build | Keep

REVEAL: Mapping[str, Reveal] = {piece: Reveal(piece) for piece in (*STRUCTURES, *COINS)}
COIN: Mapping[str, Coin] = {coin: Coin(coin) for coin in COINS}
REMOVE: Mapping[str, Reserve] = {structure: Reserve("remove", structure) for structure in STRUCTURES}
TURRET: Mapping[str, Turret] = {structure: Turret(structure) for structure in STRUCTURES}
KEEP: Mapping[str, Keep] = {structure: Keep(structure) for structure in STRUCTURES}
EXCHANGES: Mapping[str, Sequence[Reserve]] = {
    one: [Reserve("exchange", one, None, other) for other in STRUCTURES] for one in STRUCTURES
}
"""By the structure of the reserve, then by the place in their order of that of the palazzo, in whose cell it goes."""
REMOVES: Sequence[Reserve] = [*REMOVE.values()]
TURRETS: Sequence[Turret] = [*TURRET.values()]
"""By the place of the structure in their order."""
PASS = Pass()
"""All actions that name only pieces, or nothing, are made once."""

NEAR = range(-8, 9)
"""The columns and rows that most palazzi keep to: the first structure is laid on [0, 0]."""


class Cellwise(dict[Cell, A]):
    """One action for each cell, made when first asked for; those for near cells are kept."""

    def __init__(self, make: Callable[[Cell], A]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cell: Cell) -> A:
        action = self._make(cell)
        if cell[0] in NEAR and cell[1] in NEAR:
            self[cell] = action
        return action


ADD: Mapping[str, Cellwise[Reserve]] = {
    structure: Cellwise(partial(Reserve, "add", structure)) for structure in STRUCTURES
}
BUILD: Mapping[str, Cellwise[Build]] = {structure: Cellwise(partial(Build, structure)) for structure in STRUCTURES}
"""By the structure, then by the cell."""
