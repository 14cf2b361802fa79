"""Print sheets as PDF at true size: tags with their names, zone cards, and proxies of whole tiles and cards."""

from tabletop.printing.documents import proxy_pdf, tag_pdf
from tabletop.printing.paper import PAPERS

__all__ = ["PAPERS", "proxy_pdf", "tag_pdf"]
