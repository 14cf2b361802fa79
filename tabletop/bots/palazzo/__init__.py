"""What things of Palazzo are worth, and what may lie in its hands."""

from tabletop.bots.palazzo.strategy import PalazzoStrategy

STRATEGY = PalazzoStrategy()
"""The rules of thumb of a thrifty person: what tiles are worth compared with what they cost."""
