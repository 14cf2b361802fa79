"""Patrician by Michael Schacht: towers in ten cities, built by the card."""

from tabletop.rules.patrician.game import GAME, Patrician
from tabletop.rules.patrician.position import PatricianPosition

__all__ = ["GAME", "Patrician", "PatricianPosition"]
