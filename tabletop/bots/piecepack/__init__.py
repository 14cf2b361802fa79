"""What structures and coins of Palazzo for the piecepack are worth, and what may lie in its hands."""

from tabletop.bots.piecepack.strategy import PiecepackStrategy

STRATEGY = PiecepackStrategy()
"""The rules of thumb of a thrifty person: what a structure adds compared with what it costs."""
