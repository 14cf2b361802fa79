"""This project's plain drawing of Palazzo's tiles and cards, with a colour and a pattern per material and currency."""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

from tabletop.printing.game_sheets import GameSheets
from tabletop.printing.paper import BLACK, BOLD, PLAIN, WHITE, Ink, Page, Rect
from tabletop.rules.palazzo.components import ARCHITECT, CURRENCIES, END_TILES, MATERIALS, START_CERTIFICATE, TILES


class FaceColours(NamedTuple):
    """The colour of a face, and of the lines on it."""

    face: Ink
    lines: Ink


BRICK = FaceColours((0.86, 0.52, 0.40), (0.97, 0.86, 0.80))
SANDSTONE = FaceColours((0.96, 0.83, 0.52), (0.74, 0.56, 0.24))
MARBLE = FaceColours((0.88, 0.92, 0.95), (0.55, 0.63, 0.72))
MATERIAL_COLOURS = {"B": BRICK, "S": SANDSTONE, "M": MARBLE}
GLASS: Ink = (0.16, 0.24, 0.36)
END_COLOURS: FaceColours = FaceColours((0.30, 0.42, 0.34), (0.80, 0.86, 0.80))
MONEY_COLOURS = {
    "R": FaceColours((0.96, 0.80, 0.78), (0.72, 0.12, 0.12)),
    "N": FaceColours((0.91, 0.83, 0.74), (0.42, 0.26, 0.10)),
    "G": FaceColours((0.82, 0.92, 0.80), (0.10, 0.42, 0.16)),
    "C": FaceColours((0.93, 0.92, 0.97), (0.32, 0.28, 0.52)),
}
SIGN_CORNERS = {"R": 0, "N": 4, "G": 3}
"""Currency → the number of corners of its sign: a disc (0), a square, a triangle; certificates have a star."""


def face(page: Page, box: Rect, tag: Rect, piece: str) -> None:
    """Draw the face of any piece of Palazzo around its tag."""
    if piece in TILES:
        _tile(page, box, tag, piece)
    elif piece in END_TILES:
        _end(page, box, tag)
    elif piece == ARCHITECT:
        page.fill(box, END_COLOURS.face)
    else:
        _card(page, box, tag, piece)


def _tile(page: Page, box: Rect, tag: Rect, piece: str) -> None:
    tile = TILES[piece]
    look = MATERIAL_COLOURS[tile.material]
    page.fill(box, look.face)
    {"B": _bricks, "S": _layers, "M": _veins}[tile.material](page, box, look.lines)
    band = (tag.left - box.left) / 2
    plate = Rect(box.left + 0.9, box.middle[1] - 5.2, 2 * band - 1.8, 10.4)
    page.fill(plate, WHITE, 1)
    page.frame(plate, look.lines, 0.3, 1)
    page.centred(*plate.middle, str(tile.floor), 22)
    x = (tag.right + box.right) / 2
    first = box.middle[1] - 8.2 * (tile.windows - 1) / 2
    for window in range(tile.windows):
        _window(page, x, first + 8.2 * window)
    page.text(tag.left, box.bottom - 1.2, MATERIALS[tile.material], 5.5, BOLD)
    page.text(tag.right, box.bottom - 1.2, piece, 5.5, BOLD, align="right")


def _window(page: Page, x: float, y: float) -> None:
    """Draw a round-headed window with a light frame, 4.6 × 7 mm."""
    for grow, ink in ((0.5, WHITE), (0.0, GLASS)):
        wide, high = 3.6 + 2 * grow, 4.4 + grow
        page.fill(Rect(x - wide / 2, y - 1.2, wide, high), ink)
        page.circle(x, y - 1.2, wide / 2, ink)
    page.line(x, y - 3, x, y + 3.2, WHITE, 0.3)
    page.line(x - 1.8, y + 0.2, x + 1.8, y + 0.2, WHITE, 0.3)


def _bricks(page: Page, box: Rect, ink: Ink) -> None:
    rows = int(box.height // 4) + 1
    for row in range(rows):
        y = box.top + 4 * row
        page.line(box.left, y, box.right, y, ink, 0.5)
        x = box.left + (4.5 if row % 2 else 0)
        while x < box.right:
            page.line(x, y, x, min(y + 4, box.bottom), ink, 0.5)
            x += 9


def _layers(page: Page, box: Rect, ink: Ink) -> None:
    """Draw dots in slanting rows, like sand."""
    row = 0
    y = box.top + 1.2
    while y < box.bottom:
        x = box.left + (1.4 if row % 2 else 0.4)
        while x < box.right:
            page.circle(x, y, 0.28, ink)
            x += 2.4
        y += 1.7
        row += 1


def _veins(page: Page, box: Rect, ink: Ink) -> None:
    """Draw long, slanting, slightly wavy lines, like veins of marble."""
    start = box.left - box.height
    while start < box.right:
        x, y = start, box.top
        for step in range(1, 8):
            nx = start + box.height * step / 7 + 0.9 * sin(1.9 * step + start)
            ny = box.top + box.height * step / 7
            page.line(x, y, nx, ny, ink, 0.35)
            x, y = nx, ny
        start += 5.5


def _end(page: Page, box: Rect, tag: Rect) -> None:
    page.fill(box, END_COLOURS.face)
    page.frame(Rect(box.left + 1.2, box.top + 1.2, box.width - 2.4, box.height - 2.4), END_COLOURS.lines, 0.5, 1)
    for x in ((box.left + tag.left) / 2 + 0.4, (tag.right + box.right) / 2 - 0.4):
        for number, letter in enumerate("END"):
            page.text(x, box.top + 9 + 7 * number, letter, 15, BOLD, END_COLOURS.lines, "middle")


def _card(page: Page, box: Rect, tag: Rect, piece: str) -> None:
    currency, value = piece[0], piece[1]
    look = MONEY_COLOURS[currency]
    page.fill(box, look.face)
    page.frame(Rect(box.left + 1.2, box.top + 1.2, box.width - 2.4, box.height - 2.4), look.lines, 0.8, 2)
    beside = (tag.right + box.right) / 2 - 0.4
    page.text(beside, tag.top + 9, value, 30, BOLD, look.lines, "middle")
    _sign(page, beside, tag.top + 15.5, 3.4, currency)
    middle = (tag.bottom + box.bottom) / 2 - 1.5
    _sign(page, box.middle[0], middle, 12.5, currency)
    page.centred(box.middle[0], middle, value, 34, WHITE)
    words = CURRENCIES.get(currency) or ("start certificate" if piece == START_CERTIFICATE else "certificate")
    page.text(box.left + 3, box.bottom - 3, words, 7, PLAIN, BLACK)
    page.text(box.right - 3, box.bottom - 3, piece, 7, PLAIN, BLACK, "right")


def _sign(page: Page, x: float, y: float, radius: float, currency: str) -> None:
    """Draw a currency's sign, which differs from the others even in grey."""
    ink = MONEY_COLOURS[currency].lines
    match SIGN_CORNERS.get(currency):
        case 0:
            page.circle(x, y, radius, ink)
        case 3:
            turns, reach, base = [2 * pi * k / 3 for k in range(3)], 1.35 * radius, y + 0.12 * radius
            page.shape([(x + reach * sin(turn), base - reach * cos(turn)) for turn in turns], ink)
        case 4:
            half = 0.86 * radius
            page.fill(Rect(x - half, y - half, 2 * half, 2 * half), ink)
        case _:
            page.star(x, y, radius, 0.72, ink)


SHEETS = GameSheets()
"""No special sheets: any number of seats needs all pieces, and they look the same in every box."""
