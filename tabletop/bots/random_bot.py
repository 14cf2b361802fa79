"""A bot that decides at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tabletop.bots.bot import Budget, Decision
from tabletop.bots.seen import Seen
from tabletop.rules.game import Action, View


class RandomBot:
    """Chooses a kind of action, weighted as the game says, then any action of that kind."""

    def __init__(self, kind_weights: Mapping[str, float] = {}) -> None:
        self._weights = kind_weights

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return one of the legal actions; the view plays no part."""
        kinds = sorted({action.do for action in legal})
        kind = rng.choices(kinds, [self._weights.get(kind, 1.0) for kind in kinds])[0]
        return Decision(rng.choice([action for action in legal if action.do == kind]))
