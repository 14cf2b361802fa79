"""A position as data: how each field is shown and read, and who may know it."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules import validate
from tabletop.rules.codec import NAME, SEAT, Codec, PositionDraft, each, named, number, optional, pieces, word
from tabletop.rules.fields import TURN, Data, Field
from tabletop.rules.game import Json, Policy
from tabletop.rules.palazzo.components import END_TILES, MONEY, STACKS, START_CERTIFICATE, TILES
from tabletop.rules.palazzo.phases.palazzi import Column, ascends
from tabletop.rules.palazzo.phases.payments import read
from tabletop.rules.palazzo.state import NO_STAKE, Stake
from tabletop.rules.validate import must, seat_name

_TILES, _ENDS = frozenset(TILES), frozenset(END_TILES)
_CARDS, _SORTED_CARDS, _BUILT = pieces(MONEY), pieces(MONEY, sorted), pieces(_TILES)
_ACTS = each(pieces({*MONEY, START_CERTIFICATE}))


def _read_palazzo(data: Json, where: str, draft: PositionDraft) -> Column:
    tiles: Column = _BUILT.read(data, where, draft)
    must(tiles, "{where} is empty", where=where)
    must(ascends(tiles), "the floors of {where} do not ascend", where=where)
    return tiles


def _read_seats(data: Json, where: str, draft: PositionDraft) -> tuple[int, ...]:
    seats: tuple[int, ...] = each(SEAT).read(data, where, draft)
    must(len({*seats}) == len(seats), "{where} names a seat twice", where=where)
    return seats


def _read_auction(data: Json, where: str, draft: PositionDraft) -> tuple[tuple[Stake, ...], tuple[int, ...]]:
    """Return the stake of each seat, and the seats that are out."""
    laid = validate.table(validate.member(data, "laid", where), "laid")
    seats = [str(number) for number in range(draft.seats)]
    for key in laid:
        must(key in seats, "laid names {seat}, which is not a seat", seat=validate.show(key))
    stakes = [_read_stake(laid.get(key, []), at, draft) for at, key in enumerate(seats)]
    return tuple(stakes), tuple(sorted(_read_seats(data.get("out", []), "out", draft)))


def _read_stake(acts: Json, at: int, draft: PositionDraft) -> Stake:
    """Return a seat's stake.

    Each act must have a legal reading, all in one currency; an option says whether certificates may be laid alone.
    """
    stake, who = NO_STAKE, seat_name(at)
    for cards in _ACTS.read(acts, validate.within("laid", who), draft):
        reading = read(cards)
        fits = cards and reading and (not reading.currency or stake.currency in (None, reading.currency))
        must(fits, "what {who} has laid is not a bid", who=who)
        stake = stake.add(cards)
        alone = reading and reading.certificates and not stake.currency and not draft.options.certificates_alone
        must(not alone, "{who} has laid a loose certificate without a card of a currency", who=who)
    return stake


def _show_auction(auction: tuple[tuple[Stake, ...] | None, tuple[int, ...]]) -> Json:
    stakes, out = auction
    if stakes is None:
        return None
    laid = {str(seat): [list(act) for act in stake.acts] for seat, stake in enumerate(stakes) if stake.acts}
    return {"laid": laid, "out": list(out)}


SEAT_FIELDS: Mapping[str, Field] = {
    "name": Field(Policy.ALL, NAME, "names"),
    # The deal is secret.  A card taken from the row was seen by all, but then it is held: people may remember it, the
    # referee does not remind them.
    "hand": Field(Policy.OWNER, _SORTED_CARDS, "hands"),
    "palazzi": Field(Policy.ALL, each(Codec(_read_palazzo, list))),
}

FIELDS: Mapping[str, Field] = {
    "warehouse": Field(Policy.ALL, _BUILT, absent=[]),
    "quarries": Field(Policy.ALL, each(_BUILT, 4)),
    "architect": Field(Policy.ALL, number(range(1, 5))),
    # Which tiles have not come yet follows from those that have; their order is not in the position.
    "unseen": Field(Policy.ALL, named(STACKS, pieces(_TILES | _ENDS, sorted))),
    "end_tiles": Field(Policy.ALL, pieces(_ENDS), absent=[]),
    # Deck and hands together are the cards that are not in the open: a list of the deck would reveal the hands.
    "deck": Field(Policy.COUNT, _SORTED_CARDS, absent=[]),
    "discards": Field(Policy.ALL, _CARDS, absent=[]),
    # Every tile in the box has lain face up on the table before.
    "box": Field(Policy.ALL, _BUILT, absent=[]),
    "row": Field(Policy.ALL, _CARDS, absent=[]),
    "active": Field(Policy.ALL, SEAT),
    "turn": TURN,
    "pending": Field(Policy.ALL, _BUILT, absent=[]),
    "drawn": Field(Policy.ALL, optional(each(word(_TILES | _ENDS))), absent=None, phases=("choose", "reveal")),
    "auction": Field(Policy.ALL, Codec(_read_auction, _show_auction), ("laid", "out"), phases=("bid",)),
    "handout": Field(Policy.ALL, optional(Codec(_read_seats, list)), absent=None, phases=("claim", "place")),
}
"""Every field except the game, its options (known to all) and the seats, in the order of the data."""

DATA = Data("palazzo", SEAT_FIELDS, FIELDS)
