"""Loading a position from data, with the checks that its parts fit together."""

from __future__ import annotations

from tabletop.rules.codec import PositionDraft
from tabletop.rules.game import Game, Json
from tabletop.rules.new_game import chosen
from tabletop.rules.piecepack.components import BANK_SIZE, COINS, HAND_SIZE, INITIAL_DIE, STRUCTURES, YARD_SIZE
from tabletop.rules.piecepack.fields import DATA
from tabletop.rules.piecepack.options import CHOICES, Options
from tabletop.rules.piecepack.phases.payments import Purse
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.rules import PHASES
from tabletop.rules.validate import dealing, must, seat_name


def load(game: Game, data: Json) -> PiecepackPosition:
    """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
    draft = DATA.read(
        data,
        game,
        lambda options, seats: Options(**chosen(options, CHOICES, seats, "bad-position")),
        PHASES,
    )
    draft.complete((*STRUCTURES, *COINS))
    position = _position(draft)
    DATA.check(draft, position)
    _check_open(position)
    _check_phase(position)
    return position


def _position(draft: PositionDraft) -> PiecepackPosition:
    fields, null = draft.fields, draft.options.coin_null
    if draft.phase == "setup":
        fields["awaits"] = "structure" if len(fields["yard"]) < YARD_SIZE else "coin"
    for at, (on, palazzo) in enumerate(zip(fields["turrets"], fields["palazzi"], strict=True)):
        stands = on is None or on in palazzo
        must(stands, "the turret of {seat} stands on {on}, which is not in its palazzo", seat=seat_name(at), on=on)
    purses = [Purse(*held, null) for held in zip(draft.told["hand"], draft.told["die"], strict=True)]
    return PiecepackPosition.make(**fields, purses=tuple(purses))


def _check_open(position: PiecepackPosition) -> None:
    """Check the open pieces: at most four in yard and bank, and no structure left in the last round."""
    closing, over = position.closing, position.phase == "over"
    yard, bank = len(position.yard), len(position.bank)
    must(yard <= YARD_SIZE, "the yard holds at most {most} structures, not {number}", most=YARD_SIZE, number=yard)
    must(bank <= BANK_SIZE, "the bank holds at most {most} coins, not {number}", most=BANK_SIZE, number=bank)
    must((closing is None and not over) or not (position.yard or position.stack or position.pending),
         "the last round begins when every structure has been purchased and placed")  # fmt: skip
    must(not (over and closing), "the game is not over while seats are still to act")
    must(over or closing is None or closing[:1] == (position.active,), "closing must begin with the active seat")


def _check_phase(position: PiecepackPosition) -> None:
    """Check that the phase has something to decide."""
    phase = position.phase
    if phase in ("setup", "deal"):
        _check_beginning(position)
    elif phase == "action":
        must(position.left == 1, "in the phase action one action is left")
    elif phase == "place":
        placing = position.pending and not position.left
        must(placing, "in the phase place a structure is pending and no action is left")
    elif phase == "reveal" and position.awaits == "coin":
        must(len(position.bank) < BANK_SIZE and position.pool, "no coin can be turned up")
    elif phase == "reveal":
        must(len(position.yard) < YARD_SIZE and position.stack, "no structure can be turned up")


def _check_beginning(position: PiecepackPosition) -> None:
    """Check that before the first turn nothing is built or paid, and that pieces are laid out in order."""
    held = (position.discards, position.pending, *position.reserves, *map(tuple, position.palazzi))
    fresh = not any(held) and all(purse.die == INITIAL_DIE for purse in position.purses)
    must(fresh, "before the first turn nothing is built, paid or pending, and each die shows 5")
    first = position.active == position.options.first_seat
    must(first, "before the first turn the first seat is active")
    sizes, yard, bank = [len(purse.coins) for purse in position.purses], len(position.yard), len(position.bank)
    laid_out = yard == YARD_SIZE and bank == BANK_SIZE
    if position.phase == "setup":
        in_order = not any(sizes) and not laid_out and not (bank and yard < YARD_SIZE)
        must(in_order, "in the setup the yard is laid out, then the bank, and nobody has coins")
        return
    must(dealing(sizes, HAND_SIZE), "in the deal some seats have two coins, the ones after them none")
    must(laid_out, "in the deal yard and bank are laid out")
