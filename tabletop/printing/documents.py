"""The two documents to print: tags with zone cards, and proxies with zone cards."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.printing.game_sheets import FACES, GameSheets, sheets_of
from tabletop.printing.labels import label_pages
from tabletop.printing.paper import PAPERS, Document
from tabletop.printing.proxies import Pieces, proxy_pages
from tabletop.printing.zone_cards import zone_pages
from tabletop.rules.game import Json
from tabletop.vision.kit import Kit
from tabletop.vision.tags.catalogue import Entry


def tag_pdf(kit: Kit, paper: str = "a4", seats: int = 0) -> bytes:
    """Return the sheets of tags to stick on pieces, and the zone cards, as a PDF at true size.

    ``seats``: print only what this number of seats needs; 0: everything.
    """
    name = _name(kit)
    document = Document(PAPERS[paper], f"{name}: tags")
    label_pages(document, _entries(kit, seats, sheets_of(kit.game)), name)
    _zone_cards(document, kit, seats, name)
    return document.finish()


def proxy_pdf(kit: Kit, paper: str = "a4", seats: int = 0, edition: Json = None) -> bytes:
    """Return whole tiles and cards with their tags, and the zone cards, as a PDF at true size.

    ``seats``: print only what this number of seats needs; 0: everything.  ``edition`` says what the pieces show; None
    is the shipped one.  Raises EditionError for data that is not an edition.
    """
    name, sheets = _name(kit), sheets_of(kit.game)
    title = f"{name}: tiles and cards"
    face, called = FACES.part(kit.game.name), ""
    if sheets.faces is not None:
        face, called = sheets.faces(edition)
    document = Document(PAPERS[paper], title)
    pieces = Pieces(_entries(kit, seats, sheets), face)
    proxy_pages(document, kit, pieces, title, called)
    if sheets.extras is not None:
        sheets.extras(document, seats or max(kit.game.seat_range), name)
    _zone_cards(document, kit, seats, name)
    return document.finish()


def _entries(kit: Kit, seats: int, sheets: GameSheets) -> Sequence[Entry]:
    """Return the pieces that a number of seats needs."""
    if not seats or sheets.needed is None:
        return kit.pieces
    needed = sheets.needed(seats)
    return [entry for entry in kit.pieces if entry.id in needed]


def _zone_cards(document: Document, kit: Kit, seats: int, name: str) -> None:
    game = kit.game
    if game.table is not None:
        zones = game.table.zones(seats or max(game.seat_range))
        zone_pages(document, zones, kit.letter, f"{name}: zone cards", sheets_of(game).note)


def _name(kit: Kit) -> str:
    return f"{kit.game.title}, set {kit.letter}" if kit.letter else kit.game.title
