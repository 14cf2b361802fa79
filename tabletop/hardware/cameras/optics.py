"""Calculates how high a camera has to hang over a table, and how large a tag then is in its picture."""

from __future__ import annotations

from math import ceil, radians, tan
from typing import NamedTuple

VIEW_MARGIN = 1.05
"""The factor by which a camera should see more than the table, because it never hangs exactly or quite straight."""
MODULES_PER_TAG = 25
"""Modules along the side of a printed tag: 21 of a version 1 QR code and two of quiet zone on each side."""


class Lens(NamedTuple):
    """A camera with its lens: picture size in px, fields of view in degrees (as its maker states them)."""

    name: str
    width: int
    height: int
    across: float
    down: float


LENSES = (
    Lens("Camera Module 3", 4608, 2592, 66, 41),
    Lens("Camera Module 3 Wide", 4608, 2592, 102, 67),
    Lens("HQ Camera, 6 mm lens", 4056, 3040, 55.3, 42.9),
    Lens("Camera Module 2", 3280, 2464, 62.2, 48.8),
    Lens("USB camera, 4K, 70°", 3840, 2160, 70, 43),
    Lens("USB camera, 1080p, 70°", 1920, 1080, 70, 43),
)


class Mounting(NamedTuple):
    """The mounting of a camera straight above the middle of a table."""

    height_mm: int
    """The distance from lens to table at which the whole table is in view."""
    px_per_mm: float


def view(lens: Lens, width_mm: float, depth_mm: float) -> Mounting:
    """Return how high a camera has to hang to see a table, and how many pixels a millimetre of the table then has.

    From the field of view: height = side / (2 · tan(angle / 2)), the larger one of both sides with the margin, rounded
    up to 10 mm; px per mm = px across / (2 · height · tan(across / 2)).
    """
    across, down = 2 * tan(radians(lens.across) / 2), 2 * tan(radians(lens.down) / 2)
    height = ceil(VIEW_MARGIN * max(width_mm / across, depth_mm / down) / 10) * 10
    return Mounting(height, lens.width / (height * across))


def table(width_mm: float, depth_mm: float, tags_mm: tuple[float, ...]) -> str:
    """Return a Markdown table of all lenses over one table: height, and px per module for each size of tag."""
    heads = ["camera", "height", "px/mm", *(f"{size:g} mm tag" for size in tags_mm)]
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    for lens in LENSES:
        seen = view(lens, width_mm, depth_mm)
        modules = [f"{seen.px_per_mm * size / MODULES_PER_TAG:.1f}" for size in tags_mm]
        cells = [lens.name, f"{seen.height_mm / 10:.0f} cm", f"{seen.px_per_mm:.1f}", *modules]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
