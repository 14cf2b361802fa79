"""Assembles a table: camera, referee, panel, room and pages."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from threading import Lock
from typing import Any

from flask import Flask

from tabletop.bots.thinking.adviser import Adviser
from tabletop.hardware.cameras.camera import Camera, CameraState
from tabletop.hardware.cameras.supervisor import Supervisor
from tabletop.hardware.errors import PinsError
from tabletop.hardware.panel.buttons import ButtonFault, ButtonState, Press, Trouble
from tabletop.hardware.panel.gpio import Panel, panel_or_mock
from tabletop.hardware.panel.lights import Signals
from tabletop.hardware.panel.loop import PanelLoop
from tabletop.hardware.panel.panel_file import Wiring
from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.messages import EMPTY, Declined, Message
from tabletop.referee.camera_loop import CameraLoop
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.messages import SENTENCES
from tabletop.referee.referee import Draw, Referee
from tabletop.referee.signals import SAVED_LIGHTS
from tabletop.runtime import memory
from tabletop.runtime.aiming import Viewfinder
from tabletop.runtime.panel_actions import LONG_PRESS_BUTTONS, PanelActions, admission_at
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.live.tracker_for import tracker_for
from tabletop.vision.report import live_overlay
from tabletop.web.app import USUAL_LIMITS, PageLimits, create_app
from tabletop.web.pages import aim
from tabletop.web.pages.session import TableParts
from tabletop.web.seating.room import Room
from tabletop.web.seating.seat_hints import Hints
from tabletop.web.seating.seating import Person, options_for
from tabletop.web.seating.votes import Votes

log = logging.getLogger(__name__)

Relaid = Callable[[Sequence[str], Mapping[str, Any]], AbstractContextManager[None]]
"""Lays fresh pieces for a game with these names and options; leaving it by an exception puts the old ones back."""
BUTTON_STATES: Mapping[ButtonFault, ButtonState] = {
    ButtonFault.HELD: ButtonState.STUCK,
    ButtonFault.STUCK: ButtonState.STUCK,
    ButtonFault.CHATTER: ButtonState.LOOSE,
    ButtonFault.FREED: ButtonState.OK,
}
"""Fault of a button → the state that people are told; a lost edge that was recovered goes only to the log."""

SWITCH_INTERVAL_S = 0.0005
"""How long a thread that computes in Python may keep others waiting.

A press passes through four threads before its light is set; with Python's default of 5 ms each, the delay can be felt
while a picture is being read.
"""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The two clocks of a table, in seconds: ``now`` is Unix time for the record, ``steady`` monotonic for the rest."""

    now: Callable[[], float]
    steady: Callable[[], float]


@dataclass(frozen=True, slots=True)
class PanelSetup:
    """How to open the panel, and how it behaves.

    ``open`` opens it or raises PinsError, and is called again until it succeeds.  Without ``sound`` the buzzer is
    silent; ``farewell`` is for how many seconds the lights say at the end that all is saved.
    """

    open: Callable[[], Panel]
    sound: bool = True
    farewell: float = 0.0


@dataclass(frozen=True, slots=True)
class CameraSetup:
    """How to open the camera, and the camera loop's ``rate`` in frames per second and ``share`` of a core."""

    open: Callable[[], Camera]
    rate: float = 5.0
    share: float = 0.4


class RunningTable:
    """A running table, both for the real table and for the demo.

    A context manager: leaving it turns the lights off and releases everything.  ``make_room`` makes the room from the
    panel's wiring, None if there is no panel.  Without a ``camera``, chance is drawn by ``draw``.  ``kit`` is what lies
    on the table (None: the game's usual pieces).  ``relaid`` lays fresh pieces for the next game, which begins within
    that context.  ``damage`` is what was found wrong when the journal was opened, for everybody to read.  With
    ``hints`` seats may ask what a bot would do from the start.

    Attributes:
        games: the folder of the games.
        room: who sits where.
        votes: the undo vote that may be open.
        hints: what seats asked a bot.
        mailbox: the referee, for any thread.
        panel: the loop that drives the buttons and lights.
        camera: the camera, kept open as far as that is possible; None if there is none.
        camera_loop: the loop that shows the referee the camera's scenes; None without a camera.
        no_pins: why there is no panel and the game continues on the pages alone; None if there is one.
    """

    def __init__(
        self,
        journal: Journal,
        match: Match,
        make_room: Callable[[Wiring | None], Room],
        *,
        clocks: Clocks,
        panel: PanelSetup,
        camera: CameraSetup | None = None,
        draw: Draw | None = None,
        kit: Kit | None = None,
        relaid: Relaid = lambda _names, _options: nullcontext(),
        damage: Message = EMPTY,
        hints: bool = False,
    ) -> None:
        self._clocks, self._kit, self._relaid = clocks, kit or Kit(match.game), relaid
        self._journal, self.games, self._beginning = journal, journal.path.parent, Lock()
        opened, self.no_pins = panel_or_mock(panel.open, clocks.steady)
        with ExitStack() as pins:  # released if the rest cannot be put together
            pins.callback(opened.close)
            self.room, self.votes = make_room(opened.wiring if self.no_pins is None else None), Votes()
            referee = Referee(match, journal, clocks.now, draw)
            referee.damaged(damage)
            referee.try_disk()
            self.mailbox = Mailbox(referee)
            self._setup, self._put_away = panel, False
            self._actions = PanelActions(self.room, self.votes, self.mailbox, self.begin_same)
            self.panel = self._panel_loop(opened)
            self.camera: Supervisor | None = None
            self.camera_loop = None if camera is None else self._camera_loop(camera, match)
            self._photo_worker = PhotoWorker(
                self._kit, lambda: len(self.mailbox.snapshot.position.names), self.games, clocks.now
            )
            self._adviser = Adviser(match.game.name)
            self.hints = Hints(self._adviser, allowed=hints)
            self._finders: dict[int, Viewfinder] = {}
            self._stack = ExitStack()
            pins.pop_all()

    def _panel_loop(self, opened: Panel) -> PanelLoop:
        retry = None
        if self.no_pins is not None:
            retry = self._retry_panel
            log.error("The panel cannot be used: %s", self.no_pins)
            self.mailbox.panel(False)
        loop = PanelLoop(
            opened, self.panel_signals, self._pressed, self._troubled, self._clocks.steady, sound=self._setup.sound,
            long=LONG_PRESS_BUTTONS, retry=retry,
        )  # fmt: skip
        self.mailbox.on_light(loop.wake)  # a light answers before anything else
        self.mailbox.on_change(loop.wake)
        return loop

    def _camera_loop(self, camera: CameraSetup, match: Match) -> CameraLoop:
        tracker = self._tracker(len(match.position.names))
        self.camera = Supervisor(camera.open, self._camera_is, self._clocks.steady)
        return CameraLoop(self.camera, tracker, self.mailbox, self._clocks.steady, camera.rate, camera.share)

    def _camera_is(self, state: CameraState) -> None:
        """Report the camera's state; why it is lost goes to the log and the health page."""
        if self.camera is not None and self.camera.lost is not None:
            log.warning("%s The game continues without it.", self.camera.lost)
        self.mailbox.camera(state)

    def _retry_panel(self) -> Panel | None:
        """Return the panel if it works again; everybody is told, and phones are confirmed there from now on."""
        try:
            panel = self._setup.open()
        except PinsError as error:
            self.no_pins = error
            return None
        log.warning("The buttons and lights work again.")
        self.no_pins = None
        self.room.change_admission(admission_at(panel.wiring))
        self.mailbox.panel(True)
        return panel

    def __enter__(self) -> RunningTable:
        with ExitStack() as stack:  # everything is released if a part cannot be started
            stack.callback(sys.setswitchinterval, sys.getswitchinterval())
            sys.setswitchinterval(SWITCH_INTERVAL_S)
            stack.callback(self._photo_worker.close)
            stack.callback(self._adviser.close)
            stack.callback(self.panel.stop)
            self.panel.start()
            stack.callback(self._say_farewell)
            stack.callback(self._close_journal)
            stack.enter_context(self.mailbox)
            if self.camera_loop is not None:
                stack.callback(self.camera_loop.stop)
                self.camera_loop.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *trouble: object) -> None:
        self._stack.close()

    def begin(self, people: Sequence[Person], options: Mapping[str, Any]) -> None:
        """Begin the next match of the same game; a phone stays with its person.

        Raises Declined while a match is being played and for people or options that the game refuses, JournalError if
        the disk refuses; then everything stays as it is.
        """
        names = [person.name for person in people]
        with self._beginning:  # of two who ask at once, the second finds a game that is being played
            snapshot = self.mailbox.snapshot
            # Checks that can refuse come first, before anybody is moved to another seat.
            if not snapshot.over:
                raise Declined("wrong-phase", SENTENCES["going-on"])
            snapshot.position.game.new(names, options, snapshot.match.start.data.get("edition"))
            # They sit down first: a phone that sees the new game sees it from the new seat.
            with self.room.seated(people), self._relaid(names, options):
                self._take_up(names, options)
        self.room.keep_for(self.mailbox.snapshot.match.start.hash)
        self.votes.drop()
        memory.give_back()  # the pictures of the last game

    def begin_same(self) -> None:
        """Begin a game like the last one with the same people.  Raises the same as :meth:`begin`."""
        snapshot = self.mailbox.snapshot
        people = self.room.same_people(snapshot.position.names)
        self.begin(people, options_for(people, snapshot.match.start.data["options"]))

    def pages(
        self,
        addresses: Sequence[str],
        push: Callable[[str, bool], None] | None = None,
        limits: PageLimits = USUAL_LIMITS,
    ) -> Flask:
        """Return the pages of this table; ``push`` presses a button of the demo's panel, or holds it down."""
        parts = TableParts(
            mailbox=self.mailbox,
            room=self.room,
            addresses=addresses,
            votes=self.votes,
            hints=self.hints,
            archive=Archive(self.games),
            picture=self.picture,
            press=push,
            photo_reader=self._photo_worker,
            begin=self.begin,
        )
        flask = create_app(parts, limits)
        if self.camera_loop is not None:
            aim.attach(
                flask,
                lambda: finder.report() if (finder := self.viewfinder()) else None,
                lambda: finder.picture() if (finder := self.viewfinder()) else None,
            )
        return flask

    def _take_up(self, names: Sequence[str], options: Mapping[str, Any]) -> None:
        """Switch to a new match, its journal and its tracker."""

        def follow(referee: Referee) -> Referee:
            before = referee.match
            if not before.over:
                raise Declined("wrong-phase", SENTENCES["going-on"])
            edition, loop = before.start.data.get("edition"), self.camera_loop
            tracker = None if loop is None else self._tracker(len(names))
            journal, match = store.start(self.games, before.game, names, self._clocks.now(), options, edition)
            # From here on it is the newest match in the store: after a power cut it is resumed.
            self._journal.close()
            self._journal = journal
            if loop is not None and tracker is not None:
                loop.look_with(tracker)
            return referee.successor(match, journal)

        self.mailbox.take_up(follow)

    def _tracker(self, seats: int) -> TableTracker:
        """Return a tracker of the table for that many seats that asks the record what lies where."""
        return tracker_for(self._kit, seats, lambda: self.mailbox.snapshot.position)

    def picture(self) -> bytes | None:
        """Return the newest frame with what was understood drawn in, as JPEG; None while there is none."""
        frame = self.camera_loop.last if self.camera_loop is not None else None
        return live_overlay.draw(frame, self.mailbox.snapshot.scene) if frame is not None else None

    def viewfinder(self) -> Viewfinder | None:
        """Return the viewfinder for somebody who aims the camera, None if there is no camera."""
        loop, position = self.camera_loop, self.mailbox.snapshot.position
        if loop is None:
            return None
        seats = len(position.names)
        if seats not in self._finders:
            self._finders[seats] = Viewfinder(self._kit, seats, lambda: loop.last, self._clocks.steady)
        return self._finders[seats]

    def panel_signals(self) -> Signals:
        """Return what the panel's lights and buzzer are to show now."""
        return SAVED_LIGHTS if self._put_away else self._actions.lights(self.mailbox.lights)

    def _close_journal(self) -> None:
        self._journal.close()

    def _say_farewell(self) -> None:
        """Show that the table may be unplugged: the journal is closed; what it could not write was reported before."""
        farewell = self._setup.farewell if self.no_pins is None else 0.0
        if farewell and not any(said.code == "journal" for said in self.mailbox.snapshot.say):
            self._put_away = True
            self.panel.wake()
            time.sleep(farewell)

    def _pressed(self, press: Press) -> None:
        if not self._actions.press(press):
            self.mailbox.press(press)

    def _troubled(self, trouble: Trouble) -> None:
        log.warning("Button %s %s", trouble.button, trouble.fault.value)
        if trouble.fault in BUTTON_STATES:
            self.mailbox.button(trouble.button, BUTTON_STATES[trouble.fault])
