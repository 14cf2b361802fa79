"""The panel on a real GPIO character device, through the pin library that a Pi uses."""

from __future__ import annotations

import os
import queue
import random
import runpy
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from devices import PATIENCE, eventually, level, pull

from tabletop.config import Config
from tabletop.hardware.diagnostics import probes, probes_table
from tabletop.hardware.diagnostics.check import ProbedMachine
from tabletop.hardware.errors import PinsError
from tabletop.hardware.panel import chips
from tabletop.hardware.panel.buttons import ButtonFault, Press, Timing, Trouble
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.loop import PanelLoop
from tabletop.hardware.panel.panel_file import load
from tabletop.hardware.panel.pin_factories import gpio_factory
from tabletop.runtime.bench import figures

ROOT = Path(__file__).parents[3]
WIRING = load()
PIN = {wire.name: wire.pin for wire in WIRING.buttons}
LIGHT = {signal: wire.pin for wire in WIRING.lights for signal in wire.shows}
BUZZER = WIRING.buzzer.pin if WIRING.buzzer else 0


def hold(seconds: float) -> None:
    """Keep a contact in its state for that long, in ten parts.

    If the host stops the whole guest meanwhile, the panel still has the remaining parts in which to see it.
    """
    for _ in range(10):
        time.sleep(seconds / 10)


class Table:
    """A panel loop on the real pins, and the presses it reported."""

    def __init__(self, timing: Timing = Timing()) -> None:  # noqa: B008
        for pin in PIN.values():
            pull(pin, up=True)
        self.signals: dict[str, Pattern] = {}
        self.presses: queue.Queue[Press] = queue.Queue()
        self.troubles: queue.Queue[Trouble] = queue.Queue()
        self.panel = Panel(WIRING, gpio_factory(None, Path("/tmp")), time.monotonic)
        self.loop = PanelLoop(
            self.panel, lambda: self.signals, self._pressed, self.troubles.put, time.monotonic, timing=timing
        )
        self.loop.start()

    def _pressed(self, press: Press) -> None:
        """Answer each press by lighting its button, as the referee would, and raise an error at REBUILD."""
        self.presses.put(press)
        if press.button == "REBUILD":
            raise RuntimeError("the referee stumbled")
        self.signals = {press.button: Pattern.STEADY}
        self.loop.wake()

    def tap(self, button: str, seconds: float = 0.08) -> None:
        pull(PIN[button], up=False)
        hold(seconds)
        pull(PIN[button], up=True)
        hold(0.08)

    def next_presses(self, count: int) -> list[str]:
        """Return the next presses and any that wrongly follow within 0.2 s."""
        names = [self.presses.get(timeout=PATIENCE).button for _ in range(count)]
        time.sleep(0.2)
        return names + [self.presses.get_nowait().button for _ in range(self.presses.qsize())]


@contextmanager
def at_once() -> Iterator[None]:
    """Take precedence on the guest's processor: a real contact does not wait for the panel that it is wired to."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        sys.setswitchinterval(before)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.loop.stop()


def test_each_press_is_reported_once(table: Table) -> None:
    for name in PIN:
        table.tap(name)
    assert table.next_presses(len(PIN)) == list(PIN)


def test_a_stumbling_referee_silences_no_button(table: Table) -> None:
    """An exception in one press's callback does not silence the buttons, as it would with this pin library alone."""
    table.tap("REBUILD")
    table.tap("OK")
    assert table.next_presses(2) == ["REBUILD", "OK"]


def test_bouncing_presses_are_neither_lost_nor_doubled(table: Table) -> None:
    """Each of forty bouncing presses is reported once, even if the driver loses edges: the pin is read again.

    Each bounce is meant to last 8 ms.  If a busy host stretches one beyond 25 ms, it may rightly count as
    another press.
    """
    rng, stretched = random.Random(7), 0
    for _ in range(40):
        for up in (False, True):
            with at_once():
                begun = time.monotonic()
                while time.monotonic() < begun + rng.uniform(0, 0.006):
                    pull(PIN["OK"], up=up)
                    pull(PIN["OK"], up=not up)
                pull(PIN["OK"], up=up)
                stretched += time.monotonic() > begun + 0.025
            hold(rng.uniform(0.12, 0.2) if up else rng.uniform(0.05, 0.09))
    heard = len(table.next_presses(40))
    print(f"40 bouncing presses, {heard} heard, {stretched} bounces stretched by the host")
    assert 40 <= heard <= 40 + stretched


def test_a_button_that_sticks_is_reported_and_the_others_go_on() -> None:
    table = Table(Timing(stuck=0.5))
    try:
        pull(PIN["BUY"], up=False)
        trouble = table.troubles.get(timeout=PATIENCE)
        while trouble.fault is ButtonFault.HEALED:
            trouble = table.troubles.get(timeout=PATIENCE)
        assert (trouble.button, trouble.fault) == ("BUY", ButtonFault.STUCK)
        table.tap("PASS")
        assert table.next_presses(2) == ["BUY", "PASS"]
    finally:
        pull(PIN["BUY"], up=True)
        table.loop.stop()


def test_each_light_is_on_its_pin(table: Table) -> None:
    for signal, pin in LIGHT.items():
        table.signals = {signal: Pattern.STEADY}
        table.loop.wake()
        assert eventually(lambda pin=pin: {other for other in LIGHT.values() if level(other)} == {pin}), signal


def test_a_light_blinks_and_the_buzzer_stops_by_itself(table: Table) -> None:

    def sounds() -> bool:
        """Restart the buzzer and return whether it sounds: a delayed guest may have looked too late."""
        for signals in ({}, {"illegal": Pattern.FAST, "buzzer": Pattern.FAST}):
            table.signals = signals
            assert table.loop.answers(PATIENCE)
            assert table.loop.answers(PATIENCE)  # the first answer may belong to a turn that had already begun
        return bool(eventually(lambda: level(BUZZER), 1.0))

    assert eventually(sounds)
    for wanted in (True, False, True, False):
        assert eventually(lambda wanted=wanted: level(LIGHT["illegal"]) is wanted)
    assert eventually(lambda: not level(BUZZER))


def test_a_press_is_answered_by_its_light_at_once(table: Table) -> None:
    """A press lights its button; the delay is printed and not judged, because a busy machine adds to it."""
    took = []
    for turn in range(20):
        button = ("OK", "MONEY")[turn % 2]
        begun = time.monotonic()
        pull(PIN[button], up=False)
        assert eventually(lambda button=button: level(LIGHT[button]))
        took.append((time.monotonic() - begun) * 1000)
        pull(PIN[button], up=True)
        time.sleep(0.1)
    print(f"press to light: median {statistics.median(took):.1f} ms, worst {max(took):.1f} ms")


def test_closing_turns_the_lights_off_and_releases_the_pins() -> None:
    table = Table()
    table.signals = dict.fromkeys(LIGHT, Pattern.STEADY)
    table.loop.wake()
    assert eventually(lambda: all(level(pin) for pin in LIGHT.values()))
    table.loop.stop()
    assert not any(level(pin) for pin in LIGHT.values())
    assert not any(thread.name == "panel" for thread in threading.enumerate())
    again = Table()
    again.tap("OK")
    assert again.next_presses(1) == ["OK"]
    again.loop.stop()


def test_pins_held_by_another_program_are_reported(table: Table) -> None:
    with pytest.raises(PinsError, match="another program"):
        Panel(WIRING, gpio_factory(None, Path("/tmp")), time.monotonic)
    table.tap("OK")
    assert table.next_presses(1) == ["OK"]


def test_the_header_is_found_as_on_a_pi_5_with_a_current_kernel() -> None:
    """The header is found by its label among chips 11 to 15, without the numbers that the pin library would try."""
    there = chips.present_chips()
    assert [chip.number for chip in there] == [11, 12, 13, 14, 15]
    assert not any(Path(f"/dev/gpiochip{number}").exists() for number in (0, 4))
    assert chips.header_chip_number(there) == 15
    assert there[-1][1:] == ("pinctrl-rp1", 54, "")


def test_this_machine_is_recognised_as_a_pi() -> None:
    """The doctor, ``play``, the pin library and the measurement all recognise the machine as a Pi 5."""
    model = "Raspberry Pi 5 Model B Rev 1.0"
    machine = ProbedMachine(Config(), time.monotonic, time.time)
    assert [(check.state.value, str(check.fact)) for check in probes.board(machine)] == [("ok", model)]
    assert runpy.run_path(str(ROOT / "play"))["on_a_pi"]()
    assert figures.describe_machine()["board"] == model
    factory = gpio_factory(None, Path("/tmp"))
    assert (factory.board_info.model, factory.chip) == ("5B", 15)
    factory.close()


def test_the_doctor_finds_no_fault_in_the_pins() -> None:
    for pin in PIN.values():
        pull(pin, up=True)
    checks = list(probes_table.panel(ProbedMachine(Config(), time.monotonic, time.time)))
    assert {(check.name, check.state.value) for check in checks} >= {("panel", "ok"), ("pins", "ok")}
    assert all(check.state.value == "ok" for check in checks), checks
