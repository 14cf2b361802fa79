"""The interface of a bot: its budget, and its decision with estimates of the best few actions and their reasons."""

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
    """How much a bot may think about one decision, in seconds or in playouts.

    With playouts the same question and generator give the same answer on any machine.  A ``thorough`` bot uses up its
    budget, for estimates that people read; otherwise thinking ends once the best action is clear.  Raises ValueError
    for a budget that is not positive, for both kinds, or for neither.
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
        """Return when thinking that began at ``begun`` has to end, on the same clock."""
        return begun + (math.inf if self.seconds is None else self.seconds)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an action is expected to lead to.

    Attributes:
        action: the action.
        points: by how many points the seat is expected to end ahead of the best other seat; negative if behind it.
        points_error: the standard error of ``points``.
        wins: the share of games that the seat is expected to win, 0 … 1, ties split.
        behind: by how many points the seat ends worse than with the first of the estimates, on the same deals.
        behind_error: the standard error of ``behind``; equal luck cancels out, so it is less than both errors together.
        reasons: the reasons in the game's words, the weightiest first.
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
    """A bot's decision: the action, estimates of the best few actions (best first; empty if it did not look ahead), and
    a notice to show, such as that a simpler bot stood in for it.

    ``playouts`` is how many playouts it made.
    """

    action: Action
    estimates: Sequence[Estimate] = ()
    notice: Message = EMPTY
    playouts: int = 0


class Bot(Protocol):
    """Decides for one seat."""

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return which of the legal actions (never empty) to do.

        ``view`` is what the seat that decides may know now, ``seen`` what it has seen disappear from sight before.
        The same question, generator state and number of playouts always give the same answer.
        """
