"""A bot that decides at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tabletop.bots.bot import Budget, Decision
from tabletop.bots.seen import Seen
from tabletop.rules.game import Action, View

KIND_WEIGHTS: Mapping[str, float] = {"build": 4, "money": 3, "rebuild": 1, "place": 6, "scrap": 1, "bid": 1, "pass": 1}
"""How often a kind of act is chosen beside the others; 1 for those not named.

Builds outweigh money so that games end; nothing is so rare that a rule's corner would never be played.
"""


class RandomBot:
    """Chooses a kind of action by weight, then any action of that kind."""

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return one of the legal actions; the view plays no part."""
        kinds = sorted({action.do for action in legal})
        kind = rng.choices(kinds, [KIND_WEIGHTS.get(kind, 1.0) for kind in kinds])[0]
        return Decision(rng.choice([action for action in legal if action.do == kind]))
