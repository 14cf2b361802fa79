"""Structures of the piecepack in pictures of a final table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, radians, sin

from tabletop.rules import registry
from tabletop.vision.scene import Sighting
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.tally import NO_CARRIER
from tests.vision.score.pictures import lying


def laid(game: str, cells: Mapping[str, tuple[int, int]], side: float = 52.0, angle: float = 0.0) -> list[Sighting]:
    return [lying(f"{game}:{piece}", 60 + side * x, 300 - side * y, angle) for piece, (x, y) in cells.items()]


PIECEPACK = registry.game("piecepack")
NO_TURRETS = frozenset({NO_CARRIER})
"""What people say if no turret stands."""
BARE_PRINTED, BARE_BOX = (PiecepackTally(NO_TURRETS, make=make) for make in ("printed", "box"))
QUARTERS = {"TM1": 90, "TM2": 0, "TS2": 270, "TM0": 180, "TM5": 0}
TAG = {42.0: (11.0, -11.0), 50.8: (15.4, -15.4)}
"""Side of a structure, mm → the offset of its tag from its middle, mm."""


def tiles(
    cells: Mapping[str, tuple[float, float]],
    side: float,
    x: float = 100.0,
    y: float = 300.0,
    turns: Mapping[str, int] = QUARTERS,
) -> Iterator[Sighting]:
    """Iterate over the tags of structures on these cells, in a corner of each, turned by quarters."""
    for piece, (across, up) in cells.items():
        turn, (right, down) = radians(turns.get(piece, 0)), TAG[side]
        x_tag = x + side * across + right * cos(turn) - down * sin(turn)
        y_tag = y - side * up + right * sin(turn) + down * cos(turn)
        yield lying(f"PP:{piece}", x_tag, y_tag, turns.get(piece, 0))
