"""Whole tiles and cards to print and play with, in this project's plain drawing, for people without the box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabletop.printing.game_sheets import Face
from tabletop.printing.paper import BLACK, BOLD, PLAIN, Document, Page, Rect, Shelves
from tabletop.rules.table import Size
from tabletop.vision.kit import TAG_MARGIN_MM, Kit, tag_room
from tabletop.vision.tags.catalogue import Entry

PIECE_GAP_MM = 4.0
CORNER_RADIUS_MM = 1.5
MIN_FACE_MM = 4.0
"""The room that a face needs beside its tag to show the piece's name; with less, the name is printed below."""
CUT_MARK_MM = 4.0
"""The length of the marks beside a block of pieces that are separated by straight cuts."""
CUTTING_HINT = "Print on card, cut along the marks. Colours may fade: whatever has a colour also has a pattern or sign."
STRAIGHT_CUTS_HINT = "Print on card, cut along the straight lines from one edge of the block to the other."
DEFAULT_SIZES = {"tile": Size(36, 28), "card": Size(44, 62, tag_x=-9, tag_y=-18)}
"""Kind of piece → its size if the game does not say."""


class Pieces(NamedTuple):
    """The pieces to print, and the function that draws their faces (None: only their names)."""

    entries: Sequence[Entry]
    face: Face | None


def proxy_pages(document: Document, kit: Kit, pieces: Pieces, title: str, note: str) -> None:
    """Draw pieces of the kit with their tags; interchangeable ones lie edge to edge, so that they can be cut straight.

    ``note`` is a remark about the faces for each page, empty for none.
    """
    hint = f"{note} · {CUTTING_HINT}" if note else CUTTING_HINT
    shelves, face = Shelves(lambda: document.page(title, hint), PIECE_GAP_MM), pieces.face or _plain
    alike = [entry for entry in pieces.entries if kit.game.pieces[entry.id].like]
    for entry in pieces.entries:
        if entry not in alike:
            size = size_of(kit, entry)
            page, box = shelves.place(size.width, size.height)
            _proxy(page, box, size, entry, face)
    block = Shelves(lambda: document.page(title, STRAIGHT_CUTS_HINT), 0.0)
    for entry in alike:
        size = size_of(kit, entry)
        page, box = block.place(size.width, size.height)
        _in_block(page, box, _tag_box(box, size, entry), entry, face)


def size_of(kit: Kit, entry: Entry) -> Size:
    """Return the size of a piece, the default one if the game does not say."""
    return kit.sizes.get(entry.kind) or DEFAULT_SIZES.get(entry.kind) or DEFAULT_SIZES["card"]


def _proxy(page: Page, box: Rect, size: Size, entry: Entry, face: Face) -> None:
    tag, radius = _tag_box(box, size, entry), box.width / 2 if size.round else CORNER_RADIUS_MM
    page.clip(box, radius)
    face(page, box, tag, entry.id)
    page.unclip()
    page.tag(tag, entry.payload)
    page.frame(box, BLACK, 0.2, radius)
    if not size.round:
        page.cut_marks(box, 1.6, 0.2)
    if max(box.width - tag.width, box.height - tag.height) <= MIN_FACE_MM:
        page.text(box.middle[0], box.bottom + 2.6, entry.id, 6, PLAIN, align="middle")


def _in_block(page: Page, box: Rect, tag: Rect, entry: Entry, face: Face) -> None:
    face(page, box, tag, entry.id)
    page.tag(tag, entry.payload)
    page.frame(box, BLACK, 0.15)
    free = page.free
    if box.left - free.left < 0.01:
        for y in (box.top, box.bottom):
            page.line(box.left - CUT_MARK_MM, y, box.left, y, BLACK, 0.15)
    if box.top - free.top < 0.01:
        for x in (box.left, box.right):
            page.line(x, box.top - CUT_MARK_MM, x, box.top, BLACK, 0.15)


def smaller_tags(kit: Kit) -> dict[str, float]:
    """Return kind of piece → the side of its tags, mm, for kinds without room for tags of the kit's size."""
    usual = Kit(kit.game, kit.make)
    sides = {entry.kind: (usual.tag_of(entry.kind) * kit.scale, entry.size_mm) for entry in kit.pieces}
    return {kind: side for kind, (asked, side) in sides.items() if side < asked}


def _side(size: Size, entry: Entry) -> float:
    return min(entry.size_mm, tag_room(size))


def _tag_box(box: Rect, size: Size, entry: Entry) -> Rect:
    side = _side(size, entry)
    x, y = box.middle
    left = min(max(x + size.tag_x - side / 2, box.left + TAG_MARGIN_MM), box.right - TAG_MARGIN_MM - side)
    top = min(max(y + size.tag_y - side / 2, box.top + TAG_MARGIN_MM), box.bottom - TAG_MARGIN_MM - side)
    return Rect(left, top, side, side)


def _plain(page: Page, box: Rect, tag: Rect, piece: str) -> None:
    """Write the piece's name above or below its tag, wherever there is more room."""
    below, above = box.bottom - tag.bottom, tag.top - box.top
    room = max(below, above)
    if room < MIN_FACE_MM:
        return
    middle = (tag.bottom + box.bottom) / 2 if below >= above else (box.top + tag.top) / 2
    size = min(26.0, 2.6 * room, 44.0 * box.width / (12 * max(3, len(piece))))
    page.text(box.middle[0], middle + size * 0.12, piece, max(6.0, size), BOLD, align="middle")
