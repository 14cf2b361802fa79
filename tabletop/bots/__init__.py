"""Bots: they decide from a View and the list of legal actions, and know nothing more."""
