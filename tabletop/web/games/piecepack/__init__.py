"""The words and pictures of Palazzo for the piecepack."""

from tabletop.web.games.piecepack.part import PiecepackPart

__all__ = ["PiecepackPart"]
