"""A match and its journal: accepted events, on disk before anyone is told."""
