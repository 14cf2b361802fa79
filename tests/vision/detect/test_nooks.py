"""Tags flush with the edges of dark pieces, surrounded by others on paper, are found by a closer look at a part."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.rules import registry
from tabletop.simulator.world import World
from tabletop.vision.detect.detector import Detector
from tabletop.vision.geometry.boxes import Place, box
from tabletop.vision.kit import Kit

KIT = Kit(registry.game("piecepack"), "box")
CELLS = {"TA1": (0, 0), "TA2": (1, 0), "TA3": (2, 0), "TA4": (3, 0), "TA5": (4, 0), "TC1": (5, 0)}
CELLS |= {"TC2": (0, -1), "TC3": (2, -1), "TC4": (4, -1), "TC5": (1, 1), "TM1": (3, 1)}
AROUND = 100.0
"""Half the side, mm, of the part of the table that is read."""


@pytest.mark.parametrize("seed", [10, 13])
def test_a_tag_of_a_palazzo_of_many_nooks_is_read_at_a_closer_look(seed: int) -> None:
    """In hard light, tags missed in the whole picture are found in a small part of it."""
    detector = Detector(KIT.patterns, KIT.sides)
    world = World(KIT.game, ["Ann", "Bob", "Cem"], seed, 3, (2304, 1296), make="box", clock=lambda: 0.0)
    for piece, cell in CELLS.items():
        world.table.put(piece, "seat1", cell=cell)
    grey = world.camera.frame(0.0).grey
    plane = detector.detect(grey).plane
    assert plane is not None
    first = {one.payload: one.place for one in detector.region(grey, plane)[0]}
    missed = [piece for piece in CELLS if f"PP:{piece}" not in first]
    assert missed, "nothing was missed at first sight: lay a harder palazzo"
    for piece in missed:
        part = box(_place(world, piece, first), AROUND)
        seen = {one.payload for one in detector.region(grey, plane, part, markers=False, faint=True)[0]}
        assert f"PP:{piece}" in seen


def _place(world: World, piece: str, read: dict[str, Place]) -> Place:
    """Return where a structure's tag is on the plane, inferred from those that are read."""
    size = world.table.sizes["structure"]
    tags = {one: (*world.table.lying[one].pose.out(size.tag_x, size.tag_y), 1.0) for one in CELLS}
    known = [one for one in CELLS if f"PP:{one}" in read]
    way = np.linalg.lstsq(np.array([tags[one] for one in known]), np.array([read[f"PP:{one}"] for one in known]))[0]
    x, y = np.array(tags[piece]) @ way
    return float(x), float(y)
