"""From a stream of frames to scenes of a table that stands still."""
