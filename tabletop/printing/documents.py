"""The two documents to print: tags with zone cards, and proxies with zone cards."""

from __future__ import annotations

from tabletop.printing.labels import label_pages
from tabletop.printing.paper import PAPERS, Document
from tabletop.printing.proxies import proxy_pages
from tabletop.printing.zone_cards import zone_pages
from tabletop.vision.kit import Kit


def tag_pdf(kit: Kit, paper: str = "a4") -> bytes:
    """Return the sheets of tags to stick on pieces, and the zone cards, as a PDF at true size."""
    name = _name(kit)
    document = Document(PAPERS[paper], f"{name}: tags")
    label_pages(document, kit.pieces, name)
    _zone_cards(document, kit, name)
    return document.finish()


def proxy_pdf(kit: Kit, paper: str = "a4") -> bytes:
    """Return whole tiles and cards with their tags, and the zone cards, as a PDF at true size."""
    name = _name(kit)
    document = Document(PAPERS[paper], f"{name}: tiles and cards")
    proxy_pages(document, kit, f"{name}: tiles and cards")
    _zone_cards(document, kit, name)
    return document.finish()


def _zone_cards(document: Document, kit: Kit, name: str) -> None:
    game = kit.game
    if game.table is not None:
        zone_pages(document, game.table.zones(max(game.seat_range)), kit.letter, f"{name}: zone cards")


def _name(kit: Kit) -> str:
    return f"{kit.game.title}, set {kit.letter}" if kit.letter else kit.game.title
