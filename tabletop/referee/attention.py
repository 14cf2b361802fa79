"""What the referee makes of what is seen, from scene to scene: what is news, what is known, what was asked about."""

from __future__ import annotations

from dataclasses import replace

from tabletop.referee.agreement import differences, laid
from tabletop.referee.match import Match
from tabletop.referee.reading import Interpretation, discarded, interpret, unread_buildings
from tabletop.referee.state import Move
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout
from tabletop.vision.scene import Scene


class Attention:
    """The last scene and its reading, and what of the table is known so that it is no news."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self.reading = Interpretation()
        self._held: Layout | None = None
        self._behind: Layout | None = None
        self._unseen: frozenset[str] = frozenset()
        self._doubted: frozenset[str] = frozenset()
        self._tidy: frozenset[str] = frozenset()
        self._changed = True

    @property
    def wrong(self) -> tuple[Move, ...]:
        """Pieces that were moved without an action: what the referee has to ask about."""
        return tuple(move for move in self.reading.moves if move.piece not in self._tidy)

    @property
    def todo(self) -> tuple[Move, ...]:
        """What was moved without an action first, with the rule; then what has to be tidied up, without."""
        tidying = [replace(move, rule="") for move in self.reading.moves if move.piece in self._tidy]
        return (*self.wrong, *tidying)

    def see(self, scene: Scene, confirmed: bool) -> None:
        """Turn to a new scene; one that answers an OK is read whatever was held before."""
        self.scene = scene
        if confirmed:
            self._held = None

    def read(self, match: Match, intent: str | None, confirmed: bool) -> Interpretation:
        """Return what the scene means from the match as it is now; there has to be one."""
        assert self.scene is not None
        position, seen = match.position, self.scene.layout
        belongs, lies = position.layout().zone_of(), seen.zone_of()
        self._unseen = frozenset(piece for piece in self._unseen if lies.get(piece) != belongs.get(piece))
        reading = interpret(match, seen, intent, confirmed, self._unseen)
        if seen == self._held:
            moves = differences(position.layout(), seen)
            reading = replace(reading, actions=(), refused=None, earlier=None, moves=moves)
        else:
            self._held = None
        if seen == self._behind:
            reading = replace(reading, earlier=None)
        else:
            self._behind = None
        return self._sure(match, self.scene, reading)

    def settle(self, reading: Interpretation) -> None:
        """Keep a reading as what the scene means, once what it holds was done."""
        self.reading = reading
        # What is wrong right after an event has to be tidied up; what becomes wrong later was moved by somebody.
        astray = frozenset(move.piece for move in reading.moves)
        self._tidy = astray if self._changed else self._tidy & astray
        self._changed = False

    def recorded(self) -> None:
        """Take note that the match went on."""
        self._changed = True
        self._doubted = frozenset()

    def acted(self, before: Position, after: Position, source: str) -> None:
        """Take note of an act: one that the camera saw lies there, any other is laid by hand only now."""
        if source == "camera":
            self._behind = None
            self._unseen -= self.scene.layout.zone_of().keys() if self.scene else frozenset()
        else:
            # Until it is laid the table looks as before, which is no undo.
            self._behind = self.scene.layout if self.scene else None
            self._unseen |= laid(before.layout(), after.layout())

    def taken_back(self) -> None:
        """Take note that acts were taken back: the table shows them still, and is not read again until it changes."""
        self._held = self.scene.layout if self.scene else None

    def forget(self) -> None:
        """Look at the table afresh."""
        self._unseen = frozenset()
        self.reading = Interpretation()

    def _sure(self, match: Match, scene: Scene, reading: Interpretation) -> Interpretation:
        """Ask before a piece leaves the game unseen while something that was built cannot be read: it may lie there.

        A second OK is the answer.
        """
        gone = discarded(match.position, reading.actions)
        if not gone or gone == self._doubted or not unread_buildings(match, scene):
            return reading
        self._doubted = gone
        what = " and ".join(sorted(gone))
        text = f"{what} cannot be seen, but something on the table cannot be read. If {what} is really gone, press OK."
        return replace(reading, actions=(), question=text, confirms=True)
