"""What a game tells its bots; whatever it leaves out is as for any game."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tabletop.bots.seen import Seen
from tabletop.messages import Message
from tabletop.rules.game import Action, View
from tabletop.rules.registry import Layer


class Strategy:
    """The rules of thumb of one game, from positions.

    ``position`` may be one that was drawn from many (``determinise``): nothing here looks at what the seat that decides
    cannot know.
    """

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return what each of the legal actions is worth to the seat that decides, in points.

        Of a game that says no more: the points that the seat has right after it.
        """
        seat = position.decider
        return [float(position.after(action).score()[seat].points) for action in legal]

    def act(self, position: Any, rng: random.Random) -> Action:
        """Return what a player of little thought does, as quickly as can be: playouts are made of this."""
        legal: list[Action] = list(position.list_thrifty())
        if len(legal) == 1:
            return legal[0]
        worth = self.weigh(position, legal)
        most = max(worth)
        best = [action for action, value in zip(legal, worth, strict=True) if value == most]
        return best[0] if len(best) == 1 else rng.choice(best)

    def may_hide(self, view: View, seen: Seen) -> Mapping[str, Collection[str]]:
        """Return which pieces may lie unknown in a place, by the place's last word; without an entry, any."""
        return {}

    def recall(self, view: View, seen: Seen) -> Seen:
        """Return what was seen with what the view itself tells of hidden places."""
        return seen

    def reasons(self, position: Any, action: Action) -> Sequence[Message]:
        """Return in the game's words why one would do the action, the weightiest first."""
        return ()


STRATEGIES = Layer("tabletop.games.bots", "tabletop.bots.{game}", "STRATEGY")
ANY_GAME = Strategy()


def strategy_of(game: str) -> Strategy:
    """Return the rules of thumb of the game of that name."""
    found = STRATEGIES.part(game)
    return found if isinstance(found, Strategy) else ANY_GAME
