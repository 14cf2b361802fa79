"""The bots' strategy for Palazzo for the piecepack: what structures and coins are worth, and what may be hidden."""

from tabletop.bots.piecepack.strategy import PiecepackStrategy

STRATEGY = PiecepackStrategy()
"""The rules of thumb of a thrifty player: what a structure adds compared with what it costs."""
