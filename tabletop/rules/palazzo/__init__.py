"""Palazzo by Reiner Knizia: columns of tiles, money in three currencies, an architect who walks the quarries."""

from tabletop.rules.palazzo.game import GAME

__all__ = ["GAME"]
