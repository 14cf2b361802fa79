"""Facts for the templates of Palazzo for the piecepack besides what every page has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletop.rules.game import View
from tabletop.rules.piecepack.phases.payments import Purse
from tabletop.web.games.choice import Choice
from tabletop.web.games.game_facts import BoardFacts, SeatFacts
from tabletop.web.games.generic_view import GenericHand
from tabletop.web.games.piecepack.buying import Offer
from tabletop.web.games.piecepack.plots import Plot
from tabletop.web.games.piecepack.tokens import Token


class PiecepackBoard(BoardFacts):
    """Yard, bank and palazzi on their grids; ``closing`` are the seats still to act, once the end is known."""

    view: View
    face: Callable[[str], Token]
    sign: Callable[[str], tuple[str, str]]
    grids: Sequence[list[list[str]]]
    closing: tuple[int, ...] | None


class PiecepackChoices(GenericHand, SeatFacts, total=False):
    """A seat's hand and what it may do, by kind of action; while it only builds, ``builds`` alone."""

    builds: Sequence[tuple[Plot, Choice]]
    coins: Sequence[Choice]
    purse: Purse | None
    cheapest: int
    buys: bool
    die_field: str
    offers: Sequence[Offer]
    turret: Plot
    reserves: Sequence[Plot]
    removal: Plot
    same_cell: bool
    exchanges: Sequence[Choice]
    may_pass: bool
