"""The game of Palazzo: its components, its options, and how its positions and actions are made from data."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.messages import Message
from tabletop.rules.chance_actions import Deal
from tabletop.rules.game import Action, Around, Json, Piece
from tabletop.rules.grammar import GrammarGame
from tabletop.rules.new_game import seated
from tabletop.rules.palazzo import loading, story
from tabletop.rules.palazzo.actions import GRAMMAR
from tabletop.rules.palazzo.components import MONEY, PIECES
from tabletop.rules.palazzo.edition import check, shipped_edition
from tabletop.rules.palazzo.options import CHOICES, UNKNOWN_STACKS, read_options
from tabletop.rules.palazzo.phases.chance import HAND_SIZE, REVEALS, due
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.table.declaration import PalazzoTable
from tabletop.rules.table import Table


class Palazzo(GrammarGame):
    """Palazzo by Reiner Knizia."""

    name = "palazzo"
    title = "Palazzo"
    tag = "PZ"
    version = "1"
    seat_range = range(2, 5)
    pieces: Mapping[str, Piece] = PIECES
    options: Mapping[str, Sequence[Json]] = CHOICES
    grammar = GRAMMAR
    secret_kinds = frozenset({"deal"})
    ground_keys = frozenset({"onto"})
    open_points = True
    table: Table = PalazzoTable()

    def new(
        self, names: Sequence[str], options: Mapping[str, Json] | None = None, edition: Json = None
    ) -> PalazzoPosition:
        """Return the first position: nothing turned up, nothing dealt."""
        names = seated(names, self.title, self.seat_range)
        seats = len(names)
        stacks = shipped_edition() if edition is None else check(edition)
        chosen = read_options(options or {}, seats, stacks.name, "bad-request")
        unseen = stacks.unseen
        if chosen.stacks == UNKNOWN_STACKS:
            unseen = (tuple(sorted(piece for stack in unseen for piece in stack)), (), ())
        return PalazzoPosition.make(
            names=names,
            options=chosen,
            hands=((),) * seats,
            palazzi=((),) * seats,
            architect=chosen.architect,
            unseen=unseen,
            deck=MONEY,
            active=chosen.first_seat,
        )

    def load(self, data: Json) -> PalazzoPosition:
        """Return the position that the data describes."""
        return loading.load(self, data, shipped_edition().name)

    def describe(self, action: Action, seat: int | None, around: Around | None) -> Message:
        """Return what an action does, as a sentence."""
        return story.describe(action, seat, around)

    def draw(self, position: Any, rng: random.Random) -> Action:
        """Draw what chance brings next; every unseen piece of the stack or deck is equally likely."""
        if position.phase == "deal":
            return Deal(due(position), tuple(sorted(rng.sample(position.deck, HAND_SIZE))))
        return REVEALS[rng.choice(position.pool)]


GAME = Palazzo()
PalazzoPosition.game = GAME
