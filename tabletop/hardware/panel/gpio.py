"""The panel on real or mock pins: edges go into a queue, lights are set, and all pins are released at the end.

The library's callback thread dies with the first exception, and all buttons with it, and a slow callback delays all
others.  So a callback here does one thing that cannot fail: it puts (button, edge, time) into a queue.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import gpiozero

from tabletop.hardware.errors import PinsError, WiringError
from tabletop.hardware.panel.panel_file import Wire, Wiring, load
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.messages import Message, said_by

MAX_CLOSE_TRIES, CLOSE_RETRY_S = 25, 0.02
"""How often closing a line that is still busy is tried, and the seconds between two tries."""
MAX_EDGE_AGE_S = 1.0
"""The greatest age of an edge; a time stamp that is older is from another clock."""

_log = logging.getLogger(__name__)


class Edge(NamedTuple):
    """A contact that changed: the button's name, whether it went down, monotonic seconds."""

    button: str
    down: bool
    time: float


def is_held(wire: Wire, open_factory: Callable[[], Any]) -> bool:
    """Return whether a button is down at this moment, before there is a panel; the pin is released at once.

    Raises :class:`PinsError` if the pins cannot be used.
    """
    factory = open_factory()
    try:
        contact = gpiozero.InputDevice(wire.pin, pull_up=not wire.active_high, pin_factory=factory)
        try:
            return bool(contact.is_active)
        finally:
            contact.close()
    except Exception as error:  # the library below raises its own
        raise PinsError(
            Message("Pin {pin} cannot be read ({error}).", pin=wire.pin, error=error),
            Message("Is another program using it?"),
        ) from None
    finally:
        factory.pins.clear()  # as in Panel.close: a pin that fails must not keep the chip
        factory.close()


def read_wiring(file: Path | None, taken: Mapping[int, Message]) -> Wiring:
    """Read a panel file, as ``panel_file.load`` does.  Raises PinsError if it cannot be used."""
    try:
        return load(file, taken)
    except WiringError as error:
        raise PinsError(said_by(error), Message("Change the panel file, or turn the bus off.")) from None
    except OSError as error:
        raise PinsError(
            Message("{file} cannot be read: {error}.", file=file, error=error.strerror), Message("Check [panel] file.")
        ) from None


def panel_or_mock(open_panel: Callable[[], Panel], clock: Callable[[], float]) -> tuple[Panel, PinsError | None]:
    """Return the panel, or one on mock pins with the error of the real one, so that the table can run in any case."""
    try:
        return open_panel(), None
    except PinsError as error:
        return Panel(load(), mock_factory(), clock), error


class Panel:
    """The wired panel: its queue ``edges`` fills by itself, its lights are set one by one.

    It owns the ``factory`` of its pins: :meth:`close` turns the lights off and releases every pin, even after a failed
    opening.  Raises :class:`PinsError` if a pin is held by another program.
    """

    def __init__(self, wiring: Wiring, factory: Any, clock: Callable[[], float]) -> None:
        self.wiring = wiring
        self.edges: queue.SimpleQueue[Edge | None] = queue.SimpleQueue()
        self.factory = factory
        self._clock = clock
        self._contacts: dict[str, Any] = {}
        self._listeners: list[Callable[[float, int], None]] = []
        self._lights: dict[Wire, Any] = {}
        try:
            for wire in wiring.outputs:
                self._lights[wire] = self._open(wire, gpiozero.DigitalOutputDevice, active_high=wire.active_high)
            for wire in wiring.buttons:
                self._contacts[wire.name] = self._listen(wire)
        except BaseException:
            self.close()
            raise

    def _open(self, wire: Wire, device: Any, **options: Any) -> Any:
        try:
            return device(wire.pin, pin_factory=self.factory, **options)
        except Exception as error:
            raise PinsError(
                Message(
                    "Pin {pin} ({kind} {name}) cannot be opened ({error}).",
                    pin=wire.pin,
                    kind=wire.kind,
                    name=wire.name,
                    error=error,
                ),
                Message("Is another program using it? Only one may, and a second tabletop counts as one."),
            ) from None

    def _listen(self, wire: Wire) -> Any:
        # Not gpiozero.Button, which starts a thread for each button to time how long it is held, and does not give
        # the time of an edge: the kernel's time stamps separate edges that a slow thread handles together.
        contact = self._open(wire, gpiozero.InputDevice, pull_up=not wire.active_high)
        put, clock, name, high = self.edges.put_nowait, self._clock, wire.name, wire.active_high

        def changed(ticks: float, level: int) -> None:
            now = clock()
            put(Edge(name, bool(level) is high, ticks if 0 <= now - ticks < MAX_EDGE_AGE_S else now))

        self._listeners.append(changed)  # the library keeps a weak reference only
        contact.pin.edges = "both"
        contact.pin.when_changed = changed
        return contact

    @property
    def chip(self) -> int | None:
        """The N of the ``/dev/gpiochipN`` that is open; None for mock pins."""
        return getattr(self.factory, "chip", None)

    def down(self, button: str) -> bool:
        """Return whether a button's contact is closed at this moment."""
        return bool(self._contacts[button].is_active)

    def light(self, wire: Wire, on: bool) -> None:
        """Turn a light or the buzzer on or off."""
        self._lights[wire].value = int(on)

    def close(self) -> None:
        """Turn every light off and release the pins; may be called twice.  Never raises."""
        for light in self._lights.values():
            with suppress(Exception):  # a line that fails must not keep others lit
                light.off()
            _give_back(light)
        for contact in self._contacts.values():
            _give_back(contact)
        self.factory.pins.clear()  # else closing the chip resets each pin once more, and stops at the first failure
        with suppress(Exception):
            self.factory.close()


def _give_back(device: Any) -> None:
    """Close a device, after removing its callback: an edge that came later would end the library's thread.

    A line is busy as long as that thread still listens to it.
    """
    for _ in range(MAX_CLOSE_TRIES):
        if device.closed:
            return
        try:
            device.pin.when_changed = None
            device.close()
        except Exception:
            time.sleep(CLOSE_RETRY_S)
    _log.warning("%r could not be closed; closing the chip gives it back.", device)
