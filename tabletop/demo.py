"""The demo: a whole table with no hardware, on pages that anybody in the room can open."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from tabletop import app as table
from tabletop.hardware import wiring
from tabletop.hardware.pins import MockFingers, mock_factory
from tabletop.players.player import find_player
from tabletop.referee import shelf
from tabletop.referee.referee import Draw
from tabletop.rules import registry
from tabletop.simulator.company import Company, PageCompany
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
        port = port or table.free_port(bind)
        say("Laying the table …")
        room = Room(new_code(), seats=range(len(self._names)), host_code=(host_code := new_code(8)))
        with ExitStack() as stack:
            ended = stack.enter_context(table.told_to_end())
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tabletop-")))
            app, push = self._set_up(folder, room, stack)
            addresses = table.addresses(bind, ["127.0.0.1"], port)
            self._announce(addresses[0], room, host_code, say)
            table.serve(table.pages(app, room, addresses, press=push), bind, port, ended)
            say("The table is put away.")

    def _set_up(self, folder: Path, room: Room, stack: ExitStack) -> tuple[table.App, Callable[[str], None] | None]:
        """Start table and people; return it and what pushes a button of its panel, None where there is none."""
        journal, match = shelf.start(folder, self._game, self._names, time.time())
        wires, factory, lock = wiring.load(), mock_factory(), threading.RLock()
        world = self._world()
        app = table.App(
            journal,
            match,
            clocks=table.Clocks(time.time, time.monotonic),
            wiring=wires,
            factory=factory,
            open_camera=None if world is None else lambda: SharedCamera(world, lock),
            draw=None if world is not None else self._draw(),
        )
        stack.enter_context(app)
        people = {seat: find_player(self._kind(seat)) for seat in range(len(self._names))}
        rng = random.Random(f"people {self._seed}")
        if world is None:
            company: Company = PageCompany(app.desk, people, partial(self._plays, room), rng, self._speed)
            push = None
        else:
            fingers = MockFingers(wires, factory)
            crowd = Crowd(world, lock, app.desk, fingers, people, partial(self._plays, room), rng, self._speed)
            company, push = crowd, crowd.push
        company.start()
        stack.callback(company.stop)
        return app, push

    def _plays(self, room: Room, seat: int) -> bool:
        """Tell whether a person plays the seat."""
        return seat in self._humans or seat in room.taken

    def _kind(self, seat: int) -> str:
        # What the thrifty player weighs is Palazzo; elsewhere everybody plays by lot.
        return KINDS[seat % len(KINDS)] if self._game.table is not None else "random"

    def _world(self) -> World | None:
        """Return the simulated table, None for a game that says nothing about its table."""
        if self._game.table is None:
            return None
        seed, harsh, size = self._seed, self._harsh, self._size
        return World(self._game, self._names, seed, harsh, size, colour=True, clock=time.monotonic)

    def _draw(self) -> Draw:
        rng = random.Random(f"stock {self._seed}")
        return lambda match: match.game.draw(match.position, rng)

    def _announce(self, address: str, room: Room, host_code: str, say: Callable[[str], None]) -> None:
        where = "at a simulated table" if self._game.table is not None else "on pages alone: no camera, no panel"
        say(f"{self._game.title} with {', '.join(self._names)} {where}.")
        if self._game.table is not None:
            say(f"  what the camera sees, and the panel   {address}/demo")
        say(f"  the table, for a TV or tablet         {address}/")
        say(f"  the host                              {address}/host   one-time code {host_code}")
        for seat, name in enumerate(self._names):
            who = "waits for you" if seat in self._humans else "played by the program until you take it"
            say(f"  play as {name:<8} {address}/join?code={room.code}&seat={seat}   ({who})")
        if address.startswith("http://127.0.0.1"):
            say("Phones in your network can join once you start it with --bind 0.0.0.0.")
        say("Ctrl+C ends the demo.")
