"""The rules of Palazzo for the piecepack, phase by phase."""
