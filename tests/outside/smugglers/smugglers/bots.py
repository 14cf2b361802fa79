"""Rules of thumb: ship what is worth most, and search if the die is high."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.bots.strategy import Strategy
from tabletop.rules.game import Action


class SmugglersStrategy(Strategy):
    """Ships what is worth most and searches if the die is high."""

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return what each of the legal actions is worth."""
        return [self._worth(position, action) for action in legal]

    def _worth(self, position: Any, action: Any) -> float:
        if action.do == "ship":
            return float(action.crate[1:])
        return float((action.do == "search") == (position.die == "3"))


STRATEGY = SmugglersStrategy()
