"""Estimates how far tags are from their assumed poses, by least squares on the slopes of their patterns."""
