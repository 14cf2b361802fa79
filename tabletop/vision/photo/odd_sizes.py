"""Finds tags that do not have the size of others of their kind, as in a picture of a piece on a screen or in a book."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from tabletop.messages import N_, Message, PieceRef
from tabletop.vision.geometry.boxes import mean_side
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.kit import Kit
from tabletop.vision.scene import Cause, Sighting, Unreadable
from tabletop.vision.tags import catalogue
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES

MAX_SIDE_RATIO = 1.3
"""Largest ratio of a tag's apparent side to the usual one: if few tags determine the scale at the edge of a picture,
sides there are up to a quarter off, and tags on a high stack are nearer to the camera."""
ODD_SIZE = N_("The tag of {piece} is not the same size as the others and does not count: is it only a picture?")


def of_odd_sizes(sightings: Iterable[Sighting], plane: Plane, kit: Kit) -> dict[Sighting, Unreadable]:
    """Return a doubt for each tag that has neither the expected size nor the usual one of its kind.

    A set may be printed at any scale, and its cards at a different one from its tiles.
    """
    kinds: dict[str, list[Sighting]] = defaultdict(list)
    for each in sightings:
        kinds[kit.entries[each.payload].kind].append(each)
    odd: dict[Sighting, Unreadable] = {}
    for kind, members in kinds.items():
        sides = _sides(plane, members)
        expected = catalogue.MARKER_MM if kind == "marker" else kit.sides[members[0].payload] * plane.scale
        ratios = sides[:, None] / (expected, float(np.median(sides)))
        deviations = np.maximum(ratios, 1 / ratios).min(axis=1)
        for each in (
            each for each, deviation in zip(members, deviations.tolist(), strict=True) if deviation > MAX_SIDE_RATIO
        ):
            piece = kit.entries[each.payload].id
            reason = Cause.HIDDEN_SEAT if kind == "marker" else Cause.UNKNOWN
            odd[each] = Unreadable(reason, Message(ODD_SIZE, piece=PieceRef(piece)), each.corners, piece)
    return odd


def _sides(plane: Plane, sightings: Iterable[Sighting]) -> Array:
    """Return the sides of tags on the plane, with their quiet zones, mm."""
    codes = plane.to_mm(np.array([each.corners for each in sightings]))
    return mean_side(codes) * (TAG_MODULES / CODE_MODULES)
