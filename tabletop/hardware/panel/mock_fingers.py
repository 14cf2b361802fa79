"""Simulated fingers at a panel on mock pins: they press its buttons, and see its lights."""

from __future__ import annotations

from typing import Any

from tabletop.hardware.panel.panel_file import Wiring


class MockFingers:
    """Presses the buttons of a panel on mock pins, and reads its lights."""

    def __init__(self, wiring: Wiring, factory: Any) -> None:
        self._buttons = {wire.name: wire for wire in wiring.buttons}
        self._lights = {signal: wire for wire in wiring.outputs for signal in wire.shows}
        self._factory = factory

    def press(self, button: str) -> None:
        """Close a button's contact and keep it closed."""
        self._move(button, True)

    def release(self, button: str) -> None:
        """Open a button's contact."""
        self._move(button, False)

    def bounce(self, button: str, times: int = 3) -> None:
        """Let a contact flicker ``times`` times; it ends as it began."""
        begin = self._factory.pin(self._buttons[button].pin).state
        for _ in range(times):
            self._drive(button, not begin)
            self._drive(button, begin)

    def lit(self, light: str) -> bool:
        """Return whether the light that shows a signal is on (the buzzer: sounds)."""
        wire = self._lights[light]
        return bool(self._factory.pin(wire.pin).state == wire.active_high)

    def _move(self, button: str, down: bool) -> None:
        self._drive(button, down == self._buttons[button].active_high)

    def _drive(self, button: str, high: bool) -> None:
        pin = self._factory.pin(self._buttons[button].pin)
        if high:
            pin.drive_high()
        else:
            pin.drive_low()
