"""A bot that ships what is worth most and searches if the die is high."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tabletop.rules.game import Action, View


class GreedyPlayer:
    """Decides by what the view shows alone."""

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random) -> Action:
        """Return one of the legal actions."""
        kinds = {action.do: action for action in legal}
        if "search" in kinds:
            return kinds["search" if view["die"] == "3" else "wave"]
        return max(legal, key=lambda action: action.to_json()["crate"][1:])


BOTS = {"greedy": GreedyPlayer}
