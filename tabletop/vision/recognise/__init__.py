"""Recognises our own tags at a fraction of a decoder's resolution: known patterns of known size on a known plane."""
