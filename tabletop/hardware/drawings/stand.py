"""A drawing of the camera's place: how high it hangs, and where lamps go so that the table does not mirror them."""

from __future__ import annotations

from tabletop.hardware.cameras.optics import Lens, view

_SCALE = 0.34
"""Units of the drawing per millimetre."""
LAMP_HEIGHT_RATIO = 0.5
"""The height of the drawn lamps as a fraction of the camera's height."""
LAMP_LABEL = "half as high as the camera, a lamp stands a quarter of the table’s width beside it"
"""The label of the drawn lamps, with the distance that :func:`lamp_distance` gives."""
_LINE = 'stroke="black" stroke-width="2" fill="none"'


def lamp_distance(half_mm: float, lamp_mm: float, camera_mm: float) -> float:
    """Return how far from the middle a lamp must be at least, in mm, so that no place of the table mirrors it.

    ``half_mm`` is half the table's width, the others are heights above it.  A mirror on the table reflects a lamp at
    distance d into the camera at the place d · camera / (camera + lamp): that must lie beyond the table's edge.
    """
    return half_mm * (1 + lamp_mm / camera_mm)


def stand_drawing(lens: Lens, width_mm: float, depth_mm: float) -> str:
    """Return an SVG of a table seen from its long side with a camera above it, true to scale for that lens."""
    height = view(lens, width_mm, depth_mm).height_mm
    half, high = width_mm / 2 * _SCALE, height * _SCALE
    middle, ground = 400.0, 90 + high
    away = lamp_distance(half, high * LAMP_HEIGHT_RATIO, high) + 14
    lamp = ground - high * LAMP_HEIGHT_RATIO
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {ground + 110:.0f}" font-family="sans-serif" '
        'font-size="14">',
        f'<rect width="800" height="{ground + 110:.0f}" fill="white"/>',
        f'<path d="M{middle:.0f} 90L{middle - half:.0f} {ground:.0f}H{middle + half:.0f}Z" fill="#eef2ff"/>',
        f'<rect x="{middle - half:.0f}" y="{ground:.0f}" width="{2 * half:.0f}" height="12" fill="#a16207"/>',
        *[f'<path d="M{middle + x:.0f} {ground + 12:.0f}v60" {_LINE}/>' for x in (24 - half, half - 24)],
        f'<rect x="{middle - 16:.0f}" y="68" width="32" height="22" fill="#374151"/>',
        f'<path d="M{middle - 16:.0f} 79H{middle - half - 50:.0f}V{ground + 6:.0f}h50" {_LINE}/>',
        *_lamp(middle - away, lamp, 1), *_lamp(middle + away, lamp, -1),
        f'<path d="M{middle:.0f} 92V{ground - 2:.0f}" stroke="black" stroke-dasharray="6 5"/>',
        *_label(middle + 8, (90 + ground) / 2, f"{height / 10:.0f} cm", "start"),
        *_label(middle, 58, f"{lens.name}, straight above the middle", "middle"),
        *_label(middle, ground + 34, f"{width_mm / 10:g} cm × {depth_mm / 10:g} cm", "middle"),
        *_label(middle, ground + 96, LAMP_LABEL, "middle"),
        "</svg>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _lamp(x: float, y: float, way: int) -> list[str]:
    return [
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="14" fill="#fde68a" stroke="black" stroke-width="2"/>',
        f'<path d="M{x + way * 16:.0f} {y + 12:.0f}l{way * 26} 22" {_LINE}/>',
        f'<path d="M{x + way * 8:.0f} {y + 18:.0f}l{way * 14} 30" {_LINE}/>',
        *_label(x, y - 22, "lamp", "middle"),
    ]


def _label(x: float, y: float, words: str, anchor: str) -> list[str]:
    return [f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>']
