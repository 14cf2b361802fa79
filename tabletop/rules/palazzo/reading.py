"""From data to an action: keys, types and names of pieces are checked here, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.rules.game import Illegal, Json
from tabletop.rules.palazzo.actions import (
    Auction,
    Bid,
    Build,
    Buy,
    Claim,
    Deal,
    Money,
    PalazzoAction,
    Pass,
    Place,
    Rebuild,
    Reveal,
    Scrap,
    Take,
)
from tabletop.rules.palazzo.components import PIECES

LONGEST = 60
"""More pieces than this no action names."""


def bad(message: str) -> Illegal:
    """Return the refusal of a malformed action."""
    return Illegal("bad-request", message)


def _known(piece: Json, key: str) -> str:
    if not isinstance(piece, str):
        raise bad(f"{key} must be the name of a piece.")
    if piece not in PIECES:
        name = piece if len(piece) <= 20 else piece[:17] + "..."
        raise Illegal("unknown-piece", f"There is no piece {name!r} in this game.", "Components", {"piece": name})
    return piece


def _piece(data: Mapping[str, Json], key: str) -> str:
    if key not in data:
        raise bad(f"The action needs the key {key}.")
    return _known(data[key], key)


def _pieces(data: Mapping[str, Json], key: str) -> tuple[str, ...]:
    if key not in data:
        raise bad(f"The action needs the key {key}.")
    names = data[key]
    if not isinstance(names, list) or len(names) > LONGEST:
        raise bad(f"{key} must be a list of at most {LONGEST} pieces.")
    return tuple(sorted(_known(name, key) for name in names))


def _deal(data: Mapping[str, Json]) -> Deal:
    if type(data.get("seat")) is not int:
        raise bad("deal needs the seat as a whole number from 0.")
    return Deal(data["seat"], _pieces(data, "cards"))


def _rebuild(data: Mapping[str, Json]) -> Rebuild:
    kind = data.get("kind")
    if not isinstance(kind, str):
        raise bad("rebuild needs its kind: lift, insert or scrap.")
    if kind not in ("lift", "insert", "scrap"):
        raise Illegal("unknown-action", "A rebuild is a lift, an insert or a scrap.", "Rebuild")
    onto = _piece(data, "onto") if kind == "insert" else None
    return Rebuild(kind, _piece(data, "tile"), onto, _piece(data, "pay"))


def _buy(data: Mapping[str, Json]) -> Buy:
    tiles = _pieces(data, "tiles")
    if not tiles:
        raise bad("buy needs at least one tile.")
    return Buy(tiles, _pieces(data, "pay"))


def _place(data: Mapping[str, Json]) -> Place:
    if "onto" not in data:
        raise bad("place needs the key onto: a tile, or null for a new palazzo.")
    onto = None if data["onto"] is None else _piece(data, "onto")
    return Place(_piece(data, "tile"), onto)


READERS: Mapping[str, Callable[[Mapping[str, Json]], PalazzoAction]] = {
    "reveal": lambda data: Reveal(_piece(data, "piece")),
    "deal": _deal,
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
    if not isinstance(data, dict):
        raise bad("An action must be an object.")
    kind = data.get("do")
    if not isinstance(kind, str):
        raise bad("An action needs the key do.")
    if kind not in READERS:
        raise Illegal("unknown-action", f"There is no action {kind[:20]!r} in this game.", "A turn")
    return READERS[kind](data)
