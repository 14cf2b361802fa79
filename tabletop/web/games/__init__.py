"""What a game brings to the pages: its words and pictures.  The framework is the same for all."""

from __future__ import annotations

from functools import cache

from tabletop.rules.game import Game
from tabletop.rules.registry import Layer
from tabletop.web.games.game_ui import GameUI

UIS = Layer("tabletop.games.web", "tabletop.web.games.{game}", "UI")


@cache  # a page asks for it many times a second
def part_of(game: Game) -> GameUI:
    """Return the game's own part, or the generic one: all is told in words."""
    found = UIS.part(game.name)
    return found if isinstance(found, GameUI) else GameUI(game.name)
