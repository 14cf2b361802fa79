"""Processes of our own that answer this one, and that end with it."""
