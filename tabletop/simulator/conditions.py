"""How difficult the pictures are: four levels of everything that spoils a picture, as data."""

from __future__ import annotations

from typing import NamedTuple


class Conditions(NamedTuple):
    """What spoils the pictures of one table.

    Lengths in px are those of a picture 2304 px wide and grow with it; light is relative to white paper in full light.
    """

    tilt: float
    """How far the camera leans from straight down, degrees."""
    bend: float
    """Barrel distortion: how much farther out than drawn a point at half the diagonal really lies."""
    defocus: float
    """Standard deviation of the blur in the middle, px."""
    corner_blur: float
    """What is added to it towards the corners, px."""
    shake: float
    """Length of the motion blur of the whole picture, px."""
    noise: float
    """Standard deviation of the noise, grey levels of 255."""
    flicker: float
    """How far the whole picture's brightness wanders from frame to frame, grey levels."""
    gradient: float
    """How much darker the side away from the window is."""
    vignette: float
    """How much darker the corners are for the lens alone."""
    shade: float
    """How much light the steady shadows (a lamp's arm, a person) take."""
    glare: float
    """The light that a glossy surface throws back where it mirrors the lamp; above about 1 it hides what lies there."""
    exposure: float
    """The radiance that white paper in full light comes out as."""
    jpeg: int
    """Quality of a photograph saved as JPEG (the live picture is not compressed)."""
    angle_error: float
    """How crooked people lay pieces: standard deviation in degrees."""
    place_error: float
    """How far off people lay pieces: standard deviation in mm."""
    bow: float
    """How high the middle of a bent card rises, mm."""
    wear: float
    """How much fainter print gets on used stickers, 0 … 1."""


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
"""What ``--harsh 0`` … ``3`` stand for."""


def conditions(harsh: int) -> Conditions:
    """Return the conditions of a level.  Raises ValueError for a level that does not exist."""
    if harsh not in range(len(LEVELS)):
        raise ValueError(f"There is no harshness {harsh}: it goes from 0 (clean) to {len(LEVELS) - 1}.")
    return LEVELS[harsh]
