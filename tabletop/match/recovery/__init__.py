"""Recovers the events of a damaged journal, and detects that some are missing."""
