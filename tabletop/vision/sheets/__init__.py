"""Print sheets as PDF at true size: tags with their names, zone cards, and whole proxies of tiles and cards."""

from tabletop.vision.sheets.paper import PAPERS
from tabletop.vision.sheets.printing import proxy_pdf, tag_pdf

__all__ = ["PAPERS", "proxy_pdf", "tag_pdf"]
