"""A mailbox that runs the referee in one thread and makes it usable from any other."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.log_once import LogOnce
from tabletop.hardware.panel.buttons import ButtonState, Press
from tabletop.hardware.panel.lights import Signals
from tabletop.match.event import EventKind, Source
from tabletop.messages import Message
from tabletop.referee.referee import Referee
from tabletop.referee.snapshot import Answer, Snapshot
from tabletop.rules.game import Action
from tabletop.vision.scene import Scene

log = logging.getLogger(__name__)
_T = TypeVar("_T")
RETRY_INTERVAL_S = 2.0
"""Pause before retrying a refused write."""


class MailboxClosed(RuntimeError):
    """A request came after the table was closed: nobody answers it any more."""


class Mailbox:
    """The referee for any thread.  A context manager: leaving it ends the thread.

    After that, requests raise :class:`MailboxClosed`; scenes, presses and reports are dropped.

    While the disk refuses writes, they are retried every ``retry`` seconds, whether or not a request comes.
    Of several waiting scenes only the newest is read: a slow machine never works off a backlog of old pictures.
    """

    def __init__(self, referee: Referee, retry: float = RETRY_INTERVAL_S) -> None:
        self._referee = referee
        self._retry, self._due = retry, 0.0
        self._listeners: list[Callable[[], None]] = []
        self._letters: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._news = threading.Condition()
        self._snapshot = referee.snapshot
        self._light: Callable[[], None] = lambda: None
        self._lights: Signals | None = None
        self._scene: Scene | None = None
        self._scene_lock = threading.Lock()
        self._closed, self._close_lock = False, threading.Lock()
        self._log_once = LogOnce(log, "a message to the referee could not be handled")
        self._thread = threading.Thread(target=self._run, name="referee", daemon=True)

    def __enter__(self) -> Mailbox:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._close_lock:
            self._closed = True
            self._letters.put(None)
        self._thread.join()

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    @property
    def lights(self) -> Signals:
        """The lights now: those of the newest snapshot, or of a later press that no snapshot shows yet."""
        lights = self._lights
        return self._snapshot.signals if lights is None else lights

    def on_light(self, listener: Callable[[], None]) -> None:
        """Call the listener, in the mailbox's thread, when ``lights`` changes before there is a new snapshot."""
        self._light = listener

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener, in the mailbox's thread, whenever there is a new snapshot; it has to return at once."""
        self._listeners.append(listener)

    def wait(self, revision: int, timeout: float) -> Snapshot | None:
        """Return the newest snapshot once its revision is larger, or None after ``timeout`` seconds."""
        with self._news:
            self._news.wait_for(lambda: self._snapshot.revision > revision, timeout)
            return self._snapshot if self._snapshot.revision > revision else None

    def answered(self, id: str) -> Answer | None:
        """Return the answer to a request that was carried out already, None if it was not or was too long ago."""
        return self._referee.answers.get(id)

    def act(self, action: Action, *, on: int, id: str, seat: int | None, source: Source = Source.PAGE) -> Answer:
        """Do an action decided on event number ``on``; the same ``id`` again gets the same answer."""
        return self._ask(lambda: self._referee.act(action, on=on, id=id, seat=seat, source=source))

    def undo(self, to: int, *, on: int, id: str, source: Source = Source.PAGE) -> Answer:
        """Undo every event after number ``to``."""
        return self._ask(lambda: self._referee.undo(to, on=on, id=id, source=source))

    def adopt(self, places: Mapping[str, str], *, on: int, id: str, source: Source = Source.HOST) -> Answer:
        """Let the table win over the record: the pieces lie where ``places`` says."""
        return self._ask(lambda: self._referee.adopt(places, on=on, id=id, source=source))

    def vouch(self, lying: Mapping[str, str], *, on: int, id: str, source: Source) -> Answer:
        """Accept that pieces lie where the record has them; ``lying`` is piece → zone."""
        return self._ask(lambda: self._referee.vouch(lying, on=on, id=id, source=source))

    def hint(self, seat: int, *, on: int, id: str) -> Answer:
        """Record that a seat asks for a hint."""
        return self._ask(lambda: self._referee.hint(seat, on=on, id=id))

    def decide(self, kind: EventKind, data: Mapping[str, Any], *, id: str, of: str = "") -> Answer:
        """Record a decision of the host; it is stale if ``of`` is the mark of another match than the current one."""

        def decide() -> Answer:
            match = self._referee.match
            if of not in ("", match.mark):
                return Answer(False, match.last, stale=True)
            return self._referee.decide(kind, data, id=id)

        return self._ask(decide)

    def take_up(self, follow: Callable[[Referee], Referee]) -> None:
        """Continue with the referee that ``follow`` makes from the current one.  Raises what ``follow`` raises."""

        def change() -> None:
            self._referee = follow(self._referee)
            with self._scene_lock:
                self._scene = None

        self._ask(change)

    def press(self, press: Press) -> None:
        """Hand over a button press."""
        self._letters.put(lambda: self._referee.press(press, self._shine))

    def _shine(self, lights: Signals) -> None:
        self._lights = lights
        self._light()

    def see(self, scene: Scene) -> None:
        """Hand over a still scene; only the newest unread one is kept."""
        with self._scene_lock:
            waiting, self._scene = self._scene, scene
        if waiting is None:
            self._letters.put(self._read_scene)

    def camera(self, state: CameraState) -> None:
        """Report the state of the camera."""
        self._letters.put(lambda: self._referee.camera(state))

    def tell(self, notice: Message) -> None:
        """Tell everybody something that is not about the table."""
        self._letters.put(lambda: self._referee.tell(notice))

    def panel(self, there: bool) -> None:
        """Report whether there are buttons and lights now."""
        self._letters.put(lambda: self._referee.panel(there))

    def button(self, name: str, state: ButtonState) -> None:
        """Report the state of a button."""
        self._letters.put(lambda: self._referee.button(name, state))

    def answers(self, timeout: float) -> bool:
        """Return whether the referee's thread handles a letter sent now within ``timeout`` seconds, so is alive."""
        read = threading.Event()
        self._letters.put(read.set)
        return read.wait(timeout)

    def _read_scene(self) -> None:
        with self._scene_lock:
            scene, self._scene = self._scene, None
        if scene is not None:
            self._referee.see(scene)

    def _ask(self, question: Callable[[], _T]) -> _T:
        future: Future[_T] = Future()

        def answer() -> None:
            try:
                result = question()
            except Exception as error:
                future.set_exception(error)
            else:
                # The snapshot shows what was done before anybody reads the answer.
                self._tell()
                future.set_result(result)

        with self._close_lock:  # a letter behind the last one would never be answered
            if self._closed:
                raise MailboxClosed("the table is closed")
            self._letters.put(answer)
        return future.result()

    def _run(self) -> None:
        while (letter := self._next()) is not None:
            # One letter that cannot be handled, or one listener that fails, must not silence the referee for the rest
            # of the game.
            try:
                letter()
            except Exception as error:
                self._log_once.log(error)  # while an OK waits, the same scene comes with every frame
            self._tell()

    def _next(self) -> Callable[[], None] | None:
        """Return the next letter; while the disk refuses writes, return a retry every ``retry`` seconds."""
        if not self._referee.disk_refuses:
            letter = self._letters.get()
            self._due = time.monotonic() + self._retry
            return letter
        try:
            left = self._due - time.monotonic()
            if left > 0:
                return self._letters.get(timeout=left)
        except queue.Empty:
            pass
        self._due = time.monotonic() + self._retry
        return self._referee.try_again

    def _tell(self) -> None:
        if self._referee.snapshot is self._snapshot:
            self._lights = None
            return
        with self._news:
            self._snapshot, self._lights = self._referee.snapshot, None
            self._news.notify_all()
        for listener in self._listeners:
            try:
                listener()
            except Exception:
                log.exception("a listener failed on what is new")
