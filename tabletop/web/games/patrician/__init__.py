"""The words and pictures of Patrician."""

from tabletop.web.games.patrician.part import PatricianPart

__all__ = ["PatricianPart"]
