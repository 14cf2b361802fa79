"""A table with zones of every shape, and the tags of pieces that lie on it."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin

from tabletop.messages import Message
from tabletop.rules.game import Piece
from tabletop.rules.palazzo.game import Palazzo
from tabletop.rules.palazzo.table.declaration import PalazzoTable
from tabletop.rules.table import Size, Zone, ZoneShape
from tabletop.vision.kit import Kit
from tabletop.vision.scene import ReadBy, Sighting

SIDE = 42.0
TAG = (11.0, -11.0)
"""The offset of a tile's tag from the tile's middle, mm: in the upper right quarter."""
ZONES = (
    Zone("market", "TT:WH", Message("Market"), (24, -24, 264, 46), ZoneShape.SPACES),
    Zone("heap", "TT:DIS", Message("Heap"), (24, -24, 100, 46), ZoneShape.HEAP),
    Zone("store", "TT:DIS", Message("Store"), (24, 48, 100, 100), ZoneShape.STORE),
    Zone("tower", "TT:END", Message("Tower"), (24, -300, 54, -20), ZoneShape.TOWER),
    Zone("seat0", "TT:SEAT1", Message("Palazzo"), (24, -264, 384, -28), ZoneShape.GRID),
    Zone("seat1", "TT:SEAT2", Message("Palazzo"), (24, -264, 384, -28), ZoneShape.GRID),
)


class TilesTable(PalazzoTable):
    """Tiles with a tag in a corner, small turrets, cards, and flat floors of two colours."""

    makes: Mapping[str, Mapping[str, Size]] = {
        "printed": {
            "tile": Size(SIDE, SIDE, *TAG), "turret": Size(21, 21), "card": Size(44, 62, -9, -18), "floor": Size(28, 22)
        },
        "box": {"tile": Size(SIDE, SIDE, *TAG), "card": Size(44, 62, -9, -18), "floor": Size(16, 16, tag=0)},
    }  # fmt: skip


class Tiles(Palazzo):
    """A game with such pieces."""

    pieces: Mapping[str, Piece] = {
        **{f"T{number}": Piece(f"T{number}", "tile") for number in range(9)},
        **{f"P{number}": Piece(f"P{number}", "turret") for number in range(3)},
        **{f"C{number}": Piece(f"C{number}", "card") for number in range(4)},
        **{f"K{number}": Piece(f"K{number}", "floor", "black") for number in range(3)},
        **{f"W{number}": Piece(f"W{number}", "floor", "white") for number in range(3)},
    }
    table = TilesTable()


KIT = Kit(Tiles())


def sighting(payload: str, x: float, y: float, angle: float = 0.0, how: ReadBy = ReadBy.RECOGNISED) -> Sighting:
    """Return a tag that is read at a place."""
    corner = (0.0, 0.0)
    return Sighting(payload, x, y, angle, (corner,) * 4, 0.9, how)


def laid(piece: str, x: float, y: float, angle: float = 0.0, how: ReadBy = ReadBy.RECOGNISED) -> Sighting:
    """Return the tag of a piece whose middle is at a place."""
    kind = KIT.game.pieces[piece].kind
    right, down = KIT.sizes[kind].tag_x, KIT.sizes[kind].tag_y
    turn = radians(angle)
    place = x + right * cos(turn) - down * sin(turn), y + right * sin(turn) + down * cos(turn)
    return sighting(f"PZ:{piece}", *place, angle, how)
