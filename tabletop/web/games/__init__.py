"""What a game brings to the pages: its words and pictures.  The framework is the same for all."""

from __future__ import annotations

from tabletop.rules.game import Game
from tabletop.web.games.palazzo import PalazzoPart
from tabletop.web.games.part import Part

PARTS = {part.name: part for part in (PalazzoPart(),)}
"""The games that have pictures of their own; the others are shown in words."""


def part_of(game: Game) -> Part:
    """Return the game's part, or the generic one."""
    return PARTS.get(game.name) or Part(game.name)
