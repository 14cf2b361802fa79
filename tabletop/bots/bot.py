"""What a bot is given and what it returns: one action, what the best few promise, and the reasons in words."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tabletop.bots.seen import Seen
from tabletop.messages import EMPTY, Message
from tabletop.rules.game import Action, View

NORMAL_95 = 1.96
"""Standard errors on either side of a mean that make a 95 % interval (normal distribution)."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think about one decision: either seconds or playouts.

    With playouts the same question and generator give the same answer on any machine.  ``thorough`` spends all of it,
    for estimates that people read; otherwise thinking ends once the best is clear.  Raises ValueError for a budget
    that is not positive, or for both.
    """

    seconds: float | None = None
    playouts: int | None = None
    thorough: bool = False

    def __post_init__(self) -> None:
        limits = [amount for amount in (self.seconds, self.playouts) if amount is not None]
        if len(limits) != 1 or not limits[0] > 0:
            raise ValueError(
                Message(
                    "A budget is either a number of seconds or a number of playouts, and must be greater than zero."
                )
            )

    def end(self, begun: float) -> float:
        """Return when thinking that began then has to be over, on the same clock."""
        return begun + (math.inf if self.seconds is None else self.seconds)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an action is expected to lead to.

    Attributes:
        action: the action.
        points: how far the seat is expected to end ahead of the best other seat, in points; behind it: below 0.
        points_error: the standard error of ``points``.
        wins: the share of games that the seat is expected to win, 0 … 1, ties split.
        behind: by how many points the seat ends worse with it than with the first of the estimates, on the same deals.
        behind_error: the standard error of ``behind``; equal luck cancels out, so it is less than both errors together.
        reasons: why, in the game's words, the weightiest first.
    """

    action: Action
    points: float
    points_error: float
    wins: float
    behind: float = 0.0
    behind_error: float = 0.0
    reasons: Sequence[Message] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot does, what it found out about the best few actions (best first; nothing if it did not ask itself),
    and what has to be said, such as that a simpler bot stood in for it.

    ``playouts`` is how often it played on from an action to see what becomes of it.
    """

    action: Action
    estimates: Sequence[Estimate] = ()
    notice: Message = EMPTY
    playouts: int = 0


class Bot(Protocol):
    """Decides for one seat."""

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return which of the legal actions (never empty) to do.

        ``view`` is what the seat that decides may know now, ``seen`` what it could see go out of sight before.
        The same question, generator state and number of playouts always give the same answer.
        """
