"""What a game contributes to its bots, with a default for everything that it leaves out."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple, Self

from tabletop.bots.seen import Seen
from tabletop.messages import Message
from tabletop.rules.game import Action, View
from tabletop.rules.registry import Layer

LEARNED_FILE = "learned.json"
"""The file of a game's package with the weights and the outlook that were learned."""


class Outlook(NamedTuple):
    """How a game that is not over is expected to end."""

    value: tuple[float, ...] = ()
    """What each feature of a seat is worth in points at the end; if empty, only the present points count."""
    scatter: float = 15.0
    """The standard deviation of the final lead from the expected one, in points."""


class Strategy:
    """The rules of thumb of one game.

    ``position`` may be one that was drawn from many (``determinise``): nothing here looks at what the seat that decides
    cannot know, except for ``features``.
    """

    weights: Any = ()
    """The weights in the rules of thumb, a ``NamedTuple`` of the game's own."""

    kind_weights: Mapping[str, float] = {}
    """Kind of action → its relative frequency in random choices; 1 for those not named."""

    def __init__(self, weights: Any = None, outlook: Outlook = Outlook()) -> None:  # noqa: B008 - a tuple
        """Without weights, use those that the author of the game guessed."""
        self.weights = type(self).weights if weights is None else weights
        self.outlook = outlook

    def __reduce__(self) -> tuple[type[Self], tuple[Any, Outlook]]:
        """Return how to make it again: another process gets only that, without cached values."""
        return type(self), (self.weights, self.outlook)

    def with_weights(self, weights: Sequence[float]) -> Self:
        """Return the same rules of thumb with other weights."""
        return type(self)(type(self.weights)(*weights), self.outlook)

    def learned(self) -> Self:
        """Return the same rules of thumb with the learned weights and outlook, if there are any."""
        path = files(type(self).__module__.rpartition(".")[0]).joinpath(LEARNED_FILE)
        if not path.is_file():
            return self
        data = json.loads(path.read_text(encoding="utf-8"))
        weights = type(self.weights)(**data["weights"])
        return type(self)(weights, Outlook(tuple(data["value"]), data["scatter"]))

    # What to do

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return what each of the legal actions is worth to the seat that decides, in points.

        By default, that is the points that the seat has right after the action.
        """
        seat = position.decider
        return [float(position.after(action).score()[seat].points) for action in legal]

    def act(self, position: Any, rng: random.Random) -> Action:
        """Return what a player who hardly thinks would do; this must be quick, because playouts consist of it."""
        legal: list[Action] = list(position.list_thrifty())
        if len(legal) == 1:
            return legal[0]
        worth = self.weigh(position, legal)
        most = max(worth)
        best = [action for action, value in zip(legal, worth, strict=True) if value == most]
        return best[0] if len(best) == 1 else rng.choice(best)

    # What to expect

    def features(self, position: Any, seat: int) -> Sequence[float]:
        """Return the features of a position at the start of a turn that predict the seat's final lead."""
        return [float(position.score()[seat].points)]

    def expected(self, position: Any) -> list[float]:
        """Return the points that each seat is expected to end with; only differences between seats mean anything."""
        value = self.outlook.value
        if not value:
            return [float(score.points) for score in position.score()]
        seats = range(len(position.names))
        return [sum(map(float.__mul__, value, map(float, self.features(position, seat)))) for seat in seats]

    def share(self, points: Sequence[float], seat: int) -> float:
        """Return a seat's expected share of the win, 0 … 1, if the seats are expected to end with these points.

        All shares add up to 1; between two seats they follow the logistic curve.
        """
        scale, most = math.sqrt(3) / math.pi * self.outlook.scatter, max(points)
        odds = [math.exp((each - most) / scale) for each in points]
        return odds[seat] / sum(odds)

    # What may lie where

    def may_hide(self, view: View, seen: Seen) -> Mapping[str, Collection[str]]:
        """Return last word of a place → the pieces that may be hidden there; any piece if there is no entry."""
        return {}

    def recall(self, view: View, seen: Seen) -> Seen:
        """Return what was seen, with what the view itself reveals about hidden places."""
        return seen

    def suppose(self, view: View, seen: Seen, rng: random.Random) -> Seen:
        """Return what was seen, with guesses, for one draw, of pieces that cannot be drawn place by place."""
        return seen

    # Why

    def reasons(self, position: Any, action: Action) -> Sequence[Message]:
        """Return in the game's words why one would do the action, the weightiest first."""
        return ()


STRATEGIES: Layer[Strategy] = Layer("tabletop.games.bots", "tabletop.bots.{game}", "STRATEGY", Strategy)
ANY_GAME = Strategy()


def strategy_of(game: str) -> Strategy:
    """Return the rules of thumb of the game of that name."""
    return STRATEGIES.part(game) or ANY_GAME
