"""Any kind of piece is drawn: round or square, with plain faces, and with a tag of its make's size or none."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.messages import Message
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.piecepack import GAME as PIECEPACK
from tabletop.rules.table import Size, Zone, ZoneShape
from tabletop.simulator.camera.drawing import Artist, PrintedThing
from tabletop.simulator.world import modules

DENSITY = 8.0


def printed(size: Size, piece: str = "K01", kind: str = "floor") -> PrintedThing:
    return Artist(modules, PATRICIAN, DENSITY, 0.0, 1).piece(piece, kind, size)


def spread(thing: PrintedThing, side: float) -> float:
    """Return the standard deviation of a face's reflectance in a square of that side, mm, at its middle."""
    h, w = thing.reflects.shape[:2]
    half = round(side / 2 * DENSITY)
    return float(thing.reflects[h // 2 - half : h // 2 + half, w // 2 - half : w // 2 + half].std())


def test_a_round_piece_covers_a_disc() -> None:
    """A coin leaves the corners of its square free, and a square piece fills them."""
    thing = printed(Size(28, 28, tag=14, round=True))
    assert thing.covers[2, 2] == 0
    assert thing.covers.mean() == pytest.approx(np.pi / 4, abs=0.02)
    assert printed(Size(28, 28)).covers.mean() > 0.98


def test_a_piece_without_a_tag_bears_no_sticker() -> None:
    """A wooden floor has one even colour, while a printed one shows black and white modules."""
    assert spread(printed(Size(24, 24, tag=0)), 18) < 0.02
    assert spread(printed(Size(24, 24)), 18) > 0.2


def test_a_tag_is_as_large_as_the_make_says() -> None:
    """Outside a tag of 14 mm the plain face shows, where one of 20 mm still has modules."""
    ring = [printed(Size(40, 40, tag=tag)).reflects[round(12 * DENSITY), 120:200].std() for tag in (14, 20)]
    assert ring[0] < 0.05 < ring[1]


def test_floors_have_the_colours_that_the_rules_give_them() -> None:
    """Black wood is darker than red, and red than white."""
    bare = Size(16, 16, tag=0)
    assert printed(bare, "K01").reflects.mean() < printed(bare, "R01").reflects.mean()
    assert printed(bare, "R01").reflects.mean() < printed(bare, "W01").reflects.mean()


def test_zones_with_one_marker_share_a_card() -> None:
    """A zone card covers all areas that share its marker, from the marker's corner on."""
    zones = [
        Zone("yard", "TT:YARD", Message("Yard"), (24, -24, 244, 36), ZoneShape.SPACES),
        Zone("stack", "TT:YARD", Message("Stack"), (-24, 38, 244, 100), ZoneShape.STORE),
    ]
    card, corner = Artist(modules, PIECEPACK, DENSITY, 0.0, 1).zone_card(zones)
    assert (card.width, card.height) == (268, 124)
    assert corner == (24, 24)
