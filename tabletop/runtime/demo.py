"""The demo: a whole table with no hardware, on pages that anybody in the room can open."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tabletop.bots.levels import DEMO_LEVELS
from tabletop.bots.thinking.bot_process import BotProcess
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.referee import Draw
from tabletop.rules import registry
from tabletop.runtime import network, page_server
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.simulator.play.bot_driver import BotDriver
from tabletop.simulator.play.shared_camera import SharedCamera
from tabletop.simulator.play.table_bots import PageBots, TableBots
from tabletop.simulator.play.tournament import NAMES
from tabletop.simulator.table.fingers import LONG_PRESS_S, PRESS_S
from tabletop.simulator.world import World
from tabletop.vision.kit import Kit
from tabletop.web.http.addresses import Addresses
from tabletop.web.seating.claims import GUARDED
from tabletop.web.seating.room import Room
from tabletop.web.seating.tokens import new_code

MISLAY_BUTTON = "MISLAY"
"""A button that only the demo's page has: it lets the simulated hands lay a piece wrongly."""


class DemoError(RuntimeError):
    """The demo cannot be started; the text says why and what to do."""


class Demo:
    """A simulated table; ``humans`` seats wait for people, the others are played until somebody takes them.

    ``make`` names the pieces played with, the game's first if empty; ``levels`` are the bots' levels, assigned in turn
    to the seats after the people's.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int,
        humans: int,
        seed: int,
        harsh: int,
        size: tuple[int, int],
        speed: float,
        make: str = "",
        levels: Sequence[str] = DEMO_LEVELS,
    ) -> None:
        self._make, self._levels = make, tuple(levels)
        self._thinking = BotProcess(game)
        self._game = registry.game(game)
        self._simulated = self._game.table is not None
        self._names = NAMES[:seats]
        self._humans = frozenset(range(humans))
        self._seed, self._harsh, self._size, self._speed = seed, harsh, size, speed

    def run(self, bind: str, port: int, say: Callable[[str], None]) -> None:
        """Serve the demo until it is interrupted.  Raises DemoError if it cannot start."""
        trouble = network.port_in_use(bind, port)
        if trouble:
            raise DemoError(trouble)
        port = port or network.free_port(bind)
        say("Laying the table …")
        with ExitStack() as stack:
            ended = stack.enter_context(page_server.stop_signal())
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tabletop-")))
            session = self.session(folder, stack, host_code := new_code(8))
            addresses = network.addresses_of(bind, ["127.0.0.1"], port)

            def listening() -> None:
                self._announce(addresses, session.table.room, host_code, say)
                network.tell_changes(addresses, say)

            pages = session.table.pages(addresses, session.push if session.world is not None else None)
            page_server.serve(pages, bind, port, ended, addresses=addresses, listening=listening)
            say("The table is closed.")

    def session(self, folder: Path, stack: ExitStack, host_code: str = "") -> DemoSession:
        """Return the table with simulated people and its games in ``folder``; closing ``stack`` puts it away."""
        journal, match = store.start(folder, self._game, self._names, time.time())
        stack.callback(self._thinking.close)
        seats = range(len(self._names))
        simulated = frozenset(seats) - self._humans
        room = Room(new_code(), seats=seats, admission=GUARDED, host_code=host_code, simulated=simulated)
        return DemoSession(journal, match, room, self._world, self._bots, self._draw(), stack)

    def level_of(self, seat: int) -> str:
        """Return the level of the bot that plays a seat until somebody takes it."""
        return self._levels[(seat - len(self._humans)) % len(self._levels)]

    def _bots(self, session: DemoSession, seats: int) -> TableBots:
        """Return simulated people for that many seats."""
        table = session.table

        def plays(seat: int) -> bool:
            return seat in table.room.seating.awaited

        people = [self._thinking.bot(self.level_of(seat)) for seat in range(seats)].__getitem__
        rng = random.Random(f"people {self._seed} {session.games}")
        if session.world is None:
            return PageBots(table.mailbox, people, plays, rng, self._speed)
        fingers = MockFingers(session.wires, session.factory)
        return BotDriver(
            session.world, session.lock, table.mailbox, fingers, bot_of=people, human=plays, rng=rng, speed=self._speed
        )

    def _world(self, names: Sequence[str], options: Mapping[str, Any], number: int) -> World | None:
        """Return the table for the game with this number, None for a game that has no simulated table."""
        if not self._simulated:
            return None
        seed, harsh, size = self._seed + number, self._harsh, self._size
        return World(
            self._game, names, seed, harsh, size, colour=True, make=self._make, options=options, clock=time.monotonic
        )

    def _draw(self) -> Draw | None:
        if self._simulated:
            return None
        rng = random.Random(f"stock {self._seed}")
        return lambda match: match.game.draw(match.position, rng)

    def _announce(self, addresses: Addresses, room: Room, host_code: str, say: Callable[[str], None]) -> None:
        address = addresses.first
        where = "at a simulated table" if self._simulated else "on pages alone: no camera, no panel"
        say(f"{self._game.title} with {', '.join(self._names)} {where}.")
        say(f"  the table, for a TV or tablet         {address}/")
        if self._simulated:
            say(f"  what the camera sees, and the panel   {address}/demo")
        say(f"  the host                              {address}/host   one-time code {host_code}")
        for seat, name in enumerate(self._names):
            who = "waits for you" if seat in self._humans else f"a {self.level_of(seat)} bot plays it until you take it"
            say(f"  play as {name:<8} {address}/join?code={room.code}&seat={seat}   ({who})")
        if not addresses.awaits_network and address.startswith("http://127.0.0.1"):
            say("Phones on your network can join if you start the demo with --bind 0.0.0.0.")
        say("Press Ctrl+C to stop the demo.")


Lay = Callable[[Sequence[str], Mapping[str, Any], int], World | None]
"""Lays the table of a game, given its names, its options, and how many games came before it."""


class DemoSession:
    """The demo while it runs: its table, and the simulated people at it, from one game to the next.

    Attributes:
        table: the table.
        world: the simulated table that stands there now; None for a game that is played on its pages alone.
        lock: held while the simulated table is looked at or touched.
        games: how many games came before this one.
    """

    def __init__(
        self,
        journal: Journal,
        match: Match,
        room: Room,
        lay: Lay,
        gather: Callable[[DemoSession, int], TableBots],
        draw: Draw | None,
        stack: ExitStack,
    ) -> None:
        self.wires, self.factory, self.lock = panel_file.load(), mock_factory(), threading.RLock()
        self.games = 0
        self._lay, self._gather = lay, gather
        self.world = lay(match.position.names, {}, 0)
        self.table = RunningTable(
            journal,
            match,
            lambda _panel: room,
            clocks=Clocks(time.time, time.monotonic),
            panel=PanelSetup(lambda: Panel(self.wires, self.factory, time.monotonic)),
            camera=None if self.world is None else CameraSetup(lambda: SharedCamera(self._standing, self.lock)),
            draw=draw,
            kit=None if self.world is None else Kit(match.game, self.world.table.make),
            relaid=self._relaid,
        )
        stack.enter_context(self.table)
        self._bots = gather(self, len(match.position.names))
        self._bots.start()
        stack.callback(self._stop)

    def _stop(self) -> None:
        self._bots.stop()

    def push(self, button: str, held: bool) -> None:
        """Press a button of the panel, briefly or held down; MISLAY makes the simulated hands lay a piece wrongly."""
        if isinstance(self._bots, BotDriver) and button == MISLAY_BUTTON:
            self._bots.mislay()
        elif isinstance(self._bots, BotDriver):
            self._bots.push(button, LONG_PRESS_S if held else PRESS_S)

    @contextmanager
    def _relaid(self, names: Sequence[str], options: Mapping[str, Any]) -> Iterator[None]:
        """Lay a fresh table while the next game begins; if that is refused, put the old one back."""
        world, before = self._lay(names, options, self.games + 1), self.world
        self._bots.stop()
        try:
            self._put(world)
            yield
            self.games += 1
        except BaseException:
            self._put(before)
            raise
        finally:
            self._bots = self._gather(self, len(self.table.mailbox.snapshot.position.names))
            self._bots.start()

    def _put(self, world: World | None) -> None:
        with self.lock:
            self.world = world

    def _standing(self) -> World:
        assert self.world is not None
        return self.world
