"""Reads from a layout of Palazzo's table which actions were done.

One function per phase reads the table.  It returns the action that the pieces show, legal or not; refusing it with a
reason is left to the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from tabletop.messages import EMPTY, N_, Message
from tabletop.rules.chance_actions import Deal, Reveal
from tabletop.rules.look import Look
from tabletop.rules.palazzo.actions import Bid, Buy, Claim, Rebuild, Take
from tabletop.rules.palazzo.components import END_TILES, TILES
from tabletop.rules.palazzo.phases.chance import HAND_SIZE
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.table.placing import placed, placements
from tabletop.rules.palazzo.table.rebuilding import moved_tile
from tabletop.rules.table import OK_BUTTON, TableReading, into_hand

PalazzoLook: TypeAlias = Look[PalazzoPosition]


def _offer(look: PalazzoLook, seat: int) -> list[str]:
    """Return a seat's hand cards that lie in its bid zone."""
    return look.came(f"bid{seat}", "money", out_of=f"hand{seat}")


def read_setup(look: PalazzoLook) -> TableReading:
    """Read the setup: each tile belongs on the first empty quarry, the last one in the warehouse."""
    number = next((number for number, tiles in enumerate(look.position.quarries, start=1) if not tiles), 0)
    zone = f"quarry{number}" if number else "warehouse"
    place = Message("quarry {number}", number=number) if number else Message("the warehouse")
    fresh = look.turned_up("stack")
    tiles = [tile for tile in fresh if tile in TILES and look.lying[tile] == zone]
    waiting = Message("Turn up a tile and put it here: {place}.", place=place)
    many = Message("Only one tile goes to {place} now.", place=place)
    return TableReading.of_one(tiles, Reveal, fresh, waiting=waiting, many=many)


def read_deal(look: PalazzoLook) -> TableReading:
    """Read the deal: each seat in turn shows its four cards in its bid zone, then takes them up."""
    text = Message(
        "{name}: show your four money cards to the camera in your bid zone ({seen} of 4 seen).", name="", seen=0
    )
    return TableReading.of_deal(look, Deal, "bid", look.position.hands.index(()), HAND_SIZE, text, out_of="deck")


def read_action(look: PalazzoLook) -> TableReading:
    """Read a rebuild: REBUILD, or a card laid and a tile moved, and then OK; all else begins with a button."""
    cards, own, shown = _offer(look, look.seat), look.position.palazzi[look.seat], look.columns(f"seat{look.seat}")
    strayed = {tile for column in set(own) ^ shown for tile in column}
    underway = frozenset(cards) | frozenset(strayed if look.intent == "rebuild" or cards else ())
    move = moved_tile(own, shown)
    if look.intent != "rebuild" and not (cards and move):
        return TableReading(underway=underway)
    if len(cards) != 1 or move is None:
        tile = Message("Move exactly one of your palazzo tiles, then press OK.")
        card = Message("To rebuild, put exactly one money card in your bid zone, then press OK.")
        return TableReading(underway=underway, waiting=tile if len(cards) == 1 else card)
    if not look.confirmed:
        return TableReading(underway=underway, waiting=Message("Press OK to rebuild."), confirms=OK_BUTTON)
    return TableReading([Rebuild(move.kind, move.tile, move.onto or None, cards[0])], underway)


def read_reveal(look: PalazzoLook) -> TableReading:
    """Read the money cards or tiles that are turned up, whichever the seat chose."""
    if look.position.drawn is not None:
        return _read_drawn_tiles(look, look.position.drawn)
    missing = look.position.row_size - len(look.position.row)
    # A card that a page took still lies in the row until its player takes it up: it is not turned up again.
    turned = [card for card in look.came("row", "money") if look.home[card] in ("deck", "discards")]
    # If the deck runs out in mid-row its last cards come before those of the shuffled discards.
    fresh = sorted(turned, key=lambda card: (look.home[card] != "deck", card))
    left = missing - len(fresh)
    if left < 0:
        text = Message.plural(
            "Only {count} more money card is turned up; put the others back.",
            "Only {count} more money cards are turned up; put the others back.",
            missing,
        )
        return TableReading(underway=frozenset(fresh), question=text)
    lay = Message.plural("Lay {count} more money card in the row.", "Lay {count} more money cards in the row.", left)
    return TableReading([Reveal(card) for card in fresh], frozenset(fresh), lay if left else EMPTY)


def _read_drawn_tiles(look: PalazzoLook, drawn: Sequence[str]) -> TableReading:
    fresh = look.turned_up("stack")
    if not fresh:
        which = Message("second tile: onto its quarry") if drawn else Message("first tile: into the warehouse")
        return TableReading(waiting=Message("Turn up the {which} (an end tile is set aside).", which=which))
    question, order = EMPTY, fresh if drawn else _drawing_order(look, fresh)
    if drawn and len(fresh) > 1:
        question = Message("Only one more tile is turned up; put the others back.")
    elif len(fresh) > 2:
        question = Message("Only two tiles are turned up; put the others back.")
    elif not order:
        question = Message("Which tile was first? The first goes to the warehouse, the second to its quarry.")
    return TableReading([Reveal(piece) for piece in order if not question], frozenset(fresh), question=question)


def _drawing_order(look: PalazzoLook, fresh: Sequence[str]) -> list[str]:
    """Return the fresh pieces in the order in which they were turned up; empty if their places do not show it.

    The first tile goes to the warehouse and the second to a quarry; an end tile was the other one of the two.
    """
    first = [piece for piece in fresh if look.lying[piece] == "warehouse"]
    ends = [piece for piece in fresh if piece in END_TILES]
    second = [piece for piece in fresh if piece not in first and piece not in ends]
    if max(len(first), len(second)) > 1 or (second and not first and not ends):
        return []
    return [*first, *second, *ends] if first else [*ends, *second]


def read_take(look: PalazzoLook) -> TableReading:
    """Read which cards were taken from the row."""
    gone, seats = look.out("row"), look.position.seats
    # The active seat takes two, each of the others one.
    turns = len(look.position.row) - (seats - 1) if look.seat == look.position.active else 1
    if len(gone) > turns:
        text = Message("More cards were taken than one seat may take: put them back and take turns.")
        return TableReading(underway=frozenset(look.went("row")), question=text)
    return TableReading([Take(card) for card in gone], waiting=into_hand(look, ["row"]))


def read_choose(look: PalazzoLook) -> TableReading:
    """Read a purchase: tiles have left the warehouse, cards pay for them, and OK was pressed."""
    cards, taken = _offer(look, look.seat), look.went("warehouse", "tile")
    buying = look.intent == "buy" or bool(cards)
    # A palazzo on which a tile was built in the same movement no longer matches the record.
    grown = chain.from_iterable(
        column for column in look.columns(f"seat{look.seat}") if not set(taken).isdisjoint(column)
    )
    underway = frozenset(cards) | frozenset(chain(taken, grown) if buying else ())
    if not buying:
        return TableReading(underway=underway)
    if not taken:
        take = Message("Take the tiles you buy out of the warehouse, then press OK.")
        return TableReading(underway=underway, waiting=take)
    buy = Buy(tuple(taken), tuple(cards))
    if not look.confirmed:
        enough = look.position.refusal(buy) is None
        pay = N_("Press OK to buy.") if enough else N_("Put the cards you pay with in your bid zone, then press OK.")
        return TableReading(underway=underway, waiting=Message(pay), confirms=OK_BUTTON if enough else frozenset())
    return TableReading([buy, *placements(look, taken).certain], underway)


def read_bid(look: PalazzoLook) -> TableReading:
    """Read a bid: cards of the hand lie in the seat's bid zone, and OK was pressed."""
    cards = _offer(look, look.seat)
    # The next seat bids without waiting: so the bid before is complete.
    bid_next = any(_offer(look, seat) for seat in range(look.position.seats) if seat != look.seat)
    add = Message("Put the cards you add in your bid zone and press OK, or press PASS.")
    if not cards:
        return TableReading(waiting=add if look.confirmed else EMPTY)
    bid = Bid(tuple(cards))
    if look.confirmed or bid_next:
        return TableReading([bid], frozenset(cards))
    if look.position.refusal(bid):
        return TableReading(underway=frozenset(cards), waiting=add)
    return TableReading(underway=frozenset(cards), waiting=Message("Press OK to bid."), confirms=OK_BUTTON)


def read_claim(look: PalazzoLook) -> TableReading:
    """Read which tile of the hand-out was taken from the architect's quarry, and where it was placed."""
    taken = [tile for tile in look.position.quarry if look.lies(tile) != f"quarry{look.position.architect}"]
    if len(taken) > 1:
        return TableReading(underway=frozenset(taken), question=Message("One tile each: put back all but one."))
    return placed(look, taken, *map(Claim, taken))


def read_place(look: PalazzoLook) -> TableReading:
    """Read where the tiles that were bought or won were placed, or that they were discarded."""
    return placed(look, look.position.pending)
