"""The two documents to print: tags with zone cards, and proxies with zone cards."""

from __future__ import annotations

from tabletop.printing.labels import label_pages
from tabletop.printing.paper import PAPERS, Document
from tabletop.printing.proxies import proxy_pages
from tabletop.printing.zone_cards import zone_pages
from tabletop.rules.game import Game
from tabletop.vision.tags import catalogue
from tabletop.vision.tags.catalogue import Entry


def tag_pdf(game: Game, paper: str = "a4", set_letter: str = "", size_mm: float = catalogue.TAG_MM) -> bytes:
    """Return the sheets of tags to stick on pieces, and the zone cards, as a PDF at true size."""
    name = _name(game, set_letter)
    document = Document(PAPERS[paper], f"{name}: tags")
    pieces = _pieces(game, set_letter, size_mm)
    label_pages(document, pieces, f"{name}: tags of {size_mm:g} mm")
    _zone_cards(document, game, set_letter, name)
    return document.finish()


def proxy_pdf(game: Game, paper: str = "a4", set_letter: str = "", size_mm: float = catalogue.TAG_MM) -> bytes:
    """Return whole tiles and cards with their tags, and the zone cards, as a PDF at true size."""
    name = _name(game, set_letter)
    document = Document(PAPERS[paper], f"{name}: tiles and cards")
    proxy_pages(document, game, _pieces(game, set_letter, size_mm), f"{name}: tiles and cards")
    _zone_cards(document, game, set_letter, name)
    return document.finish()


def _zone_cards(document: Document, game: Game, set_letter: str, name: str) -> None:
    if game.table is not None:
        zone_pages(document, game.table.zones(max(game.seat_range)), set_letter, f"{name}: zone cards")


def _pieces(game: Game, set_letter: str, size_mm: float) -> list[Entry]:
    return [entry for entry in catalogue.entries(game, set_letter, size_mm).values() if entry.kind != "marker"]


def _name(game: Game, set_letter: str) -> str:
    return f"{game.title}, set {set_letter}" if set_letter else game.title
