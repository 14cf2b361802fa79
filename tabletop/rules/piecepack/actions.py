"""The actions of Palazzo for the piecepack: one small class per kind, with its notation.

Coins are sorted, because their order means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

from tabletop.rules.chance_actions import Deal, Reveal
from tabletop.rules.grammar import ActionValue, Grammar
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import COINS, ORDER, STRUCTURES

A = TypeVar("A")


class Coin(ActionValue, form="coin {coin}"):
    """The active seat takes a coin from the bank."""

    coin: str


class Reserve(
    ActionValue,
    form=[
        "{kind=add} {structure} at {at:cell}",
        "{kind=remove} {structure}",
        "{kind=exchange} {structure} for {swap} [at {at:cell}]",
    ],
    keys={"swap": "for"},
):
    """The active seat uses its reserve: ``add`` a structure, ``remove`` one, or ``exchange`` one of each.

    ``swap`` is the structure of the palazzo that is exchanged away; ``at`` the cell that is built on, None if the
    action names none.
    """

    kind: str
    structure: str
    at: Cell | None = None
    swap: str | None = None


class Turret(ActionValue, form="turret on {on}"):
    """The active seat puts its pawn on a structure of its palazzo."""

    on: str


class Purchase(ActionValue, form="purchase {structure} pay|with {pay:pieces+die}"):
    """The active seat buys a structure from the yard with coins and, if ``die``, its die."""

    structure: str
    pay: tuple[str, ...]
    die: bool


class Pass(ActionValue, form="pass"):
    """The active seat can do nothing else, or gives up its action in the last round."""


class Build(ActionValue, form="build {structure} at {at:cell}"):
    """The active seat puts a purchased structure into its palazzo."""

    structure: str
    at: Cell


class Keep(ActionValue, form="keep {structure}"):
    """The active seat puts a purchased structure into its reserve."""

    structure: str


PiecepackAction: TypeAlias = Reveal | Deal | Coin | Reserve | Turret | Purchase | Pass | Build | Keep
GRAMMAR = Grammar([Reveal, Deal, Coin, Reserve, Turret, Purchase, Pass, Build, Keep], ORDER, place=ORDER.__getitem__)

REVEAL: Mapping[str, Reveal] = {piece: Reveal(piece) for piece in (*STRUCTURES, *COINS)}
COIN: Mapping[str, Coin] = {coin: Coin(coin) for coin in COINS}
REMOVE: Mapping[str, Reserve] = {structure: Reserve("remove", structure) for structure in STRUCTURES}
TURRET: Mapping[str, Turret] = {structure: Turret(structure) for structure in STRUCTURES}
KEEP: Mapping[str, Keep] = {structure: Keep(structure) for structure in STRUCTURES}
EXCHANGES: Mapping[str, Sequence[Reserve]] = {
    own: [Reserve("exchange", own, None, other) for other in STRUCTURES] for own in STRUCTURES
}
"""Structure of the reserve → its exchanges for each structure of a palazzo, in the order of STRUCTURES."""
REMOVES: Sequence[Reserve] = [*REMOVE.values()]
TURRETS: Sequence[Turret] = [*TURRET.values()]
"""The same as TURRET, in the order of STRUCTURES."""
PASS = Pass()
"""The only pass: like all actions above, which name only pieces, it is made once."""

NEAR_RANGE = range(-8, 9)
"""The columns and rows that most palazzi stay within: the first structure is laid on [0, 0]."""


class Cellwise(dict[Cell, A]):
    """One action for each cell, made when first asked for; those for near cells are kept."""

    def __init__(self, make: Callable[[Cell], A]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cell: Cell) -> A:
        action = self._make(cell)
        if cell[0] in NEAR_RANGE and cell[1] in NEAR_RANGE:
            self[cell] = action
        return action


ADD: Mapping[str, Cellwise[Reserve]] = {
    structure: Cellwise(partial(Reserve, "add", structure)) for structure in STRUCTURES
}
BUILD: Mapping[str, Cellwise[Build]] = {structure: Cellwise(partial(Build, structure)) for structure in STRUCTURES}
"""Structure → cell → the action."""
