"""What a game brings to the pages: its words and pictures.  The framework is the same for all."""

from __future__ import annotations

from tabletop.rules.game import Game
from tabletop.web.games.game_ui import Part
from tabletop.web.games.palazzo import PalazzoPart
from tabletop.web.games.patrician import PatricianPart
from tabletop.web.games.piecepack import PiecepackPart

PARTS = {part.name: part for part in (PalazzoPart(), PatricianPart(), PiecepackPart())}
"""The games that have pictures of their own; the others are shown in words."""


def part_of(game: Game) -> Part:
    """Return the game's part, or the generic one."""
    return PARTS.get(game.name) or Part(game.name)
