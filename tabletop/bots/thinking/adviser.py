"""Hints at a table, computed one at a time in a separate process so that nothing at the table waits."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tabletop.bots.bot import Budget
from tabletop.bots.hints import Suggestion, hint
from tabletop.bots.thinking.bot_process import ANSWER_TIMEOUT_S, BotProcess
from tabletop.rules.game import Position

ADVISER_LEVEL = "strong"
"""The level of the bot that is asked."""
ADVISER_BUDGET = Budget(seconds=4.0)
"""How long it thinks about one hint."""


class Adviser:
    """Suggests what a seat could do, judged only by what it may know.  Its process starts with the first question."""

    def __init__(self, game: str) -> None:
        self._thinking = BotProcess(
            game, late=ANSWER_TIMEOUT_S
        )  # only the seat that asked waits, and sees that it does

    def __call__(self, positions: Sequence[Position], seat: int) -> Suggestion:
        """Return what the seat could do in the last of these positions; takes seconds.

        Raises NoAdvice if the seat has nothing to decide there.
        """
        return hint(self._thinking.bot(ADVISER_LEVEL), positions, seat, ADVISER_BUDGET, random.Random())

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._thinking.close()
