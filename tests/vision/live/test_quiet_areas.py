"""Objects put in a store are neither reported as foreign nor examined again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.vision.geometry.plane import Array
from tabletop.vision.geometry.zones import quiet_areas
from tabletop.vision.kit import Kit
from tabletop.vision.live.quiet_areas import AreasOf
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.scene import ReadBy, Sighting
from tests.vision.live.watched import together
from tests.vision.small_table import MARKERS, PATTERNS, SIZES, frame, picture


def around(half: float) -> AreasOf:
    """Return a function that gives a square area around the middle of all markers, as for a store."""

    def areas(markers: Sequence[Sighting]) -> list[Array]:
        x, y = np.mean([(one.x, one.y) for one in markers], axis=0)
        return [np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])]

    return areas


def elsewhere(_markers: Sequence[Sighting]) -> list[Array]:
    """Return an area far from all pieces."""
    return [np.array([(900.0, 900.0), (940.0, 900.0), (940.0, 940.0), (900.0, 940.0)])]


@pytest.mark.parametrize(
    ("quiet", "told"),
    [(None, 1), (around(40), 0), (around(2), 0), (elsewhere, 1)],
    ids=["no store", "in a store", "leaning out of one", "elsewhere"],
)
def test_what_stands_in_a_store_is_not_strange(quiet: AreasOf | None, told: int) -> None:
    """An untagged object is reported outside stores, but not in a store or where it reaches out of one."""
    tracker = TableTracker(PATTERNS, SIZES, together, quiet=quiet)
    block = np.full((300, 300), 30, np.uint8)
    bare, stands = picture(MARKERS), picture(MARKERS, pasted=[(block, 0, 0, 20, 30)])
    for number in range(60):
        tracker.look(frame(bare if number < 30 else stands, number))
    assert tracker.standing is not None
    assert len(tracker.standing.unreadable) == told


def test_stores_are_quiet_and_towers_of_wood_as_well() -> None:
    """Towers of printed floors are not quiet, since foreign objects stand out there; wooden ones have no tags."""
    game = PATRICIAN
    city = [Sighting("TT:ROM", 100.0, 100.0, 90.0, ((0.0, 0.0),) * 4, 1.0, ReadBy.RECOGNISED)]
    printed, wood = (quiet_areas(city, game.table.zones(3), Kit(game, make)) for make in ("printed", "box"))
    assert (len(printed), len(wood)) == (1, 3)
    # The marker is turned by a quarter, so that what is below it in its own frame is to its left on the table.
    assert printed[0][:, 0].max() < 100 - 90
