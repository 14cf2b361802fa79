"""The physical table of Palazzo for the piecepack."""
