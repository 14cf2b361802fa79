"""Zone cards: the marker, the title, the outline of the area where it fits on paper, arrows, and one line of help."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.printing.paper import BLACK, BOLD, GREY, PLAIN, Document, Page, Rect, Shelves
from tabletop.rules.table import Zone
from tabletop.vision.tags import catalogue, payloads

HELP = {
    "spread": "Face up, side by side or fanned, every tag in sight.",
    "columns": "Build upward from the line, tile above tile, a finger's breadth between columns.",
    "pile": "Pile up face up, the newest on top.",
    "grid": "Lay the tiles edge to edge.",
}
HINT = "Lay the card wherever it suits. The area may be longer than the paper: it goes on as the arrows show."
ROOM = catalogue.MARKER_MM / 2 + 1
"""mm of a card around the middle of its marker, on the sides that have no area."""
GAP = 6.0


def zone_pages(document: Document, zones: Sequence[Zone], set_letter: str, title: str) -> None:
    """Draw the card of every zone, as many on a page as fit."""
    shelves = Shelves(lambda: document.page(title, HINT, wide=True), GAP)
    for zone in zones:
        whole = _card(zone)
        page, card = shelves.place(whole.width, whole.height)
        _draw(page, card, whole, zone, set_letter)


def _card(zone: Zone) -> Rect:
    """Return the card's extent in the marker's frame."""
    left, top, right, bottom = zone.area
    box = Rect(min(-ROOM, left), min(-ROOM, top), 0, 0)
    return box._replace(width=max(ROOM, right) - box.left, height=max(ROOM, bottom) - box.top)


def _draw(page: Page, card: Rect, whole: Rect, zone: Zone, set_letter: str) -> None:
    """Draw a card; if it is cut short, the side of the marker is kept."""
    left, top, right, bottom = zone.area
    # A seat's area grows upward from its marker: then the upper part is what may be missing.
    missing = whole.height - card.height
    lift = missing if -whole.top > whole.bottom else 0.0
    x0, y0 = card.left - whole.left, card.top - whole.top - lift
    area = Rect(x0 + left, max(card.top, y0 + top), 0, 0)
    area = area._replace(width=min(card.right, x0 + right) - area.left, height=min(card.bottom, y0 + bottom) - area.top)
    open_right, open_top = x0 + right > card.right + 0.01, y0 + top < card.top - 0.01
    side = catalogue.MARKER_MM
    name = zone.marker.partition(":")[2]
    page.tag(Rect(x0 - side / 2, y0 - side / 2, side, side), payloads.Tag(payloads.MARKER, set_letter, name).payload)
    page.dashed(area.left, area.bottom, area.right, area.bottom)
    page.dashed(area.left, area.top, area.left, area.bottom)
    if not open_top:
        page.dashed(area.left, area.top, area.right, area.top)
    if not open_right:
        page.dashed(area.right, area.top, area.right, area.bottom)
    title_y = max(area.top, y0 - side / 2 - 4) + 8
    page.text(area.left + 4, title_y, zone.title, 20, BOLD)
    page.text(area.left + 4, title_y + 5.5, HELP.get(zone.shape, ""), 8, PLAIN, GREY)
    page.text(area.left + 4, area.bottom - 3, f"{right - left:g} × {bottom - top:g} mm", 7, PLAIN, GREY)
    page.shape([(x0 + side / 2 + 3.4, y0), (x0 + side / 2 + 0.4, y0 - 2), (x0 + side / 2 + 0.4, y0 + 2)], BLACK)
    if zone.shape == "columns":
        page.arrow(area.right - 8, area.bottom - 6, area.right - 8, area.bottom - 26)
    if open_right:
        page.arrow(area.right - 16, area.middle[1], area.right - 2, area.middle[1])
        page.text(area.right - 18, area.middle[1] + 1, f"on to {right - left:g} mm", 7, PLAIN, GREY, "right")
    if open_top:
        page.arrow(area.middle[0], area.top + 16, area.middle[0], area.top + 2)
        page.text(area.middle[0] + 3, area.top + 10, f"on to {bottom - top:g} mm", 7, PLAIN, GREY)
    page.cut_marks(card)
