"""From a finger on a pin to a press, and from a signal to light, through the pin library's own mock pins."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import gpiozero
import pytest

from doubles.clock import PATIENCE, Clock
from tabletop.hardware.errors import PinsError
from tabletop.hardware.panel import loop as loop_module
from tabletop.hardware.panel.buttons import ButtonFault, Kind, Press, Trouble
from tabletop.hardware.panel.gpio import Edge, Panel
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.loop import PanelLoop
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.panel_file import Wire, Wiring, load
from tabletop.hardware.panel.pin_factories import mock_factory, open_factory

WIRED = {wire.name: wire.pin for wire in load().buttons}


class Rig:
    """A panel on mock pins with fingers, a clock turned by the test, and a loop without a thread."""

    def __init__(self, wiring: Wiring) -> None:
        self.clock = Clock()
        self.factory = mock_factory()
        self.panel = Panel(wiring, self.factory, self.clock)
        self.fingers = MockFingers(wiring, self.factory)
        self.signals: Mapping[str, Pattern] = {}
        self.presses: list[Press] = []
        self.troubles: list[Trouble] = []
        self.loop = PanelLoop(self.panel, lambda: self.signals, self.presses.append, self.troubles.append, self.clock)

    def wait(self, seconds: float) -> None:
        """Let time pass, turning the loop whenever it is due."""
        end = self.clock.now + seconds
        while (step := self.loop.turn()) and self.clock.now + step <= end:
            self.clock.now += step + 1e-6
        self.clock.now = end
        self.loop.turn()

    def tap(self, button: str) -> None:
        self.fingers.press(button)
        self.wait(0.08)
        self.fingers.release(button)
        self.wait(0.08)


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig(load())
    yield rig
    rig.panel.close()


def test_tapping_a_button_is_reported_as_its_press(rig: Rig) -> None:
    names = [wire.name for wire in rig.panel.wiring.buttons]
    for name in names:
        rig.tap(name)
    assert [(press.button, press.kind) for press in rig.presses] == [(name, Kind.PRESS) for name in names]


def test_a_bouncing_contact_presses_once(rig: Rig) -> None:
    rig.fingers.press("OK")
    rig.fingers.bounce("OK", 5)
    rig.wait(0.08)
    rig.fingers.bounce("OK", 5)
    rig.fingers.release("OK")
    rig.wait(0.08)
    assert [press.button for press in rig.presses] == ["OK"]


def test_a_press_while_another_button_is_held_counts(rig: Rig) -> None:
    rig.fingers.press("OK")
    rig.wait(0.05)
    rig.tap("PASS")
    assert [press.button for press in rig.presses] == ["OK", "PASS"]


def test_a_button_wired_to_3_volts_works_with_active_high() -> None:
    wiring = load()
    money = replace(wiring.buttons[0], active_high=True)
    rig = Rig(replace(wiring, buttons=(money, *wiring.buttons[1:])))
    rig.tap("MONEY")
    assert [press.button for press in rig.presses] == ["MONEY"]
    rig.panel.close()


def test_a_callback_of_the_pin_library_only_puts_an_edge_into_the_queue(rig: Rig) -> None:
    """The pin library's callback only queues the edge; nothing else happens before the loop turns."""
    rig.fingers.press("BUY")
    assert rig.presses == []
    assert rig.panel.edges.get_nowait() == Edge("BUY", True, 1e9)


def test_an_exception_in_the_listener_silences_no_button(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    def fail(press: Press) -> None:
        rig.presses.append(press)
        raise RuntimeError("the referee stumbled")

    rig.loop = PanelLoop(rig.panel, lambda: rig.signals, fail, rig.troubles.append, rig.clock)
    with caplog.at_level(logging.CRITICAL):
        rig.tap("OK")
        rig.tap("PASS")
    assert [press.button for press in rig.presses] == ["OK", "PASS"]


def test_signals_that_cannot_be_read_leave_the_lights_as_they_are(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    rig.signals = {"seat1": Pattern.STEADY}
    rig.loop.turn()

    def fail() -> Mapping[str, Pattern]:
        raise RuntimeError("no snapshot")

    rig.loop = PanelLoop(rig.panel, fail, rig.presses.append, rig.troubles.append, rig.clock)
    with caplog.at_level(logging.CRITICAL):
        rig.tap("OK")
    assert rig.fingers.lit("seat1")
    assert [press.button for press in rig.presses] == ["OK"]


def test_each_signal_lights_its_light_and_no_other(rig: Rig) -> None:
    shown = {signal for wire in rig.panel.wiring.lights for signal in wire.shows}
    for signal in shown:
        rig.signals = {signal: Pattern.STEADY}
        rig.loop.turn()
        lit = {other for other in shown if rig.fingers.lit(other)}
        assert lit == ({"OK", "legal"} if signal in ("OK", "legal") else {signal})


def test_a_blinking_light_blinks_on_its_pin(rig: Rig) -> None:
    rig.signals = {"quarry2": Pattern.SLOW}
    seen = []
    for _ in range(32):
        rig.wait(0.1)
        seen.append(rig.fingers.lit("quarry2"))
    assert 12 <= sum(seen) <= 20
    assert seen[:16] == seen[16:]


def test_an_idle_table_is_looked_at_only_twice_a_second(rig: Rig) -> None:
    """Without a blink or a press, the loop sleeps for half a second at a time."""
    rig.signals = {"seat0": Pattern.STEADY}
    rig.loop.turn()
    assert rig.loop.turn() > 0.4


def test_a_button_held_at_the_start_is_reported() -> None:
    wiring, factory = load(), mock_factory()
    MockFingers(wiring, factory)
    panel = Panel(wiring, factory, Clock())
    MockFingers(wiring, factory).press("UNDO")
    troubles: list[Trouble] = []
    PanelLoop(panel, dict, lambda press: None, troubles.append, Clock())
    assert [(trouble.button, trouble.fault) for trouble in troubles] == [("UNDO", ButtonFault.HELD)]
    panel.close()


def test_closing_turns_every_light_off_and_releases_the_pins() -> None:
    rig = Rig(load())
    rig.signals = {"seat0": Pattern.STEADY, "legal": Pattern.STEADY}
    rig.loop.turn()
    pins = {wire: rig.factory.pin(wire.pin) for wire in rig.panel.wiring.outputs}
    assert any(pin.states[-1].state for pin in pins.values())
    rig.panel.close()
    rig.panel.close()
    assert not any(pin.states[-1].state for pin in pins.values())
    assert {pin.function for pin in pins.values()} == {"input"}


def test_a_failing_light_does_not_keep_the_others_from_closing(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(load())
    rig.signals = {signal: Pattern.STEADY for wire in rig.panel.wiring.lights for signal in wire.shows}
    rig.loop.turn()
    first, *others = rig.panel.wiring.lights

    off = gpiozero.DigitalOutputDevice.off

    def fail(light: gpiozero.DigitalOutputDevice) -> None:
        if light.pin is rig.factory.pin(first.pin):
            raise OSError("the line is gone")
        off(light)

    monkeypatch.setattr(gpiozero.DigitalOutputDevice, "off", fail)
    pins = [rig.factory.pin(wire.pin) for wire in others]
    rig.panel.close()
    assert not any(pin.states[-1].state for pin in pins)
    assert not rig.factory.pins


def test_a_pin_in_use_is_named_and_no_other_stays_open() -> None:
    wiring = load()

    class Busy(type(mock_factory())):  # type: ignore[misc]
        def pin(self, name: Any) -> Any:
            if name == 4:
                raise OSError("GPIO busy")
            return super().pin(name)

    factory = Busy()
    with pytest.raises(PinsError, match=r"Pin 4 \(button PASS\) cannot be opened .*another program"):
        Panel(wiring, factory, Clock())
    assert not factory.pins


def test_real_pins_without_their_library_are_refused_with_the_fix(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without lgpio, real pins are refused with the fix, instead of using another library that would miss edges."""
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    with pytest.raises(PinsError, match=r"lgpio is missing\. .*apt-get install python3-lgpio"):
        open_factory("gpio", None, tmp_path)


def test_the_thread_reports_presses_and_sets_lights_until_it_ends() -> None:
    """In its own thread with the real clock, the loop reports a press, and wake() changes the lights at once."""
    import time

    wiring, factory = load(), mock_factory()
    panel, fingers = Panel(wiring, factory, time.monotonic), MockFingers(load(), factory)
    presses: queue.Queue[Press] = queue.Queue()
    shown, signals = threading.Event(), {"seat3": Pattern.STEADY}

    def current() -> Mapping[str, Pattern]:
        shown.set()
        return signals

    loop = PanelLoop(panel, current, presses.put, lambda trouble: None, time.monotonic)
    loop.start()
    fingers.press("OK")
    assert presses.get(timeout=PATIENCE).button == "OK"
    shown.clear()
    loop.wake()
    assert shown.wait(PATIENCE)
    loop.stop()
    assert not any(thread.name == "panel" for thread in threading.enumerate())


def test_a_panel_reopened_while_the_table_closes_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel that is reopened while the table closes is closed as well, with its lights off and its pins released."""
    monkeypatch.setattr(loop_module, "JOIN_TIMEOUT_S", 0.0)
    clock, opening, closed = Clock(), threading.Event(), threading.Event()
    late = Panel(load(), mock_factory(), clock)

    def reopened() -> Panel:
        opening.set()
        assert closed.wait(PATIENCE)
        return late

    loop = PanelLoop(
        Panel(load(), mock_factory(), clock), lambda: {"legal": Pattern.STEADY}, print, print, clock, retry=reopened
    )
    clock.now += loop_module.RETRY_INTERVAL_S
    loop.start()
    assert opening.wait(PATIENCE)
    loop.stop()
    closed.set()
    assert loop._thread is not None
    loop._thread.join(PATIENCE)
    assert all(device.closed for device in (*late._lights.values(), *late._contacts.values()))


def test_a_line_that_is_still_busy_is_closed_a_moment_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line held by the pin library's thread is closed at a later try; lights are already off by then."""
    rig = Rig(load())
    rig.signals = {"seat0": Pattern.STEADY}
    rig.loop.turn()
    pin = rig.factory.pin(WIRED["OK"])
    close, tries = pin.close, []

    def busy() -> None:
        tries.append(rig.fingers.lit("seat0"))
        if len(tries) < 3:
            raise OSError("GPIO busy")
        close()

    pin.close = busy
    monkeypatch.setattr("tabletop.hardware.panel.gpio.time.sleep", lambda seconds: None)
    rig.panel.close()
    assert tries == [False, False, False]
    assert not rig.factory.pins


def test_after_a_failed_light_the_earlier_signals_are_set_again(rig: Rig) -> None:
    """A light that was set before another one failed is set again when the earlier signals return."""
    rig.signals = {"seat0": Pattern.STEADY}
    rig.wait(0.1)
    light, broken = rig.panel.light, next(wire for wire in rig.panel.wiring.lights if "illegal" in wire.shows)

    def failing(wire: Wire, on: bool) -> None:
        if wire is broken and on:
            raise OSError("the line is gone")
        light(wire, on)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rig.panel, "light", failing)
        rig.signals = {"seat1": Pattern.STEADY, "illegal": Pattern.STEADY}
        with pytest.raises(OSError, match="gone"):
            rig.loop.turn()
    rig.signals = {"seat0": Pattern.STEADY}
    rig.loop.turn()
    assert rig.fingers.lit("seat0")
    assert not rig.fingers.lit("seat1")
