"""The sheets that a new table has to print."""

from __future__ import annotations

from tabletop.setup.draft import Draft

PAPERS = ("a4", "letter")


def pdf(draft: Draft, paper: str, *, whole: bool = False) -> bytes:
    """Return tags and zone cards of what was chosen as PDF, true to size, for as many seats as play.

    ``whole``: instead of tags whole pieces, as they ship, for people who do not own the game.
    """
    from tabletop.printing import proxy_pdf, tag_pdf

    return (proxy_pdf if whole else tag_pdf)(draft.kit, paper, len(draft.seats))
