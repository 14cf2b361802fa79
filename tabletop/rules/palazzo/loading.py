"""From data to a position: every piece exactly once, and nothing that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NoReturn

from tabletop.rules.game import Illegal, Json
from tabletop.rules.palazzo.auction import HANDOUT
from tabletop.rules.palazzo.building import ascends
from tabletop.rules.palazzo.components import END_TILES, MONEY, STACKS, START, TILES
from tabletop.rules.palazzo.money import read
from tabletop.rules.palazzo.options import UNKNOWN, options
from tabletop.rules.palazzo.position import PHASES, PalazzoPosition
from tabletop.rules.palazzo.state import NO_STAKE, Stake
from tabletop.rules.palazzo.turn import taker
from tabletop.rules.value import Ids

CHANCE = ("setup", "deal", "reveal", "over")
"""The phases in which no seat decides."""
SEATS = range(2, 5)
LONGEST_NAME = 200
_MONEY, _TILES, _ENDS = frozenset(MONEY), frozenset(TILES), frozenset(END_TILES)


def wrong(message: str, **facts: Json) -> NoReturn:
    """Refuse the data."""
    raise Illegal("bad-position", message, "Components", facts)


def show(value: Json) -> str:
    """Return a short picture of a value of any size for a sentence."""
    text = repr(value) if isinstance(value, str | int | float | bool | None) else f"a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


def member(data: Json, key: str, where: str) -> Json:
    """Return the value of a key that must be there."""
    if not isinstance(data, dict):
        wrong(f"{where} must be an object, not {show(data)}.")
    if data.get(key) is None:
        wrong(f"{where} has no {key}.")
    return data[key]


def items(data: Json, where: str, most: int = 200) -> list[Json]:
    """Return the items of a list."""
    if not isinstance(data, list):
        wrong(f"{where} must be a list, not {show(data)}.")
    if len(data) > most:
        wrong(f"{where} has {len(data)} items; at most {most} are possible.")
    return data


def pieces(data: Json, where: str, kinds: frozenset[str]) -> Ids:
    """Return the pieces of a list, each of which must be of the kinds that can lie there."""
    for piece in items(data, where):
        if not isinstance(piece, str) or piece not in kinds:
            wrong(f"{where} names {show(piece)}, which cannot lie there.", where=where)
    return tuple(data)


def number(data: Json, where: str, allowed: range) -> int:
    """Return a whole number of the range."""
    if type(data) is not int or data not in allowed:
        wrong(f"{where} must be a whole number from {allowed[0]} to {allowed[-1]}, not {show(data)}.")
    return data


def load(data: Json, edition: str) -> PalazzoPosition:
    """Return the position that the data describes; raises Illegal (``bad-position``) naming what is wrong."""
    if not isinstance(data, dict):
        wrong(f"A position must be an object, not {show(data)}.")
    if data.get("game") != "palazzo":
        wrong("The position is not one of palazzo.")
    seats = items(member(data, "seats", "the position"), "seats")
    if len(seats) not in SEATS:
        wrong(f"Palazzo has 2 to 4 seats, not {len(seats)}.")
    count = len(seats)
    turn = member(data, "turn", "the position")
    phase = member(turn, "phase", "turn")
    if not isinstance(phase, str) or phase not in PHASES:
        wrong(f"There is no phase {show(phase)}.")

    def list_of(key: str, kinds: frozenset[str]) -> Ids:
        return pieces([] if data.get(key) is None else data[key], key, kinds)

    quarries = items(member(data, "quarries", "the position"), "quarries")
    if len(quarries) != 4:
        wrong(f"There are four quarries, not {len(quarries)}.")
    chosen = options({} if data.get("options") is None else data["options"], count, edition, "bad-position")
    unseen = [
        pieces(member(member(data, "unseen", "the position"), stack, "unseen"), f"unseen {stack}", _TILES | _ENDS)
        for stack in STACKS
    ]
    if chosen.stacks == UNKNOWN:
        unseen = [tuple(piece for stack in unseen for piece in stack), (), ()]
    position = PalazzoPosition.make(
        names=tuple(_name(seat, at) for at, seat in enumerate(seats)),
        options=chosen,
        hands=tuple(_hand(seat, at) for at, seat in enumerate(seats)),
        palazzi=tuple(_palazzi(seat, at) for at, seat in enumerate(seats)),
        warehouse=list_of("warehouse", _TILES),
        quarries=tuple(pieces(tiles, f"quarry {at}", _TILES) for at, tiles in enumerate(quarries, start=1)),
        architect=number(data.get("architect"), "architect", range(1, 5)),
        unseen=tuple(tuple(sorted(stack)) for stack in unseen),
        end_tiles=list_of("end_tiles", _ENDS),
        deck=tuple(sorted(list_of("deck", _MONEY))),
        discards=list_of("discards", _MONEY),
        box=list_of("box", _TILES),
        row=list_of("row", _MONEY),
        active=number(data.get("active"), "active", range(count)),
        phase=phase,
        decider=_decider(turn, phase, count),
        pending=list_of("pending", _TILES),
        drawn=_drawn(data, phase),
        laid=_laid(data, phase, count, chosen.certificates_alone),
        out=_out(data, phase, count),
        handout=_handout(data, phase, count),
    )
    _once(position)
    for check in (*CHECKS[phase], _ended):
        check(position)
    return position


def _name(seat: Json, at: int) -> str:
    name = member(seat, "name", f"seat {at}")
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        wrong(f"The name of seat {at} must be a text of at most {LONGEST_NAME} characters.")
    return name


def _hand(seat: Json, at: int) -> Ids:
    return tuple(sorted(pieces(member(seat, "hand", f"seat {at}"), f"the hand of seat {at}", _MONEY)))


def _palazzi(seat: Json, at: int) -> tuple[Ids, ...]:
    columns = []
    for column in items(member(seat, "palazzi", f"seat {at}"), f"the palazzi of seat {at}"):
        tiles = pieces(column, f"a palazzo of seat {at}", _TILES)
        if not tiles:
            wrong(f"A palazzo of seat {at} is empty.")
        if not ascends(tiles):
            wrong(f"The floors of {' '.join(tiles[:6])} of seat {at} do not ascend.")
        columns.append(tiles)
    return tuple(columns)


def _decider(turn: Mapping[str, Json], phase: str, count: int) -> int | None:
    seat = turn.get("seat")
    if phase in CHANCE:
        if seat is not None:
            wrong(f"No seat decides in {phase}, but turn names {show(seat)}.")
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
    laid = member(member(data, "auction", "the position"), "laid", "auction")
    if not isinstance(laid, dict):
        wrong("laid must be an object of seats.")
    for seat in laid:
        if seat not in [str(other) for other in range(count)]:
            wrong(f"laid names {show(seat)}, which is no seat.")
    return tuple(_stake(laid.get(str(seat), []), seat, alone) for seat in range(count))


def _stake(acts: Json, seat: int, alone: bool) -> Stake:
    """Each act has a legal reading, all in one currency; ``alone`` is the option for certificates."""
    stake = NO_STAKE
    for act in items(acts, f"laid {seat}"):
        cards = pieces(act, f"an act of seat {seat}", _MONEY | {START})
        reading = read(cards)
        if not cards or reading is None or (reading.currency and stake.currency not in (None, reading.currency)):
            wrong(f"What seat {seat} has laid makes no bid.")
        stake = stake.add(cards)
        if reading.certificates and not stake.currency and not alone:
            wrong(f"Seat {seat} has laid a loose certificate without a card of a currency.")
    return stake


def _seats(data: Json, where: str, count: int) -> tuple[int, ...]:
    found = tuple(number(seat, where, range(count)) for seat in items(data, where))
    if len(set(found)) < len(found):
        wrong(f"{where} names a seat twice.")
    return found


def _out(data: Mapping[str, Json], phase: str, count: int) -> tuple[int, ...]:
    if phase != "bid":
        return ()
    return tuple(sorted(_seats(data["auction"].get("out", []), "out", count)))


def _handout(data: Mapping[str, Json], phase: str, count: int) -> tuple[int, ...] | None:
    handout = data.get("handout")
    return None if handout is None or phase not in ("claim", "place") else _seats(handout, "handout", count)


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
            wrong(f"{piece} is in two places.", piece=piece)
    missing = (_MONEY | _TILES | _ENDS).difference(counted)
    if missing:
        wrong(f"{min(missing)} is missing.", piece=min(missing))


def _ended(position: PalazzoPosition) -> None:
    if (len(position.end_tiles) == len(END_TILES)) != (position.phase == "over"):
        wrong("The game is over when all five end tiles have come, and only then.")


def _empty(*names: str) -> Callable[[PalazzoPosition], None]:
    def check(position: PalazzoPosition) -> None:
        for name in names:
            if getattr(position, name):
                wrong(f"Nothing can be in {name} in the phase {position.phase}.")

    return check


def _active_decides(position: PalazzoPosition) -> None:
    if position.decider != position.active:
        wrong(f"In {position.phase} the active seat decides.")


def _setup(position: PalazzoPosition) -> None:
    placed = [*position.quarries, position.warehouse]
    filled = sum(1 for tiles in placed if tiles)
    if any(len(tiles) != (at < filled) for at, tiles in enumerate(placed)):
        wrong("In setup one tile lies on each quarry in order, then one in the warehouse.")
    if position.phase == "setup" and filled == len(placed):
        wrong("The setup is complete: the deal follows.")
    if position.phase == "deal" and filled < len(placed):
        wrong("The setup is not complete: quarries and warehouse must hold a tile each.")
    if any(position.hands) and position.phase == "setup":
        wrong("No cards are dealt before the setup is complete.")


def _deal(position: PalazzoPosition) -> None:
    held = [len(hand) for hand in position.hands]
    dealt = sum(1 for number in held if number)
    if dealt == len(held) or held != [4] * dealt + [0] * (len(held) - dealt):
        wrong("In deal the first seats hold four cards each and the last none.")


def _revealing(position: PalazzoPosition) -> None:
    drawn = position.drawn
    if drawn is None:
        if len(position.row) > position.seats:
            wrong(f"The money row is complete with {position.seats + 1} cards.")
        if len(position.row) + len(position.deck) + len(position.discards) <= position.seats:
            wrong(f"There are too few money cards for a row of {position.seats + 1}.")
    elif position.row:
        wrong("No money row lies while two tiles are turned up.")
    elif len(drawn) > 1:
        wrong("Two tiles have been turned up: the choice follows.")
    else:
        _drawn_lie(position)


def _drawn_lie(position: PalazzoPosition) -> None:
    drawn = position.drawn or ()
    if len(drawn) > 2 or len(set(drawn)) < len(drawn):
        wrong("At most two different tiles are drawn in a build.")
    for at, piece in enumerate(drawn):
        quarries: Iterable[str] = [tile for tiles in position.quarries for tile in tiles]
        if piece not in position.end_tiles and piece not in (quarries if at else position.warehouse):
            wrong(f"{piece} was drawn but does not lie where it was laid.", piece=piece)


def _taking(position: PalazzoPosition) -> None:
    left = len(position.row)
    if not 1 <= left <= position.seats + 1 or position.decider != taker(position, left):
        wrong(f"With {left} cards left in the row it is not seat {position.decider} that takes.")


def _bidding(position: PalazzoPosition) -> None:
    laid = position.laid or ()
    if not 0 < len(position.quarry) < HANDOUT:
        wrong("An auction offers one to three tiles on the architect's quarry.")
    if position.seats - len(position.out) < 2 or position.decider in position.out:
        wrong("In an auction at least two seats are still in, and one of them decides.")
    for seat, (acts, _, _) in enumerate(laid):
        if acts and seat in position.out:
            wrong(f"Seat {seat} is out and has taken its cards back.")
        opened = (acts[:1] == ((START,),), sum(act.count(START) for act in acts))
        if opened != ((True, 1) if seat == position.active and seat not in position.out else (False, 0)):
            wrong("The start certificate is the first act of the active seat alone, until it passes.")
    if not any(stake.acts for stake in laid):
        wrong("Somebody holds the highest bid.")


def _claiming(position: PalazzoPosition) -> None:
    left = position.handout or ()
    if not left or left[0] != position.decider:
        wrong("In claim the first seat of the hand-out decides.")
    if len(position.quarry) < len(left):
        wrong("There are fewer tiles than seats in the hand-out.")
    _in_order(position, left)


def _placing(position: PalazzoPosition) -> None:
    if not position.pending:
        wrong("In place at least one tile is pending.")
    if position.handout is not None:
        if len(position.pending) != 1:
            wrong("In a hand-out one tile is placed at a time.")
        if len(position.quarry) < len(position.handout):
            wrong("There are fewer tiles than seats in the hand-out.")
        _in_order(position, (position.seat, *position.handout))


def _in_order(position: PalazzoPosition, left: tuple[int, ...]) -> None:
    count = position.seats
    if left != tuple((position.active - len(left) + step) % count for step in range(count))[: len(left)]:
        wrong("A hand-out goes clockwise from the active seat.")


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
