"""A page of paper in millimetres: x to the right, y down, everything at true size."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from math import cos, pi, sin
from typing import Any, NamedTuple

from reportlab import rl_config
from reportlab.lib import units
from reportlab.pdfgen.canvas import Canvas

from tabletop.vision.tags import patterns

rl_config.useA85 = 0  # written as text, as old e-mail needed it, a document is a quarter larger and takes longer

POINTS_PER_MM: float = units.mm
"""PDF points in a mm."""

Ink = tuple[float, float, float]
"""Red, green, blue, each 0 … 1."""

BLACK: Ink = (0, 0, 0)
WHITE: Ink = (1, 1, 1)
GREY: Ink = (0.45, 0.45, 0.45)
PLAIN, BOLD = "Helvetica", "Helvetica-Bold"
CAP_HEIGHT = 0.72
"""The height of a capital as a fraction of the font size."""


class Paper(NamedTuple):
    """A size of paper, upright, in mm."""

    width: float
    height: float


PAPERS = {"a4": Paper(210, 297), "letter": Paper(215.9, 279.4)}
MARGIN_MM = 10.0
"""The margin, a little more than what printers leave white."""
HEADER_MM = 15.0
FOOTER_MM = 14.0
"""Room for the title above and the ruler below."""
RULER_MM = 100


class Rect(NamedTuple):
    """A rectangle on paper, mm."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return self.left + self.width / 2, self.top + self.height / 2


class Document:
    """A PDF that is being made; the same drawing gives the same bytes."""

    def __init__(self, paper: Paper, title: str) -> None:
        self._bytes = BytesIO()
        self.paper = paper
        self._pdf: Any = Canvas(
            self._bytes, pagesize=(paper.width * POINTS_PER_MM, paper.height * POINTS_PER_MM), invariant=1
        )
        self._pdf.setTitle(title)
        self._pdf.setAuthor("tabletop")
        self._pages = 0

    def page(self, title: str, hint: str, wide: bool = False) -> Page:
        """Begin a page (``wide``: landscape) with its title, a hint and the ruler."""
        if self._pages:
            self._pdf.showPage()
        self._pages += 1
        size = Paper(self.paper.height, self.paper.width) if wide else self.paper
        self._pdf.setPageSize((size.width * POINTS_PER_MM, size.height * POINTS_PER_MM))
        page = Page(self._pdf, size)
        page.text(MARGIN_MM, MARGIN_MM + 5, title, 13, BOLD)
        page.text(MARGIN_MM, MARGIN_MM + 9.5, hint, page.fitting(hint, size.width - 2 * MARGIN_MM, 8), PLAIN, GREY)
        page.text(size.width - MARGIN_MM, MARGIN_MM + 5, f"page {self._pages}", 9, PLAIN, GREY, "right")
        _ruler(page)
        return page

    def free(self, wide: bool = False) -> Rect:
        """Return the free area of a page (``wide``: landscape) between title, ruler and margins."""
        return _free(Paper(self.paper.height, self.paper.width) if wide else self.paper)

    def finish(self) -> bytes:
        """Return the PDF."""
        self._pdf.save()
        return self._bytes.getvalue()


class Page:
    """One page to draw on."""

    def __init__(self, pdf: Any, size: Paper) -> None:
        self.pdf = pdf
        self.size = size

    @property
    def free(self) -> Rect:
        """The free area between title, ruler and margins."""
        return _free(self.size)

    def _y(self, y: float) -> float:
        return (self.size.height - y) * POINTS_PER_MM

    def fill(self, box: Rect, ink: Ink, radius: float = 0.0) -> None:
        """Fill a rectangle."""
        self.pdf.setFillColorRGB(*ink)
        place = (box.left * POINTS_PER_MM, self._y(box.bottom), box.width * POINTS_PER_MM, box.height * POINTS_PER_MM)
        if radius:
            self.pdf.roundRect(*place, radius * POINTS_PER_MM, stroke=0, fill=1)
        else:
            self.pdf.rect(*place, stroke=0, fill=1)

    def frame(self, box: Rect, ink: Ink = BLACK, thick: float = 0.3, radius: float = 0.0) -> None:
        """Outline a rectangle."""
        self._pen(ink, thick)
        place = (box.left * POINTS_PER_MM, self._y(box.bottom), box.width * POINTS_PER_MM, box.height * POINTS_PER_MM)
        self.pdf.roundRect(*place, radius * POINTS_PER_MM, stroke=1, fill=0)

    def line(self, x1: float, y1: float, x2: float, y2: float, ink: Ink = BLACK, thick: float = 0.2) -> None:
        """Draw a line."""
        self._pen(ink, thick)
        self.pdf.line(x1 * POINTS_PER_MM, self._y(y1), x2 * POINTS_PER_MM, self._y(y2))

    def dashed(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Draw a dashed line."""
        self.pdf.setDash(2 * POINTS_PER_MM, 1.5 * POINTS_PER_MM)
        self.line(x1, y1, x2, y2, GREY, 0.4)
        self.pdf.setDash()

    def circle(
        self, x: float, y: float, radius: float, ink: Ink, outline: Ink | None = None, thick: float = 0.4
    ) -> None:
        """Draw a disc."""
        self.pdf.setFillColorRGB(*ink)
        if outline is not None:
            self._pen(outline, thick)
        self.pdf.circle(x * POINTS_PER_MM, self._y(y), radius * POINTS_PER_MM, stroke=int(outline is not None), fill=1)

    def shape(self, points: list[tuple[float, float]], ink: Ink) -> None:
        """Fill a polygon."""
        self.pdf.setFillColorRGB(*ink)
        path = self.pdf.beginPath()
        path.moveTo(points[0][0] * POINTS_PER_MM, self._y(points[0][1]))
        for x, y in points[1:]:
            path.lineTo(x * POINTS_PER_MM, self._y(y))
        path.close()
        self.pdf.drawPath(path, stroke=0, fill=1)

    def star(self, x: float, y: float, radius: float, waist: float, ink: Ink) -> None:
        """Fill a star of eight points; ``waist`` is the radius between the points as a fraction of ``radius``."""
        reach = (radius, waist * radius)
        self.shape([(x + reach[k % 2] * sin(pi * k / 8), y - reach[k % 2] * cos(pi * k / 8)) for k in range(16)], ink)

    def text(
        self, x: float, y: float, words: str, size: float, font: str = PLAIN, ink: Ink = BLACK, align: str = "left"
    ) -> None:
        """Write words with their baseline at y; ``size`` in points, ``align`` left, middle or right."""
        self.pdf.setFillColorRGB(*ink)
        self.pdf.setFont(font, size)
        write = {"left": self.pdf.drawString, "middle": self.pdf.drawCentredString, "right": self.pdf.drawRightString}
        write[align](x * POINTS_PER_MM, self._y(y), words)

    def centred(self, x: float, y: float, words: str, size: float, ink: Ink = BLACK) -> None:
        """Write bold words with the middle of their capitals at (x, y); ``size`` in points."""
        self.text(x, y + size / POINTS_PER_MM * CAP_HEIGHT / 2, words, size, BOLD, ink, "middle")

    def width(self, words: str, size: float, font: str = PLAIN) -> float:
        """Return the width of words, mm; ``size`` in points."""
        return float(self.pdf.stringWidth(words, font, size)) / POINTS_PER_MM

    def fitting(self, words: str, room: float, most: float, font: str = PLAIN) -> float:
        """Return the largest font size in points, at most ``most``, at which words fit into ``room`` mm."""
        width = self.width(words, most, font)
        return most if width <= room else most * room / width

    def clip(self, box: Rect, radius: float = 0.0) -> None:
        """Draw only inside a box until ``unclip``."""
        self.pdf.saveState()
        path = self.pdf.beginPath()
        path.roundRect(
            box.left * POINTS_PER_MM,
            self._y(box.bottom),
            box.width * POINTS_PER_MM,
            box.height * POINTS_PER_MM,
            radius * POINTS_PER_MM,
        )
        self.pdf.clipPath(path, stroke=0, fill=0)

    def unclip(self) -> None:
        """Draw everywhere again."""
        self.pdf.restoreState()

    def tag(self, box: Rect, payload: str) -> None:
        """Draw a tag with its quiet zone into a square box, each run of dark modules as one rectangle."""
        self.fill(box, WHITE)
        pattern = patterns.pattern(payload)
        module = box.width / patterns.TAG_MODULES
        self.pdf.setFillColorRGB(*BLACK)
        path = self.pdf.beginPath()
        for row, dark in enumerate(pattern):
            top = box.top + (patterns.QUIET_MODULES + row) * module
            start = None
            for column in range(patterns.CODE_MODULES + 1):
                inked = column < patterns.CODE_MODULES and bool(dark[column])
                if inked and start is None:
                    start = column
                elif not inked and start is not None:
                    left = box.left + (patterns.QUIET_MODULES + start) * module
                    wide = (column - start) * module
                    path.rect(left * POINTS_PER_MM, self._y(top + module), wide * POINTS_PER_MM, module * POINTS_PER_MM)
                    start = None
        self.pdf.drawPath(path, stroke=0, fill=1)

    def cut_marks(self, box: Rect, length: float = 2.0, gap: float = 0.5) -> None:
        """Draw cut marks: short lines outside each corner of a box."""
        for x, out in ((box.left, -1), (box.right, 1)):
            for y, down in ((box.top, -1), (box.bottom, 1)):
                self.line(x + out * gap, y, x + out * (gap + length), y, GREY, 0.15)
                self.line(x, y + down * gap, x, y + down * (gap + length), GREY, 0.15)

    def arrow(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Draw a horizontal or vertical arrow."""
        self.line(x1, y1, x2, y2, GREY, 0.6)
        length = max(abs(x2 - x1), abs(y2 - y1)) or 1.0
        along = ((x2 - x1) / length, (y2 - y1) / length)
        base = (x2 - 3 * along[0], y2 - 3 * along[1])
        side = (1.6 * along[1], 1.6 * along[0])
        tip = (x2 + 0.5 * along[0], y2 + 0.5 * along[1])
        self.shape([tip, (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])], GREY)

    def _pen(self, ink: Ink, thick: float) -> None:
        self.pdf.setStrokeColorRGB(*ink)
        self.pdf.setLineWidth(thick * POINTS_PER_MM)


class Shelves:
    """Packs boxes in rows ("shelves"), one row below the other, page after page."""

    def __init__(self, new_page: Callable[[], Page], gap: float) -> None:
        self._new_page = new_page
        self._gap = gap
        self._page: Page | None = None
        self._left = self._top = self._deep = 0.0

    def place(self, width: float, height: float) -> tuple[Page, Rect]:
        """Return the page and place of a box; one that is larger than a page is cut down to the free area."""
        page = self._page if self._page is not None else self._turn()
        wide, high = min(width, page.free.width), min(height, page.free.height)
        if self._left + wide > page.free.right + 0.01:
            self._left, self._top, self._deep = page.free.left, self._top + self._deep + self._gap, 0.0
        if self._top + high > page.free.bottom + 0.01:
            page = self._turn()
        box = Rect(self._left, self._top, wide, high)
        self._left, self._deep = box.right + self._gap, max(self._deep, high)
        return page, box

    def _turn(self) -> Page:
        self._page = self._new_page()
        self._left, self._top, self._deep = self._page.free.left, self._page.free.top, 0.0
        return self._page


def _free(size: Paper) -> Rect:
    width, height = size
    return Rect(MARGIN_MM, MARGIN_MM + HEADER_MM, width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - HEADER_MM - FOOTER_MM)


def _ruler(page: Page) -> None:
    """Draw a ruler, which shows whether the printer scaled the page."""
    left, base = MARGIN_MM, page.size.height - MARGIN_MM - 3
    for at in range(RULER_MM + 1):
        high = 4.0 if at % 50 == 0 else 3.0 if at % 10 == 0 else 2.0 if at % 5 == 0 else 1.2
        page.line(left + at, base, left + at, base - high, BLACK, 0.15)
        if at % 50 == 0:
            page.text(left + at, base + 3, str(at), 6.5, PLAIN, BLACK, "left" if at == 0 else "middle")
    page.line(left, base, left + RULER_MM, base, BLACK, 0.2)
    page.text(left + RULER_MM + 6, base - 1.6, "This ruler must measure 100 mm.", 8, BOLD)
    page.text(left + RULER_MM + 6, base + 2, "If not: print at 100 %, not fitted to the page.", 8, PLAIN, GREY)
