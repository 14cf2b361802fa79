"""A referee's desk over a position in memory: no camera, no journal, chance drawn from a seed where asked."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.hardware.panel.io import Press
from tabletop.match.event import Event
from tabletop.match.match import Step
from tabletop.referee.snapshot import Answer, Said, Snapshot
from tabletop.rules.game import Action, Game, Illegal, Position
from tabletop.vision.scene import Scene


class FakeDesk:
    """What the pages need of a referee."""

    def __init__(self, game: Game, names: Sequence[str], *, seed: int | None = 1, position: Position | None = None):
        self._rng = random.Random(seed) if seed is not None else None
        self._news = threading.Condition()
        self._listeners: list[Callable[[], None]] = []
        self._answers: dict[str, Answer] = {}
        start = game.new(names)
        data = {"schema": 1, "game": game.name, "seats": list(names), "options": {}}
        self._steps: list[Step] = [Step(Event(1, "start", data, None, "table", 0.0, ""), start)]
        self._number = 1
        self.snapshot = Snapshot(1, 1, tuple(self._steps), Said("decides", ""))
        self.calls: list[str] = []
        self._draw()
        if position is not None:
            self.become(position)

    def become(self, position: Position, **more: Any) -> None:
        """Go on from another position."""
        self._number += 1
        event = Event(self._number, "note", {"what": "become"}, None, "page", 0.0, "")
        self._steps.append(Step(event, position))
        self._publish(**more)

    def show(self, **more: Any) -> None:
        """Change what the snapshot says besides the position."""
        self._publish(**more)

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def wait(self, revision: int, timeout: float) -> Snapshot | None:
        with self._news:
            self._news.wait_for(lambda: self.snapshot.revision > revision, timeout)
            return self.snapshot if self.snapshot.revision > revision else None

    def act(self, action: Action, *, on: int, id: str, seat: int | None, source: str = "page") -> Answer:
        if id in self._answers:
            return self._answers[id]
        if on != self._number:
            return Answer(False, self._number, stale=True)
        position = self.snapshot.position
        refusal = position.refusal(action)
        if seat is not None and position.decider not in (None, seat):
            refusal = Illegal("not-your-turn", f"It is {position.names[position.decider]}’s turn to decide.")
        if refusal is not None:
            return Answer(False, self._number, error=refusal)
        self._do(action, position.decider, source)
        self._draw()
        return self._remember(id)

    def undo(self, to: int, *, on: int, id: str, source: str = "page") -> Answer:
        if id in self._answers:
            return self._answers[id]
        if on != self._number:
            return Answer(False, self._number, stale=True)
        kept = [step for step in self._steps if step[0].number <= to]
        if len(kept) == len(self._steps):
            return Answer(False, self._number, error=Illegal("bad-request", "There is nothing to undo."))
        self._steps = kept
        self._number += 1
        self._publish()
        return self._remember(id)

    def decree(self, kind: str, data: Mapping[str, Any], *, id: str) -> Answer:
        self._number += 1
        event = Event(self._number, kind, dict(data), None, "host", 0.0, "")
        self._steps.append(Step(event, self._steps[-1].position))
        match kind:
            case "deputy":
                self._publish(deputed=frozenset(data["seats"]))
            case "end":
                self._publish(ended=True)
            case _:
                self._publish(paused=(kind == "pause") if kind in ("pause", "resume") else self.snapshot.paused)
        return self._remember(id)

    def vouch(self, lying: Mapping[str, str], *, on: int, id: str, source: str) -> Answer:
        self.calls.append(f"vouch {source} {' '.join(sorted(lying))}")
        return self._remember(id)

    def adopt(self, places: Mapping[str, str], *, on: int, id: str, source: str = "host") -> Answer:
        self.calls.append(f"adopt {source} {dict(places)}")
        if on != self._number:
            return Answer(False, self._number, stale=True)
        self.become(self.snapshot.position)
        return self._remember(id)

    def press(self, press: Press) -> None:
        self.calls.append(press.button)

    def see(self, scene: Scene) -> None:
        self.calls.append("see")

    def camera(self, state: str) -> None:
        self._publish(camera=state)

    def button(self, name: str, state: str) -> None:
        self.calls.append(f"{name} {state}")

    def _remember(self, id: str) -> Answer:
        if len(self._answers) > 1000:
            self._answers.pop(next(iter(self._answers)))
        return self._answers.setdefault(id, Answer(True, self._number))

    def _do(self, action: Action, seat: int | None, source: str) -> None:
        self._number += 1
        event = Event(self._number, "action", action.to_json(), seat, source, 0.0, "")
        self._steps.append(Step(event, self._steps[-1].position.after(action)))

    def _draw(self) -> None:
        while self._rng and self._steps[-1][1].decider is None and not self._steps[-1][1].over:
            position = self._steps[-1][1]
            self._do(position.game.draw(position, self._rng), None, "draw")
        self._publish()

    def _publish(self, **more: Any) -> None:
        with self._news:
            self.snapshot = replace(
                self.snapshot,
                revision=self.snapshot.revision + 1,
                number=self._number,
                steps=tuple(self._steps),
                **more,
            )
            self._news.notify_all()
        for listener in self._listeners:
            listener()
