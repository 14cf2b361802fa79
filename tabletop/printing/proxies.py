"""Whole tiles and cards to print and play with, in our own plain drawing, for people without the box."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.printing.paper import BLACK, BOLD, Document, Page, Rect, Shelves
from tabletop.rules.registry import Layer
from tabletop.rules.table import Size
from tabletop.vision.kit import Kit
from tabletop.vision.tags.catalogue import Entry

Face = Callable[[Page, Rect, Rect, str], None]
"""Draws the face of a piece into its box, around its tag's box."""

GAP = 4.0
EDGE = 0.5
"""mm that a tag keeps from the edge of a piece that is hardly larger."""
HINT = "Print on card, cut along the marks. Colours may fade: every material and currency also has its pattern or sign."
USUAL = {"tile": Size(36, 28), "card": Size(44, 62, tag_x=-9, tag_y=-18)}
"""Sizes of pieces of which a game says nothing."""
FACES = Layer("tabletop.games.printing", "tabletop.printing.{game}", "face")
"""How a game's pieces are drawn (a :data:`Face`); those of a game that brings nothing show their name."""


def proxy_pages(document: Document, kit: Kit, title: str) -> None:
    """Draw every piece of the kit with its tag."""
    shelves = Shelves(lambda: document.page(title, HINT), GAP)
    face: Face = FACES.part(kit.game.name) or _plain
    for entry in kit.pieces:
        size = size_of(kit, entry)
        page, box = shelves.place(size.width, size.height)
        _proxy(page, box, size, entry, face)


def size_of(kit: Kit, entry: Entry) -> Size:
    """Return the size of a piece, the usual one if the game does not say."""
    return kit.sizes.get(entry.kind) or USUAL.get(entry.kind) or USUAL["card"]


def _proxy(page: Page, box: Rect, size: Size, entry: Entry, face: Face) -> None:
    side = min(entry.size_mm, size.width - 2 * EDGE, size.height - 2 * EDGE)
    x, y = box.middle
    left = min(max(x + size.tag_x - side / 2, box.left + EDGE), box.right - EDGE - side)
    top = min(max(y + size.tag_y - side / 2, box.top + EDGE), box.bottom - EDGE - side)
    tag = Rect(left, top, side, side)
    page.clip(box, 1.5)
    face(page, box, tag, entry.id)
    page.unclip()
    page.frame(box, BLACK, 0.2, 1.5)
    page.tag(tag, entry.payload)
    page.cut_marks(box, 1.6, 0.2)


def _plain(page: Page, box: Rect, tag: Rect, piece: str) -> None:
    """Write the piece's name where the tag leaves most room."""
    below, above = box.bottom - tag.bottom, tag.top - box.top
    room = max(below, above)
    middle = (tag.bottom + box.bottom) / 2 if below >= above else (box.top + tag.top) / 2
    size = min(26.0, 2.6 * room, 44.0 * box.width / (12 * max(3, len(piece))))
    page.text(box.middle[0], middle + size * 0.12, piece, max(6.0, size), BOLD, align="middle")
