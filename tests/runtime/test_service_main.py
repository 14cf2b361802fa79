"""As a service: failed starts lead to safe mode, pages request and leave it, and holding UNDO also requests it."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from tabletop.hardware.errors import PinsError
from tabletop.messages import Message
from tabletop.runtime import maintenance, network, serve, service_main
from tabletop.service import starts
from tabletop.service.starts import MAX_FAILED_STARTS, StartsFile


class Stage:
    """The program with both of its ends replaced: what would be served is noted in ``played``."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "table.toml"
        self.file.write_text('[panel]\npins = "mock"\n')
        self.memory = StartsFile(folder)
        self.played: list[str] = []
        self.then: Callable[[], None] = lambda: None

    def table(self, config: Any, say: Any, *, service: serve.Supervision, file: Path) -> None:
        self.played.append("table")
        self.then()

    def safe(self, file: Path, say: Any, *, why: str, notify: Any, leave: Any) -> None:
        self.played.append(f"safe: {why}")
        self.then()

    def start(self) -> str:
        """Start once; return what would be served."""
        self.played.clear()
        service_main.run(self.file, lambda _: None)
        return self.played[-1]


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    made = Stage(tmp_path)
    monkeypatch.setattr(serve, "run", made.table)
    monkeypatch.setattr(maintenance, "run", made.safe)
    return made


def no_pins() -> None:
    raise PinsError(Message("The pins are held."), Message("Let them go."))


class Once:
    """Calls a function the first time only."""

    def __init__(self, what: Callable[[], None]) -> None:
        self._left = [what]

    def __call__(self) -> None:
        while self._left:
            self._left.pop()()


def nothing() -> None:
    """Do nothing: a successful start."""


def test_a_usual_start_is_a_table(stage: Stage) -> None:
    assert stage.start() == "table"
    assert stage.memory.read().failed == 0


def test_failed_starts_are_reported_and_lead_to_safe_mode(stage: Stage) -> None:
    stage.then = no_pins
    for _ in range(MAX_FAILED_STARTS):
        with pytest.raises(PinsError):
            stage.start()
    stage.then = nothing
    assert stage.start() == "safe: The table could not be started 3 times in a row. The pins are held. Let them go."


@pytest.mark.parametrize("missing", [OSError(errno.EADDRNOTAVAIL, "not available"), socket.gaierror(-3, "no DNS yet")])
@pytest.mark.parametrize("comes", [True, False])
def test_a_configured_address_is_waited_for_after_power_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, missing: OSError, comes: bool
) -> None:
    """A start soon after power-on waits for the configured address, since the router may start later than the table."""
    seconds = [20.0]

    def wait(moment: float) -> None:
        seconds[0] += moment

    monkeypatch.setattr(network, "cannot_listen", lambda *_: None if comes and seconds[0] >= 100.0 else missing)
    monkeypatch.setattr(network, "await_address", partial(network.await_address, uptime=lambda: seconds[0], wait=wait))
    assert stage.start() == "table"
    assert seconds == [100.0 if comes else network.NETWORK_START_S]


def test_a_process_that_dies_without_a_report_counts_as_failed(stage: Stage) -> None:
    """Starts that end without a report, as by a kill or systemd's watchdog, count as failed."""
    for _ in range(MAX_FAILED_STARTS):
        stage.memory.begin()
    assert stage.start().startswith("safe: ")


def test_without_a_count_of_starts_the_first_failure_leads_to_safe_mode(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the starts cannot be counted because of the disk, the first failed start leads to safe mode."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(starts, "write", refuse)
    stage.then = Once(no_pins)
    assert stage.start() == "safe: The pins are held. Let them go."


def test_after_safe_mode_the_table_starts(stage: Stage) -> None:
    stage.memory.ask()
    assert stage.start() == "safe: It was requested on a page."
    assert stage.start() == "table"


def test_a_request_for_safe_mode_starts_it(stage: Stage) -> None:
    stage.then = stage.memory.ask
    assert stage.start() == "table"
    stage.then = nothing
    assert stage.start().startswith("safe: ")
    assert stage.start() == "table"


def test_a_fault_of_the_program_itself_is_remembered_too(stage: Stage) -> None:
    def broken() -> None:
        raise ZeroDivisionError("by zero")

    stage.then = broken
    with pytest.raises(ZeroDivisionError):
        stage.start()
    assert stage.memory.read().why == "ZeroDivisionError: by zero"


def test_a_configuration_with_a_mistake_ends_in_safe_mode_with_its_line(stage: Stage) -> None:
    stage.file.write_text("\ncolour = 1\n")
    for _ in range(MAX_FAILED_STARTS):
        with pytest.raises(serve.START_ERRORS):
            stage.start()
    assert "line 2" in stage.start()


def test_undo_held_while_the_table_starts_asks_for_safe_mode(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    class Held(MockPin):  # type: ignore[misc]
        def _set_pull(self, value: str) -> None:
            """Stay low: the pressed button is stronger than the resistor."""
            super()._set_pull(value)
            self.drive_low()

    monkeypatch.setattr(service_main, "open_factory", lambda *_: MockFactory(pin_class=Held))
    assert stage.start() == "safe: The button UNDO was held while the table started."


def test_an_unpressed_button_requests_nothing(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_main, "open_factory", lambda *_: MockFactory())
    assert stage.start() == "table"


def test_a_busy_pin_does_not_stop_the_start(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pin that is busy while UNDO is read does not stop the start; it is reported when the panel needs it."""

    class Busy(MockPin):  # type: ignore[misc]
        def _set_pull(self, value: str) -> None:
            if value == "up" and "told" not in told:
                told.append("told")
                raise RuntimeError("GPIO busy")

    told: list[str] = []

    monkeypatch.setattr(service_main, "open_factory", lambda *_: MockFactory(pin_class=Busy))
    assert stage.start() == "table"
    assert told
