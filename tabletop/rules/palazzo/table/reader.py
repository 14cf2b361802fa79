"""The table part of Palazzo: what a layout shows was done.

One function a phase reads the table; each is constructive: it says which action the pieces show, legal or not, and
leaves it to the rules to refuse it with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from tabletop.messages import EMPTY, Message, PieceRef, SeatRef, listed
from tabletop.rules.game import Action, Position
from tabletop.rules.layout import Columns, Layout
from tabletop.rules.palazzo.table import adopting
from tabletop.rules.palazzo.table.buttons import BUTTONS
from tabletop.rules.palazzo.table.rebuilding import moved_tile
from tabletop.rules.palazzo.table.zones import EXTENT, MAKES, REASONS, SETTING, zones
from tabletop.rules.table import CardSpot, Size, Table, TableReading, Zone

Facts = Mapping[str, Any]
"""The position in the protocol's JSON form."""


class PalazzoTable(Table):
    """Palazzo on a table: buttons choose, tiles and money are laid."""

    makes: Mapping[str, Mapping[str, Size]] = MAKES
    extent = EXTENT
    buttons = BUTTONS
    shows: Mapping[str, str] = {"deal": "bid"}
    confirmed = frozenset({"buy", "bid", "rebuild", "scrap"})
    unplaced = frozenset({"architect"})

    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the zones of a table with that many seats."""
        return zones(seats)

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        """Return where each marker's card is laid."""
        return {zone.marker: SETTING[zone.marker] for zone in zones(seats)}

    def open_buttons(self, position: Position) -> frozenset[str]:
        """Return the buttons that can lead to a legal action now."""
        meanings = {name: one.does for name, one in BUTTONS.get(position.phase, {}).items() if one.does is not None}
        kinds = {action.do for action in position.legal.thrifty()} if meanings else set()
        return frozenset(
            name for name, does in meanings.items() if (does if isinstance(does, str) else does.do) in kinds
        )

    def marks(self, position: Position) -> Mapping[str, str]:
        """Return where the architect stands, and where the drawn tile belongs until it is seen there."""
        facts = position.to_json()
        marks = {f"quarry{facts['architect']}": "here"}
        if position.phase == "choose":
            quarries = set(chain.from_iterable(facts["quarries"]))
            for tile in facts.get("drawn", []):
                if tile in quarries:
                    marks[_home_of(tile, facts)] = "goes"
        return marks

    def rule(self, zone: str) -> Message:
        """Return the rule by which pieces belong into a zone."""
        return REASONS.get(zone.rstrip("0123456789"), EMPTY)

    def places(self, position: Position) -> Mapping[str, Sequence[str]]:
        """Return every place that somebody could name for each piece."""
        return adopting.places(position)

    def adopt(self, position: Position, places: Mapping[str, str]) -> Position:
        """Return the position in which the pieces lie in these places."""
        return adopting.adopt(position, places)

    def read(self, position: Position, seen: Layout, intent: str | None, confirmed: bool) -> TableReading:
        """Return what the table shows was done since the position."""
        reader = READERS.get(position.phase)
        return reader(_Comparison(position, seen, intent, confirmed)) if reader else TableReading()


class _Comparison:
    """One look at the table: the position's facts beside what is seen, and how to say what was done."""

    def __init__(self, position: Position, seen: Layout, intent: str | None, confirmed: bool) -> None:
        self.facts: Facts = position.to_json()
        self.seen = seen
        self.intent = intent
        self.confirmed = confirmed
        self.lies = seen.zone_of()
        self.seat = position.decider if position.decider is not None else position.active
        self._game = position.game

    def do(self, do: str, /, **rest: Any) -> Action:
        return self._game.action({"do": do, **rest})

    def kind(self, piece: str) -> str:
        known = self._game.pieces.get(piece)
        return known.kind if known else ""

    def of_kind(self, kind: str, zone: str) -> list[str]:
        return sorted(piece for piece in self.seen.pieces(zone) if self.kind(piece) == kind)

    @property
    def hand(self) -> frozenset[str]:
        return frozenset(self.facts["seats"][self.seat]["hand"])

    @property
    def palazzi(self) -> list[tuple[str, ...]]:
        return [tuple(column) for column in self.facts["seats"][self.seat]["palazzi"]]

    @property
    def offered_money(self) -> list[str]:
        """The own hand cards that lie in the own bid zone."""
        return [card for card in self.of_kind("money", f"bid{self.seat}") if card in self.hand]

    @property
    def others_offer(self) -> bool:
        """Return whether another seat has laid cards of its hand in its bid zone."""
        hands = ((number, seat["hand"]) for number, seat in enumerate(self.facts["seats"]) if number != self.seat)
        return any(card in hand for number, hand in hands for card in self.of_kind("money", f"bid{number}"))

    @property
    def columns(self) -> frozenset[tuple[str, ...]]:
        """The own palazzi as they are seen."""
        there = self.seen.get(f"seat{self.seat}")
        return there.columns if isinstance(there, Columns) else frozenset()

    @property
    def unseen(self) -> frozenset[str]:
        """The tiles and end tiles that are still in the stacks."""
        return frozenset(chain.from_iterable(self.facts["unseen"].values()))

    def placements(self, tiles: Iterable[str], *, scrap: bool) -> list[Action]:
        """Return how the tiles were placed, bottom up; a tile that is out of sight was scrapped if ``scrap``."""
        wanted = set(tiles)
        done: list[Action] = []
        for column in sorted(self.columns):
            for below, tile in zip((None, *column), column, strict=False):
                if tile in wanted:
                    done.append(self.do("place", tile=tile, onto=below))
                    wanted.discard(tile)
        if scrap:
            done += [self.do("scrap", tile=tile) for tile in sorted(wanted) if tile not in self.lies]
        return done


def _read_setup(look: _Comparison) -> TableReading:
    quarries = look.facts["quarries"]
    empty = [f"quarry{number}" for number, tiles in enumerate(quarries, start=1) if not tiles]
    zone = empty[0] if empty else "warehouse"
    tiles = [tile for tile in look.of_kind("tile", zone) if tile in look.unseen]
    underway = frozenset(look.lies) & look.unseen
    if len(tiles) > 1:
        return TableReading(
            underway=underway, question=Message("Only one tile goes to {place} now.", place=_name(zone))
        )
    if not tiles:
        return TableReading(
            underway=underway, waiting=Message("Turn up a tile and put it here: {place}.", place=_name(zone))
        )
    return TableReading([look.do("reveal", piece=tiles[0])], underway)


def _read_deal(look: _Comparison) -> TableReading:
    seat = next(number for number, one in enumerate(look.facts["seats"]) if not one["hand"])
    cards = [card for card in look.of_kind("money", f"bid{seat}") if card in look.facts["deck"]]
    if len(cards) == 4:
        return TableReading([look.do("deal", seat=seat, cards=cards)], frozenset(cards))
    name = SeatRef(seat, look.facts["seats"][seat]["name"])
    return TableReading(
        underway=frozenset(cards),
        waiting=Message(
            "{name}: show your four money cards to the camera in your bid zone ({seen} of 4 seen).",
            name=name,
            seen=len(cards),
        ),
    )


def _read_action(look: _Comparison) -> TableReading:
    cards = look.offered_money
    lost = {tile for tile in chain.from_iterable(look.palazzi) if tile not in look.lies}
    strayed = lost | {tile for column in set(look.palazzi) ^ look.columns for tile in column}
    underway = frozenset(cards) | frozenset(strayed if look.intent == "rebuild" or cards else ())
    if not look.confirmed:
        return TableReading(underway=underway, confirms=look.intent == "rebuild")
    move = moved_tile(look.palazzi, look.columns)
    if look.intent != "rebuild" and not (cards and move):
        return TableReading(underway=underway)
    if len(cards) != 1:
        return TableReading(
            underway=underway,
            waiting=Message("To rebuild, put exactly one money card in your bid zone, then press OK."),
        )
    if move is None:
        return TableReading(
            underway=underway, waiting=Message("Move exactly one of your palazzo tiles, then press OK.")
        )
    onto = {"onto": move.onto} if move.onto else {}
    return TableReading([look.do("rebuild", kind=move.kind, tile=move.tile, **onto, pay=cards[0])], underway)


def _read_reveal(look: _Comparison) -> TableReading:
    return _read_drawn_tiles(look) if "drawn" in look.facts else _read_money_row(look)


def _read_money_row(look: _Comparison) -> TableReading:
    missing = len(look.facts["seats"]) + 1 - len(look.facts["row"])
    fresh = [card for card in look.of_kind("money", "row") if card not in look.facts["row"]]
    deck = set(look.facts["deck"])
    # When the deck runs out in mid-row its last cards come before those of the shuffled discards.
    fresh.sort(key=lambda card: (card not in deck, card))
    waiting = (
        EMPTY
        if len(fresh) >= missing
        else Message("Lay {count} more money cards in the row.", count=missing - len(fresh))
    )
    return TableReading([look.do("reveal", piece=card) for card in fresh[:missing]], frozenset(fresh), waiting)


def _read_drawn_tiles(look: _Comparison) -> TableReading:
    fresh = sorted(piece for piece in look.lies if piece in look.unseen)
    underway = frozenset(fresh)
    if not fresh:
        first, second = Message("first tile: into the warehouse"), Message("second tile: onto its quarry")
        which = second if look.facts["drawn"] else first
        return TableReading(waiting=Message("Turn up the {which} (an end tile is set aside).", which=which))
    if look.facts["drawn"]:
        if len(fresh) > 1:
            return TableReading(
                underway=underway, question=Message("Only one more tile is turned up; put the others back.")
            )
        return TableReading([look.do("reveal", piece=fresh[0])], underway)
    if len(fresh) > 2:
        return TableReading(underway=underway, question=Message("Only two tiles are turned up; put the others back."))
    order = _drawing_order(look, fresh)
    if order is None:
        return TableReading(
            underway=underway,
            question=Message("Which tile was first? The first goes to the warehouse, the second to its quarry."),
        )
    return TableReading([look.do("reveal", piece=piece) for piece in order], underway)


def _drawing_order(look: _Comparison, fresh: Sequence[str]) -> list[str] | None:
    """Return the fresh pieces in the order in which they were turned up, None where their places do not tell.

    The first tile goes to the warehouse and the second to a quarry; an end tile takes the turn that is left.
    """
    first = [piece for piece in fresh if look.lies[piece] == "warehouse"]
    ends = [piece for piece in fresh if look.kind(piece) == "end"]
    second = [piece for piece in fresh if piece not in first and piece not in ends]
    if len(first) > 1 or len(second) > 1:
        return None
    if second and not first:
        return [*ends, *second] if ends else None
    return [*first, *second, *ends]


def _read_take(look: _Comparison) -> TableReading:
    gone = [card for card in look.facts["row"] if card not in look.lies]
    moved = frozenset(card for card in look.facts["row"] if look.lies.get(card, "row") != "row")
    turns = _takes_left(look)
    if len(gone) > turns:
        return TableReading(
            underway=moved,
            question=Message("More cards were taken than one seat may take: put them back and take turns."),
        )
    return TableReading([look.do("take", card=card) for card in sorted(gone)], moved)


def _takes_left(look: _Comparison) -> int:
    """Return how many cards the deciding seat may still take (the active seat two, the others one each)."""
    seats = len(look.facts["seats"])
    left = len(look.facts["row"])
    return left - (seats - 1) if look.seat == look.facts["active"] else 1


def _read_choose(look: _Comparison) -> TableReading:
    cards = look.offered_money
    taken = [
        tile for tile in look.facts["warehouse"] if look.kind(tile) == "tile" and look.lies.get(tile, "") != "warehouse"
    ]
    buying = look.intent == "buy" or bool(cards)
    # A palazzo that grows with the same movement is no longer the palazzo that it was.
    grown = chain.from_iterable(column for column in look.columns if not set(taken).isdisjoint(column))
    underway = frozenset(cards) | frozenset(chain(taken, grown) if buying else ())
    if not look.confirmed or not buying:
        return TableReading(underway=underway, confirms=buying)
    if not taken:
        return TableReading(
            underway=underway, waiting=Message("Take the tiles you buy out of the warehouse, then press OK.")
        )
    buy = look.do("buy", tiles=sorted(taken), pay=cards)
    return TableReading([buy, *look.placements(taken, scrap=False)], underway)


def _read_bid(look: _Comparison) -> TableReading:
    cards = look.offered_money
    # Whoever bids next without waiting shows that the bid before is complete.
    if not look.confirmed and not (cards and look.others_offer):
        return TableReading(underway=frozenset(cards), confirms=bool(cards))
    if not cards:
        return TableReading(waiting=Message("Put the cards you add in your bid zone and press OK, or press PASS."))
    return TableReading([look.do("bid", cards=cards)], frozenset(cards))


def _read_claim(look: _Comparison) -> TableReading:
    offered = look.facts["quarries"][look.facts["architect"] - 1]
    taken = [tile for tile in offered if look.lies.get(tile, "") != f"quarry{look.facts['architect']}"]
    underway = frozenset(taken)
    if len(taken) > 1:
        return TableReading(underway=underway, question=Message("One tile each: put back all but one."))
    placed = look.placements(taken, scrap=look.confirmed)
    if placed:
        return TableReading([look.do("claim", tile=taken[0]), *placed], underway)
    return _out_of_sight(look, taken)


def _read_place(look: _Comparison) -> TableReading:
    pending = look.facts["pending"]
    placed = look.placements(pending, scrap=look.confirmed)
    if placed:
        return TableReading(placed, frozenset(pending))
    return _out_of_sight(look, pending)


def _out_of_sight(look: _Comparison, tiles: Sequence[str]) -> TableReading:
    """Say what OK would do: a tile leaves the game only when its owner confirms that it is meant to."""
    gone = sorted(tile for tile in tiles if tile not in look.lies)
    if not gone:
        return TableReading(underway=frozenset(tiles))
    waiting = Message.plural(
        "{pieces} cannot be seen: build it, or press OK to discard it to the box.",
        "{pieces} cannot be seen: build them, or press OK to discard them to the box.",
        len(gone),
        pieces=listed([*map(PieceRef, gone)]),
    )
    return TableReading(underway=frozenset(tiles), waiting=waiting, confirms=True)


READERS: Mapping[str, Callable[[_Comparison], TableReading]] = {
    "setup": _read_setup,
    "deal": _read_deal,
    "action": _read_action,
    "reveal": _read_reveal,
    "take": _read_take,
    "choose": _read_choose,
    "bid": _read_bid,
    "claim": _read_claim,
    "place": _read_place,
}
"""Phase → how the table is read in it."""


def _home_of(tile: str, facts: Facts) -> str:
    """Return the light of the quarry that the tile lies on."""
    return next(f"quarry{number}" for number, tiles in enumerate(facts["quarries"], start=1) if tile in tiles)


def _name(zone: str) -> Message:
    """Return what a zone of the first tiles is called in a sentence."""
    return Message("quarry {number}", number=int(zone[-1])) if zone.startswith("quarry") else Message("the warehouse")
