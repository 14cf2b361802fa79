"""The demo: a whole table with no hardware, on pages that anybody in the room can open."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tabletop import app as table
from tabletop.hardware import wiring
from tabletop.hardware.pins import MockFingers, mock_factory
from tabletop.players.player import find_player
from tabletop.referee import shelf
from tabletop.rules import registry
from tabletop.simulator.crowd import Crowd, SharedCamera
from tabletop.simulator.tournament import KINDS, NAMES
from tabletop.simulator.world import World
from tabletop.web.room import Room, new_code


class DemoError(RuntimeError):
    """The demo cannot be started; the text says why and what to do."""


class Demo:
    """A simulated table for one game; ``humans`` seats wait for people, the others are played until taken."""

    def __init__(
        self, game: str, seats: int, humans: int, seed: int, harsh: int, size: tuple[int, int], speed: float
    ) -> None:
        self._game = registry.game(game)
        self._names = NAMES[:seats]
        self._humans = frozenset(range(humans))
        self._seed, self._harsh, self._size, self._speed = seed, harsh, size, speed

    def run(self, bind: str, port: int, say: Callable[[str], None]) -> None:
        """Serve the demo until it is interrupted.  Raises DemoError where it cannot start."""
        trouble = table.port_in_use(bind, port)
        if trouble:
            raise DemoError(trouble)
        say("Laying the table …")
        room = Room(new_code(), seats=range(len(self._names)))
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tabletop-")))
            app, crowd = self._set_up(folder, room, stack)
            numeric = f"http://{table.numeric_address() if bind == '0.0.0.0' else bind}:{port}"  # noqa: S104
            addresses = [numeric, f"http://localhost:{port}", f"http://127.0.0.1:{port}"]
            self._announce(numeric, room, say)
            table.serve(table.pages(app, room, addresses, press=crowd.push), bind, port)
            say("The table is put away.")

    def _set_up(self, folder: Path, room: Room, stack: ExitStack) -> tuple[table.App, Crowd]:
        world = World(self._game, self._names, self._seed, self._harsh, self._size, colour=True, clock=time.monotonic)
        journal, match = shelf.start(folder, self._game, self._names, time.time())
        wires, factory, lock = wiring.load(), mock_factory(), threading.RLock()
        app = table.App(
            journal,
            match,
            clocks=table.Clocks(time.time, time.monotonic),
            wiring=wires,
            factory=factory,
            open_camera=lambda: SharedCamera(world, lock),
        )
        stack.enter_context(app)
        people = {seat: find_player(KINDS[seat % len(KINDS)]) for seat in range(len(self._names))}
        crowd = Crowd(
            world,
            lock,
            app.desk,
            MockFingers(wires, factory),
            people,
            lambda seat: seat in self._humans or seat in room.taken,
            random.Random(f"people {self._seed}"),
            self._speed,
        )
        crowd.start()
        stack.callback(crowd.stop)
        return app, crowd

    def _announce(self, address: str, room: Room, say: Callable[[str], None]) -> None:
        say(f"{self._game.title} with {', '.join(self._names)} at a simulated table.")
        say(f"  what the camera sees, and the panel   {address}/demo")
        say(f"  the table, for a TV or tablet         {address}/")
        for seat, name in enumerate(self._names):
            who = "waits for you" if seat in self._humans else "played by the program until you take it"
            say(f"  play as {name:<8} {address}/join?code={room.code}&seat={seat}   ({who})")
        say("Ctrl+C ends the demo.")
