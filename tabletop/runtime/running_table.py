"""The one place where the parts of a table are put together: camera, eyes, referee, panel and pages."""

from __future__ import annotations

import errno
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import reduce
from typing import Any

from flask import Flask

from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.cameras.supervisor import Supervisor
from tabletop.hardware.diagnostics.probes import cannot_listen
from tabletop.hardware.errors import PinsError
from tabletop.hardware.panel.buttons import ButtonFault, Trouble
from tabletop.hardware.panel.io import Pattern, Press
from tabletop.hardware.panel.loop import PanelLoop
from tabletop.hardware.panel.pins import panel_or_mock
from tabletop.hardware.panel.wiring import Wiring
from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.camera_loop import CameraLoop
from tabletop.referee.layout_diff import awaited
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.messages import SENTENCES
from tabletop.referee.referee import Draw, Referee
from tabletop.referee.signals import SAVED
from tabletop.rules.game import Illegal
from tabletop.runtime.aiming import Viewfinder
from tabletop.runtime.photo_jobs import PhotoJobs
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.vision.live.tracker_for import tracker_for
from tabletop.vision.report import live_overlay
from tabletop.web.app import create_app
from tabletop.web.http.addresses import Addresses
from tabletop.web.http.session import Begin
from tabletop.web.pages import aim
from tabletop.web.seating.room import Room
from tabletop.web.seating.votes import Votes
from tabletop.web.server import Server

log = logging.getLogger(__name__)

Shine = Callable[[Mapping[str, Pattern]], Mapping[str, Pattern]]
"""Makes of the lights' signals what they are to show."""
BUTTON_STATES: Mapping[ButtonFault, str] = {
    ButtonFault.HELD: "stuck", ButtonFault.STUCK: "stuck", ButtonFault.CHATTER: "loose", ButtonFault.FREED: "ok",
}  # fmt: skip
"""What people are told of a fault; a lost edge that was healed is nobody's business but the log's."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""What is listened on where every address of this machine will do."""


NO_NETWORK = "There is no network yet; the address for phones is told here as soon as there is one."
"""What the console says while the pages listen everywhere and only this machine can open them."""


class PagesLost(RuntimeError):
    """The server of the pages ended by itself."""

    def __init__(self) -> None:
        super().__init__("The pages ended by themselves; every move is on the disk. Start the table again.")


@dataclass(frozen=True, slots=True)
class Clocks:
    """The two clocks of a table, in seconds: ``now`` Unix time for the record, ``steady`` monotonic for all else."""

    now: Callable[[], float]
    steady: Callable[[], float]


class RunningTable:
    """One table, running.  A context manager: leaving it turns the lights off and gives everything back.

    ``open_camera`` opens the camera (None: played on buttons and pages alone, chance drawn by ``draw``), ``factory``
    makes the pins.  Without ``sound`` the buzzer is silent; ``farewell`` is for how many seconds the lights say at the
    end that all is saved.  ``held`` names the buttons of which a listener wants to know that they are held down.
    ``no_pins`` is why ``factory`` is not the one that was asked for; pins that fail when they are opened give another.

    Attributes:
        no_pins: why there is no panel and the game goes on by pages alone; None: there is one.
    """

    def __init__(
        self,
        journal: Journal,
        match: Match,
        *,
        clocks: Clocks,
        wiring: Wiring,
        factory: Any,
        open_camera: Callable[[], Camera] | None,
        draw: Draw | None = None,
        rate: float = 5.0,
        share: float = 0.4,
        sound: bool = True,
        farewell: float = 0.0,
        held: Iterable[str] = (),
        no_pins: PinsError | None = None,
    ) -> None:
        self._clocks = clocks
        self._journal = journal
        self.games = journal.path.parent
        panel, unopened = panel_or_mock(wiring, factory, clocks.steady)
        self.no_pins = no_pins or unopened
        self.referee = Referee(match, journal, clocks.now, draw)
        if self.no_pins is not None:
            log.error("The panel cannot be used: %s", self.no_pins)
            self.referee.without_panel(str(self.no_pins))
        self.desk = Mailbox(self.referee)
        self.panel = PanelLoop(
            panel,
            self._signals,
            self._pressed,
            self._troubled,
            clocks.steady,
            sound=sound,
            long=held,
        )
        self.desk.on_change(self.panel.wake)  # a light answers at once
        self._farewell, self._put_away = farewell if self.no_pins is None else 0.0, False
        self.watch: CameraLoop | None = None
        if open_camera is not None:
            eyes = tracker_for(match.game, len(match.position.names), awaited=self._awaited)
            camera = Supervisor(open_camera, self.desk.camera, clocks.steady)
            self.watch = CameraLoop(camera, eyes, self.desk, clocks.steady, rate, share)
        self._darkroom = PhotoWorker()
        self.photographs = PhotoJobs(
            self._darkroom, match.game, lambda: len(self.desk.snapshot.position.names), self.games, clocks.now
        )
        self._finders: dict[int, Viewfinder] = {}
        self._listeners: list[Callable[[Press], bool]] = []
        self._shines: list[Shine] = []
        self._stack = ExitStack()

    def __enter__(self) -> RunningTable:
        stack = self._stack
        stack.callback(self._darkroom.close)
        self.panel.start()
        stack.callback(self.panel.stop)
        stack.callback(self._say_farewell)
        stack.callback(self._close_journal)
        stack.enter_context(self.desk)
        if self.watch is not None:
            self.watch.start()
            stack.callback(self.watch.stop)
        return self

    def __exit__(self, *trouble: object) -> None:
        self._stack.close()

    def begin_next(self, names: Sequence[str], options: Mapping[str, Any]) -> None:
        """Begin the next match of the same game.

        Raises Illegal while one is played and for people or options that the game refuses, JournalError where the disk
        does; then all stays as it is.
        """

        def follow(referee: Referee) -> Referee:
            before = referee.match
            if not before.over:
                raise Illegal("wrong-phase", SENTENCES["going-on"])
            edition = before.events[0].data.get("edition")
            journal, match = store.start(self.games, before.game, names, self._clocks.now(), options, edition)
            # From here on it is the newest match on the shelf: a power cut finds it.
            self._journal.close()
            self._journal = journal
            if self.watch is not None:
                self.watch.look_with(tracker_for(match.game, len(names), awaited=self._awaited))
            return referee.successor(match, journal)

        self.desk.take_up(follow)

    def _awaited(self) -> frozenset[str]:
        """Return the pieces that the eyes may find next."""
        return awaited(self.desk.snapshot.position)

    def on_press(self, listener: Callable[[Press], bool]) -> None:
        """Let a listener have presses first; one that returns True keeps the press from the referee."""
        self._listeners.append(listener)

    def shine_through(self, shine: Shine) -> None:
        """Let the lights show what ``shine`` makes of the table's signals; who came last has the last word."""
        self._shines.append(shine)

    def picture(self) -> bytes | None:
        """Return the newest frame with what was understood drawn in, as JPEG; None while there is none."""
        frame = self.watch.last if self.watch is not None else None
        return live_overlay.draw(frame, self.desk.snapshot.scene) if frame is not None else None

    def viewfinder(self) -> Viewfinder | None:
        """Return what judges the newest frame for whoever aims the camera, None where there is no camera."""
        watch, position = self.watch, self.desk.snapshot.position
        if watch is None:
            return None
        seats = len(position.names)
        if seats not in self._finders:
            self._finders[seats] = Viewfinder(position.game, seats, lambda: watch.last, self._clocks.steady)
        return self._finders[seats]

    def _signals(self) -> Mapping[str, Pattern]:
        if self._put_away:
            return SAVED
        return reduce(lambda signals, shine: shine(signals), self._shines, self.desk.snapshot.signals)

    def _close_journal(self) -> None:
        self._journal.close()

    def _say_farewell(self) -> None:
        """Show that the table may be unplugged: the journal is closed; what it could not write was told before."""
        if self._farewell and not any(said.code == "journal" for said in self.desk.snapshot.say):
            self._put_away = True
            self.panel.wake()
            threading.Event().wait(self._farewell)

    def _pressed(self, press: Press) -> None:
        if not any(listener(press) for listener in self._listeners):
            self.desk.press(press)

    def _troubled(self, trouble: Trouble) -> None:
        log.warning("Button %s %s", trouble.button, trouble.fault.value)
        if trouble.fault in BUTTON_STATES:
            self.desk.button(trouble.button, BUTTON_STATES[trouble.fault])


def pages(
    app: RunningTable,
    room: Room,
    addresses: Sequence[str],
    press: Callable[[str], None] | None = None,
    votes: Votes | None = None,
    begin: Begin | None = None,
) -> Flask:
    """Return the pages of a running table.

    ``press`` pushes a button of the demo's panel; ``votes`` are those that the panel answers too; ``begin`` begins the
    next game.
    """
    flask = create_app(
        app.desk,
        room=room,
        addresses=addresses,
        picture=app.picture,
        press=press,
        eye=app.photographs,
        archive=Archive(app.games),
        votes=votes,
        begin=begin,
    )
    if app.watch is not None:
        aim.attach(
            flask,
            lambda: finder.told() if (finder := app.viewfinder()) else None,
            lambda: finder.picture() if (finder := app.viewfinder()) else None,
        )
    return flask


@contextmanager
def told_to_end() -> Iterator[threading.Event]:
    """Give what is set once the process is interrupted or told to end (SIGTERM runs no clean-up by itself)."""
    ended = threading.Event()
    before = {number: signal.signal(number, lambda *_: ended.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve(
    flask: Flask,
    host: str,
    port: int,
    ended: threading.Event,
    beat: Callable[[], None] = lambda: None,
    addresses: Addresses | None = None,
) -> None:
    """Serve the pages until ``ended`` is set; ``beat`` is called about twice a second, and ``addresses`` are asked for.

    Raises PagesLost where the server ends by itself: nobody told it to, and the table is not to look put away.
    """
    server = Server(flask, host, port)
    thread = threading.Thread(target=server.run, name="pages", daemon=True)
    thread.start()
    # A wait without a time-out would keep the signal's handler from running on some platforms.
    while not ended.wait(0.5) and thread.is_alive():
        beat()
        if addresses is not None:
            addresses.look()
    server.close()
    if not ended.is_set():
        raise PagesLost


def numeric_address() -> str:
    """Return this machine's address in its own network, ``127.0.0.1`` where it has none.  Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only asks the routing table; the address is one reserved for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def addresses(bind: str, hosts: Sequence[str], port: int, own: Callable[[], str] | None = None) -> Addresses:
    """Return the addresses of pages that listen on ``bind``, the numeric one first: some phones know no names.

    ``hosts`` are further names; the one that mDNS gives the machine is among them.  ``own`` returns this machine's
    address in its own network as it is now: Wi-Fi may come up long after the table.
    """
    everywhere = bind in EVERYWHERE

    def now() -> list[str]:
        numeric = (own or numeric_address)() if everywhere else f"[{bind}]" if ":" in bind else bind
        names = [numeric, *hosts, f"{socket.gethostname()}.local", "localhost"]
        return [f"http://{name}:{port}" for name in names]

    return Addresses(now, everywhere=everywhere)


def tell_changes(addresses: Addresses, say: Callable[[str], None]) -> None:
    """Say each new address of the pages once, and when the network is gone."""

    def changed() -> None:
        where = f"The pages are now at {addresses.first}/"
        with suppress(OSError, ValueError):  # a console that is gone costs its line, never the table
            say(NO_NETWORK if addresses.awaits_network else where)

    addresses.on_change(changed)


def port_in_use(host: str, port: int) -> str:
    """Return why the pages cannot be served there, empty where they can."""
    error = cannot_listen(host, port)
    if error is None:
        return ""
    if error.errno in (errno.EADDRINUSE, errno.EACCES):
        return f"Port {port} on {host} cannot be used ({error.strerror}); choose another with --port."
    return f"This machine cannot be reached as {host} ({error.strerror}); choose another address with --bind."


def free_port(host: str) -> int:
    """Return the number of a port that nobody uses at this address, one that :func:`port_in_use` found to be fine."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])
