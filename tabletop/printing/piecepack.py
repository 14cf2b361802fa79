"""This project's plain drawing of a piecepack: a colour and a sign per suit, values as figures."""

from __future__ import annotations

from tabletop.printing.game_sheets import GameSheets
from tabletop.printing.paper import BLACK, BOLD, PLAIN, WHITE, Ink, Page, Rect
from tabletop.rules.piecepack.components import COINS, FACE, STRUCTURES, SUITS, TURRETS

INKS: dict[str, Ink] = {
    "M": (0.12, 0.12, 0.12),
    "S": (0.76, 0.14, 0.12),
    "A": (0.14, 0.32, 0.64),
    "C": (0.72, 0.54, 0.06),
}
TILE_COLOUR: Ink = (0.95, 0.91, 0.82)
VALUE_TITLES = ("null", "ace", "2", "3", "4", "5")


def face(page: Page, box: Rect, _tag: Rect, piece: str) -> None:
    """Draw the face of any piece of a piecepack around its tag."""
    page.fill(box, TILE_COLOUR if piece in STRUCTURES else WHITE)
    if piece in TURRETS:
        return
    ink, words = INKS[piece[1]], VALUE_TITLES[FACE[piece]]
    if piece in COINS:
        page.circle(*box.middle, box.width / 2, ink)
        page.circle(*box.middle, box.width / 2 - 1.2, WHITE)
        page.text(box.middle[0], box.bottom - 1.6, words, 6, BOLD, ink, "middle")
        page.text(box.middle[0], box.top + 3.2, SUITS[piece[1]], 5, PLAIN, ink, "middle")
        return
    quarter = box.width / 4
    _sign(page, box.left + quarter, box.top + quarter, 0.72 * quarter, piece[1], ink)
    size = 40.0 if len(words) == 1 else 24.0
    page.centred(box.left + quarter, box.bottom - quarter, words, size, ink)
    page.text(box.right - 2, box.bottom - 2, f"{SUITS[piece[1]]} {piece}", 6, PLAIN, BLACK, "right")


def _sign(page: Page, x: float, y: float, radius: float, suit: str, ink: Ink) -> None:
    """Draw a suit's sign: a moon, a sun, a shield, a crown."""
    if suit == "M":
        page.circle(x, y, radius, ink)
        page.circle(x + 0.5 * radius, y - 0.2 * radius, 0.8 * radius, TILE_COLOUR)
    elif suit == "S":
        page.star(x, y, radius, 0.6, ink)
    elif suit == "A":
        r = radius
        page.shape([(x - 0.8 * r, y - r), (x + 0.8 * r, y - r), (x + 0.8 * r, y), (x, y + r), (x - 0.8 * r, y)], ink)
    else:
        r = radius
        points = [(-1, -0.7), (-0.45, 0), (0, -0.9), (0.45, 0), (1, -0.7), (0.8, 0.7), (-0.8, 0.7)]
        page.shape([(x + r * right, y + r * down) for right, down in points], ink)


def needed(seats: int) -> frozenset[str]:
    """Return the pieces that a number of seats plays with."""
    return frozenset({*STRUCTURES, *COINS, *TURRETS[:seats]})


SHEETS = GameSheets(needed)
