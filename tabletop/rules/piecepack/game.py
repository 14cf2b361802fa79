"""Palazzo for the piecepack as a game: how positions and actions are made from data, and how chance is drawn."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.messages import Message
from tabletop.rules.chance_actions import Deal
from tabletop.rules.game import Action, Around, Illegal, Json, Piece
from tabletop.rules.grammar import GrammarGame
from tabletop.rules.new_game import chosen, seated
from tabletop.rules.piecepack import story
from tabletop.rules.piecepack.actions import GRAMMAR, REVEAL
from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo
from tabletop.rules.piecepack.components import COINS, HAND_SIZE, INITIAL_DIE, PIECES, SEATS, STRUCTURES, ordered
from tabletop.rules.piecepack.loading import load
from tabletop.rules.piecepack.options import CHOICES, Options
from tabletop.rules.piecepack.phases.payments import Purse
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.table.declaration import PiecepackTable
from tabletop.rules.table import Table


class Piecepack(GrammarGame):
    """Palazzo for the piecepack by Phillip Lerche, 2 to 4 seats."""

    name = "piecepack"
    title = "Palazzo for the piecepack"
    tag = "PP"
    version = "1"
    seat_range = SEATS
    pieces: Mapping[str, Piece] = PIECES
    options: Mapping[str, Sequence[Json]] = CHOICES
    grammar = GRAMMAR
    secret_kinds = frozenset({"deal"})
    open_points = True
    table: Table = PiecepackTable()

    def new(
        self, names: Sequence[str], options: Mapping[str, Json] | None = None, edition: Json = None
    ) -> PiecepackPosition:
        """Return the first position, in which yard and bank are to be laid out.

        Raises Illegal (``bad-request``) for wrong seats or options, or for an edition: a piecepack has none.
        """
        if edition is not None:
            raise Illegal("bad-request", "A piecepack is the same everywhere: it has no editions.", rule="Components")
        names = seated(names, self.title, self.seat_range)
        seats = len(names)
        agreed = Options(**chosen({} if options is None else options, CHOICES, seats, "bad-request"))
        return PiecepackPosition.make(
            names=names,
            options=agreed,
            purses=(Purse((), INITIAL_DIE, agreed.coin_null),) * seats,
            turrets=(None,) * seats,
            palazzi=(PiecepackPalazzo({}, agreed.diagonal),) * seats,
            reserves=((),) * seats,
            coins=COINS,
            stack=STRUCTURES,
            active=agreed.first_seat,
            awaits="structure",
        )

    def load(self, data: Json) -> PiecepackPosition:
        """Return the position that the data describes.  Raises Illegal (``bad-position``) naming what is wrong."""
        return load(self, data)

    def describe(self, action: Action, seat: int | None, around: Around | None) -> Message:
        """Return what an action does, as a sentence."""
        return story.describe(action, seat)

    def draw(self, position: Any, rng: random.Random) -> Action:
        """Draw the next chance action, uniformly from what may come."""
        if position.phase == "deal":
            return Deal(position.due, ordered(*rng.sample(position.coins, HAND_SIZE)))
        return REVEAL[rng.choice(position.pool)]


GAME = Piecepack()
PiecepackPosition.game = GAME
