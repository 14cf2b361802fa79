"""Every drawing of the wiring page by its name, made from a panel file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.hardware.cameras import optics
from tabletop.hardware.drawings import breadboard, front, legs, pinout, stand
from tabletop.hardware.panel.panel_file import Wiring

TABLE_MM = (1150, 680)
"""Width and depth of the table that the page assumes: that of the largest game with its zone cards, three seats."""


def _stand(_: Wiring) -> str:
    return stand.stand_drawing(optics.LENSES[0], *TABLE_MM)


DRAWINGS: Mapping[str, Callable[[Wiring], str]] = {
    "header": pinout.header_drawing,
    "circuits": pinout.circuits_drawing,
    "legs": legs.legs_drawing,
    "breadboard": breadboard.breadboard_drawing,
    "front": front.front_drawing,
    "stand": _stand,
}
