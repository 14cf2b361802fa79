"""The words and pictures of Palazzo."""

from tabletop.web.games.palazzo.game_ui import PalazzoPart

__all__ = ["PalazzoPart"]
