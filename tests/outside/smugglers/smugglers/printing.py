"""The print on a crate."""

from __future__ import annotations

from tabletop.printing.paper import BOLD, Page, Rect


def face(page: Page, box: Rect, tag: Rect, piece: str) -> None:
    """Write the crate's name below its tag."""
    page.text(tag.middle[0], tag.bottom + 6, f"crate {piece}", 10, BOLD, align="middle")
