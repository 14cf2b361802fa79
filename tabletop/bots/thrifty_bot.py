"""A bot that does what its game's rules of thumb say."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tabletop.bots.bot import Budget, Decision
from tabletop.bots.determinise import determinise
from tabletop.bots.seen import Seen
from tabletop.bots.strategy import Strategy
from tabletop.rules.game import Action, Game, Position, View


class ThriftyBot:
    """Chooses the action that is worth most by rule of thumb, without looking ahead."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self._game, self._strategy = game, strategy

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return the legal action that is worth most; the generator breaks ties."""
        if len(legal) == 1:
            return Decision(legal[0])
        # Any position that fits the view will do: the rules of thumb use no more of it than the seat can see.
        position = drawn(self._game, self._strategy, view, seen, rng)
        worth = self._strategy.weigh(position, legal)
        best = max(range(len(legal)), key=lambda number: (worth[number], rng.random()))
        return Decision(legal[best])


def drawn(game: Game, strategy: Strategy, view: View, seen: Seen, rng: random.Random) -> Position:
    """Draw a position that the view and what was seen leave possible."""
    supposed = strategy.suppose(view, strategy.recall(view, seen), rng)
    return determinise(game, view, supposed, strategy.may_hide(view, supposed), rng)
