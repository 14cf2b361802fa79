"""The sheets that a new table has to print."""

from __future__ import annotations

from tabletop.rules import registry

PAPERS = ("a4", "letter")


def pdf(game: str, paper: str, make: str = "", seats: int = 0) -> bytes:
    """Return tags and zone cards of a game as PDF, true to size: of one make, for so many seats (0: all of them)."""
    from tabletop.printing import tag_pdf
    from tabletop.vision.kit import Kit

    return tag_pdf(Kit(registry.game(game), make), paper, seats)
