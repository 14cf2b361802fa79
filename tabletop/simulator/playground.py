"""A simulated table with the referee at it: one thread, simulated time, the same eyes and fingers as the real one.

People do what they decided; the referee hears of it through frames and presses alone.  What it accepted is then held
against what was done.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tabletop.referee.referee import Referee
from tabletop.rules.game import Action, Json, Position
from tabletop.simulator.fingers import Clock
from tabletop.simulator.hands import HandIn, HandOut, Nudge, Push, Step
from tabletop.simulator.world import Choose, World
from tabletop.vision.frame import Frame
from tabletop.vision.scene import Scene

FRAME = 0.2
"""Seconds from one frame to the next."""
PATIENCE = 4
"""Frames of a still table that people wait before they do something about a referee who has not understood."""
TRIES = 6
"""How often they push a piece or press OK again before they say on a page what they did."""


class Look(Protocol):
    """The eyes, as far as a playground needs them."""

    @property
    def standing(self) -> Scene | None:
        """The scene as it stood in the last frame; None while anything moves."""

    def look(self, frame: Frame) -> Scene | None:
        """Take a frame; return a scene when the table stands still and differs from the one before."""


@dataclass(slots=True)
class Tally:
    """What is counted while a game is played."""

    frames: int = 0
    actions: int = 0
    wrong: int = 0
    missed: int = 0
    questions: int = 0
    corrections: int = 0
    problems: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


class Playground:
    """One game at a simulated table.

    ``push`` carries a push to the referee, through mock pins; ``eyes`` see the world's camera; ``clock`` is moved by
    the playground, a frame at a time.
    """

    def __init__(self, world: World, referee: Referee, eyes: Look, push: Callable[[Push], None], clock: Clock) -> None:
        self.world = world
        self.referee = referee
        self.eyes = eyes
        self.clock = clock
        self.tally = Tally()
        self._push = push
        self._asking = False

    def play(self, choose: Choose) -> Tally:
        """Play until the game is over; return what was counted."""
        self.settle()
        while not (position := self.referee.match.position).over:
            actions = self.world.bundle(position, choose, brisk=True)
            if not actions:
                raise RuntimeError(f"nothing can be done in {position.phase}: the simulated stock ran out")
            self.do(position, actions)
            self.perform(self.world.tidy_for(self.referee.match.position))
            self.settle()
        return self.tally

    def do(self, position: Position, actions: Sequence[Action]) -> None:
        """Do the actions with hands and buttons, and see to it that the referee accepts just them."""
        first = self.referee.match.last
        self.perform(self.world.steps_for(position, *actions))
        self.settle()
        for attempt in range(TRIES):
            if len(self._accepted(first)) >= len(actions):
                break
            self._help(attempt)
        self._count(first, actions)

    def perform(self, steps: Sequence[Step]) -> None:
        """Carry out steps; a frame is taken whenever a hand has come or gone."""
        for step in steps:
            self.world.perform(step)
            if isinstance(step, Push):
                self._push(step)
                self.settle()
            elif isinstance(step, HandIn | HandOut):
                self.tick()

    def settle(self) -> None:
        """Let frames pass until the table stands still and every OK has been answered."""
        for _ in range(PATIENCE):
            self.tick()
            if self.eyes.standing is not None and self.referee.confirm_from is None:
                return

    def tick(self) -> None:
        """Take one frame and hand what is seen to the referee."""
        self.clock.move_to(self.clock.now + FRAME)
        self.tally.frames += 1
        scene = self.eyes.look(self.world.camera.frame(self.clock.now))
        if scene is None and self.referee.confirm_from is not None:
            scene = self.eyes.standing
        if scene is not None:
            self.referee.see(scene)
            self._hear()

    def _hear(self) -> None:
        """Count each time the referee begins to ask."""
        asks = bool(self.referee.wrong) or any(said.code == "question" for said in self.referee.snapshot.say)
        asks = asks or self.referee.snapshot.refused is not None
        if asks and not self._asking:
            refused = self.referee.snapshot.refused
            asked = [f"{move}" for move in self.referee.wrong] + [one.text for one in self.referee.snapshot.say]
            self.tally.asked.append(f"{self.referee.match.position.phase}: {refused or asked}")
        self.tally.questions += asks and not self._asking
        self._asking = asks

    def _accepted(self, first: int) -> list[str]:
        """Return what was accepted after event ``first``, as text."""
        return [_text(event.data) for event in self.referee.match.events if event.number > first]

    def _help(self, attempt: int) -> None:
        """Do what people do when nothing happens: push what is not seen a little, then press OK once more."""
        seen = self.referee.snapshot.scene
        visible = seen.layout.zone_of() if seen else {}
        hidden = [piece for piece, lying in self.world.table.lying.items() if lying.face_up and piece not in visible]
        for piece in hidden[:3]:
            self.perform([Nudge(piece, 1.5 - attempt, 1.0 + attempt, 2.0)])
        self.tally.questions += 1
        self.settle()
        if any(said.code == "waiting" and "OK" in said.text for said in self.referee.snapshot.say):
            self.perform([Push("OK")])

    def _count(self, first: int, actions: Sequence[Action]) -> None:
        """Hold what was accepted against what was done, and put the record right where they differ.

        Pieces that are laid in one movement have no order among them, so none is compared.
        """
        position = self.referee.match.at(first) or self.referee.match.position
        accepted = self._accepted(first)
        done = [_text(action.to_json()) for action in actions]
        self.tally.actions += len(done)
        if len(accepted) == len(done) and self._same(position, actions):
            return
        wrong = (Counter(accepted) - Counter(done)).total()
        self.tally.wrong += wrong
        self.tally.missed += max(0, len(done) - len(accepted))
        snapshot = self.referee.snapshot
        said = [snapshot.refused.message] if snapshot.refused else [one.text for one in snapshot.say]
        self.tally.problems.append(f"done {done}, accepted {accepted}, said {said}")
        self._correct(first, actions)

    def _same(self, position: Position, actions: Sequence[Action]) -> bool:
        """Tell whether the record lies as the actions would have it (two lone tiles joined have no first one)."""
        for action in actions:
            position = position.after(action)
        now = self.referee.match.position
        return (position.layout(), position.phase, position.decider) == (now.layout(), now.phase, now.decider)

    def _correct(self, first: int, actions: Sequence[Action]) -> None:
        """Say on a page what was done: back to before it, then the actions one by one."""
        self.tally.corrections += 1
        if any(event.number > first for event in self.referee.match.events):
            back = self.referee.match.before(first + 1)
            self.referee.undo(back, on=self.referee.match.last, id=f"undo {self.referee.match.last}")
        for action in actions:
            on = self.referee.match.last
            self.referee.act(action, on=on, id=f"act {on}", seat=self.referee.match.position.decider)


def _text(action: Mapping[str, Json]) -> str:
    return json.dumps(action, sort_keys=True)
