"""The table part of Patrician: cards are laid and taken under the camera, floors and moves are chosen by hand.

One function a phase reads the table; each is constructive: it says which action the cards show, legal or not, and
leaves it to the rules to refuse it with a reason.

The game does not name this table as its own yet: the markers of its zones must first be given patterns that differ from
all others, which is one run of ``python -m tabletop.vision.choose_patterns`` with ``Patrician.table`` set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tabletop.messages import Message, SeatRef
from tabletop.rules.actions import Deal
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout
from tabletop.rules.patrician.actions import PLAY, REVEAL, TAKE
from tabletop.rules.patrician.components import CITIES, HAND
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.table.buttons import BUTTONS
from tabletop.rules.patrician.table.zones import EXTENT, MAKES, SETTING, zones
from tabletop.rules.table import CardSpot, Size, Table, TableReading, Zone


class PatricianTable(Table):
    """Patrician on a table: the cards say what is played and taken, buttons and page say where floors go."""

    makes: Mapping[str, Mapping[str, Size]] = MAKES
    extent = EXTENT
    buttons = BUTTONS

    def zones(self, seats: int) -> Sequence[Zone]:
        """Return the zones of a table with that many seats."""
        return zones(seats)

    def setting(self, seats: int) -> Mapping[str, CardSpot]:
        """Return where each marker's card is laid."""
        return {zone.marker: SETTING[zone.marker] for zone in zones(seats) if zone.marker in SETTING}

    def open_buttons(self, position: Position) -> frozenset[str]:
        """Return the buttons that lead to a legal action now."""
        meanings = BUTTONS.get(position.phase, {})
        return frozenset(button for button, meaning in meanings.items() if meaning.does in position.legal)

    def marks(self, position: Position) -> Mapping[str, str]:
        """Return nothing: the panel has no lights for the spaces of the market."""
        return {}

    def read(self, position: Position, seen: Layout, intent: str | None, confirmed: bool) -> TableReading:
        """Return what the table shows was done since the position."""
        assert isinstance(position, PatricianPosition)
        reader = READERS.get(position.phase)
        return reader(position, seen) if reader else TableReading()


def _read_deal(position: PatricianPosition, seen: Layout) -> TableReading:
    """Each seat in turn shows its three start cards in its hand zone, then takes them up."""
    seat = position.due
    cards = sorted(seen.pieces(f"hand{seat}") & set(position.deck))
    if len(cards) == HAND:
        return TableReading([Deal(seat, tuple(cards))], frozenset(cards))
    waiting = Message(
        "{name}: show your three start cards in your hand zone ({seen} of {needed} seen).",
        name=SeatRef(seat, position.names[seat]),
        seen=len(cards),
        needed=HAND,
    )
    return TableReading(underway=frozenset(cards), waiting=waiting)


def _read_reveal(position: PatricianPosition, seen: Layout) -> TableReading:
    """A card of the deck lies beside the city whose space is empty."""
    city = CITIES[position.space]
    there = sorted(seen.pieces(f"market{city.id}") & set(position.deck))
    underway = frozenset(seen.zone_of()) & frozenset(position.deck)
    if len(there) > 1:
        return TableReading(
            underway=underway,
            question=Message("Only one card lies beside {city}; put the others back.", city=city.title),
        )
    if not there:
        return TableReading(
            underway=underway, waiting=Message("Turn up a card and put it beside {city}.", city=city.title)
        )
    return TableReading([REVEAL[there[0]]], underway)


def _read_play(position: PatricianPosition, seen: Layout) -> TableReading:
    """A card of the own hand lies on the own pile."""
    seat = position.active
    laid = sorted(seen.pieces(f"played{seat}") & set(position.hands[seat]))
    if len(laid) > 1:
        return TableReading(
            underway=frozenset(laid), question=Message("Only one card is played; take the others back.")
        )
    if not laid:
        return TableReading(
            waiting=Message("{name}: put a card on your pile.", name=SeatRef(seat, position.names[seat]))
        )
    return TableReading([PLAY[laid[0]]], frozenset(laid))


def _read_floor(position: PatricianPosition, _seen: Layout) -> TableReading:
    city = CITIES[position.built].title
    more = Message.plural("one floor", "{count} floors", position.left)
    return TableReading(
        waiting=Message(
            "Place {more} in {city}: press MONEY for site A or BUILD for site B, or choose on the page.",
            more=more,
            city=city,
        )
    )


def _read_move(_position: PatricianPosition, _seen: Layout) -> TableReading:
    return TableReading(waiting=Message("Choose a move on the page, or press PASS to skip it."))


def _read_take(position: PatricianPosition, seen: Layout) -> TableReading:
    """A market card has left the table, or lies in the own hand zone."""
    lies = seen.zone_of()
    seat = position.active
    beside = {card: f"market{city.id}" for card, city in zip(position.market, position.cities, strict=True) if card}
    moved = frozenset(card for card, zone in beside.items() if lies.get(card) != zone)
    taken = sorted(card for card in moved if lies.get(card, f"hand{seat}") == f"hand{seat}")
    if len(taken) > 1:
        return TableReading(underway=moved, question=Message("Only one card is taken; put the others back."))
    if not taken:
        return TableReading(
            underway=moved,
            waiting=Message("{name}: take a card from beside a city.", name=SeatRef(seat, position.names[seat])),
        )
    return TableReading([TAKE[taken[0]]], moved)


READERS: Mapping[str, Callable[[PatricianPosition, Layout], TableReading]] = {
    "deal": _read_deal,
    "setup": _read_reveal,
    "play": _read_play,
    "floor": _read_floor,
    "move": _read_move,
    "take": _read_take,
    "reveal": _read_reveal,
}
"""Phase → how the table is read in it."""
