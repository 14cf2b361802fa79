"""The bots' strategy for Palazzo: what actions are worth, and which cards hands may hide."""

from tabletop.bots.palazzo.strategy import PalazzoStrategy

STRATEGY = PalazzoStrategy()
"""The rules of thumb of a thrifty player: what tiles are worth compared with what they cost."""
