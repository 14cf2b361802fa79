"""Bots, which decide only from a seat's View, what it has seen before, and the list of legal actions."""
