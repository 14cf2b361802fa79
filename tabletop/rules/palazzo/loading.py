"""Loading a position from data, with the checks, phase by phase, that its parts fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tabletop.rules.game import Game, Json
from tabletop.rules.palazzo.components import END_TILES, MONEY, START_CERTIFICATE, TILES
from tabletop.rules.palazzo.fields import DATA
from tabletop.rules.palazzo.options import UNKNOWN_STACKS, read_options
from tabletop.rules.palazzo.phases.auction import MIN_HANDOUT_TILES
from tabletop.rules.palazzo.phases.chance import HAND_SIZE
from tabletop.rules.palazzo.phases.turn import taker
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.rules import PHASES
from tabletop.rules.validate import dealing, must, seat_name

SEATLESS_PHASES = ("setup", "deal", "reveal", "over")
"""The phases in which no seat decides."""
FIELD_PHASES: Mapping[str, tuple[str, ...]] = {"row": ("reveal", "take"), "pending": ("place",)}
"""Field → the phases in which it can contain something."""


def load(game: Game, data: Json, edition: str) -> PalazzoPosition:
    """Return the position that the data describes; raises Illegal (``bad-position``) naming what is wrong."""
    draft = DATA.read(data, game, lambda chosen, seats: read_options(chosen, seats, edition, "bad-position"), PHASES)
    draft.complete((*TILES, *END_TILES, *MONEY))
    if draft.options.stacks == UNKNOWN_STACKS:
        draft.fields["unseen"] = (tuple(sorted(sum(draft.fields["unseen"], ()))), (), ())
    if draft.phase == "choose" and draft.fields["drawn"] is None:
        draft.fields["drawn"] = ()
    position = PalazzoPosition.make(**draft.fields, decider=draft.decider)
    phase, over = position.phase, len(position.end_tiles) == len(END_TILES)
    chance = phase in SEATLESS_PHASES
    must(not chance or draft.decider is None, "no seat decides in the phase {phase}", phase=phase)
    must(chance or draft.decider is not None, "turn must name the seat that decides in {phase}", phase=phase)
    for field, phases in FIELD_PHASES.items():
        empty = phase in phases or not getattr(position, field)
        must(empty, "nothing can be in {field} in the phase {phase}", field=field, phase=phase)
    CHECKS[phase](position)
    must(over == (phase == "over"), "the game is over when all five end tiles have come, and only then")
    return position


def _setup(position: PalazzoPosition) -> None:
    fresh = not any((*position.palazzi, position.box, position.discards))
    must(fresh, "before the first turn nothing is built, paid or discarded")
    last = position.unseen[0 if position.options.stacks == UNKNOWN_STACKS else 2]
    must({*END_TILES} <= {*last}, "before the first turn the end tiles are in stack III")
    placed = [*position.quarries, position.warehouse]
    filled = sum(1 for tiles in placed if tiles)
    in_order = all(len(tiles) == (at < filled) for at, tiles in enumerate(placed))
    must(in_order, "in setup one tile lies on each quarry in order, then one in the warehouse")
    if position.phase == "setup":
        must(filled < len(placed), "the setup is complete: the deal follows")
        must(not any(position.hands), "no cards are dealt before the setup is complete")
    else:
        must(filled == len(placed), "the setup is not complete: quarries and warehouse must hold a tile each")


def _deal(position: PalazzoPosition) -> None:
    _setup(position)
    in_order = dealing([len(hand) for hand in position.hands], HAND_SIZE)
    must(in_order, "in deal the first seats hold four cards each and the last none")


def _action(position: PalazzoPosition) -> None:
    must(position.decider == position.active, "in {phase} the active seat decides", phase=position.phase)


def _reveal(position: PalazzoPosition) -> None:
    drawn, row, full = position.drawn, len(position.row), position.row_size
    if drawn is None:
        must(row < full, "the money row is complete with {number} cards", number=full)
        there = row + len(position.deck) + len(position.discards)
        must(there >= full, "there are too few money cards for a row of {number}", number=full)
        return
    must(not row, "there is no money row while two tiles are turned up")
    must(len(drawn) < 2, "two tiles have been turned up: the choice follows")
    _drawn_lie(position)


def _choose(position: PalazzoPosition) -> None:
    _action(position)
    _drawn_lie(position)


def _drawn_lie(position: PalazzoPosition) -> None:
    drawn = position.drawn or ()
    must(len(drawn) <= 2 and len({*drawn}) == len(drawn), "at most two different tiles are drawn in a build")
    for at, piece in enumerate(drawn):
        quarries: Iterable[str] = [tile for tiles in position.quarries for tile in tiles]
        lies = piece in position.end_tiles or piece in (quarries if at else position.warehouse)
        must(lies, "{piece} was drawn but does not lie where it was laid", piece=piece)


def _take(position: PalazzoPosition) -> None:
    left = len(position.row)
    due = 1 <= left <= position.row_size and position.decider == taker(position, left)
    must(due, "with {left} cards left in the row {seat} does not take", left=left, seat=seat_name(position.seat))


def _bid(position: PalazzoPosition) -> None:
    laid = position.laid or ()
    must(0 < len(position.quarry) < MIN_HANDOUT_TILES, "an auction offers one to three tiles on the architect's quarry")
    bidding = position.seats - len(position.out) >= 2 and position.decider not in position.out
    must(bidding, "in an auction at least two seats are still in, and one of them decides")
    for at, (acts, _, _) in enumerate(laid):
        out = at in position.out
        must(not (acts and out), "{seat} is out and has taken its cards back", seat=seat_name(at))
        opened = (acts[:1] == ((START_CERTIFICATE,),), sum(act.count(START_CERTIFICATE) for act in acts))
        opens = opened == ((True, 1) if at == position.active and not out else (False, 0))
        must(opens, "the start certificate is the first act of the active seat alone, until it passes")
    must(any(stake.acts for stake in laid), "some seat holds the highest bid")


def _claim(position: PalazzoPosition) -> None:
    left = position.handout or ()
    must(left[:1] == (position.decider,), "in claim the first seat of the hand-out decides")
    _handing_out(position, left, len(left))


def _place(position: PalazzoPosition) -> None:
    must(position.pending, "in place at least one tile is pending")
    if position.handout is not None:
        must(len(position.pending) == 1, "in a hand-out one tile is placed at a time")
        _handing_out(position, (position.seat, *position.handout), len(position.handout))


def _handing_out(position: PalazzoPosition, left: tuple[int, ...], tiles: int) -> None:
    must(len(position.quarry) >= tiles, "there are fewer tiles than seats in the hand-out")
    clockwise = [(position.active - len(left) + step) % position.seats for step in range(position.seats)]
    must([*left] == clockwise[: len(left)], "a hand-out goes clockwise from the active seat")


def _over(_: PalazzoPosition) -> None:
    """Check nothing more: all that must hold at the end must hold in every phase."""


CHECKS: Mapping[str, Callable[[PalazzoPosition], None]] = {
    "setup": _setup,
    "deal": _deal,
    "action": _action,
    "reveal": _reveal,
    "take": _take,
    "choose": _choose,
    "bid": _bid,
    "claim": _claim,
    "place": _place,
    "over": _over,
}
"""Phase → the check of what must hold in it."""
