"""Hands without a camera: they lay pieces by zone, so that the referee can be played through whole games in tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.referee.referee import Referee
from tabletop.rules.game import Action, Json, Position
from tabletop.rules.layout import Anywhere, Arrangement, Columns, Grid, Hidden, Layout, Pile, Spread, Tower
from tabletop.vision.scene import Cause, ReadBy, Scene, Sighting, Unreadable

HIDDEN = (Hidden, Anywhere)


class Hands:
    """Lays pieces, shows the table to the referee and presses its buttons; its time advances by one with each step."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.time = 0.0
        self.spreads: dict[str, set[str]] = {}
        self.columns: dict[str, list[list[str]]] = {}

    def lay(self, piece: str, zone: str) -> None:
        """Move a piece to a zone of loose pieces; ``""`` takes it off the table."""
        self.take(piece)
        if zone:
            self.spreads.setdefault(zone, set()).add(piece)

    def build(self, piece: str, seat: int, onto: str | None = None) -> None:
        """Put a tile above ``onto``, or on its own."""
        self.take(piece)
        columns = self.columns.setdefault(f"seat{seat}", [])
        if onto is None:
            columns.append([piece])
        else:
            column = next(column for column in columns if onto in column)
            column.insert(column.index(onto) + 1, piece)

    def take(self, piece: str) -> None:
        """Take a piece off the table, wherever it lies."""
        for pieces in self.spreads.values():
            pieces.discard(piece)
        for columns in self.columns.values():
            for column in columns:
                if piece in column:
                    column.remove(piece)
            columns[:] = [column for column in columns if column]

    def tidy(self) -> None:
        """Lay everything as in the record, except for pieces on their way, which stay where they are."""
        layout = self.referee.snapshot.position.layout()
        for zone, arrangement in layout.items():
            if isinstance(arrangement, Anywhere):
                continue
            self._lay_out(zone, arrangement)

    def _lay_out(self, zone: str, arrangement: Arrangement) -> None:
        if isinstance(arrangement, Hidden):
            for piece in arrangement.pieces:
                self.take(piece)
        elif isinstance(arrangement, Columns):
            for column in arrangement.columns:
                for piece in column:
                    self.take(piece)
                self.columns.setdefault(zone, []).append(list(column))
        else:
            assert not isinstance(arrangement, Tower | Grid | Anywhere)
            for piece in arrangement.pieces:
                # Whatever is under the top of a pile is covered.
                self.lay(piece, "" if isinstance(arrangement, Pile) and piece != arrangement.pieces[-1] else zone)

    @property
    def layout(self) -> Layout:
        """Return what a camera would see."""
        zones: dict[str, Arrangement] = {zone: Spread(frozenset(pieces)) for zone, pieces in self.spreads.items()}
        for zone, columns in self.columns.items():
            zones[zone] = Columns(frozenset(tuple(column) for column in columns))
        return Layout(zones)

    def show(self, seeking: bool = False, kept: Iterable[str] = (), uncovered: Iterable[str] = ()) -> None:
        """Let the referee see the table.

        ``seeking``: more may soon be read; ``kept``: pieces that are remembered and not read now; ``uncovered``:
        pieces whose place is seen with nothing over it.
        """
        self.time += 1
        sightings = tuple(_sighting(piece, ReadBy.KEPT) for piece in kept)
        unread = tuple(Unreadable(Cause.FACE_DOWN, payload=f"PZ:{piece.upper()}") for piece in uncovered)
        self.referee.see(Scene(self.time, int(self.time), self.layout, sightings, unread, seeking=seeking))

    def glance(self, piece: str) -> None:
        """Let the referee see the table with that piece being read."""
        self.time += 1
        self.referee.see(Scene(self.time, int(self.time), self.layout, (_sighting(piece, ReadBy.RECOGNISED),)))

    def press(self, button: str, kept: Iterable[str] = (), uncovered: Iterable[str] = ()) -> None:
        """Press a button, then let the table be seen."""
        self.time += 1
        self.referee.press(Press(button, Kind.PRESS, self.time))
        self.show(kept=kept, uncovered=uncovered)

    def do(self, position: Position, action: Action) -> None:
        """Move pieces and press buttons as people do for an action; a purchase ends at its OK, with tiles pending."""
        data = action.to_json()
        getattr(self, f"_do_{data['do']}")(position, data)

    def _do_reveal(self, position: Position, data: Mapping[str, Json]) -> None:
        after = position.after(position.game.action(data)).layout()
        zone = after.zone_of()[data["piece"]]
        self.lay(data["piece"], zone)
        self.show()

    def _do_deal(self, position: Position, data: Mapping[str, Json]) -> None:
        for card in data["cards"]:
            self.lay(card, f"bid{data['seat']}")
        self.show()

    def _do_money(self, position: Position, data: Mapping[str, Json]) -> None:
        self.press("MONEY")

    def _do_build(self, position: Position, data: Mapping[str, Json]) -> None:
        self.press("BUILD")

    def _do_auction(self, position: Position, data: Mapping[str, Json]) -> None:
        self.press("AUCTION")

    def _do_pass(self, position: Position, data: Mapping[str, Json]) -> None:
        self.press("PASS")

    def _do_take(self, position: Position, data: Mapping[str, Json]) -> None:
        self.take(data["card"])
        self.show()

    def _do_bid(self, position: Position, data: Mapping[str, Json]) -> None:
        self._pay(position, data["cards"])
        self.press("OK")

    def _do_buy(self, position: Position, data: Mapping[str, Json]) -> None:
        self.press("BUY")
        self._pay(position, data["pay"])
        for tile in data["tiles"]:
            self.lay(tile, "table")
            self.show()
        self.press("OK")

    def _do_rebuild(self, position: Position, data: Mapping[str, Json]) -> None:
        self.press("REBUILD")
        self._pay(position, [data["pay"]])
        after = position.after(position.game.action(data)).layout()
        self._lay_out(f"seat{position.active}", after[f"seat{position.active}"])
        if data["kind"] == "scrap":
            self.take(data["tile"])
        self.press("OK")

    def _do_claim(self, position: Position, data: Mapping[str, Json]) -> None:
        self.lay(data["tile"], "table")
        self.show()

    def _do_place(self, position: Position, data: Mapping[str, Json]) -> None:
        assert position.decider is not None
        self.build(data["tile"], position.decider, data["onto"])
        self.show()

    def _do_scrap(self, position: Position, data: Mapping[str, Json]) -> None:
        self.take(data["tile"])
        self.show()
        self.press("OK")

    def _pay(self, position: Position, cards: Iterable[str]) -> None:
        for card in cards:
            self.lay(card, f"bid{position.decider}")
            self.show()


def reveal_unseen(table: Hands) -> None:
    """Turn up R6a, R7a, N4b and G4b in Palazzo; G4b is entered on a page and not seen by the camera."""
    table.press("MONEY")
    for card in ("R6a", "R7a", "N4b"):
        table.lay(card, "row")
        table.show()
    snapshot = table.referee.snapshot
    hidden = snapshot.position.game.action({"do": "reveal", "piece": "G4b"})
    assert table.referee.act(hidden, on=snapshot.number, id="a page", seat=None).ok


def _sighting(piece: str, how: ReadBy) -> Sighting:
    return Sighting(f"PZ:{piece.upper()}", 0.0, 0.0, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0, how)
