"""A drilling template of the panel's front at true size: lay it on the lid, mark the crosses, drill."""

from __future__ import annotations

from tabletop.hardware.drawings.front import LED_HOLE_MM, Front, Hole
from tabletop.printing.paper import BLACK, BOLD, GREY, PAPERS, PLAIN, WHITE, Document, Page, Rect

CROSS_ARM_MM = 4.0
"""Half the width of the cross in the middle of a hole."""


class FrontTooLarge(ValueError):
    """A front that does not fit on one sheet; the text says how large it is and how much room there is."""


def panel_front_pdf(front: Front, paper: str = "a4") -> bytes:
    """Return the drilling template of a front as a PDF.  Raises FrontTooLarge if one sheet cannot hold it."""
    document = Document(PAPERS[paper], "Panel: drilling template")
    room = document.free(wide=True)
    if front.width > room.width or front.height > room.height:
        raise FrontTooLarge(
            f"The front is {front.width:g} × {front.height:g} mm; a sheet has room for {room.width:g} × "
            f"{room.height:g} mm. Take a smaller --hole, or fewer parts."
        )
    hint = f"Seen from outside. Prick each cross, then drill: lights {LED_HOLE_MM:g} mm, buttons as written."
    page = document.page("Panel: drilling template", hint, wide=True)
    left = room.left + (room.width - front.width) / 2
    page.frame(Rect(left, room.top, front.width, front.height), thick=0.2)
    for hole in front.holes:
        _hole(page, hole._replace(x=left + hole.x, y=room.top + hole.y))
    return document.finish()


def _hole(page: Page, hole: Hole) -> None:
    radius = hole.across / 2
    page.circle(hole.x, hole.y, radius, WHITE, BLACK)
    page.line(hole.x - CROSS_ARM_MM, hole.y, hole.x + CROSS_ARM_MM, hole.y)
    page.line(hole.x, hole.y - CROSS_ARM_MM, hole.x, hole.y + CROSS_ARM_MM)
    page.text(hole.x, hole.y + radius + 5, hole.label, 9, BOLD, align="middle")
    if hole.button:
        page.text(hole.x, hole.y + radius - 4, f"{hole.across:g} mm", 7, PLAIN, GREY, "middle")
