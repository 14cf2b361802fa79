"""A player that knows only the texts that are spoken, and chooses at random among the options."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tabletop.rules.game import Action, Game, Position
from tabletop.web.games import ui_of
from tabletop.web.listening.choosing import ChoiceStep, Chooser, Option
from tabletop.web.listening.questions import SeatListener, answers

BACK = 0.05
"""The probability of going back to the first step."""
DONE = 0.5
"""The probability of completing an act that can be completed, if there are other options as well."""
CURIOUS = 0.02
"""The probability of asking every question."""


class ListeningPlayer:
    """One player for all seats; ``steps`` counts its choices, ``heard`` the characters read to it."""

    def __init__(self, game: Game, names: Sequence[str], rng: random.Random) -> None:
        self._game, self._names, self._rng = game, names, rng
        self._ui = ui_of(game)
        self.steps = self.heard = 0

    def act(self, position: Position) -> Action:
        """Choose an action step by step, and return it."""
        chooser, path = Chooser(self._ui, position, self._names), list[int]()
        self._ask(position)
        while True:
            step = self._step(chooser, path)
            self.steps += 1
            if not step.options or (path and self._rng.random() < BACK):
                path.clear()
                continue
            chosen = self._choose(step.options)
            data = step.options[chosen].data
            if data is not None:
                return self._game.action(dict(data))
            path.append(chosen)

    def _step(self, chooser: Chooser, path: Sequence[int]) -> ChoiceStep:
        found = chooser.step(path)
        assert found is not None
        if self._rng.random() < CURIOUS:
            self._hear([found.heading, found.said, *(one.said for one in found.options), *map(" ".join, found.closed)])
        return found

    def _choose(self, options: Sequence[Option]) -> int:
        ends = [at for at, one in enumerate(options) if one.data is not None]
        if ends and self._rng.random() < DONE:
            return self._rng.choice(ends)
        return self._rng.randrange(len(options))

    def _ask(self, position: Position) -> None:
        if self._rng.random() < CURIOUS:
            listener = SeatListener(self._ui, position, self._names, position.decider)
            self._hear([one.said for one in answers(listener)])

    def _hear(self, texts: Sequence[str]) -> None:
        self.heard += sum(map(len, texts))
        assert all("%(" not in text for text in texts)


def played(game: Game, seats: int, seed: int) -> Iterator[tuple[Position, ListeningPlayer]]:
    """Play a game by ear with random draws, and yield each position with the player; raise Illegal for a wrong act."""
    rng = random.Random(seed)
    names = [f"Seat {seat + 1}" for seat in range(seats)]
    player, position = ListeningPlayer(game, names, rng), game.new(names)
    while not position.over:
        yield position, player
        action = game.draw(position, rng) if position.decider is None else player.act(position)
        position = position.after(action)
    yield position, player
