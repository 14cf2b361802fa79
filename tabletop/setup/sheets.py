"""The sheets that a new table has to print."""

from __future__ import annotations

from tabletop.setup.draft import Draft

PAPERS = ("a4", "letter")


def pdf(draft: Draft, paper: str) -> bytes:
    """Return tags and zone cards of what was chosen as PDF, true to size, for as many seats as play."""
    from tabletop.printing import tag_pdf

    return tag_pdf(draft.kit, paper, len(draft.seats))
