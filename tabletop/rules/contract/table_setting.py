"""Contract checks of a game's physical table: every card has room, and every kind of piece has a size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import cos, radians, sin
from typing import NamedTuple

from tabletop.rules.contract.data_shape import ContractBroken
from tabletop.rules.game import Game
from tabletop.rules.table import BUTTONS, CardSpot, Table

MARKER_MM = 40.0
"""The side of a marker."""


class LaidArea(NamedTuple):
    """The rectangle of the table that a marker or a zone covers, mm."""

    name: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: LaidArea) -> bool:
        """Return whether two areas share more than an edge."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0 < min(self.bottom, other.bottom) - max(self.top, other.top)


def laid_areas(table: Table, seats: int) -> Iterator[LaidArea]:
    """Iterate over the areas of a table's markers and zones, each card at its place in the setting.

    Raises ContractBroken for a zone without a place.
    """
    spots = table.setting(seats)
    half = MARKER_MM / 2
    for marker, spot in spots.items():
        yield _laid(marker, spot, (-half, -half, half, half))
    for zone in table.zones(seats):
        if zone.marker not in spots:
            raise ContractBroken("setting", f"the card of {zone.marker} ({zone.name}) has no place")
        yield _laid(zone.name, spots[zone.marker], zone.area)


def check_setting(game: Game) -> None:
    """No zone or marker lies on another or over the edge, for any number of seats, and every zone has its place."""
    table = game.table
    if table is None:
        return
    width, height = table.extent
    for seats in game.seat_range:
        names = [zone.name for zone in table.zones(seats)]
        if len(set(names)) != len(names):
            raise ContractBroken("setting", f"with {seats} seats two zones have one name")
        areas = list(laid_areas(table, seats))
        for area in areas:
            if area.left < 0 or area.top < 0 or area.right > width or area.bottom > height:
                raise ContractBroken("setting", f"with {seats} seats {area.name} lies over the edge of the table")
        for area, other in combinations(areas, 2):
            if area.meets(other):
                raise ContractBroken("setting", f"with {seats} seats {area.name} and {other.name} overlap")


def check_makes(game: Game) -> None:
    """Every kind of piece has a size in at least one make, and nothing else has a size."""
    table = game.table
    if table is None:
        return
    kinds = {piece.kind for piece in game.pieces.values()}
    known = {kind for sizes in table.makes.values() for kind in sizes}
    if kinds != known:
        raise ContractBroken("makes", f"{sorted(kinds ^ known)[0]} is a kind of piece or has a size, and not both")
    if not table.unplaced <= kinds:
        raise ContractBroken("makes", f"{sorted(table.unplaced - kinds)[0]} is not a kind of piece")


def check_buttons(game: Game) -> None:
    """Every button that the game uses is one of the panel's."""
    for phase, meanings in game.buttons.items():
        for button in meanings:
            if button not in BUTTONS:
                raise ContractBroken("buttons", f"{button} ({phase}) is none of {', '.join(BUTTONS)}")


def _laid(name: str, spot: CardSpot, area: tuple[float, float, float, float]) -> LaidArea:
    """Return the bounding box on the table of an area in a marker's frame, the marker's card lying at ``spot``."""
    left, top, right, bottom = area
    turn = radians(spot.turn)
    xs = [round(spot.x + x * cos(turn) - y * sin(turn), 3) for x in (left, right) for y in (top, bottom)]
    ys = [round(spot.y + x * sin(turn) + y * cos(turn), 3) for x in (left, right) for y in (top, bottom)]
    return LaidArea(name, min(xs), min(ys), max(xs), max(ys))
