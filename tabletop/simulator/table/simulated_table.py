"""The simulated table: where every physical piece of a game lies, in mm, and where the zone cards lie.

Pieces lie on the table face up or face down, or are out of sight: in a hand, a stack, the deck, the box.  It does not
know the rules; pieces go where they are put, as inexactly and crookedly as people lay them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from tabletop.rules.game import Game
from tabletop.rules.layout import Cell, owner
from tabletop.rules.table import ZoneShape
from tabletop.simulator.conditions import Conditions
from tabletop.simulator.errors import NoSuchPiece, TableFull
from tabletop.simulator.table.free_place import free_place
from tabletop.simulator.table.plans.column_plan import ColumnPlan
from tabletop.simulator.table.plans.grid_plan import GridPlan
from tabletop.simulator.table.plans.obstacles import obstacles
from tabletop.simulator.table.plans.plan import LaidAt, ZonePlan
from tabletop.simulator.table.plans.tower_plan import TowerPlan
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.slots import field_of, is_card
from tabletop.simulator.table.zone_layout import lay_zone_cards


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece on the table: its place, which side is up, its order in height, and its bend.

    ``lift`` is the height of what it lies on and ``bow`` how high a bent card's middle rises, mm; ``torn`` is the share
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


COVERED_QUARTERS = ((-1, 1), (1, 1), (-1, -1))
"""The quarters of a piece on which another one may lie (right, down), the lower left first; never the upper right, with
its tag."""


class Reach(NamedTuple):
    """A hand that reaches over the table: the place of its fingertips, mm, and the direction of its arm.

    ``angle`` is 0 for an arm that reaches in from the bottom edge, 180 from the top, increasing clockwise.  ``person``
    determines skin and sleeve; ``moving`` is how far the hand moves during an exposure, mm.
    """

    x: float
    y: float
    angle: float
    person: int
    moving: float = 0.0


class SimulatedTable:
    """A table with its zone cards laid; its pieces, of one ``make``, are out of sight at first.

    ``seed`` determines the hands' inaccuracy, ``given`` how large it is; ``marks`` are the poses of the markers, if not
    those of the game's setting.  Raises ValueError for a game without a table, or without that make.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        given: Conditions,
        seed: int,
        make: str = "",
        marks: Mapping[str, PiecePose] | None = None,
    ) -> None:
        rules = game.table
        if rules is None:
            raise ValueError(f"{game.title} says nothing about its table, so there is nothing to simulate.")
        self.make = make or next(iter(rules.makes))
        if self.make not in rules.makes:
            raise ValueError(f"There is no make “{make}” of {game.title}: there are {', '.join(rules.makes)}.")
        zones, setting = rules.zones(seats), rules.setting(seats)
        self.game = game
        self.pieces, self.sizes = game.pieces, rules.makes[self.make]
        self.zones = {zone.name: zone for zone in zones}
        self.extent = rules.extent
        self.marks = dict(marks or lay_zone_cards(setting, random.Random(f"zones {seed}")))
        self.faces = {zone.name: setting[zone.marker].faces for zone in zones}
        self.fields = {zone.name: field_of(zone, self.marks[zone.marker], self.faces[zone.name]) for zone in zones}
        self.owners = {zone: seat for zone in self.zones if (seat := owner(zone, self.zones, seats)) is not None}
        self.lying: dict[str, Lying] = {}
        self.away: dict[str, str] = dict.fromkeys(self.pieces, "box")
        self.hands: tuple[Reach, ...] = ()
        self._given = given
        self._rng = random.Random(f"table {seed}")
        self._plans = {zone: plan for zone in self.zones if (plan := self._plan(zone)) is not None}
        self._orders = 0
        self._torn: dict[str, float] = {}
        self._strays: dict[str, str] = {}
        self._upon: dict[str, str] = {}
        self._quarter: dict[str, int] = {}

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the table, mm."""
        width, height = self.extent
        return width / 2, height / 2

    def where(self, piece: str) -> str:
        """Return the zone or hidden place of a piece.  Raises NoSuchPiece."""
        if piece in self.lying:
            return self.lying[piece].zone
        if piece not in self.away:
            raise NoSuchPiece(piece, "is not at this table")
        return self.away[piece]

    def pieces_in(self, place: str) -> frozenset[str]:
        """Return the pieces in a zone or a hidden place."""
        out = {piece for piece, where in self.away.items() if where == place}
        return frozenset(out | {piece for piece, lying in self.lying.items() if lying.zone == place})

    def take(self, piece: str, to: str) -> None:
        """Take a piece off the table, or from one hidden place to another; pieces upon it are set aside.

        Raises NoSuchPiece.
        """
        self.where(piece)
        lying = self.lying.pop(piece, None)
        self._upon.pop(piece, None)
        self._quarter.pop(piece, None)
        for upper in self._uppers(piece):
            self._set_aside(upper)
        if lying is not None and lying.zone in self._plans:
            self._lay_all(lying.zone, self._plans[lying.zone].leave(piece))
        self.away[piece] = to

    def put(
        self,
        piece: str,
        zone: str,
        *,
        onto: str | None = None,
        at: int | None = None,
        cell: Cell | None = None,
        upon: str | None = None,
        face_up: bool = True,
    ) -> None:
        """Lay a piece in a free place of a zone.

        In a zone of columns it goes onto the column that has ``onto``, at level ``at`` (None: on top), or begins a new
        column; in a grid it goes on ``cell``, in a tower on top.  With ``upon`` it is laid on that piece, wherever that
        lies.  Raises NoSuchPiece, TableFull.
        """
        zone = zone if upon is None else self._lies(upon).zone
        if zone not in self.fields:
            raise NoSuchPiece(piece, f"cannot be laid in “{zone}”: there is no such zone on this table")
        self.take(piece, "hand")
        plan, size = self._plans.get(zone), self.sizes[self._kind(piece)]
        if upon is not None:
            self._upon[piece] = upon
            self._lay_upon(piece)
        elif isinstance(plan, GridPlan) and cell is not None:
            self._lay_all(zone, plan.put(piece, cell, size))
        elif isinstance(plan, TowerPlan):
            self._lay_all(zone, plan.put(piece, size))
        elif isinstance(plan, ColumnPlan):
            self._lay_all(zone, plan.put(piece, onto, at, size, self._lean))
        else:
            self._lay(piece, zone, self._free(piece, zone))
        if not face_up:
            self.turn(piece, face_up=False)

    def keep(self, pieces: Iterable[str]) -> None:
        """Lay one piece in each seat's store, as people keep what they may set on the table later."""
        for piece, (_, store) in zip(pieces, sorted(self._stores.items()), strict=False):
            self.put_at(piece, PiecePose(*self.centre(store), self.fields[store].origin.angle), store)

    def put_stray(self, payload: str, zone: str, kind: str = "") -> None:
        """Lay a thing that does not belong to this game, or a second copy of a piece, with a tag of that payload.

        It has the size of pieces of ``kind``, of the first kind if empty.

        Raises NoSuchPiece for a zone that does not exist, TableFull.
        """
        self._strays[payload] = kind or next(iter(self.sizes))
        self.away[payload] = "hand"
        self.put(payload, zone)

    def put_at(self, piece: str, pose: PiecePose, zone: str = "table") -> None:
        """Lay a piece at an exact place, whatever lies there already."""
        self.take(piece, "hand")
        self._lay(piece, zone, pose)

    def turn(self, piece: str, *, face_up: bool) -> None:
        """Turn a piece over where it lies.  Raises NoSuchPiece if it does not lie on the table."""
        self.lying[piece] = replace(self._lies(piece), face_up=face_up)

    def tear(self, piece: str, share: float) -> None:
        """Tear off a share of a piece's sticker, for good."""
        self._torn[piece] = share
        if piece in self.lying:
            self.lying[piece] = replace(self.lying[piece], torn=share)

    def nudge(self, piece: str, x: float, y: float, angle: float = 0.0) -> None:
        """Push a piece by some mm and degrees.  Raises NoSuchPiece if it does not lie on the table."""
        lying = self._lies(piece)
        pose = PiecePose(lying.pose.x + x, lying.pose.y + y, lying.pose.angle + angle)
        self.lying[piece] = replace(lying, pose=pose)

    def lay_elsewhere(self, piece: str) -> None:
        """Take a piece up and lay it in another free place of its zone, or again where it was if there is none.

        In a zone in which each piece has its own place it is turned round, so that its tag lies elsewhere.  A piece
        upon another one is laid on the next quarter.  Raises NoSuchPiece if it does not lie on the table.
        """
        lying = self._lies(piece)
        if piece in self._upon:
            self._quarter[piece] = (self._quarter.get(piece, 0) + 1) % len(COVERED_QUARTERS)
            self._lay_upon(piece)
            return
        shape = self.zones[lying.zone].shape if lying.zone in self.zones else None
        if shape is not ZoneShape.SPREAD:
            pose = self._off(lying.pose, 2.0)
            if shape in {ZoneShape.SPACES, ZoneShape.GRID}:
                pose = pose._replace(angle=pose.angle + 180.0)
            self.lying[piece] = replace(lying, pose=pose)
            for upper in self._uppers(piece):
                self._lay_upon(upper)
            return
        self.take(piece, "hand")
        try:
            pose = self._free(piece, lying.zone, lying.pose)
        except TableFull:
            pose = lying.pose
        self._lay(piece, lying.zone, pose)

    def columns(self, zone: str) -> list[tuple[str, ...]]:
        """Return the columns of a zone, each bottom up, in the order in which they were begun."""
        plan = self._plans[zone]
        assert isinstance(plan, ColumnPlan)
        return [tuple(column.tiles) for column in plan.columns]

    def cells(self, zone: str) -> Mapping[str, Cell]:
        """Return piece → cell of a grid."""
        plan = self._plans[zone]
        assert isinstance(plan, GridPlan)
        return dict(plan.cells)

    def upon(self, piece: str) -> str | None:
        """Return the piece upon which a piece lies, None if it lies on the table."""
        return self._upon.get(piece)

    def tower(self, zone: str) -> list[str]:
        """Return the pieces of a tower, from the foot up."""
        plan = self._plans[zone]
        assert isinstance(plan, TowerPlan)
        return list(plan.levels)

    def centre(self, zone: str) -> tuple[float, float]:
        """Return the middle of a zone, mm."""
        area = self.fields[zone]
        return area.origin.out(area.width / 2, area.height / 2)

    def home(self, seat: int) -> tuple[float, bool]:
        """Return where along the table's edge a seat sits, x in mm, and whether that is the bottom edge.

        A seat sits in front of the largest of its own zones.
        """
        own = [self.fields[zone] for zone, owner in self.owners.items() if owner == seat]
        if not own:
            return self.extent[0] / 2, True
        largest = max(own, key=lambda area: area.width * area.height)
        return self.centre(largest.zone.name)[0], not self.faces[largest.zone.name]

    @property
    def _stores(self) -> Mapping[int, str]:
        """Seat → its store, for the seats that have one."""
        return {seat: zone for zone, seat in self.owners.items() if self.zones[zone].shape is ZoneShape.STORE}

    def _lies(self, piece: str) -> Lying:
        if piece not in self.lying:
            raise NoSuchPiece(piece, "does not lie on the table")
        return self.lying[piece]

    def _uppers(self, piece: str) -> list[str]:
        """Return the pieces that lie upon a piece."""
        return [upper for upper, lower in self._upon.items() if lower == piece]

    def _kind(self, piece: str) -> str:
        return self.pieces[piece].kind if piece in self.pieces else self._strays[piece]

    def _set_aside(self, piece: str) -> None:
        """Lay a piece in a store of the seat in whose zone it lies; take it off the table if there is none."""
        store = self._stores.get(self.owners.get(self.lying[piece].zone, -1))
        if store is None:
            self.take(piece, "box")
        else:
            self.put(piece, store)

    def _plan(self, zone: str) -> ZonePlan | None:
        area = self.fields[zone]
        match self.zones[zone].shape:
            case ZoneShape.COLUMNS:
                return ColumnPlan(zone, area.width, area.height)
            case ZoneShape.GRID:
                return GridPlan(area.width, area.height, lambda: obstacles(self, zone))
            case ZoneShape.TOWER:
                return TowerPlan(area.width, area.height)
            case _:
                return None

    def _lay_all(self, zone: str, laid: Iterable[LaidAt]) -> None:
        """Lay pieces where a plan has them, and lay the pieces upon them again."""
        for place in laid:
            pose = self._off(self.fields[zone].pose(place.x, place.y, place.turn), 0.7)
            self._lay(place.piece, zone, pose, place.lift)
            for upper in self._uppers(place.piece):
                self._lay_upon(upper)

    def _lay_upon(self, piece: str) -> None:
        """Lay a piece on a quarter of the one that it lies upon."""
        lower = self.lying[self._upon[piece]]
        size, (right, down) = self.sizes[lower.kind], COVERED_QUARTERS[self._quarter.get(piece, 0)]
        pose = PiecePose(*lower.pose.out(right * size.width / 4, down * size.height / 4), lower.pose.angle)
        self._lay(piece, lower.zone, self._off(pose, 0.7), lower.lift + size.thick)

    def _lay(self, piece: str, zone: str, pose: PiecePose, lift: float = 0.0) -> None:
        kind = self._kind(piece)
        self._orders += 1
        if zone in self.zones and self.zones[zone].shape in (ZoneShape.PILE, ZoneShape.HEAP):
            lift = sum(self.sizes[other.kind].thick for other in self.lying.values() if other.zone == zone)
        bow = abs(self._rng.gauss(0, self._given.bow / 2)) if is_card(self.sizes[kind]) else 0.0
        self.away.pop(piece, None)
        self.lying[piece] = Lying(
            piece, kind, zone, pose, self._orders, lift=lift, bow=bow, torn=self._torn.get(piece, 0.0)
        )

    def _lean(self) -> float:
        """Return the lean of a new column, degrees."""
        return _bounded(self._rng.gauss(0, self._given.angle_error / 2), 1.5)

    def _off(self, pose: PiecePose, share: float = 1.0) -> PiecePose:
        """Return the pose with a hand's inaccuracy, scaled by ``share``."""
        place, angle = self._given.place_error * share, self._given.angle_error * share
        gauss = self._rng.gauss
        return PiecePose(
            pose.x + _bounded(gauss(0, place), 2.5 * place),
            pose.y + _bounded(gauss(0, place), 2.5 * place),
            pose.angle + _bounded(gauss(0, angle), 2.5 * angle),
        )

    def _free(self, piece: str, zone: str, away_from: PiecePose | None = None) -> PiecePose:
        """Return where a hand lays a piece in a free place of a zone.  Raises TableFull."""
        place = free_place(self, piece, self.sizes[self._kind(piece)], zone, away_from)
        return self._off(place.pose, place.inaccuracy)


def _bounded(value: float, most: float) -> float:
    return max(-most, min(most, value))
