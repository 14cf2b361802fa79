"""The tone curve of a picture, which is not linear: light modules seem to spread and dark ones to shrink.

A lens mixes the light of neighbouring modules, and only then does a camera turn it into grey levels, about as the eye
does: halfway between ink and paper looks nearer to paper.  Ink that has spread in the paper makes it a little darker.
"""

from __future__ import annotations

from tabletop.vision.geometry.plane import Array

TONE_CURVATURE, CURVATURE_DEVIATION = -0.4, 0.2
"""Coefficient of the square in the tone curve of light from -1 (ink) to 1 (paper), and its standard deviation.

For tags surely read on two renderers, -0.3 to -0.5 leaves the least unexplained: with 10 mm tags in moderate light a
quarter and an eighth less than a linear curve, in hard light a tenth less.
"""


def bent(light: Array, squared: Array) -> Array:
    """Return light as a picture shows it; ``squared``: its square, or the mean of its square if it varies."""
    shown: Array = light + TONE_CURVATURE * squared
    return shown


def steepness(light: Array) -> Array:
    """Return the slope of the tone curve at given light."""
    steep: Array = 1 + 2 * TONE_CURVATURE * light
    return steep
