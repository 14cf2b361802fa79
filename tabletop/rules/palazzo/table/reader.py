"""How Palazzo's table is read: what a layout shows was done.

One function a phase reads the table; each is constructive: it says which action the pieces show, legal or not, and
leaves it to the rules to refuse it with a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from tabletop.messages import EMPTY, Message, PieceRef, listed
from tabletop.rules.actions import Deal, Reveal
from tabletop.rules.game import Action
from tabletop.rules.layout import Columns
from tabletop.rules.look import Look
from tabletop.rules.palazzo.actions import Bid, Buy, Claim, Place, Rebuild, Scrap, Take
from tabletop.rules.palazzo.components import END_TILES, TILES
from tabletop.rules.palazzo.phases.chance import HAND
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.table.rebuilding import moved_tile
from tabletop.rules.table import OK, TableReading

PalazzoLook: TypeAlias = Look[PalazzoPosition]


def _hand_cards(look: PalazzoLook) -> list[str]:
    """Return the seat's hand cards that lie in its bid zone."""
    return look.came(f"bid{look.seat}", "money", out_of=f"hand{look.seat}")


def _others_offer(look: PalazzoLook) -> bool:
    """Return whether another seat has laid cards of its hand in its bid zone."""
    others = (seat for seat in range(look.position.seats) if seat != look.seat)
    return any(look.came(f"bid{seat}", "money", out_of=f"hand{seat}") for seat in others)


def _columns(look: PalazzoLook) -> frozenset[tuple[str, ...]]:
    """Return the seat's palazzi as they are seen."""
    there = look.seen.get(f"seat{look.seat}")
    return there.columns if isinstance(there, Columns) else frozenset()


def _placements(look: PalazzoLook, tiles: Iterable[str], *, scrap: bool) -> list[Action]:
    """Return how the tiles were placed, bottom up; a tile that is out of sight was scrapped if ``scrap``."""
    wanted = set(tiles)
    done: list[Action] = []
    for column in sorted(_columns(look)):
        for below, tile in zip((None, *column), column, strict=False):
            if tile in wanted:
                done.append(Place(tile, below))
                wanted.discard(tile)
    return done + [Scrap(tile) for tile in sorted(wanted) if scrap and tile not in look.lying]


def read_setup(look: PalazzoLook) -> TableReading:
    """A tile lies in the first quarry that is empty, the last one in the warehouse."""
    empty = [f"quarry{number}" for number, tiles in enumerate(look.position.quarries, start=1) if not tiles]
    zone = empty[0] if empty else "warehouse"
    fresh = look.turned_up("stack")
    tiles = [tile for tile in fresh if tile in TILES and look.lying[tile] == zone]
    waiting = Message("Turn up a tile and put it here: {place}.", place=_name(zone))
    many = Message("Only one tile goes to {place} now.", place=_name(zone))
    return TableReading.of_one(tiles, Reveal, fresh, waiting=waiting, many=many)


def read_deal(look: PalazzoLook) -> TableReading:
    """Each seat in turn shows its four cards where it bids, then takes them up."""
    text = Message(
        "{name}: show your four money cards to the camera in your bid zone ({seen} of 4 seen).", name="", seen=0
    )
    return TableReading.of_deal(look, Deal, "bid", look.position.hands.index(()), HAND, text, out_of="deck")


def read_action(look: PalazzoLook) -> TableReading:
    """REBUILD, or a card laid and a tile moved, is a rebuilding once OK is pressed; buttons begin all else."""
    cards, own, shown = _hand_cards(look), look.position.palazzi[look.seat], _columns(look)
    lost = {tile for tile in chain.from_iterable(own) if tile not in look.lying}
    strayed = lost | {tile for column in set(own) ^ shown for tile in column}
    underway = frozenset(cards) | frozenset(strayed if look.intent == "rebuild" or cards else ())
    if not look.confirmed:
        return TableReading(underway=underway, confirms=OK if look.intent == "rebuild" else frozenset())
    move = moved_tile(own, shown)
    if look.intent != "rebuild" and not (cards and move):
        return TableReading(underway=underway)
    if len(cards) != 1:
        text = Message("To rebuild, put exactly one money card in your bid zone, then press OK.")
        return TableReading(underway=underway, waiting=text)
    if move is None:
        text = Message("Move exactly one of your palazzo tiles, then press OK.")
        return TableReading(underway=underway, waiting=text)
    return TableReading([Rebuild(move.kind, move.tile, move.onto or None, cards[0])], underway)


def read_reveal(look: PalazzoLook) -> TableReading:
    """Money or tiles are turned up, whichever the seat chose."""
    return _read_money_row(look) if look.position.drawn is None else _read_drawn_tiles(look, look.position.drawn)


def _read_money_row(look: PalazzoLook) -> TableReading:
    missing = look.position.seats + 1 - len(look.position.row)
    # If the deck runs out in mid-row its last cards come before those of the shuffled discards.
    fresh = sorted(look.came("row", "money"), key=lambda card: (look.home[card] != "deck", card))
    left = missing - len(fresh)
    lay = Message.plural("Lay {count} more money card in the row.", "Lay {count} more money cards in the row.", left)
    waiting = lay if left > 0 else EMPTY
    return TableReading([Reveal(card) for card in fresh[:missing]], frozenset(fresh), waiting)


def _read_drawn_tiles(look: PalazzoLook, drawn: Sequence[str]) -> TableReading:
    fresh = look.turned_up("stack")
    if not fresh:
        first, second = Message("first tile: into the warehouse"), Message("second tile: onto its quarry")
        text = Message("Turn up the {which} (an end tile is set aside).", which=second if drawn else first)
        return TableReading(waiting=text)
    question, order = EMPTY, fresh if drawn else _drawing_order(look, fresh)
    if drawn and len(fresh) > 1:
        question = Message("Only one more tile is turned up; put the others back.")
    elif len(fresh) > 2:
        question = Message("Only two tiles are turned up; put the others back.")
    elif not order:
        question = Message("Which tile was first? The first goes to the warehouse, the second to its quarry.")
    return TableReading([Reveal(piece) for piece in order if not question], frozenset(fresh), question=question)


def _drawing_order(look: PalazzoLook, fresh: Sequence[str]) -> list[str]:
    """Return the fresh pieces in the order in which they were turned up, none of them if their places do not tell.

    The first tile goes to the warehouse and the second to a quarry; an end tile takes the turn that is left.
    """
    first = [piece for piece in fresh if look.lying[piece] == "warehouse"]
    ends = [piece for piece in fresh if piece in END_TILES]
    second = [piece for piece in fresh if piece not in first and piece not in ends]
    if len(first) > 1 or len(second) > 1:
        return []
    if second and not first:
        return [*ends, *second] if ends else []
    return [*first, *second, *ends]


def read_take(look: PalazzoLook) -> TableReading:
    """A card has left the row."""
    gone, seats = look.out("row"), look.position.seats
    moved = frozenset(look.went("row")) & look.lying.keys()
    # The active seat takes two, each of the others one.
    turns = len(look.position.row) - (seats - 1) if look.seat == look.position.active else 1
    if len(gone) > turns:
        text = Message("More cards were taken than one seat may take: put them back and take turns.")
        return TableReading(underway=moved, question=text)
    return TableReading([Take(card) for card in gone], moved)


def read_choose(look: PalazzoLook) -> TableReading:
    """Tiles have left the warehouse and cards pay for them, once OK is pressed."""
    cards, taken = _hand_cards(look), look.went("warehouse", "tile")
    buying = look.intent == "buy" or bool(cards)
    # A palazzo that grows with the same movement is no longer the palazzo that it was.
    grown = chain.from_iterable(column for column in _columns(look) if not set(taken).isdisjoint(column))
    underway = frozenset(cards) | frozenset(chain(taken, grown) if buying else ())
    if not look.confirmed or not buying:
        return TableReading(underway=underway, confirms=OK if buying else frozenset())
    if not taken:
        text = Message("Take the tiles you buy out of the warehouse, then press OK.")
        return TableReading(underway=underway, waiting=text)
    return TableReading([Buy(tuple(taken), tuple(cards)), *_placements(look, taken, scrap=False)], underway)


def read_bid(look: PalazzoLook) -> TableReading:
    """Cards of the hand lie where the seat bids, once OK is pressed."""
    cards = _hand_cards(look)
    # Somebody who bids next without waiting shows that the bid before is complete.
    if not look.confirmed and not (cards and _others_offer(look)):
        return TableReading(underway=frozenset(cards), confirms=OK if cards else frozenset())
    if not cards:
        return TableReading(waiting=Message("Put the cards you add in your bid zone and press OK, or press PASS."))
    return TableReading([Bid(tuple(cards))], frozenset(cards))


def read_claim(look: PalazzoLook) -> TableReading:
    """A tile of the quarry that was auctioned was taken, and placed."""
    taken = [tile for tile in look.position.quarry if look.lies(tile) != f"quarry{look.position.architect}"]
    if len(taken) > 1:
        return TableReading(underway=frozenset(taken), question=Message("One tile each: put back all but one."))
    placed = _placements(look, taken, scrap=look.confirmed)
    return TableReading([Claim(taken[0]), *placed], frozenset(taken)) if placed else _out_of_sight(look, taken)


def read_place(look: PalazzoLook) -> TableReading:
    """What was bought or won lies in the palazzi, or is discarded."""
    pending = look.position.pending
    placed = _placements(look, pending, scrap=look.confirmed)
    return TableReading(placed, frozenset(pending)) if placed else _out_of_sight(look, pending)


def _out_of_sight(look: PalazzoLook, tiles: Sequence[str]) -> TableReading:
    """Say what OK would do: a tile leaves the game only if its owner confirms that it is meant to."""
    gone = sorted(tile for tile in tiles if tile not in look.lying)
    if not gone:
        return TableReading(underway=frozenset(tiles))
    waiting = Message.plural(
        "{pieces} cannot be seen: build it, or press OK to discard it to the box.",
        "{pieces} cannot be seen: build them, or press OK to discard them to the box.",
        len(gone),
        pieces=listed([*map(PieceRef, gone)]),
    )
    return TableReading(underway=frozenset(tiles), waiting=waiting, confirms=OK)


def _name(zone: str) -> Message:
    """Return what a zone of the first tiles is called in a sentence."""
    return Message("quarry {number}", number=int(zone[-1])) if zone.startswith("quarry") else Message("the warehouse")
