"""Rules of thumb: ship the most valuable crate, and search if the die is high."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.bots.strategy import Strategy
from tabletop.rules.game import Action


class SmugglersStrategy(Strategy):
    """Ships the most valuable crate and searches if the die is high."""

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return the worth of each legal action."""
        return [self._worth(position, action) for action in legal]

    def _worth(self, position: Any, action: Any) -> float:
        if action.do == "ship":
            return float(action.crate[1:])
        return float((action.do == "search") == (position.die == "3"))


STRATEGY = SmugglersStrategy()
