"""The bots' strategy for Patrician: what towers, heads and cards are worth, and which cards may be hidden where."""

from tabletop.bots.patrician.strategy import PatricianStrategy

STRATEGY = PatricianStrategy()
"""The rules of thumb of a thrifty player: most floors where they count, and heads in threes."""
