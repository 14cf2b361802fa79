"""This project's plain drawing of Patrician's cards and floors, with words and simple shapes."""

from __future__ import annotations

from collections import Counter

from tabletop.printing.game_sheets import Face, GameSheets
from tabletop.printing.paper import BLACK, BOLD, PLAIN, WHITE, Document, Ink, Page, Rect, Shelves
from tabletop.rules.game import Json
from tabletop.rules.patrician import components as box_of
from tabletop.rules.patrician.components import CITIES, CITY_OF, COLOURS, FLOOR_LETTERS, FLOOR_SUPPLY, MASON, SEATS
from tabletop.rules.patrician.edition import Edition, synthetic_edition
from tabletop.rules.patrician.edition import Face as CardFace

INKS: dict[str, Ink] = {
    "black": (0.15, 0.15, 0.15), "white": (0.97, 0.97, 0.95), "red": (0.78, 0.15, 0.13), "yellow": (0.95, 0.78, 0.15),
    "blue": (0.16, 0.33, 0.66),
}  # fmt: skip
PAPER: Ink = (0.97, 0.95, 0.90)
CITY_INKS: tuple[Ink, ...] = (
    (0.62, 0.22, 0.18), (0.60, 0.44, 0.12), (0.45, 0.20, 0.48), (0.16, 0.42, 0.34), (0.20, 0.36, 0.58),
    (0.50, 0.34, 0.22), (0.36, 0.44, 0.16), (0.55, 0.20, 0.36), (0.18, 0.46, 0.50), (0.30, 0.30, 0.30),
)  # fmt: skip
"""The colour of each city, in the order of the setup."""
BAR_WIDTH_MM = 7.0
"""The width of the bar in the owner's colour on a floor."""
TOKEN_MM = 22.0
MADE_UP_NOTE = "What each card shows is made up; --edition names your own"
HEAD_TITLES = {"red": "red hair", "woman": "woman", "beard": "beard"}


def face(page: Page, box: Rect, tag: Rect, piece: str) -> None:
    """Draw the face of any piece of Patrician around its tag, cards as in the shipped edition."""
    _drawn(synthetic_edition())(page, box, tag, piece)


def faces(data: Json) -> tuple[Face, str]:
    """Return the function that draws the pieces of an edition (None: the shipped one), and a note for each page."""
    if data is None:
        return face, MADE_UP_NOTE
    return _drawn(Edition.parse(data, max(SEATS))), "Cards as your edition says"


def _drawn(edition: Edition) -> Face:
    def draw(page: Page, box: Rect, tag: Rect, piece: str) -> None:
        if piece in edition.faces:
            _card(page, box, tag, piece, edition.faces[piece])
        elif piece == MASON:
            page.fill(box, PAPER)
        else:
            _floor(page, box, piece)

    return draw


def _card(page: Page, box: Rect, tag: Rect, card: str, shows: CardFace) -> None:
    city, ink = CITIES[CITY_OF[card]], CITY_INKS[CITY_OF[card]]
    page.fill(box, PAPER)
    page.fill(Rect(box.left, tag.bottom + 3, box.width, 9), ink)
    page.text(box.middle[0], tag.bottom + 9.4, city.title, 13, BOLD, WHITE, "middle")
    right = (tag.right + box.right) / 2
    for number in range(shows.crests):
        _crest(page, right, tag.top + 5 + 9 * number, ink)
    y = tag.bottom + 18.0
    for head, count in Counter(shows.heads).items():
        words = f"{count} x {HEAD_TITLES[head]}" if count > 1 else HEAD_TITLES[head]
        page.text(box.middle[0], y, words, 11, BOLD, align="middle")
        y += 5
    for there, words in ((shows.any, "take any card"), (shows.move, "move a floor")):
        if there:
            page.text(box.middle[0], y, words, 10, BOLD, align="middle")
    page.text(box.left + 3, box.bottom - 2.5, "start card" if shows.start else "", 6.5, PLAIN)
    page.text(box.right - 3, box.bottom - 2.5, card, 7, PLAIN, align="right")


def _crest(page: Page, x: float, y: float, ink: Ink) -> None:
    """Draw a shield, 6 x 7 mm."""
    page.shape([(x - 3, y - 3.5), (x + 3, y - 3.5), (x + 3, y + 0.5), (x, y + 3.5), (x - 3, y + 0.5)], ink)


def _floor(page: Page, box: Rect, floor: str) -> None:
    colour = COLOURS[FLOOR_LETTERS.index(floor[0])]
    page.fill(box, WHITE)
    page.fill(Rect(box.left, box.top, BAR_WIDTH_MM, box.height), INKS[colour])
    ink = BLACK if colour in ("white", "yellow") else WHITE
    page.text(box.left + BAR_WIDTH_MM / 2, box.middle[1] - 1, floor[0], 16, BOLD, ink, "middle")
    page.text(box.left + BAR_WIDTH_MM / 2, box.bottom - 3, floor[1:], 6.5, PLAIN, ink, "middle")


def needed(seats: int) -> frozenset[str]:
    """Return the pieces that a number of seats plays with."""
    floors = {f"{letter}{number + 1:02}" for letter in FLOOR_LETTERS[:seats] for number in range(FLOOR_SUPPLY[seats])}
    return frozenset({*box_of.cards(seats), *floors, MASON})


def note(zone: str) -> str:
    """Return the text for an area of a city's card: how many floors it takes, or its tokens."""
    for city in CITIES:
        if zone == f"market{city.id}":
            return f"{city.capacity} floors"
        if zone == f"tokens{city.id}":
            return f"{city.tokens[0]} and {city.tokens[1]}"
    return ""


def tokens(document: Document, seats: int, name: str) -> None:
    """Draw the tokens of every city, to be cut out."""
    shelves = Shelves(lambda: document.page(f"{name}: tokens", "Cut them out and lay two on each city's card."), 4.0)
    for city in box_of.cities(seats):
        for worth in city.tokens:
            page, box = shelves.place(TOKEN_MM, TOKEN_MM)
            page.circle(*box.middle, TOKEN_MM / 2, PAPER, BLACK, 0.3)
            page.text(box.middle[0], box.middle[1] + 2.6, str(worth), 22, BOLD, CITY_INKS[CITIES.index(city)], "middle")
            page.text(box.middle[0], box.bottom - 3, city.title, 5.5, PLAIN, align="middle")


SHEETS = GameSheets(needed, note, tokens, faces)
