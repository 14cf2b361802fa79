"""The conditions that spoil pictures, such as blur and glare, as data in four levels of harshness."""

from __future__ import annotations

from typing import NamedTuple


class Conditions(NamedTuple):
    """The conditions that spoil the pictures of one table.

    Lengths in px are for a picture 2304 px wide and scale with it; light is relative to white paper in full light.
    """

    tilt: float
    """The camera's angle from straight down, degrees."""
    bend: float
    """Barrel distortion: how much farther out than drawn a point at half the diagonal really lies, as a fraction."""
    defocus: float
    """Standard deviation of the blur in the middle, px."""
    corner_blur: float
    """How much that increases towards the corners, px."""
    shake: float
    """Length of the motion blur of the whole picture, px."""
    noise: float
    """Standard deviation of the noise, grey levels of 255."""
    flicker: float
    """How much the whole picture's brightness varies from frame to frame, grey levels."""
    gradient: float
    """How much darker the side away from the window is."""
    vignette: float
    """How much darker the corners are because of the lens."""
    shade: float
    """The share of the light that the steady shadows (a lamp's arm, a person) take."""
    glare: float
    """The light that a glossy surface adds where it mirrors the lamp; above about 1 it hides what lies there."""
    exposure: float
    """The radiance of white paper in full light."""
    jpeg: int
    """Quality of a photograph saved as JPEG (the live picture is not compressed)."""
    angle_error: float
    """The standard deviation of the angle at which people lay pieces, degrees."""
    place_error: float
    """The standard deviation of the place at which people lay pieces, mm."""
    bow: float
    """How high the middle of a bent card rises, mm."""
    wear: float
    """How much the print of used stickers has faded, 0 … 1."""


CLEAN = Conditions(
    tilt=3, bend=0.01, defocus=0.45, corner_blur=0.0, shake=0, noise=1.3, flicker=0, gradient=0.08, vignette=0.05,
    shade=0, glare=0, exposure=0.80, jpeg=95, angle_error=0.6, place_error=0.3, bow=0, wear=0,
)  # fmt: skip
MODERATE = Conditions(
    tilt=8, bend=0.035, defocus=0.68, corner_blur=0.15, shake=0.5, noise=2.6, flicker=0.4, gradient=0.25, vignette=0.15,
    shade=0.15, glare=0.35, exposure=0.78, jpeg=92, angle_error=1.4, place_error=0.6, bow=0.8, wear=0.06,
)  # fmt: skip
HARD = Conditions(
    tilt=14, bend=0.07, defocus=0.92, corner_blur=0.35, shake=1.3, noise=4.5, flicker=0.8, gradient=0.42, vignette=0.28,
    shade=0.32, glare=0.9, exposure=0.72, jpeg=88, angle_error=2.2, place_error=0.9, bow=2.0, wear=0.15,
)  # fmt: skip
HARSHER_THAN_LIFE = Conditions(
    tilt=18, bend=0.10, defocus=1.1, corner_blur=0.5, shake=1.9, noise=6.5, flicker=1.2, gradient=0.52, vignette=0.36,
    shade=0.42, glare=1.5, exposure=0.66, jpeg=75, angle_error=3.0, place_error=1.2, bow=3.2, wear=0.25,
)  # fmt: skip

LEVELS = (CLEAN, MODERATE, HARD, HARSHER_THAN_LIFE)
"""The conditions of ``--harsh 0`` … ``3``."""


def conditions(harsh: int) -> Conditions:
    """Return the conditions of a level.  Raises ValueError for a level that does not exist."""
    if harsh not in range(len(LEVELS)):
        raise ValueError(f"There is no harshness {harsh}: it goes from 0 (clean) to {len(LEVELS) - 1}.")
    return LEVELS[harsh]
