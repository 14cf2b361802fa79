"""From data to a position: every piece exactly once, and nothing that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from tabletop.rules.game import Json
from tabletop.rules.palazzo.components import END_TILES, MONEY, STACKS, START, TILES
from tabletop.rules.palazzo.options import UNKNOWN, Options, options
from tabletop.rules.palazzo.phases.auction import HANDOUT
from tabletop.rules.palazzo.phases.building import ascends
from tabletop.rules.palazzo.phases.money import read
from tabletop.rules.palazzo.phases.turn import taker
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.rules import PHASES
from tabletop.rules.palazzo.state import NO_STAKE, Stake
from tabletop.rules.validate import bad, items, member, names, number, one_of, pieces, show, table
from tabletop.rules.value import Ids

CHANCE = ("setup", "deal", "reveal", "over")
"""The phases in which no seat decides."""
SEATS = range(2, 5)
_MONEY, _TILES, _ENDS = frozenset(MONEY), frozenset(TILES), frozenset(END_TILES)
LISTS: Mapping[str, frozenset[str]] = {
    "warehouse": _TILES,
    "end_tiles": _ENDS,
    "deck": _MONEY,
    "discards": _MONEY,
    "box": _TILES,
    "row": _MONEY,
    "pending": _TILES,
}
"""The lists of a position, and what can lie in each."""


def load(data: Json, edition: str) -> PalazzoPosition:
    """Return the position that the data describes; raises Illegal (``bad-position``) naming what is wrong."""
    if not isinstance(data, dict) or data.get("game") != "palazzo":
        raise bad('a position is an object with "game": "palazzo"')
    seats = items(member(data, "seats", "the position"), "seats")
    if len(seats) not in SEATS:
        raise bad(f"Palazzo has 2 to 4 seats, not {len(seats)}")
    chosen = options({} if data.get("options") is None else data["options"], len(seats), edition, "bad-position")
    fields = _of_the_seats(seats) | _of_the_table(data) | _of_the_turn(data, len(seats), chosen)
    position = PalazzoPosition.make(options=chosen, unseen=_unseen(data, chosen), **fields)
    _once(position)
    for check in (*CHECKS[position.phase], _ended):
        check(position)
    return position


# The parts, one by one.


def _of_the_seats(seats: list[Json]) -> dict[str, object]:
    """The fields with one item for each seat."""
    return {
        "names": names(seats),
        "hands": tuple([_hand(seat, at) for at, seat in enumerate(seats)]),
        "palazzi": tuple([_palazzi(seat, at) for at, seat in enumerate(seats)]),
    }


def _of_the_table(data: Mapping[str, Json]) -> dict[str, object]:
    """What lies on the table but the stacks; a list that is left out is empty."""
    lists = {key: pieces([] if data.get(key) is None else data[key], key, kinds) for key, kinds in LISTS.items()}
    quarries = items(member(data, "quarries", "the position"), "quarries")
    if len(quarries) != 4:
        raise bad(f"there are four quarries, not {len(quarries)}")
    return lists | {
        "deck": tuple(sorted(lists["deck"])),
        "quarries": tuple([pieces(tiles, f"quarry {at}", _TILES) for at, tiles in enumerate(quarries, start=1)]),
        "architect": number(data.get("architect"), "architect", range(1, 5)),
    }


def _of_the_turn(data: Mapping[str, Json], count: int, chosen: Options) -> dict[str, object]:
    """Whose turn it is, what is to be decided and what is under way."""
    turn = member(data, "turn", "the position")
    phase = one_of(member(turn, "phase", "turn"), "the phase", PHASES)
    return {
        "active": number(data.get("active"), "active", range(count)),
        "phase": phase,
        "decider": _decider(turn, phase, count),
        "drawn": _drawn(data, phase),
        "laid": _laid(data, phase, count, chosen.certificates_alone),
        "out": _out(data, phase, count),
        "handout": _handout(data, phase, count),
    }


def _unseen(data: Mapping[str, Json], chosen: Options) -> tuple[Ids, ...]:
    """The stacks, sorted; with unknown ones all in the first."""
    unseen = member(data, "unseen", "the position")
    stacks = [pieces(member(unseen, stack, "unseen"), f"unseen {stack}", _TILES | _ENDS) for stack in STACKS]
    if chosen.stacks == UNKNOWN:
        stacks = [tuple([piece for stack in stacks for piece in stack]), (), ()]
    return tuple([tuple(sorted(stack)) for stack in stacks])


def _hand(seat: Json, at: int) -> Ids:
    return tuple(sorted(pieces(member(seat, "hand", f"seat {at + 1}"), f"the hand of seat {at + 1}", _MONEY)))


def _palazzi(seat: Json, at: int) -> tuple[Ids, ...]:
    columns = []
    for column in items(member(seat, "palazzi", f"seat {at + 1}"), f"the palazzi of seat {at + 1}"):
        tiles = pieces(column, f"a palazzo of seat {at + 1}", _TILES)
        if not tiles:
            raise bad(f"a palazzo of seat {at + 1} is empty")
        if not ascends(tiles):
            raise bad(f"the floors of {' '.join(tiles[:6])} of seat {at + 1} do not ascend")
        columns.append(tiles)
    return tuple(columns)


def _decider(turn: Mapping[str, Json], phase: str, count: int) -> int | None:
    seat = turn.get("seat")
    if phase in CHANCE:
        if seat is not None:
            raise bad(f"no seat decides in {phase}, but turn names {show(seat)}")
        return None
    return number(seat, "the seat of turn", range(count))


def _drawn(data: Mapping[str, Json], phase: str) -> Ids | None:
    drawn = data.get("drawn")
    if phase == "choose":
        return pieces([] if drawn is None else drawn, "drawn", _TILES | _ENDS)
    if phase != "reveal" or drawn is None:
        return None
    return pieces(drawn, "drawn", _TILES | _ENDS)


def _laid(data: Mapping[str, Json], phase: str, count: int, alone: bool) -> tuple[Stake, ...] | None:
    if phase != "bid":
        return None
    laid = table(member(member(data, "auction", "the position"), "laid", "auction"), "laid")
    for seat in laid:
        if seat not in [str(other) for other in range(count)]:
            raise bad(f"laid names {show(seat)}, which is no seat")
    return tuple(_stake(laid.get(str(seat), []), seat, alone) for seat in range(count))


def _stake(acts: Json, seat: int, alone: bool) -> Stake:
    """Each act has a legal reading, all in one currency; ``alone`` is the option for certificates."""
    stake = NO_STAKE
    for act in items(acts, f"laid {seat}"):
        cards = pieces(act, f"an act of seat {seat + 1}", _MONEY | {START})
        reading = read(cards)
        if not cards or reading is None or (reading.currency and stake.currency not in (None, reading.currency)):
            raise bad(f"what seat {seat + 1} has laid makes no bid")
        stake = stake.add(cards)
        if reading.certificates and not stake.currency and not alone:
            raise bad(f"seat {seat + 1} has laid a loose certificate without a card of a currency")
    return stake


def _seats(data: Json, where: str, count: int) -> tuple[int, ...]:
    found = tuple(number(seat, where, range(count)) for seat in items(data, where))
    if len(set(found)) < len(found):
        raise bad(f"{where} names a seat twice")
    return found


def _out(data: Mapping[str, Json], phase: str, count: int) -> tuple[int, ...]:
    if phase != "bid":
        return ()
    return tuple(sorted(_seats(data["auction"].get("out", []), "out", count)))


def _handout(data: Mapping[str, Json], phase: str, count: int) -> tuple[int, ...] | None:
    handout = data.get("handout")
    return None if handout is None or phase not in ("claim", "place") else _seats(handout, "handout", count)


# The parts against each other.


def _once(position: PalazzoPosition) -> None:
    """Every tile, end tile and money card is somewhere, once."""
    acts = [card for stake in position.laid or () for act in stake.acts for card in act if card != START]
    lying = (
        *(card for hand in position.hands for card in hand),
        *(tile for own in position.palazzi for column in own for tile in column),
        *(tile for tiles in position.quarries for tile in tiles),
        *(piece for stack in position.unseen for piece in stack),
        *position.warehouse, *position.end_tiles, *position.deck, *position.discards, *position.box, *position.row,
        *position.pending, *acts,
    )  # fmt: skip
    counted = sorted(lying)
    for piece, following in pairwise(counted):
        if piece == following:
            raise bad(f"{piece} is in two places", piece=piece)
    missing = (_MONEY | _TILES | _ENDS).difference(counted)
    if missing:
        raise bad(f"{min(missing)} is missing", piece=min(missing))


def _ended(position: PalazzoPosition) -> None:
    if (len(position.end_tiles) == len(END_TILES)) != (position.phase == "over"):
        raise bad("the game is over when all five end tiles have come, and only then")


def _empty(*fields: str) -> Callable[[PalazzoPosition], None]:
    def check(position: PalazzoPosition) -> None:
        for field in fields:
            if getattr(position, field):
                raise bad(f"nothing can be in {field} in the phase {position.phase}")

    return check


def _active_decides(position: PalazzoPosition) -> None:
    if position.decider != position.active:
        raise bad(f"in {position.phase} the active seat decides")


def _setup(position: PalazzoPosition) -> None:
    placed = [*position.quarries, position.warehouse]
    filled = sum(1 for tiles in placed if tiles)
    if any(len(tiles) != (at < filled) for at, tiles in enumerate(placed)):
        raise bad("in setup one tile lies on each quarry in order, then one in the warehouse")
    if position.phase == "setup" and filled == len(placed):
        raise bad("the setup is complete: the deal follows")
    if position.phase == "deal" and filled < len(placed):
        raise bad("the setup is not complete: quarries and warehouse must hold a tile each")
    if any(position.hands) and position.phase == "setup":
        raise bad("no cards are dealt before the setup is complete")


def _deal(position: PalazzoPosition) -> None:
    held = [len(hand) for hand in position.hands]
    dealt = sum(1 for number in held if number)
    if dealt == len(held) or held != [4] * dealt + [0] * (len(held) - dealt):
        raise bad("in deal the first seats hold four cards each and the last none")


def _revealing(position: PalazzoPosition) -> None:
    drawn = position.drawn
    if drawn is None:
        if len(position.row) > position.seats:
            raise bad(f"the money row is complete with {position.seats + 1} cards")
        if len(position.row) + len(position.deck) + len(position.discards) <= position.seats:
            raise bad(f"there are too few money cards for a row of {position.seats + 1}")
    elif position.row:
        raise bad("no money row lies while two tiles are turned up")
    elif len(drawn) > 1:
        raise bad("two tiles have been turned up: the choice follows")
    else:
        _drawn_lie(position)


def _drawn_lie(position: PalazzoPosition) -> None:
    drawn = position.drawn or ()
    if len(drawn) > 2 or len(set(drawn)) < len(drawn):
        raise bad("at most two different tiles are drawn in a build")
    for at, piece in enumerate(drawn):
        quarries: Iterable[str] = [tile for tiles in position.quarries for tile in tiles]
        if piece not in position.end_tiles and piece not in (quarries if at else position.warehouse):
            raise bad(f"{piece} was drawn but does not lie where it was laid", piece=piece)


def _taking(position: PalazzoPosition) -> None:
    left = len(position.row)
    if not 1 <= left <= position.seats + 1 or position.decider != taker(position, left):
        raise bad(f"with {left} cards left in the row it is not seat {position.seat + 1} that takes")


def _bidding(position: PalazzoPosition) -> None:
    laid = position.laid or ()
    if not 0 < len(position.quarry) < HANDOUT:
        raise bad("an auction offers one to three tiles on the architect's quarry")
    if position.seats - len(position.out) < 2 or position.decider in position.out:
        raise bad("in an auction at least two seats are still in, and one of them decides")
    for seat, (acts, _, _) in enumerate(laid):
        if acts and seat in position.out:
            raise bad(f"seat {seat + 1} is out and has taken its cards back")
        opened = (acts[:1] == ((START,),), sum(act.count(START) for act in acts))
        if opened != ((True, 1) if seat == position.active and seat not in position.out else (False, 0)):
            raise bad("the start certificate is the first act of the active seat alone, until it passes")
    if not any(stake.acts for stake in laid):
        raise bad("somebody holds the highest bid")


def _claiming(position: PalazzoPosition) -> None:
    left = position.handout or ()
    if not left or left[0] != position.decider:
        raise bad("in claim the first seat of the hand-out decides")
    if len(position.quarry) < len(left):
        raise bad("there are fewer tiles than seats in the hand-out")
    _in_order(position, left)


def _placing(position: PalazzoPosition) -> None:
    if not position.pending:
        raise bad("in place at least one tile is pending")
    if position.handout is not None:
        if len(position.pending) != 1:
            raise bad("in a hand-out one tile is placed at a time")
        if len(position.quarry) < len(position.handout):
            raise bad("there are fewer tiles than seats in the hand-out")
        _in_order(position, (position.seat, *position.handout))


def _in_order(position: PalazzoPosition, left: tuple[int, ...]) -> None:
    count = position.seats
    if left != tuple((position.active - len(left) + step) % count for step in range(count))[: len(left)]:
        raise bad("a hand-out goes clockwise from the active seat")


_QUIET = _empty("row", "pending")

CHECKS: Mapping[str, tuple[Callable[[PalazzoPosition], None], ...]] = {
    "setup": (_QUIET, _setup),
    "deal": (_QUIET, _setup, _deal),
    "action": (_QUIET, _active_decides),
    "reveal": (_empty("pending"), _revealing),
    "take": (_empty("pending"), _taking),
    "choose": (_QUIET, _active_decides, _drawn_lie),
    "bid": (_QUIET, _bidding),
    "claim": (_QUIET, _claiming),
    "place": (_empty("row"), _placing),
    "over": (_QUIET,),
}
"""What must hold in each phase besides every piece being somewhere once."""
