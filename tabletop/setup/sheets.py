"""The sheets that a new table has to print."""

from __future__ import annotations

from tabletop.setup.draft import Draft

PAPERS = ("a4", "letter")


def pdf(draft: Draft, paper: str, *, whole: bool = False) -> bytes:
    """Return the tags and zone cards of the chosen game as a PDF, true to size, for the seats that play.

    ``whole``: print whole pieces, as they ship, instead of tags, for people who do not own the game.
    """
    from tabletop.printing import proxy_pdf, tag_pdf

    return (proxy_pdf if whole else tag_pdf)(draft.kit, paper, len(draft.seats))
