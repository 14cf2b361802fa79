"""How a picture shows light: not in proportion to it, so that light modules spread and dark ones shrink.

A lens mixes the light of neighbouring modules, and only then a camera turns it into grey levels, about as the eye does:
what is halfway between ink and paper looks nearer to paper.  Ink that spread in the paper makes it a little darker.
"""

from __future__ import annotations

from tabletop.vision.geometry.plane import Array

TONE_CURVATURE, CURVATURE_DEVIATION = -0.4, 0.2
"""How much of its square is added to light between -1, ink, and 1, paper, and how much that varies.

Of tags surely read on two renderers -0.3 to -0.5 leaves the least unexplained: of 10 mm tags in moderate light a
quarter and an eighth less than in proportion, in hard light a tenth less.
"""


def bent(light: Array, squared: Array) -> Array:
    """Return light as a picture shows it; ``squared``: its square, or the mean square of what varies."""
    shown: Array = light + TONE_CURVATURE * squared
    return shown


def steepness(light: Array) -> Array:
    """Return how much what a picture shows changes with light."""
    steep: Array = 1 + 2 * TONE_CURVATURE * light
    return steep
