"""What is in the box: 48 tiles, 5 end tiles, 55 money cards, the start certificate and the architect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tabletop.messages import Message
from tabletop.rules.game import Piece


class Tile(NamedTuple):
    """One building tile: material ``B``, ``S`` or ``M``, floor 1-5, windows 1-3."""

    id: str
    material: str
    floor: int
    windows: int


MATERIALS = {"B": "brick", "S": "sandstone", "M": "marble"}
CURRENCIES = {"R": Message("red"), "N": Message("brown"), "G": Message("green")}
FLOORS = range(1, 6)
WINDOWS = range(1, 4)
FACES = range(3, 8)
STACKS = ("I", "II", "III")

START_CERTIFICATE = "C3"
"""Worth 3 in the opening bid, never in a hand."""
ARCHITECT = "ARCH"
END_TILES = ("E1", "E2", "E3", "E4", "E5")
CERTIFICATES = tuple(f"C2{copy}" for copy in "abcdefghij")
MONEY = tuple(sorted((*CERTIFICATES, *(f"{c}{face}{copy}" for c in CURRENCIES for face in FACES for copy in "abc"))))
"""The 55 money cards, in the order in which every hand is kept."""
VALUE: Mapping[str, int] = {card: int(card[1]) for card in (*MONEY, START_CERTIFICATE)}
"""What each money card shows."""


def _tiles() -> dict[str, Tile]:
    """Return the tiles by id: each (material, floor, windows) once, but (material, 3, 1) twice, as ``a`` and ``b``."""
    tiles = {}
    for material in MATERIALS:
        for floor in FLOORS:
            for windows in WINDOWS:
                for copy in ("a", "b") if (floor, windows) == (3, 1) else ("",):
                    tile = Tile(f"{material}{floor}.{windows}{copy}", material, floor, windows)
                    tiles[tile.id] = tile
    return tiles


TILES: Mapping[str, Tile] = _tiles()
FLOOR: Mapping[str, int] = {tile.id: tile.floor for tile in TILES.values()}

KIND: Mapping[str, str] = {
    **{tile: tile.rstrip("ab") for tile in TILES},
    **dict.fromkeys(END_TILES, "E"),
    **{card: card[:2] for card in MONEY},
    START_CERTIFICATE: START_CERTIFICATE,
    ARCHITECT: ARCHITECT,
}
"""The kind of each piece: twins, end tiles, and cards of one currency and value are of one kind."""

PIECES: Mapping[str, Piece] = {
    piece: Piece(piece, kind)
    for kind, ids in (
        ("tile", TILES),
        ("end", END_TILES),
        ("money", MONEY),
        ("start", (START_CERTIFICATE,)),
        ("architect", (ARCHITECT,)),
    )
    for piece in ids
}
