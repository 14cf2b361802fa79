"""The words and pictures of Palazzo for the piecepack."""

from tabletop.web.games.piecepack.game_ui import PiecepackUI

UI = PiecepackUI()
