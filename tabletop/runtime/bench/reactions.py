"""How soon a whole table reacts: from a press to its light, from an act to another phone, from an event to the disk."""

from __future__ import annotations

import json
import queue
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.gpio import Edge, Panel
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.panel_file import Wire, Wiring
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.referee.referee import Referee
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Game
from tabletop.runtime import network
from tabletop.runtime.bench.figures import MIN_REPEATS, BenchError
from tabletop.runtime.bench.reading import SEAT_NAMES, laid_world
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.simulator.play.shared_camera import SharedCamera
from tabletop.web.app import PageLimits
from tabletop.web.seating.room import Room
from tabletop.web.seating.tokens import new_code
from tabletop.web.server import Server

UNDO = "UNDO"
"""The button that takes the last press back."""
PRESS_S = 0.15
"""How long a button is held down, and how long to pause after it."""
ANSWER_TIMEOUT_S = 30.0
"""After this time an answer is not expected any more."""
HOST = "127.0.0.1"
EVENT_NUMBER = re.compile(rb'"on": (\d+),')
"""Where an event of a stream gives the number of the match's newest event that the page shows."""
CLOCKS = Clocks(time.time, time.monotonic)


class PressedPanel(Panel):
    """A panel whose buttons the program presses and whose lights are those of the pins.

    ``shown`` queues each light that was set: its wire, whether it is on, and when (monotonic seconds).
    """

    def __init__(self, wiring: Wiring, factory: Any) -> None:
        self.shown: queue.SimpleQueue[tuple[Wire, bool, float]] = queue.SimpleQueue()
        self._pressed = ""
        super().__init__(wiring, factory, time.monotonic)

    def press(self, button: str, *, down: bool) -> None:
        """Close a button's contact, or open it."""
        self._pressed = button if down else ""
        self.edges.put_nowait(Edge(button, down, time.monotonic()))

    def down(self, button: str) -> bool:
        """Return whether the program holds the button down."""
        return button == self._pressed

    def light(self, wire: Wire, on: bool) -> None:
        """Turn a light on or off, and note when."""
        super().light(wire, on)
        self.shown.put((wire, on, time.monotonic()))


def presses(game: Game, folder: Path, open_panel: Callable[[], PressedPanel], seconds: float) -> list[float]:
    """Return the seconds that a button's light took to answer each press, at a whole table with a camera.

    Presses count and are undone in turn, so each is an event on the disk.
    """
    world = laid_world(game, (1920, 1080))
    journal, match, _ = Journal.open(_begun(game, folder))
    opened: list[PressedPanel] = []

    def had() -> PressedPanel:
        opened.append(open_panel())
        return opened[-1]

    camera = CameraSetup(lambda: SharedCamera(lambda: world, threading.RLock()))
    table = RunningTable(journal, match, _room, clocks=CLOCKS, panel=PanelSetup(had, sound=False), camera=camera)
    with table:
        button = next(
            wire.name
            for wire in opened[0].wiring.buttons
            if table.mailbox.snapshot.signals.get(wire.name) is Pattern.STEADY and wire.name != UNDO
        )
        took: list[float] = []
        end = time.monotonic() + seconds
        while len(took) < 2 * MIN_REPEATS or time.monotonic() < end:
            took += [_answered(opened[0], button, button, on=False), _answered(opened[0], UNDO, button, on=True)]
    return took


def _begun(game: Game, folder: Path) -> Path:
    """Return the journal of a match whose first decision is due, with chance drawn as for the simulated table."""
    journal, match = store.start(folder, game, SEAT_NAMES, time.time())
    rng = random.Random(1)
    with closing(journal):
        Referee(match, journal, time.time, lambda at: game.draw(at.position, rng))
    return journal.path


def _answered(panel: PressedPanel, button: str, signal: str, *, on: bool) -> float:
    """Press a button; return the seconds until the light of ``signal`` was turned on, or off."""
    begun = time.monotonic()
    panel.press(button, down=True)
    while True:
        try:
            wire, lit, at = panel.shown.get(timeout=ANSWER_TIMEOUT_S)
        except queue.Empty:
            raise BenchError(f"No light answered the button {button} within {ANSWER_TIMEOUT_S:.0f} s.") from None
        if signal in wire.shows and lit is on and at > begun:
            break
    time.sleep(PRESS_S)
    panel.press(button, down=False)
    time.sleep(PRESS_S)
    return at - begun


def acts(game: Game, folder: Path, seconds: float) -> list[float]:
    """Return the seconds from each action that a phone sends until another one shows it, without a network between."""
    journal, match = store.start(folder, game, SEAT_NAMES, time.time())
    room, rng = Room(new_code(), seats=range(len(SEAT_NAMES))), random.Random(1)
    table = RunningTable(
        journal, match, lambda _: room, clocks=CLOCKS, panel=PanelSetup(_unwired),
        draw=lambda at: game.draw(at.position, rng),
    )  # fmt: skip
    tokens = [room.claim(seat) for seat in range(len(SEAT_NAMES))]
    for seat in range(len(SEAT_NAMES)):
        room.accept(seat)
    with ExitStack() as stack:
        stack.enter_context(table)
        port = network.free_port(HOST)
        server = Server(table.pages([f"http://{HOST}:{port}"], limits=PageLimits(acts=1_000_000)), HOST, port)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        stack.callback(thread.join, ANSWER_TIMEOUT_S)
        stack.callback(server.close)
        shown = stack.enter_context(closing(Phone(port)))
        return [*_sent(table, shown, partial(_act, port, tokens), seconds)]


def _sent(table: RunningTable, phone: Phone, act: Callable[[RunningTable], None], seconds: float) -> Iterator[float]:
    """Yield the seconds from each action until the phone shows it, until the time is up or the game is over."""
    end, number = time.monotonic() + seconds, 0
    while not table.mailbox.snapshot.over and (number < MIN_REPEATS or time.monotonic() < end):
        before = table.mailbox.snapshot.number
        begun = time.monotonic()
        act(table)
        yield phone.shows_later_than(before) - begun
        number += 1


class Phone:
    """An open page, whose stream is read in a thread of its own."""

    def __init__(self, port: int) -> None:
        self._numbers: queue.SimpleQueue[tuple[int, float]] = queue.SimpleQueue()
        self._socket = socket.create_connection((HOST, port), timeout=ANSWER_TIMEOUT_S)
        self._socket.sendall(f"GET /events/table HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.shows_later_than(0)

    def shows_later_than(self, number: int) -> float:
        """Return when the page showed an event after that number, in monotonic seconds."""
        while True:
            try:
                shown, at = self._numbers.get(timeout=ANSWER_TIMEOUT_S)
            except queue.Empty:
                raise BenchError(f"No page showed an act within {ANSWER_TIMEOUT_S:.0f} s.") from None
            if shown > number:
                return at

    def close(self) -> None:
        """Close the page."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(ANSWER_TIMEOUT_S)
        self._socket.close()

    def _read(self) -> None:
        rest = b""
        while data := self._socket.recv(1 << 16):
            numbers, rest = EVENT_NUMBER.findall(rest + data), (rest + data)[-40:]
            if numbers:
                self._numbers.put((max(map(int, numbers)), time.monotonic()))


def act_request(port: int, tokens: Sequence[str], snapshot: Snapshot) -> bytes:
    """Return the request for the first legal action, as the phone of the seat that decides sends it."""
    action = next(iter(snapshot.position.legal.thrifty()))
    body = json.dumps({"action": action.to_json(), "on": snapshot.number, "id": f"bench-{snapshot.number:06d}"})
    head = (
        f"POST /seat/act HTTP/1.1\r\nHost: {HOST}:{port}\r\nOrigin: http://{HOST}:{port}\r\n"
        f"Content-Type: application/json\r\nCookie: seat={tokens[snapshot.position.decider or 0]}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


def _act(port: int, tokens: Sequence[str], table: RunningTable) -> None:
    with socket.create_connection((HOST, port), timeout=ANSWER_TIMEOUT_S) as phone:
        phone.sendall(act_request(port, tokens, table.mailbox.snapshot))
        answer = phone.recv(4096)
    if b" 200 " not in answer[:20]:
        raise BenchError(f"The table refused an act: {answer[:200]!r}")


def commits(game: Game, folder: Path, seconds: float) -> list[float]:
    """Return the seconds that each event took to be on the disk."""
    journal, _ = store.start(folder, game, SEAT_NAMES, time.time())
    took: list[float] = []
    with closing(journal):
        end = time.monotonic() + seconds
        while len(took) < MIN_REPEATS or time.monotonic() < end:
            begun = time.perf_counter()
            kind = EventKind.PAUSE if len(took) % 2 else EventKind.RESUME
            journal.append([Fact(kind, {}, None, Source.HOST, time.time())])
            took.append(time.perf_counter() - begun)
    return took


def _unwired() -> Panel:
    """Return a panel in memory, which nobody presses."""
    return Panel(panel_file.load(), mock_factory(), time.monotonic)


def _room(_wires: Wiring | None) -> Room:
    return Room(new_code(), seats=range(len(SEAT_NAMES)))
