"""A drawing of a solderless breadboard with one button and one light, wired to the header."""

from __future__ import annotations

from html import escape

from tabletop.hardware.drawings.legs import PAINT, rings
from tabletop.hardware.panel.panel_file import Wire, Wiring

_STEP, _LEFT, _TOP, _COLUMNS = 18, 330, 70, 30
_ROWS = {"-": 0, "a": 2, "b": 3, "c": 4, "d": 5, "e": 6, "f": 8, "g": 9, "h": 10, "i": 11, "j": 12}
_GROUND_PLACE = 6
_HEADER_LEFT, _HEADER_TOP, _PLACE = 70, 64, 13


def breadboard_drawing(wiring: Wiring) -> str:
    """Return an SVG of the first button, and of the last light outside a button, wired up without solder.

    The five holes of a column are joined, and so are those of the rail at the top, which is the ground line.  A panel
    without buttons or lights gets a board without them.
    """
    buttons, lights = wiring.buttons[:1], wiring.lone_lights[-1:]
    says = [
        f"button “{button.label}”: from place {button.header} to one leg; "
        "from the leg diagonally opposite to the ground line"
        for button in buttons
    ]
    says += [
        f"light “{light.label}”: from place {light.header} to the {light.ohms:g} Ω resistor, on to the long leg; "
        "from the short leg to the ground line"
        for light in lights
    ]
    says += [
        "The five holes of a column are joined above the groove, and five below it.",
        "Every other button and light is wired in the same way, each to its own place.",
    ]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 450" font-family="sans-serif" font-size="14">',
        '<rect width="900" height="450" fill="white"/>',
        *_board(),
        *_header(),
        *_wire(*_pin(_GROUND_PLACE), *_at("-", 0), "black"),
        *_text(600, 34, "ground line: every hole of this rail is joined"),
        *[line for button in buttons for line in _button(button)],
        *[line for light in lights for line in _light(light)],
        *[line for at, words in enumerate(says) for line in _text(520, 362 + 24 * at, words)],
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _at(row: str, column: int) -> tuple[int, int]:
    return _LEFT + column * _STEP, _TOP + _ROWS[row] * _STEP


def _board() -> list[str]:
    holes = [_at(row, column) for row in _ROWS for column in range(_COLUMNS)]
    x, y = _LEFT - 20, _TOP - 20
    return [
        f'<rect x="{x}" y="{y}" width="{_COLUMNS * _STEP + 22}" height="{13 * _STEP + 22}" rx="8" fill="#f3f4f6" '
        'stroke="black"/>',
        f'<path d="M{x + 8} {_TOP - 10}H{x + _COLUMNS * _STEP + 12}" stroke="#1d4ed8" stroke-width="2"/>',
        f'<rect x="{x}" y="{_TOP + 7 * _STEP - 5}" width="{_COLUMNS * _STEP + 22}" height="10" fill="#d1d5db"/>',
        *[f'<rect x="{hole_x - 2}" y="{hole_y - 2}" width="4" height="4" fill="#4b5563"/>' for hole_x, hole_y in holes],
    ]


def _header() -> list[str]:
    high = 20 * _PLACE + 8
    return [
        f'<rect x="{_HEADER_LEFT - 34}" y="{_HEADER_TOP - 24}" width="96" height="{high + 40}" rx="8" fill="#15803d"/>',
        f'<rect x="{_HEADER_LEFT - 4}" y="{_HEADER_TOP - 4}" width="34" height="{high}" fill="#1f2937"/>',
        *[
            f'<rect x="{x - 3}" y="{y - 3}" width="6" height="6" fill="#facc15"/>'
            for x, y in (_pin(place) for place in range(1, 41))
        ],
        *_text(_HEADER_LEFT + 14, _HEADER_TOP + high + 36, "the Pi’s header"),
    ]


def _pin(place: int) -> tuple[int, int]:
    column, row = (place - 1) % 2, (place - 1) // 2
    return _HEADER_LEFT + 4 + column * 18, _HEADER_TOP + 6 + row * _PLACE


def _button(wire: Wire) -> list[str]:
    (x, y), right = _at("e", 6), _at("f", 8)
    return [
        *_wire(*_pin(wire.header), *_at("a", 6), "#1d4ed8"),
        f'<rect x="{x - 4}" y="{y - 4}" width="{right[0] - x + 8}" height="{right[1] - y + 8}" rx="5" fill="#9ca3af" '
        'stroke="black"/>',
        f'<circle cx="{(x + right[0]) / 2:g}" cy="{(y + right[1]) / 2:g}" r="12" fill="white" stroke="black"/>',
        *_wire(*_at("j", 8), *_at("-", 10), "black"),
    ]


def _light(wire: Wire) -> list[str]:
    (left, y), (right, _) = _at("h", 16), _at("h", 21)
    rings_of = [
        f'<rect x="{left + 26 + 11 * number}" y="{y - 8}" width="6" height="16" fill="{PAINT[name]}"/>'
        for number, name in enumerate(rings(wire.ohms))
    ]
    foot = _at("f", 21)
    return [
        *_wire(*_pin(wire.header), *_at("j", 16), "#b91c1c"),
        f'<path d="M{left} {y}H{right}" stroke="black" stroke-width="2"/>',
        f'<rect x="{left + 16}" y="{y - 8}" width="58" height="16" rx="6" fill="#f5e6c8" stroke="black"/>',
        *rings_of,
        f'<circle cx="{foot[0] + _STEP / 2:g}" cy="{foot[1]}" r="11" fill="#fca5a5" stroke="black"/>',
        *_wire(*_at("g", 22), *_at("-", 24), "black"),
    ]


def _wire(x1: int, y1: int, x2: int, y2: int, ink: str) -> list[str]:
    bend = f"C{(x1 + x2) // 2} {y1} {x2} {(y1 + y2) // 2} {x2} {y2}"
    return [
        f'<path d="M{x1} {y1}{bend}" fill="none" stroke="{ink}" stroke-width="3" stroke-linecap="round"/>',
        *[f'<circle cx="{x}" cy="{y}" r="4" fill="{ink}"/>' for x, y in ((x1, y1), (x2, y2))],
    ]


def _text(x: int, y: int, words: str) -> list[str]:
    return [f'<text x="{x}" y="{y}" text-anchor="middle">{escape(words)}</text>']
