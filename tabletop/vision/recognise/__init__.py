"""Recognising our own tags far below what a decoder needs: known patterns of known size on the known plane."""
