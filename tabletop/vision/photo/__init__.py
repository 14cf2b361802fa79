"""Reads the tags in a photograph, and reports what cannot be read."""
