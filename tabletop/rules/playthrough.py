"""The simplest way to use the rules: one game with its history (``docs/python.md`` shows it).

A :class:`Position` is a value without a history; a :class:`Playthrough` is a position with the actions that led to it.
Programs that keep their own history use :class:`Game` and :class:`Position`, which offer the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from tabletop.rules.game import Action, Game, Illegal, Json, Legal, Position, SeatScore


class Playthrough:
    """One game being played: its position, the actions so far, and optionally a source of chance.

    With ``chance``, tiles and cards are drawn as soon as they are due; without it, the caller plays the outcomes as
    actions like any other (``reveal B1.2``), as they come from a real stack.
    """

    def __init__(self, first: Position, chance: Random | None = None) -> None:
        self._first = first
        self._chance = chance
        self._actions: list[Action] = []
        self._position = first
        self._draw()

    @property
    def position(self) -> Position:
        """The current position, a value that later actions do not change."""
        return self._position

    @property
    def legal(self) -> Legal:
        """The legal actions of the seat that decides, or of chance."""
        return self._position.legal

    @property
    def actions(self) -> Sequence[Action]:
        """Every action so far, those of chance included."""
        return tuple(self._actions)

    @property
    def decider(self) -> str | None:
        """The name of the seat that decides; None if chance does, or if the game is over."""
        seat = self._position.decider
        return None if seat is None else self._position.names[seat]

    @property
    def over(self) -> bool:
        """True once the game has ended."""
        return self._position.over

    @property
    def scores(self) -> Sequence[SeatScore]:
        """The scores as if the game ended now, in the order of the seats."""
        return self._position.score()

    def play(self, action: Action | str) -> Position:
        """Do an action, given as a value or in short notation, and return the position that it leads to.

        Raises Illegal if it is not legal or cannot be read; nothing has changed then.
        """
        self._do(self._read(action))
        self._draw()
        return self._position

    def why_not(self, action: Action | str) -> Illegal | None:
        """Return why the action cannot be done now, or None if it can."""
        try:
            return self._position.refusal(self._read(action))
        except Illegal as unreadable:
            return unreadable

    def record(self) -> str:
        """Return the game so far as text that ``tabletop replay`` reads."""
        from tabletop.rules.text.recorder import write

        return write(self._first, self._actions)

    def __repr__(self) -> str:
        position = self._position
        now = "over" if position.over else f"{self.decider or 'chance'} decides"
        return f"<{position.game.title}: {', '.join(position.names)}; {now}; {len(self._actions)} actions>"

    def _read(self, action: Action | str) -> Action:
        return self._position.game.parse(action) if isinstance(action, str) else action

    def _do(self, action: Action) -> None:
        self._position = self._position.after(action)
        self._actions.append(action)

    def _draw(self) -> None:
        """If there is a source of chance, carry out every chance action that is due."""
        while self._chance is not None and self._position.decider is None and not self._position.over:
            self._do(self._position.game.draw(self._position, self._chance))


def begin(
    game: Game,
    names: Sequence[str],
    chance: Random | None = None,
    edition: Json = None,
    options: Mapping[str, Json] | None = None,
) -> Playthrough:
    """Begin a game with these names of seats.  Raises Illegal for wrong names, options or edition.

    Each built-in game has a shorter form, ``new`` in its package.
    """
    return Playthrough(game.new(names, options, edition), chance)
