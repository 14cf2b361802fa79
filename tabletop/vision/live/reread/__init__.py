"""Reads parts of a table that stands still again, in the mean of several pictures."""
