"""Fingers on mock pins in simulated time: a push makes edges on a pin, which the panel's own code interprets."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.hardware.panel.buttons import Press, Trouble
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.lights import Signals
from tabletop.hardware.panel.loop import PanelLoop
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.panel_file import Wiring
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.simulator.table.hands import Push

PRESS_S = 0.08
"""How long a finger stays on a button."""
LONG_PRESS_S = 1.2
"""How long a finger stays for a long press: longer than the panel requires."""
TICK_S = 0.02
"""The time between two turns of the panel's loop."""


class Clock:
    """Simulated monotonic time, advanced by the caller."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the simulated monotonic seconds."""
        return self.now

    def move_to(self, time: float) -> None:
        """Advance the clock to that time; it never goes back."""
        self.now = max(self.now, time)


class Fingers:
    """A panel on mock pins whose loop is called directly, without a thread or real waiting."""

    def __init__(
        self, wiring: Wiring, clock: Clock, signals: Callable[[], Signals], press: Callable[[Press], None]
    ) -> None:
        factory = mock_factory()
        self.troubles: list[Trouble] = []
        self._clock = clock
        self._fingers = MockFingers(wiring, factory)
        self._loop = PanelLoop(Panel(wiring, factory, clock), signals, press, self.troubles.append, clock)

    def push(self, push: Push) -> None:
        """Press a button and let it go; time passes while the finger is down."""
        if push.bounces:
            self._fingers.bounce(push.button, push.bounces)
        self._fingers.press(push.button)
        self._wait(PRESS_S)
        if push.bounces:
            self._fingers.bounce(push.button, push.bounces)
        self._fingers.release(push.button)
        self._wait(PRESS_S)

    def lit(self, light: str) -> bool:
        """Return whether a light is on at this moment."""
        self._loop.turn()
        return self._fingers.lit(light)

    def close(self) -> None:
        """Release the mock pins."""
        self._loop.stop()

    def _wait(self, seconds: float) -> None:
        until = self._clock.now + seconds
        while self._clock.now < until:
            self._clock.now += TICK_S
            self._loop.turn()
