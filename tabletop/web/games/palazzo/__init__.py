"""The words and pictures of Palazzo."""

from tabletop.web.games.palazzo.part import PalazzoPart

__all__ = ["PalazzoPart"]
