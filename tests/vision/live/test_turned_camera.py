"""A camera may hang any way round, since the markers show where everything is."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.rules.palazzo import GAME
from tabletop.simulator.world import World
from tabletop.vision.frame import Frame
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker_for import tracker_for
from tests.end_to_end.support import ROW, SETUP, SMALL

NAMES = ["Ann", "Bob"]


@pytest.mark.parametrize("quarters", [1, 2])
def test_a_table_is_read_as_well_by_a_camera_that_hangs_another_way_round(quarters: int) -> None:
    """With the picture turned by a quarter or a half, every piece is in the zone in which it was laid."""
    position = GAME.new(NAMES, {})
    for act in (*SETUP, *ROW):
        position = position.after(GAME.parse(act))
    world = World(GAME, NAMES, seed=1, harsh=0, size=SMALL)
    world.arrange(position)
    tracker = tracker_for(Kit(GAME), len(NAMES))
    frame = world.camera.frame(0.0)
    grey, small = (np.ascontiguousarray(np.rot90(one, quarters)) for one in (frame.grey, frame.small))
    number = 0
    while (standing := tracker.standing) is None or standing.seeking:
        number += 1
        assert number < 50
        tracker.look(Frame(grey, small, number * 0.2, number))
    lies = standing.layout.zone_of()
    assert lies == {piece: world.table.where(piece) for piece in lies}
    assert {"row", "warehouse", "quarry1", "quarry4"} <= set(lies.values())
