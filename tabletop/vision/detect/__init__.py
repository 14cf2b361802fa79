"""Detects the tags in one picture, by every way of reading."""
