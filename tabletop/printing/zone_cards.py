"""Zone cards: one per marker, with its areas outlined and titled, arrows, and a line of help if there is room."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tabletop.printing.paper import BLACK, BOLD, GREY, PLAIN, Document, Page, Rect, Shelves
from tabletop.rules.table import Zone, ZoneShape
from tabletop.vision.tags import catalogue, payloads

SHAPE_HELP = {
    ZoneShape.SPREAD: "Face up, side by side or fanned, every tag in sight.",
    ZoneShape.SPACES: "Face up, side by side, never on one another.",
    ZoneShape.COLUMNS: "Build upward from the line, tile above tile, a finger's breadth between columns.",
    ZoneShape.PILE: "Pile up face up, the newest on top.",
    ZoneShape.HEAP: "In any order, even stacked.",
    ZoneShape.GRID: "Lay the tiles edge to edge.",
    ZoneShape.TOWER: "Build upward from the line.",
    ZoneShape.STORE: "Whatever lies here is not read.",
}
HINT = "Lay the card wherever it suits. The area may be longer than the paper: it goes on as the arrows show."
MARKER_ROOM_MM = catalogue.MARKER_MM / 2 + 1
"""The distance from the centre of a card's marker to the card's edge on sides without an area."""
CARD_GAP_MM = 6.0
JOINT_MARK_MM = 12.0
"""The distance of the marks on the edge at which two sheets meet from the ends of that edge."""
TOLERANCE_MM = 0.01


class CardSheet(NamedTuple):
    """One sheet of a card: its zones, the part of the card on it (in the marker's frame), and its number from 0.

    ``joints`` is how far below the marker's centre the marks on the edge where the two sheets meet are, mm; ``place``
    says where the sheet is laid; it is empty for the sheet with the marker.
    """

    zones: Sequence[Zone]
    part: Rect
    whole: Rect
    number: int
    joints: tuple[float, ...] = ()
    place: str = ""


def zone_pages(
    document: Document, zones: Sequence[Zone], set_letter: str, title: str, note: Callable[[str], str]
) -> None:
    """Draw the card of every marker, as many per page as fit.

    ``note`` returns the text for a zone's area.  A card of several areas that is wider than the paper is drawn on two
    sheets that are laid side by side; an area that fits on neither gets a sheet of its own.
    """
    cards: dict[str, list[Zone]] = {}
    for zone in zones:
        cards.setdefault(zone.marker, []).append(zone)
    free, upright = document.free(wide=True), document.free()
    every = (sheet for some in cards.values() for sheet in _with_outlying([*_sheets(some, free)], free, upright))
    sheets = sorted(every, key=lambda each: each.number)
    on_side = [sheet for sheet in sheets if not _fits(sheet, upright) or _fits(sheet, free)]
    for some, wide in ((on_side, True), ([sheet for sheet in sheets if sheet not in on_side], False)):
        shelves = Shelves(lambda wide=wide: document.page(title, HINT, wide=wide), CARD_GAP_MM)  # type: ignore[misc]
        for sheet in some:
            page, card = shelves.place(sheet.part.width, sheet.part.height)
            _draw(page, card, sheet, set_letter, note)


def _fits(sheet: CardSheet, room: Rect) -> bool:
    return sheet.part.width <= room.width and sheet.part.height <= room.height


def _sheets(zones: Sequence[Zone], free: Rect) -> Iterator[CardSheet]:
    """Iterate over the sheets of one card."""
    left = min(-MARKER_ROOM_MM, *(zone.area[0] for zone in zones))
    top = min(-MARKER_ROOM_MM, *(zone.area[1] for zone in zones))
    right = max(MARKER_ROOM_MM, *(zone.area[2] for zone in zones))
    bottom = max(MARKER_ROOM_MM, *(zone.area[3] for zone in zones))
    whole = Rect(left, top, right - left, bottom - top)
    if len(zones) == 1 or whole.width <= free.width:
        yield CardSheet(zones, whole, whole, 0)
        return
    # Split at the end of the paper or in the gap before an area, wherever the least of the areas is cut off.
    end = left + free.width
    edges = [zone.area[0] - 1 for zone in zones if left < zone.area[0] - 1 <= end]
    split = min([end, *edges], key=partial(_cut_off, zones))
    first = [zone for zone in zones if zone.area[0] < split]
    rest = [zone for zone in zones if zone.area[0] >= split]
    high, low = min((zone.area[1] for zone in rest), default=top), max((zone.area[3] for zone in rest), default=bottom)
    joints = (high + JOINT_MARK_MM, low - JOINT_MARK_MM) if rest else ()
    yield CardSheet(first, whole._replace(width=split - left), whole, 0, joints)
    if rest:
        place = (
            f"Lay this sheet to the right of the one with “{first[0].title}”, edge to edge, so that the triangles meet."
        )
        yield CardSheet(rest, Rect(split, high, right - split, low - high), whole, 1, joints, place)


def _with_outlying(sheets: Sequence[CardSheet], free: Rect, upright: Rect) -> Iterator[CardSheet]:
    """Iterate over the sheets of one card, and over an extra one for each area that does not fit on them."""
    number = len(sheets)
    for sheet in sheets:
        part, room = sheet.part, upright if _fits(sheet, upright) else free
        wide, high = min(part.width, room.width), min(part.height, room.height)
        shown = Rect(part.left, part.top + _lift(part, high), wide, high)
        outlying = [
            zone
            for zone in sheet.zones
            if zone.area[3] <= shown.top or zone.area[1] >= shown.bottom or zone.area[0] >= shown.right
        ]
        yield sheet._replace(zones=[zone for zone in sheet.zones if zone not in outlying])
        for zone in outlying:
            left, top, right, bottom = zone.area
            across = f"{abs(left):g} mm to the {'left' if left < 0 else 'right'}"
            down = f"{abs(top):g} mm {'above' if top < 0 else 'below'}"
            place = f"Lay the upper left corner of this area {across} of the middle of the marker and {down} it."
            yield CardSheet([zone], Rect(left, top, right - left, bottom - top), sheet.whole, number, place=place)
            number += 1


def _lift(part: Rect, high: float) -> float:
    """Return how many mm to leave out at the top if only ``high`` mm of a card are drawn: the marker's side is kept.

    A seat's area grows upward from its marker, so there the upper part is left out.
    """
    return part.height - high if -part.top > part.bottom else 0.0


def _cut_off(zones: Sequence[Zone], split: float) -> float:
    """Return how many mm of the areas that begin left of ``split`` lie right of it; infinity if none begins there."""
    behind = [max(0.0, zone.area[2] - split) for zone in zones if zone.area[0] < split]
    return sum(behind) if behind else math.inf


def _draw(page: Page, card: Rect, sheet: CardSheet, set_letter: str, note: Callable[[str], str]) -> None:
    """Draw one sheet of a card."""
    part = sheet.part
    x0, y0 = card.left - part.left, card.top - part.top - _lift(part, card.height)
    if not sheet.number:
        side = catalogue.MARKER_MM
        name = sheet.zones[0].marker.partition(":")[2]
        payload = payloads.Tag(payloads.MARKER, set_letter, name).payload
        page.tag(Rect(x0 - side / 2, y0 - side / 2, side, side), payload)
        page.shape([(x0 + side / 2 + 3.4, y0), (x0 + side / 2 + 0.4, y0 - 2), (x0 + side / 2 + 0.4, y0 + 2)], BLACK)
    for zone in sheet.zones:
        _area(page, card, zone, x0, y0, alone=len(sheet.zones) == 1 and not sheet.number, note=note(zone.name))
    if sheet.place:
        page.text(card.left + 2, card.bottom + 3.4, sheet.place, 6.5, PLAIN, GREY)
    for joint in sheet.joints:
        edge, inward = (card.left, 3) if sheet.number else (card.right, -3)
        page.shape([(edge, y0 + joint - 2), (edge, y0 + joint + 2), (edge + inward, y0 + joint)], BLACK)
    page.cut_marks(card)


def _area(page: Page, card: Rect, zone: Zone, x0: float, y0: float, *, alone: bool, note: str) -> None:
    """Draw the outline of an area, its title, and its help or note."""
    left, top, right, bottom = zone.area
    box = Rect(x0 + left, max(card.top, y0 + top), 0, 0)
    box = box._replace(width=min(card.right, x0 + right) - box.left, height=min(card.bottom, y0 + bottom) - box.top)
    open_right, open_top = x0 + right > card.right + TOLERANCE_MM, y0 + top < card.top - TOLERANCE_MM
    open_bottom = y0 + bottom > card.bottom + TOLERANCE_MM
    if not open_bottom:
        page.dashed(box.left, box.bottom, box.right, box.bottom)
    page.dashed(box.left, box.top, box.left, box.bottom)
    if not open_top:
        page.dashed(box.left, box.top, box.right, box.top)
    if not open_right:
        page.dashed(box.right, box.top, box.right, box.bottom)
    if zone.shape == ZoneShape.TOWER:
        page.line(box.left, box.bottom, box.right, box.bottom, BLACK, 1.2)
    title_y = max(box.top, y0 - catalogue.MARKER_MM / 2 - 4) + 8 if alone else box.top + 4
    inset = 4.0 if alone else 1.5
    size = 20.0 if alone else page.fitting(str(zone.title), box.width - 2 * inset, 11.0, BOLD)
    page.text(box.left + inset, title_y, str(zone.title), size, BOLD)
    help_text = SHAPE_HELP.get(zone.shape, "")
    small = 8.0 if alone else page.fitting(help_text, box.width - 2 * inset, 7.0)
    if small >= 4.0:
        page.text(box.left + inset, title_y + (5.5 if alone else 3.4), help_text, small, PLAIN, GREY)
    if note:
        page.text(box.left + inset, box.bottom - 2, note, page.fitting(note, box.width - 2 * inset, 10.0, BOLD), BOLD)
    elif alone or box.height > 40:
        page.text(box.left + inset, box.bottom - 3, f"{right - left:g} × {bottom - top:g} mm", 7, PLAIN, GREY)
    if zone.shape in (ZoneShape.COLUMNS, ZoneShape.TOWER):
        page.arrow(box.right - 8, box.bottom - 6, box.right - 8, box.bottom - 26)
    if open_right:
        page.arrow(box.right - 16, box.middle[1], box.right - 2, box.middle[1])
        page.text(box.right - 18, box.middle[1] + 1, f"on to {right - left:g} mm", 7, PLAIN, GREY, "right")
    if open_top:
        page.arrow(box.middle[0], box.top + 16, box.middle[0], box.top + 2)
        page.text(box.middle[0] + 3, box.top + 10, f"on to {bottom - top:g} mm", 7, PLAIN, GREY)
    if open_bottom:
        page.arrow(box.right - 4, box.bottom - 16, box.right - 4, box.bottom - 2)
        page.text(box.right - 7, box.bottom - 4, f"on to {bottom - top:g} mm", 7, PLAIN, GREY, "right")
