"""The building rules of Palazzo for the piecepack: cells, shapes, palazzi."""
