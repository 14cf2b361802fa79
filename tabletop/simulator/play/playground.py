"""A simulated table with a referee: one thread, simulated time, the same tracker and panel code as a real one.

People do what they decided; the referee learns of it only through frames and presses.  What it accepted is then
compared with what was done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tabletop.match.event import Source
from tabletop.referee.camera_loop import CameraLoop
from tabletop.referee.pressed import MIN_REPEAT_S
from tabletop.referee.referee import Referee
from tabletop.rules.game import Action, Position
from tabletop.simulator.errors import TableUnseen
from tabletop.simulator.play.people import People, accepted_since, text_of
from tabletop.simulator.table.fingers import Clock
from tabletop.simulator.table.hands import HandIn, HandOut, Push, Step
from tabletop.simulator.table.movements import Choose, Pace
from tabletop.simulator.world import World
from tabletop.vision.scene import Notice

FRAME_INTERVAL_S = 0.2
MAX_WAIT_FRAMES = 14
"""How long people wait until the table is still and their OK is answered: 2.8 s."""
HESITATION_FRAMES = 12
"""How long people wait, if something was not understood, before they help: 2.4 s."""


@dataclass(slots=True)
class PlayCounts:
    """The counts of one game; ``asked`` and ``problems`` are sentences for debugging.

    ``delays``: seconds from when the last hand left, or the last press, to each event from the camera.
    """

    frames: int = 0
    actions: int = 0
    wrong: int = 0
    missed: int = 0
    questions: int = 0
    corrections: int = 0
    asked: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)


class Playground:
    """One game at a simulated table.

    ``push`` passes a push to the referee through mock pins; ``loop`` reads the world's camera; ``clock`` is advanced by
    the playground, a frame at a time.  ``hasty``: every other seat, from the second on, does whole turns at once.
    """

    def __init__(
        self,
        world: World,
        referee: Referee,
        loop: CameraLoop,
        push: Callable[[Push], None],
        clock: Clock,
        hasty: bool = False,
    ) -> None:
        self.hasty = hasty
        self.world = world
        self.referee = referee
        self.loop = loop
        self.clock = clock
        self.tally = PlayCounts()
        self._push = push
        self._people = People(world, lambda: referee.snapshot, self.perform, self.settle, HESITATION_FRAMES)
        self._asking = False
        self._left = 0.0
        self._pushed: dict[str, float] = {}

    def play(self, choose: Choose) -> PlayCounts:
        """Play until the game is over; return the counts.

        Raises TableUnseen if the camera is too small for this table.
        """
        self.settle()
        self._see_the_table()
        while not (position := self.referee.match.position).over:
            hasty = self.hasty and position.active % 2 == 1
            actions = self.world.bundle(position, choose, Pace.HASTY if hasty else Pace.BRISK)
            first = self.referee.match.last
            helped = self._people.show(position, actions)
            self.tally.questions += len(helped)
            self.tally.asked += [f"{position.phase}: {help}" for help in helped]
            self._count(first, position, actions)
            self._people.tidy()
            self.settle()
        return self.tally

    def perform(self, steps: Sequence[Step]) -> None:
        """Carry out steps; a frame is taken whenever a hand has come or gone."""
        for step in steps:
            if isinstance(step, Push):
                self._await_lights(step)
            self.world.perform(step)
            if isinstance(step, HandOut | Push):
                self._left = self.clock.now
            if isinstance(step, Push):
                self._push(step)
                self.settle()
            elif isinstance(step, HandIn | HandOut):
                self.tick()

    def _await_lights(self, push: Push) -> None:
        """Let frames pass until a new press of this button is no longer taken for a repetition of the last one."""
        while self.clock.now < self._pushed.get(push.button, -MIN_REPEAT_S) + MIN_REPEAT_S:
            self.tick()
        self._pushed[push.button] = self.clock.now

    def settle(self) -> None:
        """Let frames pass until the table is still and every OK has been answered."""
        for _ in range(MAX_WAIT_FRAMES):
            self.tick()
            if self.loop.settled:
                return

    def _see_the_table(self) -> None:
        """Raise TableUnseen if no marker is seen, because everything would have to be entered on pages."""
        scene = self.referee.snapshot.scene
        if scene is not None and Notice.NO_MARKER in scene.notices:
            width, height = self.world.camera.model.size
            raise TableUnseen(
                f"No marker of the table can be read in pictures of {width} × {height} px: "
                "give the simulated camera more (--camera-size), or kinder light (--harsh)."
            )

    def tick(self) -> None:
        """Advance time by one frame; the camera loop takes a picture and tells the referee what it shows."""
        self.clock.move_to(self.clock.now + FRAME_INTERVAL_S)
        self.tally.frames += 1
        if self.loop.turn():
            self._hear()

    def _hear(self) -> None:
        """Count a question each time the referee begins to ask."""
        snapshot = self.referee.snapshot
        asked = [f"{move.piece} {move.lies}→{move.belongs}" for move in self.referee.wrong]
        asked += [said.text for said in snapshot.say if said.code == "question"]
        asked += [snapshot.refused.message] if snapshot.refused is not None else []
        if asked and not self._asking:
            self.tally.questions += 1
            self.tally.asked.append(f"{snapshot.position.phase}: {asked}")
        self._asking = bool(asked)

    def _count(self, first: int, position: Position, actions: Sequence[Action]) -> None:
        """Compare what was accepted with what was done, and correct the record if they differ.

        Pieces that are laid in one movement have no order, and if two lone tiles are joined, neither is the first: so
        an equal number of actions that lead to the same table counts as the same.
        """
        accepted = accepted_since(self.referee.snapshot, first)
        done = [text_of(action.to_json()) for action in actions]
        news = [event for event in self.referee.match.events if event.number > first and event.source == Source.CAMERA]
        self.tally.delays += [max(0.0, event.time - self._left) for event in news]
        self.tally.actions += len(done)
        if len(accepted) == len(done) and self._same(position, actions):
            return
        self.tally.wrong += (Counter(accepted) - Counter(done)).total()
        self.tally.missed += max(0, len(done) - len(accepted))
        snapshot = self.referee.snapshot
        said = [snapshot.refused.message] if snapshot.refused else [said.text for said in snapshot.say]
        self.tally.problems.append(f"done {done}, accepted {accepted}, said {said}")
        self._correct(first, actions)

    def _same(self, position: Position, actions: Sequence[Action]) -> bool:
        for action in actions:
            position = position.after(action)
        now = self.referee.match.position
        return (position.layout(), position.phase, position.decider) == (now.layout(), now.phase, now.decider)

    def _correct(self, first: int, actions: Sequence[Action]) -> None:
        """Enter on a page what was done: undo back to before it, then enter the actions one by one."""
        self.tally.corrections += 1
        if any(event.number > first for event in self.referee.match.events):
            back = self.referee.match.before(first + 1)
            self.referee.undo(back, on=self.referee.match.last, id=f"undo {self.referee.match.last}")
        for action in actions:
            on = self.referee.match.last
            self.referee.act(action, on=on, id=f"act {on}", seat=self.referee.match.position.decider)
