"""The building rules of Palazzo for the piecepack, for cells, shapes and palazzi."""
