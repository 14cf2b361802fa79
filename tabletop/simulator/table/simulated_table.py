"""The simulated table: where every physical piece of a game lies, in mm, and where the zone cards lie.

Pieces lie on the table face up or face down, or are out of sight: in a hand, a stack, the deck, the box.  Nothing here
knows the rules; pieces go where they are put, a little off and a little crooked as people do it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tabletop.rules.game import Piece
from tabletop.rules.layout import Arrangement, Columns, Hidden, Layout, Pile, Spread
from tabletop.rules.table import Size, Zone
from tabletop.simulator.camera.conditions import Conditions
from tabletop.simulator.camera.projection import PiecePose
from tabletop.simulator.errors import NoSuchPiece, TableFull
from tabletop.simulator.table.slots import LANE, TILE_STEP, Column, ZoneArea, field_of, house, slots

THICK = {"tile": 2.4, "end": 2.4, "money": 0.4, "start": 0.4, "architect": 18.0}
"""Thickness of each kind of piece, mm."""
CARD_ROOM = 50.0
"""What is kept free at the right of the warehouse for the start certificate, mm."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece on the table: where, which side up, above or below which others, how bent.

    ``lift`` is the height of what it lies on and ``bow`` how high a bent card's middle rises, mm; ``torn`` the share
    of its sticker that is gone.
    """

    piece: str
    kind: str
    zone: str
    pose: PiecePose
    order: int
    face_up: bool = True
    lift: float = 0.0
    bow: float = 0.0
    torn: float = 0.0


ELSEWHERE = 25.0
"""How far from where it lay a piece is laid that is laid elsewhere, mm, at least: nearer the same light falls on it."""
OVERLAPS = (1.5, 3.0)
"""How far pieces may lie on one another's edge, mm: as people do it, and where room is scarce; stickers stay free."""


class Reach(NamedTuple):
    """A hand that reaches over the table: where its fingertips are, mm, and from which side its arm comes.

    ``angle`` is the arm's direction: 0 reaches in from the bottom edge, 180 from the top, leaning clockwise.
    ``person`` decides about skin and sleeve; ``moving`` is how far the hand moves during an exposure, mm.
    """

    x: float
    y: float
    angle: float
    person: int
    moving: float = 0.0


class SimulatedTable:
    """A table with its zone cards laid and its pieces out of sight.

    ``marks`` says where each zone's marker lies; ``seed`` makes the hands' inaccuracy, ``given`` how large it is.
    """

    def __init__(
        self,
        pieces: Mapping[str, Piece],
        zones: Sequence[Zone],
        sizes: Mapping[str, Size],
        marks: Mapping[str, PiecePose],
        given: Conditions,
        seed: int,
    ) -> None:
        self.pieces = pieces
        self.zones = {zone.name: zone for zone in zones}
        self.sizes = sizes
        self.marks = dict(marks)
        self.fields = {zone.name: field_of(zone, marks[zone.name]) for zone in zones}
        self.lying: dict[str, Lying] = {}
        self.away: dict[str, str] = dict.fromkeys(pieces, "box")
        self._columns: dict[str, list[Column]] = {zone.name: [] for zone in zones if zone.shape == "columns"}
        self._given = given
        self._rng = random.Random(f"table {seed}")
        self.hands: tuple[Reach, ...] = ()
        self._orders = 0
        self._torn: dict[str, float] = {}
        self._strays: dict[str, str] = {}

    def where(self, piece: str) -> str:
        """Return the zone or hidden place of a piece.  Raises NoSuchPiece."""
        if piece in self.lying:
            return self.lying[piece].zone
        if piece not in self.away:
            raise NoSuchPiece(piece, "is not at this table")
        return self.away[piece]

    def hold(self, place: str) -> frozenset[str]:
        """Return the pieces in a zone or a hidden place."""
        out = {piece for piece, where in self.away.items() if where == place}
        return frozenset(out | {piece for piece, lying in self.lying.items() if lying.zone == place})

    def take(self, piece: str, to: str) -> None:
        """Take a piece off the table, or from one hidden place to another.  Raises NoSuchPiece."""
        self.where(piece)
        if self.lying.pop(piece, None) is not None:
            self._leave_column(piece)
        self.away[piece] = to

    def put(
        self, piece: str, zone: str, *, onto: str | None = None, at: int | None = None, face_up: bool = True
    ) -> None:
        """Lay a piece in a free place of a zone.

        In a zone of columns it goes onto the column that holds ``onto``, at level ``at`` (None: on top), or makes a
        new column.  Raises NoSuchPiece, TableFull.
        """
        if zone not in self.fields:
            raise NoSuchPiece(piece, f"cannot be laid in “{zone}”: there is no such zone on this table")
        self.take(piece, "hand")
        if zone in self._columns:
            self._build(piece, zone, onto, at)
        else:
            self._lay(piece, zone, self._free(piece, zone))
        if not face_up:
            self.turn(piece, face_up=False)

    def put_stray(self, payload: str, zone: str, kind: str = "tile") -> None:
        """Lay a thing that is not of this game, or a second copy of a piece, with the tag of that payload.

        Raises NoSuchPiece for a zone that is not there, TableFull.
        """
        self._strays[payload] = kind
        self.away[payload] = "hand"
        self.put(payload, zone)

    def put_at(self, piece: str, pose: PiecePose, zone: str = "table") -> None:
        """Lay a piece at an exact place, whatever lies there already."""
        self.take(piece, "hand")
        self._lay(piece, zone, pose)

    def turn(self, piece: str, *, face_up: bool) -> None:
        """Turn a piece over where it lies.  Raises NoSuchPiece where it does not lie on the table."""
        self.lying[piece] = replace(self._lies(piece), face_up=face_up)

    def tear(self, piece: str, share: float) -> None:
        """Tear off a share of a piece's sticker, for good."""
        self._torn[piece] = share
        if piece in self.lying:
            self.lying[piece] = replace(self.lying[piece], torn=share)

    def nudge(self, piece: str, x: float, y: float, angle: float = 0.0) -> None:
        """Push a piece by some mm and degrees.  Raises NoSuchPiece where it does not lie on the table."""
        lying = self._lies(piece)
        pose = PiecePose(lying.pose.x + x, lying.pose.y + y, lying.pose.angle + angle)
        self.lying[piece] = replace(lying, pose=pose)

    def lay_elsewhere(self, piece: str) -> None:
        """Take a loose piece up and lay it in another free place of its zone, where there is one.

        Raises NoSuchPiece where it does not lie on the table.
        """
        lying = self._lies(piece)
        if lying.zone not in self.zones or self.zones[lying.zone].shape != "spread":
            return
        self.take(piece, "hand")
        try:
            pose = self._free(piece, lying.zone, lying.pose)
        except TableFull:
            pose = lying.pose
        self._lay(piece, lying.zone, pose)

    def columns(self, zone: str) -> list[tuple[str, ...]]:
        """Return the columns of a zone, each bottom up, in the order in which they were begun."""
        return [tuple(column.tiles) for column in self._columns[zone]]

    def centre(self, zone: str) -> tuple[float, float]:
        """Return the middle of a zone, mm."""
        area = self.fields[zone]
        return area.origin.out(area.width / 2, area.height / 2)

    def layout(self) -> Layout:
        """Return what a perfect eye would see and know: every piece in its zone or hidden place; none face down."""
        seen: dict[str, Arrangement] = {}
        for name, zone in self.zones.items():
            shown = (
                one for one in self.lying.values() if one.zone == name and one.face_up and one.piece in self.pieces
            )
            names = tuple(lying.piece for lying in sorted(shown, key=lambda lying: lying.order))
            if zone.shape == "columns":
                columns = (tuple(t for t in column if t in names) for column in self.columns(name))
                seen[name] = Columns(frozenset(column for column in columns if column))
            else:
                seen[name] = Pile(names) if zone.shape == "pile" else Spread(frozenset(names))
        for place in sorted(set(self.away.values())):
            seen[place] = Hidden(self.hold(place) - self.lying.keys())
        return Layout(seen)

    def _lies(self, piece: str) -> Lying:
        if piece not in self.lying:
            raise NoSuchPiece(piece, "does not lie on the table")
        return self.lying[piece]

    def _kind(self, piece: str) -> str:
        return self.pieces[piece].kind if piece in self.pieces else self._strays[piece]

    def _lay(self, piece: str, zone: str, pose: PiecePose) -> None:
        kind = self._kind(piece)
        self._orders += 1
        lift = 0.0
        if zone in self.zones and self.zones[zone].shape == "pile":
            lift = sum(THICK[other.kind] for other in self.lying.values() if other.zone == zone)
        bow = abs(self._rng.gauss(0, self._given.bow / 2)) if kind in {"money", "start"} else 0.0
        self.away.pop(piece, None)
        self.lying[piece] = Lying(
            piece, kind, zone, pose, self._orders, lift=lift, bow=bow, torn=self._torn.get(piece, 0.0)
        )

    def _off(self, pose: PiecePose, share: float = 1.0) -> PiecePose:
        """Return the pose as a hand would manage it."""
        place, angle = self._given.place_error * share, self._given.angle_error * share
        gauss = self._rng.gauss
        return PiecePose(
            pose.x + _bounded(gauss(0, place), 2.5 * place),
            pose.y + _bounded(gauss(0, place), 2.5 * place),
            pose.angle + _bounded(gauss(0, angle), 2.5 * angle),
        )

    def _free(self, piece: str, zone: str, but: PiecePose | None = None) -> PiecePose:
        """Return a free place in a zone, away from ``but``.  Raises TableFull."""
        area, size = self.fields[zone], self.sizes[self._kind(piece)]
        if area.zone.shape == "pile":
            return self._off(area.pose(area.width / 2, area.height / 2), 2.0)
        if zone == "warehouse" and self._kind(piece) == "start":
            return self._off(area.pose(area.width - CARD_ROOM / 2, area.height / 2))
        reserved, fan = CARD_ROOM if zone == "warehouse" else 0.0, zone.startswith("bid")
        for overlap in OVERLAPS:
            for x, y in slots(area, size, reserved):
                pose = area.pose(x, y)
                elsewhere = but is None or math.hypot(pose.x - but.x, pose.y - but.y) >= ELSEWHERE
                if elsewhere and self._clear(pose, size, overlap, fan):
                    # A player who fans cards takes care that all can be seen.
                    return self._off(pose, 0.6 if fan else 1.0)
        raise TableFull(zone, piece)

    def _clear(self, pose: PiecePose, size: Size, overlap: float, fan: bool) -> bool:
        """Return whether a piece laid there would leave every other free; in a fan only the places must differ."""
        for other in self.lying.values():
            across, along = _seen_from(pose, other.pose)
            theirs = self.sizes[other.kind]
            wide, high = (size.width + theirs.width) / 2 - overlap, (size.height + theirs.height) / 2 - overlap
            if fan and theirs.height > theirs.width:
                wide, high = 14.0, 15.0
            if abs(across) < wide and abs(along) < high:
                return False
        return True

    def _build(self, piece: str, zone: str, onto: str | None, at: int | None) -> None:
        columns = self._columns[zone]
        if onto is None:
            columns.append(Column([piece], lean=_bounded(self._rng.gauss(0, self._given.angle_error / 2), 1.5)))
        else:
            column = next((c for c in columns if onto in c.tiles), None)
            if column is None:
                raise NoSuchPiece(onto, f"is in no column of “{zone}”")
            level = len(column.tiles) if at is None else at
            column.tiles.insert(level, piece)
        self._rehouse(zone, piece)

    def _rehouse(self, zone: str, piece: str) -> None:
        columns, area = self._columns[zone], self.fields[zone]
        if not house(columns, area.width, area.height):
            raise TableFull(zone, piece)
        for column in columns:
            first = 0 if column.moved else next((n for n, t in enumerate(column.tiles) if self._is_new(t, zone)), None)
            if first is not None:
                for level in range(first, len(column.tiles)):
                    self._lay(column.tiles[level], zone, self._tile_pose(area, column, level))
            column.moved = False

    def _is_new(self, piece: str, zone: str) -> bool:
        return piece not in self.lying or self.lying[piece].zone != zone

    def _tile_pose(self, area: ZoneArea, column: Column, level: int) -> PiecePose:
        lean = math.radians(column.lean)
        up = 14 + level * TILE_STEP
        x = 20 + column.lane * LANE + up * math.sin(lean)
        return self._off(area.pose(x, area.height - column.foot - up * math.cos(lean), column.lean), 0.7)

    def _leave_column(self, piece: str) -> None:
        """Take a tile out of its column and close the gap it leaves."""
        for zone, columns in self._columns.items():
            for column in columns:
                if piece not in column.tiles:
                    continue
                level = column.tiles.index(piece)
                column.tiles.remove(piece)
                for above in range(level, len(column.tiles)):
                    self._lay(column.tiles[above], zone, self._tile_pose(self.fields[zone], column, above))
                if not column.tiles:
                    columns.remove(column)
                return


def _bounded(value: float, most: float) -> float:
    return max(-most, min(most, value))


def _seen_from(pose: PiecePose, other: PiecePose) -> tuple[float, float]:
    """Return how far the other centre lies across and along the first one's own axes, mm."""
    c, s = math.cos(math.radians(pose.angle)), math.sin(math.radians(pose.angle))
    dx, dy = other.x - pose.x, other.y - pose.y
    return c * dx + s * dy, c * dy - s * dx
