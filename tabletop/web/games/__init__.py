"""What a game brings to the pages: its words and pictures.  The framework is the same for all."""

from __future__ import annotations

from functools import cache

from tabletop.rules.game import Game
from tabletop.rules.registry import BUILT_IN, Layer
from tabletop.web.games.game_ui import GameUI

UIS = Layer("tabletop.games.web", "tabletop.web.games.{game}", "UI")


@cache  # a page asks for it many times a second
def part_of(game: Game) -> GameUI:
    """Return the game's own part, or the generic one: all is told in words."""
    found = UIS.part(game.name)
    return found if isinstance(found, GameUI) else GameUI(game.name)


def template_of(name: str) -> str | None:
    """Return the source of a template ``games/GAME/…`` that a game from elsewhere brings, None if it brings none."""
    folder, _, rest = name.partition("/")
    game, _, path = rest.partition("/")
    if folder != "games" or game in BUILT_IN or ".." in path:
        return None
    part = UIS.part(game)
    file = part.templates / path if isinstance(part, GameUI) and part.templates is not None else None
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else None
