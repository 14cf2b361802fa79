"""Presents readings of pictures to people: lists, overlays, scores."""
