"""The panel file in the form that people need for wiring: a pin table and drawings of header and circuits."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from tabletop.hardware.panel.panel_file import HAT_ID_PINS, HEADER_PLACES, Wire, Wiring
from tabletop.rules.table import ButtonMeaning

_POWER = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
_GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
_FILL = {"button": "#dbeafe", "light": "#fef3c7", "buzzer": "#fce7f3"}
_ROW, _TOP, _LABEL, _HOLE = 26, 64, 300, 30


def table(wiring: Wiring) -> str:
    """Return the pin table as Markdown, one line per wire, in the order of the header's places."""
    lines = ["| header | BCM | part | written beside it | resistor | what it does |", "|---:|---:|---|---|---|---|"]
    for wire in sorted(wiring, key=lambda wire: wire.header):
        resistor = f"{wire.ohms:g} Ω" if wire.ohms else "none"
        part, label, does = map(_cell, (f"{wire.kind} {wire.name}", wire.label, wire.does))
        lines.append(f"| {wire.header} | {wire.pin} | {part} | {label} | {resistor} | {does} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Return a text escaped for a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def meanings(wiring: Wiring, buttons: Mapping[str, Mapping[str, ButtonMeaning]]) -> str:
    """Return what every button of the panel means in every phase of a game, as a Markdown table: phase × button."""
    names = [wire.name for wire in wiring.buttons]
    lines = ["| phase | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for phase, means in buttons.items():
        said = {name: meaning.says for name, meaning in means.items()} | {"UNDO": "undoes"}
        lines.append(f"| {phase} | " + " | ".join(said.get(name, "–") for name in names) + " |")
    return "\n".join(lines) + "\n"


def header_drawing(wiring: Wiring) -> str:
    """Return an SVG of the 40-pin header as seen from above, with what each place is wired to.

    Kinds of part differ in their words as well as in colour, so that a black-and-white print is as clear.
    """
    at = {wire.header: wire for wire in wiring}
    width, height = 2 * (_LABEL + _HOLE) + 40, _TOP + 20 * _ROW + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{width / 2}" y="24" text-anchor="middle" font-size="16" font-weight="bold">The 40-pin header</text>',
        f'<text x="{width / 2}" y="44" text-anchor="middle">seen from above, USB sockets at the bottom, '
        "the board’s edge on the right</text>",
    ]
    for place in range(1, 41):
        parts += _place(place, at.get(place))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place(place: int, wire: Wire | None) -> list[str]:
    left = place % 2 == 1
    y = _TOP + (place - 1) // 2 * _ROW
    hole = 20 + _LABEL + (0 if left else _HOLE + 1)
    box = 20 if left else 20 + _LABEL + 2 * _HOLE + 1
    text, fill = _words(place, wire)
    anchor, x = ("end", box + _LABEL - 8) if left else ("start", box + 8)
    return [
        f'<rect x="{box}" y="{y}" width="{_LABEL}" height="{_ROW - 4}" fill="{fill}"/>',
        f'<rect x="{hole}" y="{y}" width="{_HOLE - 1}" height="{_ROW - 4}" fill="#1f2937"/>',
        f'<text x="{hole + _HOLE / 2 - 0.5}" y="{y + 16}" text-anchor="middle" fill="white">{place}</text>',
        f'<text x="{x}" y="{y + 16}" text-anchor="{anchor}">{escape(text)}</text>',
    ]


def _words(place: int, wire: Wire | None) -> tuple[str, str]:
    if wire is not None:
        what = wire.label if wire.kind == "buzzer" else f"{wire.kind} “{wire.label}”"
        return f"{what} · BCM {wire.pin}", _FILL[wire.kind]
    if place in _POWER:
        return _POWER[place], "#fecaca"
    if place in _GROUND:
        return "ground", "#e5e7eb"
    if place in HEADER_PLACES.values():
        bcm = next(pin for pin, there in HEADER_PLACES.items() if there == place)
        return f"free · BCM {bcm}", "white"
    return f"leave free (HAT identity, BCM {HAT_ID_PINS[0]} and {HAT_ID_PINS[1]})", "white"


def circuits_drawing(wiring: Wiring) -> str:
    """Return an SVG of the three circuits: a button, a light, the buzzer, with this panel's resistors."""
    led = next((wire for wire in wiring.lights), None)
    ohms = f"{led.ohms:g} Ω" if led else "no light"
    base = f"{wiring.buzzer.ohms:g} Ω" if wiring.buzzer else "no buzzer"
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 262" font-family="sans-serif" font-size="14">',
        '<rect width="720" height="262" fill="white"/>',
        '<g fill="none" stroke="black" stroke-width="2">',
        *_button(), *_light(), *_buzzer(),
        "</g>",
        *_caption(110, "Button", "", "closes to ground"),
        *_caption(340, "Light", ohms, "short leg (flat side) to ground"),
        *_caption(580, "Buzzer", base, "NPN transistor, e.g. BC547;", "active buzzer 5 V, diode across it"),
        '<text x="650" y="52">5 V</text>',
        '<text x="664" y="92">+</text><text x="530" y="105">1N4148</text>',
        '<text x="648" y="140">C</text><text x="588" y="152">B</text><text x="650" y="186">E</text>',
        "</svg>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _ground(x: int, y: int) -> list[str]:
    return [f'<path d="M{x - 14} {y}h28M{x - 9} {y + 5}h18M{x - 4} {y + 10}h8"/>']


def _button() -> list[str]:
    return [
        '<circle cx="60" cy="60" r="5"/><path d="M65 60H110V95"/>',
        '<circle cx="110" cy="99" r="4"/><circle cx="110" cy="139" r="4"/><path d="M92 100V138M92 119h-16"/>',
        '<path d="M110 143V195"/>',
        *_ground(110, 195),
    ]


def _light() -> list[str]:
    return [
        '<circle cx="280" cy="60" r="5"/><path d="M285 60H340V75"/><rect x="330" y="75" width="20" height="44"/>',
        '<path d="M340 119V135M322 135H358L340 162ZM322 162H358M340 162V195"/>',
        '<path d="M362 140l14 -10M366 152l14 -10" stroke-width="1.5"/>',
        *_ground(340, 195),
    ]


def _buzzer() -> list[str]:
    return [
        '<circle cx="490" cy="160" r="5"/><path d="M495 160H515"/><rect x="515" y="150" width="44" height="20"/>',
        '<path d="M559 160H605M605 140V180" /><path d="M605 150L640 130V120M605 170L640 190V198"/>',
        '<path d="M640 190l-9 -1l5 -8z" fill="black"/>',
        '<circle cx="640" cy="100" r="20"/><path d="M640 80V60H665"/><circle cx="670" cy="60" r="5"/>',
        '<path d="M640 68H600V92M590 92H610M600 92L590 108H610ZM600 108V126H640"/>',
        *_ground(640, 198),
    ]


def _caption(x: int, title: str, resistor: str, *below: str) -> list[str]:
    pin_x, pin_y = (470, 145) if title == "Buzzer" else (x - 66, 50)
    beside = (x - 62, 190) if title == "Buzzer" else (x + 18, 102)
    return [
        f'<text x="{x}" y="24" text-anchor="middle" font-weight="bold">{title}</text>',
        f'<text x="{pin_x}" y="{pin_y}">pin</text>',
        f'<text x="{beside[0]}" y="{beside[1]}">{resistor}</text>',
        *[f'<text x="{x}" y="{236 + 18 * row}" text-anchor="middle">{line}</text>' for row, line in enumerate(below)],
    ]
