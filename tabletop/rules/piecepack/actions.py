"""What a seat or chance does: one small value a kind.  Coins are kept in one order: theirs means nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tabletop.rules.actions import Deal, Reveal
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import COINS, STRUCTURES


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
EXCHANGE: Mapping[str, Mapping[str, Reserve]] = {
    one: {other: Reserve("exchange", one, None, other) for other in STRUCTURES} for one in STRUCTURES
}
"""By the structure of the reserve, then by that of the palazzo, in whose cell it goes."""
PASS = Pass()
"""All actions that name only pieces, or nothing, are made once."""


@lru_cache(maxsize=4096)
def add(structure: str, at: Cell) -> Reserve:
    """Return the action that adds a structure of the reserve to the palazzo."""
    return Reserve("add", structure, at)
