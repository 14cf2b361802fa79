"""Drawings for the wiring page, made from the panel file."""
