"""Palazzo for the piecepack by Lerche: a grid of structures, coins and a die."""

from tabletop.rules.piecepack.game import GAME, Piecepack
from tabletop.rules.piecepack.position import PiecepackPosition

__all__ = ["GAME", "Piecepack", "PiecepackPosition"]
