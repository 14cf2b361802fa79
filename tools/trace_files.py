"""Lists the files of the package that a tap and a frame pass through: ``python tools/trace_files.py`` prints them.

A tap goes from a phone's request to the commit in the journal; a frame goes from the camera, through the action that it
shows, to the page that reports it.  Each file in which a function runs on that way is counted, at the second such tap
or frame, when everything that is made only once exists.  A real table with its own threads is served for it; the
simulator, which stands for the world before the camera, does not count.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.panel_file import load
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.referee.referee import Draw
from tabletop.rules.palazzo import GAME
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.simulator.play.shared_camera import SharedCamera
from tabletop.simulator.table.fingers import Clock
from tabletop.simulator.world import World
from tabletop.web.seating.room import Room

PACKAGE = Path(__file__).parents[1] / "tabletop"
BASE = "http://127.0.0.1:8000"
NAMES = ("Ann", "Bob", "Cyd")
FRAME = 0.2
"""The seconds from one frame to the next."""
MOST_FRAMES = 60
"""The most frames until a piece that was laid is understood."""
PATIENCE = 10.0
"""The most seconds until the referee answers."""


class Tracer:
    """Records the files of the package whose functions run while it listens, in all threads started after it."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._listens, self._last = False, ("", "")
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def close(self) -> None:
        """Stop listening."""
        threading.setprofile(None)
        sys.setprofile(None)

    @contextmanager
    def listening(self, file: str = "", function: str = "") -> Iterator[list[str]]:
        """Provide a list that contains the files once the block has been left; if a ``function`` is named, recording
        ends when it returns.
        """
        found: list[str] = []
        self._files.clear()
        self._last, self._listens = (file, function), True
        try:
            yield found
        finally:
            self._listens = False
            inside = (Path(file) for file in self._files if Path(file).is_relative_to(PACKAGE))
            relative = {file.relative_to(PACKAGE).as_posix() for file in inside}
            found += sorted(file for file in relative if not file.startswith("simulator/") and file.endswith(".py"))

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if self._listens and event == "call":
            self._files.add(code.co_filename)
        elif self._listens and event == "return" and code.co_name == self._last[1]:
            self._listens = not code.co_filename.endswith(self._last[0])


def _table(folder: Path, stack: ExitStack, clock: Clock, world: World | None, draw: Draw | None) -> RunningTable:
    """Return a running table whose camera loop is called by hand."""
    journal, match = store.start(folder, GAME, NAMES, 0.0)
    room = Room("CODE42", seats=range(len(NAMES)))
    table = RunningTable(
        journal, match, lambda _panel: room, clocks=Clocks(lambda: 0.0, clock),
        panel=PanelSetup(lambda: Panel(load(), mock_factory(), clock)),
        camera=None if world is None else CameraSetup(lambda: SharedCamera(lambda: world, threading.RLock())),
        draw=draw,
    )  # fmt: skip
    stack.enter_context(table.mailbox)
    stack.callback(journal.close)
    stack.callback(table.panel.stop)
    return table


def of_a_tap(tracer: Tracer) -> list[str]:
    """Return the files that a seat's tap passes through on its way to the journal."""
    rng = random.Random(1)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        table = _table(folder, stack, Clock(), None, lambda match: GAME.draw(match.position, rng))
        app = table.pages([BASE])
        phones = []
        for seat in range(len(NAMES)):
            phones.append(app.test_client())
            phones[-1].set_cookie("seat", table.room.claim(seat), domain="127.0.0.1")

        def tap() -> list[str]:
            snapshot = table.mailbox.snapshot
            assert snapshot.position.decider is not None
            action, phone = next(iter(snapshot.position.legal.thrifty())), phones[snapshot.position.decider]
            on, game = snapshot.number, snapshot.mark
            request = {"action": action.to_json(), "on": on, "game": game, "id": f"request {on}"}
            with tracer.listening("match/journal.py", "append") as files:
                answer = phone.post("/seat/act", json=request, base_url=BASE, headers={"Origin": BASE})
            assert answer.json is not None
            assert answer.json["ok"], answer.json
            return files

        tap()
        return tap()


def of_a_frame(tracer: Tracer) -> list[str]:
    """Return the files that a frame with a newly laid piece passes through on its way to the page that reports it."""
    clock = Clock()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        world = World(GAME, NAMES, 1, 0, (1920, 1080), clock=clock)
        table = _table(folder, stack, clock, world, None)
        app, loop = table.pages([BASE]), table.camera_loop
        assert loop is not None
        stream = iter(app.test_client().get("/events/table", base_url=BASE).response)
        stack.callback(stream.close)  # type: ignore[attr-defined]
        next(stream)

        def show() -> list[str]:
            position = table.mailbox.snapshot.position
            for step in world.steps_for(position, *world.bundle(position, lambda _: next(iter(position.legal)))):
                world.perform(step)
            before = table.mailbox.snapshot.number
            for _ in range(MOST_FRAMES):
                clock.move_to(clock.now + FRAME)
                with tracer.listening() as files:
                    loop.turn()
                    assert table.mailbox.answers(PATIENCE)
                    if table.mailbox.snapshot.number > before:
                        next(stream)
                        break
            else:
                raise RuntimeError("What was laid is not understood.")
            return files

        show()
        show()
        return show()


def main() -> None:
    """Print both lists."""
    tracer = Tracer()
    try:
        for name, way in (("tap", of_a_tap), ("frame", of_a_frame)):
            files = way(tracer)
            print(f"A {name} touches {len(files)} files:", *files, sep="\n  ")
    finally:
        tracer.close()


if __name__ == "__main__":
    main()
