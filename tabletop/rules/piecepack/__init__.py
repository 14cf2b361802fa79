"""Palazzo for the piecepack by Lerche: a grid of structures, coins and a die."""
