"""Plays a scenario: carries out its statements at a table and checks its expectations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from tabletop.hardware.panel.lights import Pattern
from tabletop.match.event import Event, EventKind
from tabletop.referee.snapshot import Snapshot
from tabletop.simulator.errors import SimulatorError
from tabletop.simulator.play.scenario import Scenario, Statement, step_of
from tabletop.simulator.table.hands import HandIn, HandOut, Lay, Push, Step


class ScenarioTable(Protocol):
    """A table with a referee, real or a test double, at which a scenario is played.

    Its game must already be at the scenario's position.
    """

    @property
    def snapshot(self) -> Snapshot:
        """What the referee shows now."""

    def perform(self, step: Step) -> None:
        """Do a step, as ``World.perform`` does."""

    def tick(self, seconds: float) -> None:
        """Let time pass, during which the camera takes pictures and the referee works."""

    def centre(self, zone: str) -> tuple[float, float]:
        """Return the middle of a zone, mm."""


class ScenarioFailed(SimulatorError, AssertionError):
    """An expectation of a scenario did not hold."""

    def __init__(self, statement: Statement, why: str) -> None:
        super().__init__(f"Line {statement.number}, “{statement.word} {statement.text}”: {why}".replace(" ”", "”"))
        self.statement = statement
        self.why = why


SETTLING_S = 2.0
"""The time after which everything that hands have done has certainly been seen."""


def play(scenario: Scenario, ground: ScenarioTable, on_line: Callable[[Statement], None] | None = None) -> None:
    """Play a scenario; ``on_line`` is called with each statement before it is done or checked.

    Before a button is pressed and before anything is checked, time passes until the table has been seen.  Raises
    ScenarioFailed at the first expectation that does not hold.
    """
    checker = ScenarioChecker(ground)
    sweeping, seat = False, 0
    for line in scenario.lines:
        if on_line is not None:
            on_line(line)
        step = step_of(line, ground.centre)
        if line.word == "wait":
            ground.tick(float(line.parts[0]))
        elif line.word == "sweep":
            checker.settle()
            sweeping, seat = True, ground.snapshot.position.active
        elif line.word == "done":
            ground.perform(HandOut(seat))
            sweeping, checker.unseen = False, True
        elif step is None:
            checker.settle()
            why = checker.check(line)
            if why:
                raise ScenarioFailed(line, why)
        else:
            if isinstance(step, Push):
                checker.settle()
            if sweeping and isinstance(step, Lay) and step.zone:
                ground.perform(HandIn(seat, *ground.centre(step.zone)))
            ground.perform(step)
            checker.unseen = True


class ScenarioChecker:
    """Checks the expectations of a scenario; it tracks up to which event it has checked, and whether all was seen."""

    def __init__(self, ground: ScenarioTable) -> None:
        self._ground = ground
        self._checked = ground.snapshot.number
        self.unseen = False

    def settle(self) -> None:
        """Wait until what was done has been seen."""
        if self.unseen:
            self._ground.tick(SETTLING_S)
            self.unseen = False

    def check(self, line: Statement) -> str:
        """Return in what way a statement does not hold; empty if it holds."""
        return "" if (why := _CHECKS[line.word](self, line)) is None else why

    def _new(self) -> Iterator[Event]:
        return (event for event in self._ground.snapshot.events if event.number > self._checked)

    def accepted(self, line: Statement) -> str | None:
        """Check that the next action event is this action, and mark it as checked."""
        event = next((event for event in self._new() if event.kind == EventKind.ACTION), None)
        if event is None:
            return f"nothing was accepted; {self._heard()}"
        game = self._ground.snapshot.position.game
        expected = game.parse(line.text)
        if game.action(dict(event.data)) != expected:
            return f"“{game.format(game.action(dict(event.data)))}” was accepted instead"
        self._checked = event.number
        return None

    def nothing(self, line: Statement) -> str | None:
        """Check that no further action was accepted."""
        event = next((event for event in self._new() if event.kind == EventKind.ACTION), None)
        return None if event is None else f"{dict(event.data)} was accepted"

    def undone(self, line: Statement) -> str | None:
        """Check that something was undone since the last check, so that checked events no longer exist."""
        snapshot = self._ground.snapshot
        if snapshot.events[-1].number >= self._checked:
            return "nothing was undone"
        self._checked = snapshot.number
        return None

    def refused(self, line: Statement) -> str | None:
        """Check the code of the last refusal."""
        refusal = self._ground.snapshot.refused
        if refusal is None:
            return f"nothing was refused; {self._heard()}"
        return None if refusal.code == line.parts[0] else f"refused as “{refusal.code}”: {refusal.message}"

    def said(self, line: Statement) -> str | None:
        """Check that these words are part of what is said."""
        return None if line.text.lower() in self._heard().lower() else self._heard()

    def todo(self, line: Statement) -> str | None:
        """Check that a piece is to be laid somewhere."""
        moves = self._ground.snapshot.todo
        if any(move.piece == line.parts[0] and move.belongs == line.parts[2] for move in moves):
            return None
        return f"to be moved: {', '.join(f'{move.piece} to {move.belongs}' for move in moves) or 'nothing'}"

    def light(self, line: Statement) -> str | None:
        """Check the pattern of a light."""
        shines = self._ground.snapshot.signals.get(line.parts[0], Pattern.OFF)
        return None if shines is Pattern[line.parts[1].upper()] else f"it is {shines.name.lower()}"

    def turn_of(self, line: Statement) -> str | None:
        """Check who decides in which phase."""
        position = self._ground.snapshot.position
        seat = "-" if position.decider is None else str(position.decider)
        return None if (seat, position.phase) == line.parts else f"it is {seat} {position.phase}"

    def _heard(self) -> str:
        snapshot = self._ground.snapshot
        refused = [snapshot.refused.message] if snapshot.refused else []
        return "said: " + " / ".join([snapshot.headline.text, *(said.text for said in snapshot.say), *refused])


_CHECKS: Mapping[str, Callable[[ScenarioChecker, Statement], str | None]] = {
    "accepted": ScenarioChecker.accepted,
    "nothing": ScenarioChecker.nothing,
    "undone": ScenarioChecker.undone,
    "refused": ScenarioChecker.refused,
    "said": ScenarioChecker.said,
    "todo": ScenarioChecker.todo,
    "light": ScenarioChecker.light,
    "turn-of": ScenarioChecker.turn_of,
}
