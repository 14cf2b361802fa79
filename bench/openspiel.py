"""OpenSpiel's information-set Monte Carlo tree search as a bot, an independent opponent for a bench.

It is not part of the program: ``pip install open_spiel`` installs it, best with ``--target`` into a folder of its own
that PYTHONPATH names. Its search asks a state what is legal, what a seat knows and who won; :class:`SpielState`
answers from a position. Chance is drawn within an action, so the tree has no nodes for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from tabletop.bots.bot import Budget, Decision
from tabletop.bots.playout import play_out
from tabletop.bots.seen import Seen
from tabletop.bots.strategy import Strategy
from tabletop.bots.thrifty_bot import drawn
from tabletop.rules.game import Action, Game, View

EXPLORES = 0.7
"""The exploration constant of its UCT, for returns between -1 and 1."""
WIDE = 8
"""How many actions it considers in a position with our rules of thumb: as many as our own search."""


class SpielState:
    """A position with the interface that OpenSpiel's search needs; ``apply_action`` changes it."""

    def __init__(self, game: Game, position: Any, chance: random.Random, strategy: Strategy | None) -> None:
        """``strategy``: only the actions that are best by its rules of thumb are offered."""
        self.game, self.position, self._chance, self._strategy = game, position, chance, strategy

    def get_game(self) -> SpielState:
        """Return the object that knows the type of the game."""
        return self

    def get_type(self) -> Any:
        """Return the type of the game, which the search requires."""
        kind = pyspiel.GameType
        return type(
            "Type", (), {"dynamics": kind.Dynamics.SEQUENTIAL, "information": kind.Information.IMPERFECT_INFORMATION}
        )

    def current_player(self) -> int:
        """Return the seat that decides."""
        return int(self.position.decider)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self.position.over)

    def is_chance_node(self) -> bool:
        """Return False: chance is drawn within an action."""
        return False

    def returns(self) -> list[float]:
        """Return 1 for a win, -1 for a defeat, and a value in between for a tie."""
        first = [score.rank == 1 for score in self.position.score()]
        return [2 * won / sum(first) - 1 for won in first]

    def legal_actions(self) -> list[Action]:
        """Return the actions that are considered."""
        actions = list(self.position.legal.thrifty())
        if self._strategy is None or len(actions) <= WIDE:
            return actions
        worth = self._strategy.weigh(self.position, actions)
        best = sorted(range(len(actions)), key=worth.__getitem__, reverse=True)[:WIDE]
        return [actions[at] for at in sorted(best)]

    def apply_action(self, action: Action) -> None:
        """Do the action and the chance actions that follow."""
        self.position = self.position.following(action)
        while self.position.decider is None and not self.position.over:
            self.position = self.position.following(self.game.draw(self.position, self._chance))

    def information_state_string(self) -> str:
        """Return the deciding seat's view as text."""
        return repr(self.position.view(self.position.decider))

    def clone(self) -> SpielState:
        """Return a copy that can be changed independently of this one."""
        return SpielState(self.game, self.position, self._chance, self._strategy)


class Rollouts:
    """Evaluates a new leaf of its tree by playing the game on from there."""

    def __init__(self, play_on: Callable[[SpielState], Any]) -> None:
        self._play_on = play_on

    def evaluate(self, state: SpielState) -> np.ndarray:
        """Return the return of each seat at the end."""
        end = SpielState(state.game, self._play_on(state), random.Random(0), None)
        return np.array(end.returns())

    def prior(self, state: SpielState) -> list[tuple[Action, float]]:
        """Return the same probability for each action."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class OpenSpielBot:
    """IS-MCTS with as many simulations as the budget has playouts.

    With ``ours`` it considers the actions that our rules of thumb rank best, and plays on by them; without, it
    considers all thrifty actions and plays on at random, as in its default configuration.
    """

    def __init__(self, game: Game, strategy: Strategy, ours: bool) -> None:
        self._game, self._strategy, self._ours = game, strategy, ours

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        """Return the action that its search visited most."""
        if len(legal) == 1:
            return Decision(legal[0])
        assert budget.playouts is not None, "simulations are counted here, not timed"
        chance, strategy = random.Random(rng.random()), self._strategy if self._ours else None

        def state() -> SpielState:
            return SpielState(self._game, drawn(self._game, self._strategy, view, seen, chance), chance, strategy)

        search = ISMCTSBot(
            self._game, Rollouts(lambda at: self._play_on(at, chance)), EXPLORES, budget.playouts,
            random_state=np.random.RandomState(rng.getrandbits(31)), allow_inconsistent_action_sets=True,
        )  # fmt: skip
        search.set_resampler(lambda _state, _player: state())
        root = search.run_search(state())
        return Decision(max(root, key=lambda pair: pair[1])[0], playouts=budget.playouts)

    def _play_on(self, state: SpielState, chance: random.Random) -> Any:
        if self._ours:
            return play_out(self._game, self._strategy, state.position, chance)
        working = state.clone()
        while not working.is_terminal():
            working.apply_action(chance.choice(working.legal_actions()))
        return working.position
