"""Where the zone cards of Palazzo are laid by default, as data; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.simulator.camera.projection import PiecePose

PLACES: Mapping[str, PiecePose] = {
    # Seats 0 and 3 sit along the bottom, 1 and 2 along the top and turned about: clockwise 0, 1, 2, 3.
    "seat0": PiecePose(52, 642, 0),
    "seat3": PiecePose(620, 642, 0),
    "seat2": PiecePose(1098, 38, 180),
    "seat1": PiecePose(530, 38, 180),
    # Bids lie at the right hand of their seat, their long side away from it.
    "bid0": PiecePose(470, 640, -90),
    "bid3": PiecePose(1038, 640, -90),
    "bid2": PiecePose(680, 40, 90),
    "bid1": PiecePose(112, 40, 90),
    "quarry1": PiecePose(52, 256, 0),
    "quarry4": PiecePose(52, 372, 0),
    "warehouse": PiecePose(300, 289, 0),
    "quarry2": PiecePose(618, 256, 0),
    "quarry3": PiecePose(618, 372, 0),
    "row": PiecePose(860, 288, 0),
    "discards": PiecePose(860, 382, 0),
    "end": PiecePose(1000, 382, 0),
}
"""Where the centre of each zone's marker lies."""
