"""A drawing of the parts as you hold them: which leg is which, which rings a resistor has."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.hardware.panel.panel_file import Wiring

RINGS = ("black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white")
"""The colour code of digits on resistors (IEC 60062)."""
PAINT = {
    "black": "#222", "brown": "#7b3f00", "red": "#d22", "orange": "#f80", "yellow": "#fd0", "green": "#292",
    "blue": "#24c", "violet": "#83b", "grey": "#888", "white": "#fff", "gold": "#c9a227",
}  # fmt: skip
_LINE = 'stroke="black" stroke-width="2"'


def rings(ohms: float) -> Sequence[str]:
    """Return the four rings of a 5 % resistor: two digits, the number of zeros, gold.

    Empty for a value that two digits and zeros cannot express: a more precise resistor has other rings.
    """
    digits, zeros = round(ohms), 0
    while digits >= 100 and digits % 10 == 0:
        digits, zeros = digits // 10, zeros + 1
    if not 10 <= digits <= 99 or zeros >= len(RINGS) or digits * 10**zeros != ohms:
        return ()
    return RINGS[digits // 10], RINGS[digits % 10], RINGS[zeros], "gold"


def legs_drawing(wiring: Wiring) -> str:
    """Return an SVG of push button, LED, resistors and the two usual transistors, each with its legs named."""
    values = sorted({wire.ohms for wire in wiring.outputs if wire.ohms})
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 300" font-family="sans-serif" font-size="14">',
        '<rect width="1000" height="300" fill="white"/>',
        *_button(), *_led(),
        *[line for number, ohms in enumerate(values[:2]) for line in _resistor(ohms, 60 + 110 * number)],
        *_transistor(790, "BC547", ("C", "B", "E")), *_transistor(910, "2N3904", ("E", "B", "C")),
        _text(105, 28, "Push button, 4 legs", bold=True), _text(335, 28, "LED", bold=True),
        _text(570, 28, "Resistor", bold=True), _text(850, 28, "Transistor, flat side to you", bold=True),
        _text(105, 238, "1 and 3 are always joined,"), _text(105, 256, "so are 2 and 4: take 1 and 4,"),
        _text(105, 274, "any two at a diagonal"),
        _text(335, 238, "long leg +: to the resistor"), _text(335, 256, "short leg −, flat edge:"),
        _text(335, 274, "to ground"),
        _text(570, 274, "either way round; gold comes last"),
        _text(850, 238, "C to the buzzer’s −, B to the resistor,"), _text(850, 256, "E to ground. Another type?"),
        _text(850, 274, "Its data sheet names the legs."),
        "</svg>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _text(x: int, y: int, words: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" text-anchor="middle"{weight}>{words}</text>'


def _button() -> list[str]:
    legs = [(70, 70, 1), (140, 70, 2), (70, 190, 3), (140, 190, 4)]
    return [
        *[f'<path d="M{x} {y}V{y + (20 if y < 100 else -20)}" {_LINE}/>' for x, y, _ in legs],
        f'<rect x="58" y="90" width="94" height="80" rx="6" fill="#e5e7eb" {_LINE}/>',
        f'<circle cx="105" cy="130" r="24" fill="white" {_LINE}/>',
        *[_text(x, y - 6 if y < 100 else y + 16, str(number)) for x, y, number in legs],
        '<path d="M70 100V160M140 100V160" stroke="#888" stroke-dasharray="4 3" fill="none"/>',
    ]


def _led() -> list[str]:
    return [
        f'<path d="M308 120V85a27 27 0 0 1 54 0V120H368V130H302V120Z" fill="#fecaca" {_LINE}/>',
        '<path d="M368 116V134" stroke="black" stroke-width="4"/>',
        f'<path d="M323 130V212M348 130V186" {_LINE} fill="none"/>',
        _text(308, 210, "+"), _text(364, 184, "−"), '<text x="374" y="128" font-size="12">flat</text>',
    ]  # fmt: skip


def _resistor(ohms: float, y: int) -> list[str]:
    names = rings(ohms)
    bands = [
        f'<rect x="{530 + 20 * at + (8 if at == 3 else 0)}" y="{y}" width="9" height="30" fill="{PAINT[name]}" '
        'stroke="black" stroke-width=".5"/>'
        for at, name in enumerate(names)
    ]
    return [
        f'<path d="M480 {y + 15}H660" {_LINE}/>',
        f'<rect x="515" y="{y}" width="110" height="30" rx="12" fill="#f5e6c8" {_LINE}/>',
        *bands,
        _text(570, y + 52, f"{ohms:g} Ω: {', '.join(names)}" if names else f"{ohms:g} Ω"),
    ]


def _transistor(x: int, name: str, legs: tuple[str, str, str]) -> list[str]:
    return [
        f'<path d="M{x - 34} 120V88a34 34 0 0 1 68 0V120Z" fill="#d1d5db" {_LINE}/>',
        *[f'<path d="M{x + at} 120V190" {_LINE}/>' for at in (-22, 0, 22)],
        *[_text(x + at, 208, leg) for at, leg in zip((-22, 0, 22), legs, strict=True)],
        _text(x, 104, name),
    ]
