"""The panel's own thread, which turns edges into presses and signals into light."""

from __future__ import annotations

import logging
import math
import queue
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from tabletop.hardware.log_once import LogOnce
from tabletop.hardware.panel.buttons import Buttons, Event, Press, Timing, Trouble
from tabletop.hardware.panel.gpio import Edge, Panel
from tabletop.hardware.panel.lights import Lamps, Signals
from tabletop.hardware.panel.panel_file import Wire

REFRESH_INTERVAL_S = 0.5
"""How often the signals are read even if nobody called :meth:`PanelLoop.wake`."""

RETRY_INTERVAL_S = 30.0
"""The pause before a panel that could not be opened is tried again."""

JOIN_TIMEOUT_S = 5.0
"""How long to wait for the end of the thread."""

_log = logging.getLogger(__name__)


class PanelLoop:
    """Drives one panel; the only place that reads its contacts or sets its lights.

    ``panel`` is the one that it drives now.  If that only stands in for one that is not available, ``retry`` is called
    now and then and returns the real panel as soon as it can be opened, until then None.

    ``signals`` must return the table's signals quickly at any time; ``on_press`` and ``on_trouble`` are called in the
    loop's thread.  Whatever they raise is logged and goes no further, so an exception never disables a button.
    """

    def __init__(
        self,
        panel: Panel,
        signals: Callable[[], Signals],
        on_press: Callable[[Press], None],
        on_trouble: Callable[[Trouble], None],
        clock: Callable[[], float],
        *,
        timing: Timing = Timing(),  # noqa: B008 (a frozen value)
        long: Iterable[str] = (),
        chords: Iterable[Iterable[str]] = (),
        sound: bool = True,
        retry: Callable[[], Panel | None] | None = None,
    ) -> None:
        self._signals, self._clock, self._retry = signals, clock, retry
        self._on_press, self._on_trouble = on_press, on_trouble
        self._sound, self._timing, self._long, self._chords = sound, timing, tuple(long), tuple(chords)
        self._unserved = LogOnce(_log, "The panel could not be served; it is tried again.")
        self._unlit = LogOnce(_log, "The table's signals could not be read; the lights stay.")
        self._retry_at = clock() + RETRY_INTERVAL_S
        self._use(panel)
        self._stopping = threading.Event()
        self._turned = threading.Event()
        self._thread: threading.Thread | None = None

    def _use(self, panel: Panel) -> None:
        """Switch to driving this panel."""
        self.panel, self._lit = panel, dict[Wire, bool]()
        self._shown: Signals = {}
        self._next_change = -math.inf
        self._lamps = Lamps(panel.wiring, sound=self._sound)
        names, now = [wire.name for wire in panel.wiring.buttons], self._clock()
        self._machine = Buttons(names, now, self._timing, long=self._long, chords=self._chords)
        self._tell(self._machine.start([name for name in names if panel.down(name)], now))

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread, turn the lights off and release the pins."""
        self._stopping.set()
        self.wake()
        if self._thread is not None:
            self._thread.join(JOIN_TIMEOUT_S)
        self.panel.close()

    def wake(self) -> None:
        """Make the loop read the signals now; to be called whenever they change, from any thread."""
        self.panel.edges.put_nowait(None)

    def answers(self, timeout: float) -> bool:
        """Return whether the loop is alive: whether it completes a turn within ``timeout`` seconds."""
        self._turned.clear()
        self.wake()
        return self._turned.wait(timeout)

    def turn(self) -> float:
        """Do everything that is due, without waiting; return the seconds until something may be due again."""
        while True:
            try:
                edge = self.panel.edges.get_nowait()
            except queue.Empty:
                break
            self._take(edge)
        now = self._clock()
        if self._retry is not None and now >= self._retry_at:
            self._retry_at = now + RETRY_INTERVAL_S
            reopened, before = self._retry(), self.panel
            if reopened is not None:
                self._retry = None
                self._use(reopened)
                before.close()
        self._tell(self._machine.advance(now, self.panel.down))
        return max(0.0, min(self._machine.deadline, self._shine(now), now + REFRESH_INTERVAL_S) - now)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                wait = self.turn()
                self._unserved.reset()
            except Exception as error:
                self._unserved.log(error)
                wait = REFRESH_INTERVAL_S
            self._turned.set()
            with suppress(queue.Empty):
                self._take(self.panel.edges.get(timeout=wait))
        self.panel.close()  # it may have been opened after ``stop`` had given up waiting for this thread

    def _take(self, edge: Edge | None) -> None:
        if edge is not None:
            self._tell(self._machine.edge(edge.button, edge.down, edge.time))

    def _tell(self, events: list[Event]) -> None:
        for event in events:
            try:
                if isinstance(event, Press):
                    self._on_press(event)
                else:
                    self._on_trouble(event)
            except Exception:
                _log.exception("A press could not be handed on: %s", event)

    def _shine(self, now: float) -> float:
        """Set the lights that changed; return when the next one changes by itself."""
        try:
            signals = self._signals()
        except Exception as error:
            self._unlit.log(error)
            return math.inf
        self._unlit.reset()
        if now < self._next_change and signals == self._shown:
            return self._next_change
        self._next_change = -math.inf  # until all lights are set, so that one that fails is tried again
        for wire, on in self._lamps.levels(signals, now).items():
            if self._lit.get(wire) is not on:
                self.panel.light(wire, on)
                self._lit[wire] = on
        self._shown, self._next_change = dict(signals), self._lamps.next_change(signals, now)
        return self._next_change
