"""Sizes of which nothing is known: a picture is read at one after another, until most tags are recognised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tabletop.vision.frame import Grey
from tabletop.vision.plane import Plane
from tabletop.vision.recognise.recogniser import Found, Recogniser
from tabletop.vision.tags import ACROSS

STEP = 1.1
"""From one size to the next: a tag is recognised when it is up to a twentieth larger or smaller than assumed."""
MOST_MODULE = 5.0
"""Px a module above which decoders have read something, if anything can be read."""
MOST_ACROSS = 2500
"""Modules along the longer side of a picture: 2 m of table for tags of 20 mm."""
SURE = 3
"""Tags from which on a size is no chance: when the next one shows fewer, the best was passed."""


class Rung(NamedTuple):
    """One size: the plane on which the tags have the recogniser's side, and the tags recognised on it."""

    plane: Plane
    found: tuple[Found, ...]


def best(recogniser: Recogniser, grey: Grey, planes: Iterable[Plane]) -> Rung | None:
    """Return the plane on which most tags are recognised, None where none is."""
    most: Rung | None = None
    for plane in planes:
        found = recogniser.read(recogniser.view(plane).take(grey)).found
        if most is not None and len(found) < len(most.found) >= SURE:
            break
        if len(found) > (len(most.found) if most is not None else 0):
            most = Rung(plane, found)
    return most


def from_above(shape: tuple[int, int], side: float, least: float) -> Iterator[Plane]:
    """Iterate over the planes of a camera straight above that show tags of ``side`` mm ever smaller.

    Down to ``least`` px a module; the large ones come first, which are quickly looked for.
    """
    module = MOST_MODULE
    while module >= max(least, max(shape) / MOST_ACROSS):
        pitch = side / ACROSS / module
        yield Plane(np.diag((pitch, pitch, 1.0)), 0.0, shape)
        module /= STEP


def resized(plane: Plane, factors: Iterable[float]) -> Iterator[Plane]:
    """Iterate over a plane measured ever anew: tags of some side have ``side * factor`` on it."""
    for factor in factors:
        yield replace(plane, matrix=np.diag((factor, factor, 1.0)) @ plane.matrix)
