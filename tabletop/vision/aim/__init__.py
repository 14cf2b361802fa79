"""Assesses how well the camera sees the table, and advises what to do about it."""
