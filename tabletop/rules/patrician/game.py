"""Patrician as a game: how positions and actions are made from data, and how chance is drawn."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.messages import Message
from tabletop.rules.chance_actions import Deal
from tabletop.rules.edition import EditionError
from tabletop.rules.game import Action, Around, Illegal, Json, Piece
from tabletop.rules.grammar import GrammarGame
from tabletop.rules.new_game import chosen, seated
from tabletop.rules.patrician import story
from tabletop.rules.patrician.actions import GRAMMAR, REVEAL
from tabletop.rules.patrician.components import FLOOR_SUPPLY, HAND_SIZE, PIECES, SEATS, cards, cities
from tabletop.rules.patrician.edition import Edition, synthetic_edition
from tabletop.rules.patrician.loading import load
from tabletop.rules.patrician.options import CHOICES, Options
from tabletop.rules.patrician.phases.turn import start_cards
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.table.declaration import PatricianTable
from tabletop.rules.table import Table


class Patrician(GrammarGame):
    """Patrician by Michael Schacht, 2 to 5 seats."""

    name = "patrician"
    title = "Patrician"
    tag = "PA"
    version = "1"
    seat_range = SEATS
    pieces: Mapping[str, Piece] = PIECES
    options: Mapping[str, Sequence[Json]] = CHOICES
    grammar = GRAMMAR
    secret_kinds = frozenset({"deal"})
    table: Table = PatricianTable()

    def new(
        self, names: Sequence[str], options: Mapping[str, Json] | None = None, edition: Json = None
    ) -> PatricianPosition:
        """Return the first position, in which hands are to be dealt; the default edition is the synthetic one.

        Raises Illegal (``bad-request``) for wrong seats, options or edition.
        """
        names = seated(names, self.title, self.seat_range)
        seats = len(names)
        agreed = Options(**chosen({} if options is None else options, CHOICES, seats, "bad-request"))
        try:
            printed = synthetic_edition() if edition is None else Edition.parse(edition, seats)
        except EditionError as error:
            raise Illegal("bad-request", f"The edition: {error}.", rule="Components") from error
        return PatricianPosition.make(
            names=names,
            options=agreed,
            edition=printed,
            hands=((),) * seats,
            played=((),) * seats,
            supply=(FLOOR_SUPPLY[seats],) * seats,
            towers=((),) * (2 * len(cities(seats))),
            market=(None,) * len(cities(seats)),
            deck=tuple(sorted(cards(seats))),
            active=agreed.first_seat,
        )

    def load(self, data: Json) -> PatricianPosition:
        """Return the position that the data describes.  Raises Illegal (``bad-position``) naming what is wrong."""
        return load(self, data)

    def describe(self, action: Action, seat: int | None, around: Around | None) -> Message:
        """Return what an action does, as a sentence."""
        return story.describe(action, seat, around)

    def draw(self, position: Any, rng: random.Random) -> Action:
        """Draw the next chance action, uniformly from what may come."""
        if position.phase == "deal":
            return Deal(position.due, tuple(sorted(rng.sample(start_cards(position), HAND_SIZE))))
        return REVEAL[rng.choice(position.deck)]


GAME = Patrician()
PatricianPosition.game = GAME
