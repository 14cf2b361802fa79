"""What towers, heads and cards of Patrician are worth, and what may lie in its hands."""

from tabletop.bots.patrician.strategy import PatricianStrategy

STRATEGY = PatricianStrategy()
"""The rules of thumb of a thrifty person: most floors where they count, and heads in threes."""
