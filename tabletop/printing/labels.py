"""Pages of tags to cut out and stick on, each with its piece's name beside it."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.printing.paper import BOLD, PLAIN, Document, Page, Rect
from tabletop.vision.tags.catalogue import Entry

COLUMN_GAP_MM = 5.0
ROW_GAP_MM = 8.0
"""Room for the cut marks, and for the name below each tag."""
CUTTING_HINT = (
    "Cut along the marks, the white edge belongs to the tag. Stick each on the face of the piece named below it."
)


def label_pages(document: Document, entries: Sequence[Entry], name: str) -> None:
    """Draw every tag in the order of the set, as many per page as fit; each size of tag begins a new page."""
    for side in dict.fromkeys(entry.size_mm for entry in entries):
        _pages(document, [entry for entry in entries if entry.size_mm == side], f"{name}: tags of {side:g} mm")


def _pages(document: Document, entries: Sequence[Entry], title: str) -> None:
    page = document.page(title, CUTTING_HINT)
    spots = _spots(page, entries[0].size_mm)
    for number, entry in enumerate(entries):
        if number and number % len(spots) == 0:
            page = document.page(title, CUTTING_HINT)
        _label(page, spots[number % len(spots)], entry)


def _spots(page: Page, side: float) -> list[Rect]:
    free = page.free
    columns = max(1, int((free.width + COLUMN_GAP_MM) // (side + COLUMN_GAP_MM)))
    rows = max(1, int(free.height // (side + ROW_GAP_MM)))
    left = free.left + (free.width - columns * side - (columns - 1) * COLUMN_GAP_MM) / 2
    return [
        Rect(left + column * (side + COLUMN_GAP_MM), free.top + 3 + row * (side + ROW_GAP_MM), side, side)
        for row in range(rows)
        for column in range(columns)
    ]


def _label(page: Page, box: Rect, entry: Entry) -> None:
    page.tag(box, entry.payload)
    page.cut_marks(box)
    page.text(box.middle[0], box.bottom + 3.6, entry.id, 9, BOLD, align="middle")
    page.text(box.middle[0], box.bottom + 6, entry.kind, 5.5, PLAIN, align="middle")
