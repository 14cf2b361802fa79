"""What a game brings to the pages: its words and pictures.  The framework is the same for all."""

from __future__ import annotations

from tabletop.rules.game import Game
from tabletop.web.games.game_ui import GameUI
from tabletop.web.games.palazzo import PalazzoUI
from tabletop.web.games.patrician import PatricianUI
from tabletop.web.games.piecepack import PiecepackUI

PARTS = {part.name: part for part in (PalazzoUI(), PatricianUI(), PiecepackUI())}
"""The games that have pictures of their own; the others are shown in words."""


def part_of(game: Game) -> GameUI:
    """Return the game's part, or the generic one."""
    return PARTS.get(game.name) or GameUI(game.name)
