"""One look at a table: how the layout that is seen differs from the recorded one, for the readers of every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from tabletop.messages import SeatRef
from tabletop.rules.layout import Cell, Columns, Grid, Layout, Tower, owner, zone_kind

if TYPE_CHECKING:
    from tabletop.rules.game import Action, Position

P = TypeVar("P", bound="Position")


class Look(Generic[P]):
    """What a still table shows, compared with a position.

    ``intent`` is the last button that asked for the table's help, or the one that finishes; ``confirmed`` is True when
    a button that finishes was pressed; ``seat`` is the seat that decides, else the one whose turn it is.
    """

    def __init__(self, position: P, seen: Layout, intent: str | None = None, confirmed: bool = False) -> None:
        self.position = position
        self.seen = seen
        self.intent = intent
        self.confirmed = confirmed
        self.seat = position.decider if position.decider is not None else position.active
        self.record = position.layout()
        self.home: Mapping[str, str] = self.record.zone_of()
        """Piece → the zone in which the record has it."""
        self.lying: Mapping[str, str] = seen.zone_of()
        """Piece → the zone in which it is seen."""

    def in_order(self, actions: Sequence[Action]) -> tuple[list[Action], list[Action]]:
        """Return the actions in an order in which each is legal after the last, and those that never become legal."""
        position: Position = self.position
        done: list[Action] = []
        left = [*actions]
        while (legal := next((action for action in left if position.refusal(action) is None), None)) is not None:
            position = position.after(legal)
            done.append(legal)
            left.remove(legal)
        return done, left

    def lies(self, piece: str) -> str:
        """Return the zone in which a piece is seen, empty if it is seen nowhere."""
        return self.lying.get(piece, "")

    def name(self, seat: int) -> SeatRef:
        """Return a seat with its name, for the gap of a sentence."""
        return SeatRef(seat, self.position.names[seat])

    def came(self, zone: str, kind: str = "", out_of: str = "") -> list[str]:
        """Return the pieces (of a kind) that are seen in a zone and that the record has elsewhere, sorted.

        ``out_of``: only pieces that the record has in this zone.
        """
        new = (piece for piece in self.seen.pieces(zone) if self.home.get(piece, zone) != zone)
        return sorted(piece for piece in new if self._is(piece, kind) and out_of in ("", self.home[piece]))

    def went(self, zone: str, kind: str = "") -> list[str]:
        """Return the pieces (of a kind) that the record has in a zone and that are not seen there, sorted."""
        there = self.record.pieces(zone)
        return sorted(piece for piece in there if self.lying.get(piece) != zone and self._is(piece, kind))

    def out(self, zone: str, kind: str = "", shown: str = "") -> list[str]:
        """Return those of ``went`` that are in a hand: seen nowhere else, or in the zone ``shown`` that shows hands."""
        return [piece for piece in self.went(zone, kind) if self.lies(piece) in ("", shown)]

    def near(self, pieces: Collection[str]) -> list[str]:
        """Return the pieces that the deciding seat may have taken: in a hand, in its zones, or outside all zones."""
        table, seats = self.position.game.table, len(self.position.names)
        zones = {zone.name for zone in table.zones(seats)} if table is not None else frozenset[str]()
        away = {piece: zone for piece in pieces if (zone := self.lies(piece)) not in ("", "table")}
        return [piece for piece in pieces if piece not in away or owner(away[piece], zones, seats) == self.seat]

    def turned_up(self, *places: str) -> list[str]:
        """Return the pieces that are seen and that the record has in zones of these (hidden) kinds, sorted."""
        return sorted(piece for piece in self.lying if zone_kind(self.home.get(piece, "")) in places)

    def sees(self, zone: str) -> bool:
        """Return whether a zone is seen; False if its card is not, or if its pieces have no tags."""
        return zone in self.seen

    def plot(self, zone: str) -> dict[str, Cell]:
        """Return piece → cell of a grid, moved and turned as a whole so that it agrees best with the record."""
        there, record = self.seen.get(zone), self.record.get(zone)
        if not isinstance(there, Grid):
            return {}
        return dict((there.laid_on(record) if isinstance(record, Grid) else there).cells)

    def strays(self, zone: str) -> list[str]:
        """Return the pieces of a grid that are seen on other cells than the record has them on, sorted."""
        there, record = self.plot(zone), self.record.get(zone)
        cells = record.cells if isinstance(record, Grid) else frozenset[tuple[str, Cell]]()
        return sorted(piece for piece, cell in cells if there.get(piece, cell) != cell)

    def columns(self, zone: str) -> frozenset[tuple[str, ...]]:
        """Return the columns of a zone as they are seen, each bottom up."""
        there = self.seen.get(zone)
        return there.columns if isinstance(there, Columns) else frozenset()

    def askew(self, zone: str) -> frozenset[str]:
        """Return the pieces that lie in a grid's zone but on none of its cells."""
        there = self.seen.get(zone)
        return there.askew if isinstance(there, Grid) else frozenset()

    def upon(self, piece: str) -> str | None:
        """Return the piece of a grid that this one is seen to lie upon, None if it lies upon none."""
        return next((lower for upper, lower in self.seen.upon if upper == piece), None)

    def grown(self) -> dict[str, tuple[str, ...]]:
        """Return tower zone → what is new on top, the lowest first."""
        return {zone: now[len(was) :] for zone, was, now in self._towers() if now[: len(was)] == was != now}

    def shrunk(self) -> dict[str, tuple[str, ...]]:
        """Return tower zone → what is missing from the top, the lowest first."""
        return {zone: was[len(now) :] for zone, was, now in self._towers() if was[: len(now)] == now != was}

    def gained(self, zones: Sequence[str]) -> list[tuple[str, str]]:
        """Return zone and piece of each floor on top of these towers that they did not have before, all taken together.

        So a column that was pushed from one of them to another counts for nothing.
        """
        more = Counter(piece for zone in zones for piece in self.seen.floors(zone))
        more.subtract(piece for zone in zones for piece in self.record.floors(zone))
        grown, gained = self.grown(), list[tuple[str, str]]()
        for zone in zones:
            for piece in grown.get(zone, ()):
                if more[piece] > 0:
                    more[piece] -= 1
                    gained.append((zone, piece))
        return gained

    def mixed(self) -> frozenset[str]:
        """Return the tower zones that differ from the record otherwise than by floors added or missing at the top."""
        return frozenset(zone for zone, was, now in self._towers() if was[: len(now)] != now and now[: len(was)] != was)

    def _is(self, piece: str, kind: str) -> bool:
        return not kind or (piece in self.position.game.pieces and self.position.game.pieces[piece].kind == kind)

    def _towers(self) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Iterate over the towers that are seen: their zone, the floors of the record, those that are seen."""
        for zone, was in self.record.items():
            now = self.seen.get(zone)
            if isinstance(was, Tower) and isinstance(now, Tower):
                yield zone, was.floors, now.floors
