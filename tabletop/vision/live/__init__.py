"""Turns a stream of frames into scenes of a table that stands still."""
