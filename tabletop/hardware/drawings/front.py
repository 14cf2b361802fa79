"""The front of the panel: where its holes are, in mm, and a drawing of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from tabletop.hardware.panel.panel_file import Wire, Wiring

BUTTON_HOLE_MM = 28.0
"""The diameter of the hole that most arcade buttons of 30 mm need."""
LED_HOLE_MM = 5.0
BUTTONS_PER_ROW = 4
LIGHTS_PER_ROW = 9
_EDGE, _LIGHT_STEP, _LIGHT_ROW, _GAP, _WORDS = 14.0, 22.0, 18.0, 17.0, 6.0


class Hole(NamedTuple):
    """A hole: its centre from the front's upper left corner and its diameter, mm, and the label below it."""

    x: float
    y: float
    across: float
    label: str
    button: bool


class Front(NamedTuple):
    """A panel's front, mm."""

    width: float
    height: float
    holes: tuple[Hole, ...]


def front(wiring: Wiring, hole: float = BUTTON_HOLE_MM) -> Front:
    """Return where the holes of a panel go: its lights above, its buttons below.

    ``hole``: the diameter that the buttons need, mm.  A button's light sits inside it; the lights of quarries and seats
    may go into zone cards and to the seats instead, and then need no hole here.
    """
    lights, step = wiring.lone_lights, hole + _GAP
    width = 2 * _EDGE + max(
        min(len(lights), LIGHTS_PER_ROW) * _LIGHT_STEP, min(len(wiring.buttons), BUTTONS_PER_ROW) * step
    )
    upper = tuple(_rows(lights, LIGHTS_PER_ROW, LED_HOLE_MM, (_LIGHT_STEP, _LIGHT_ROW), width, _EDGE))
    below = _EDGE + -(-len(lights) // LIGHTS_PER_ROW) * _LIGHT_ROW
    lower = tuple(_rows(wiring.buttons, BUTTONS_PER_ROW, hole, (step, step), width, below))
    height = below + -(-len(wiring.buttons) // BUTTONS_PER_ROW) * step
    return Front(width, height, upper + lower)


def _rows(
    wires: Sequence[Wire], a_row: int, across: float, step: tuple[float, float], width: float, top: float
) -> Iterator[Hole]:
    for number, wire in enumerate(wires):
        row, column = divmod(number, a_row)
        here = min(a_row, len(wires) - row * a_row)
        left = (width - here * step[0]) / 2
        middle = left + (column + 0.5) * step[0], top + row * step[1] + across / 2
        yield Hole(*middle, across, str(wire.label), wire.kind == "button")


def front_drawing(wiring: Wiring) -> str:
    """Return an SVG of the front as seen from outside, with its size and what goes where."""
    plan = front(wiring)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 {plan.width + 12:g} {plan.height + 22:g}" '
        'font-family="sans-serif" font-size="4.4" text-anchor="middle">',
        f'<rect x="-6" y="-6" width="{plan.width + 12:g}" height="{plan.height + 22:g}" fill="white"/>',
        f'<rect width="{plan.width:g}" height="{plan.height:g}" rx="4" fill="#f5e6c8" stroke="black"/>',
    ]
    for hole in plan.holes:
        fill = "#dbeafe" if hole.button else "#fecaca"
        parts += [
            f'<circle cx="{hole.x:g}" cy="{hole.y:g}" r="{hole.across / 2:g}" fill="{fill}" stroke="black" '
            'stroke-width=".6"/>',
            f'<text x="{hole.x:g}" y="{hole.y + hole.across / 2 + _WORDS:g}">{escape(hole.label)}</text>',
        ]
    size = f"{plan.width:g} × {plan.height:g} mm, buttons {BUTTON_HOLE_MM:g} mm, lights {LED_HOLE_MM:g} mm"
    parts.append(f'<text x="{plan.width / 2:g}" y="{plan.height + 9:g}">{size}; lights at the top go here, '
                 "into the zone cards or to the seats</text>")  # fmt: skip
    return "\n".join([*parts, "</svg>"]) + "\n"
