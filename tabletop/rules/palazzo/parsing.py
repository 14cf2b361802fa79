"""From data to an action: keys, types and names of pieces are checked here, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.rules.actions import Data, Deal, Reveal, bad, known, many, read, seat, value
from tabletop.rules.game import Illegal, Json
from tabletop.rules.palazzo.actions import (
    Auction,
    Bid,
    Build,
    Buy,
    Claim,
    Money,
    PalazzoAction,
    Pass,
    Place,
    Rebuild,
    Scrap,
    Take,
)
from tabletop.rules.palazzo.components import PIECES


def _piece(data: Data, key: str) -> str:
    return known(value(data, key), key, PIECES)


def _pieces(data: Data, key: str) -> tuple[str, ...]:
    return tuple(sorted(many(data, key, PIECES)))


def _rebuild(data: Data) -> Rebuild:
    kind = data.get("kind")
    if not isinstance(kind, str):
        raise bad("rebuild needs its kind: lift, insert or scrap.")
    if kind not in ("lift", "insert", "scrap"):
        raise Illegal("unknown-action", "A rebuild is a lift, an insert or a scrap.", "Rebuild")
    onto = _piece(data, "onto") if kind == "insert" else None
    return Rebuild(kind, _piece(data, "tile"), onto, _piece(data, "pay"))


def _buy(data: Data) -> Buy:
    tiles = _pieces(data, "tiles")
    if not tiles:
        raise bad("buy needs at least one tile.")
    return Buy(tiles, _pieces(data, "pay"))


def _place(data: Data) -> Place:
    if "onto" not in data:
        raise bad("place needs the key onto: a tile, or null for a new palazzo.")
    onto = None if data["onto"] is None else _piece(data, "onto")
    return Place(_piece(data, "tile"), onto)


READERS: Mapping[str, Callable[[Data], PalazzoAction]] = {
    "reveal": lambda data: Reveal(_piece(data, "piece")),
    "deal": lambda data: Deal(seat(data), _pieces(data, "cards")),
    "money": lambda _: Money(),
    "take": lambda data: Take(_piece(data, "card")),
    "build": lambda _: Build(),
    "rebuild": _rebuild,
    "buy": _buy,
    "auction": lambda _: Auction(),
    "bid": lambda data: Bid(_pieces(data, "cards")),
    "pass": lambda _: Pass(),
    "claim": lambda data: Claim(_piece(data, "tile")),
    "place": _place,
    "scrap": lambda data: Scrap(_piece(data, "tile")),
}


def action(data: Json) -> PalazzoAction:
    """Return the action; raises Illegal (``unknown-action``, ``bad-request``, ``unknown-piece``)."""
    return read(data, READERS)
