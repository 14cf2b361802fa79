"""A complete table on mock pins: what its lights and buzzer do from start to shutdown."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from doubles.clock import PATIENCE
from tabletop.config import Config
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.diagnostics import probes, probes_table
from tabletop.hardware.diagnostics.check import CheckState, ProbedMachine
from tabletop.hardware.errors import CameraLost, PinsError
from tabletop.hardware.panel.buttons import ButtonFault, Kind, Press, Trouble
from tabletop.hardware.panel.gpio import Panel, read_wiring
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.loop import RETRY_INTERVAL_S
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.panel_file import Wire, Wiring, load
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind, Source
from tabletop.match.journal import Journal
from tabletop.messages import Message
from tabletop.referee.signals import SAVED_LIGHTS
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.palazzo import GAME
from tabletop.runtime import network, serve
from tabletop.runtime.health import diagnostics
from tabletop.runtime.panel_actions import admission_at
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.web.seating.room import Room

OK = next(wire for wire in load().lights if wire.name == "OK")


class Told:
    """Records what an app's panel is told to light: every light and its level, in order."""

    def __init__(self, app: RunningTable) -> None:
        self.log: list[tuple[str, bool]] = []
        panel: Any = app.panel.panel
        light = panel.light

        def note(wire: Wire, on: bool) -> None:
            self.log.append((wire.name, on))
            light(wire, on)

        panel.light = note


def seated(panel: Wiring | None) -> Room:
    return Room("CODE42", seats=range(2), admission=admission_at(panel))


def put_together(folder: Path, **more: Any) -> RunningTable:
    journal, match = store.start(folder, GAME, ["Ann", "Bob"], 0.0)
    clocks = Clocks(time.time, more.pop("steady", time.monotonic))
    pins = more.pop("factory", None) or mock_factory()
    open_panel = more.pop("open_panel", lambda: Panel(load(), pins, time.monotonic))
    panel = PanelSetup(open_panel, more.pop("sound", True), more.pop("farewell", 0.0))
    return RunningTable(journal, match, seated, clocks=clocks, panel=panel, **more)


def until(app: RunningTable, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """Wait until the referee's snapshot meets a condition, and return it."""
    snapshot = app.mailbox.snapshot
    while not holds(snapshot):
        news = app.mailbox.wait(snapshot.revision, PATIENCE)
        assert news is not None, snapshot.say
        snapshot = news
    return snapshot


def refuse(app: RunningTable) -> None:
    """Press a button that means nothing now, and wait until the panel has been told of the refusal."""
    revision = app.mailbox.snapshot.revision
    app.mailbox.press(Press("PASS", Kind.PRESS, 0.0))
    news = app.mailbox.wait(revision, PATIENCE)
    assert news is not None
    assert news.signals["buzzer"] is Pattern.FAST
    assert app.panel.answers(PATIENCE)


def test_pins_that_cannot_be_used_cost_the_panel_and_never_the_table(tmp_path: Path) -> None:
    """Without usable pins the pages report it, the health list has the fault with its fix, and acts on pages count."""
    lost = PinsError(Message("No GPIO chip has the header."), Message("Name it."))

    def no_panel() -> Panel:
        raise lost

    with put_together(tmp_path, open_panel=no_panel, farewell=60.0) as app:
        until(app, lambda snapshot: "panel-lost" in [one.code for one in snapshot.say])
        assert "panel-lost" in [one.code for one in app.mailbox.snapshot.say]
        assert diagnostics.while_served(app).keys() <= {**probes.ALL, **probes_table.ALL}.keys()
        checks = list(diagnostics.while_served(app)["panel"](ProbedMachine(Config(), time.time, time.time)))
        assert (CheckState.FAULT, lost.fact, lost.fix) in [(one.state, one.fact, one.fix) for one in checks]
        assert app.panel.answers(PATIENCE)
        answer = app.mailbox.decide(EventKind.PAUSE, {}, id="request-1")
        assert answer.ok


def test_pins_that_another_program_holds_cost_the_panel_and_never_the_table(tmp_path: Path) -> None:
    """If the chip is found but one of its lines is busy, the table runs without its panel."""

    class Busy(type(mock_factory())):  # type: ignore[misc]
        def pin(self, name: Any) -> Any:
            raise OSError("GPIO busy")

    with put_together(tmp_path, factory=Busy()) as app:
        until(app, lambda snapshot: "panel-lost" in [one.code for one in snapshot.say])
        assert "panel-lost" in [one.code for one in app.mailbox.snapshot.say]
        assert "GPIO busy" in str(app.no_pins)


def test_a_panel_that_comes_back_is_used_and_everybody_is_told(tmp_path: Path) -> None:
    """Pins are tried again while the table runs; once they work, buttons count and confirm phones."""
    pins, there, now = mock_factory(), threading.Event(), [0.0]

    def open_panel() -> Panel:
        if not there.is_set():
            raise PinsError(Message("No GPIO chip has the header."), Message("Name it."))
        return Panel(load(), pins, lambda: now[0])

    with put_together(tmp_path, open_panel=open_panel, steady=lambda: now[0]) as app:
        until(app, lambda snapshot: "panel-lost" in [one.code for one in snapshot.say])
        now[0] += 2 * RETRY_INTERVAL_S
        assert app.panel.answers(PATIENCE)
        assert app.no_pins is not None
        there.set()
        now[0] += 2 * RETRY_INTERVAL_S
        snapshot = until(app, lambda snapshot: "panel-back" in [one.code for one in snapshot.say])
        assert "panel-lost" not in [one.code for one in snapshot.say]
        assert [app.no_pins, app.room.admission.confirm] == [None, True]
        assert app.panel.answers(PATIENCE)  # a button that is down when the panel opens does not count
        MockFingers(load(), pins).press("PASS")
        for _ in range(3):
            now[0] += 0.1
            assert app.panel.answers(PATIENCE)
        until(app, lambda snapshot: snapshot.refused is not None)
        assert pins.pin(OK.pin).function == "output"


def test_a_wrong_panel_file_costs_the_panel_and_never_the_table(tmp_path: Path) -> None:
    """The error names the file and the line, and the table runs without its panel."""
    file = tmp_path / "panel.toml"
    for text in (None, "[buttons", "[buttons]\nOK = { pin = 99 }\n"):
        if text is not None:
            file.write_text(text)
        with pytest.raises(PinsError, match=r"panel\.toml"):
            read_wiring(file, {})

    def open_panel() -> Panel:
        return Panel(read_wiring(file, {}), mock_factory(), time.monotonic)

    with put_together(tmp_path, open_panel=open_panel) as app:
        until(app, lambda snapshot: "panel-lost" in [one.code for one in snapshot.say])
        assert "line 2" in str(app.no_pins)


def test_a_camera_that_cannot_be_used_is_said_in_the_terminal_and_on_the_health_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Log and health page give the reason and the fix once, and the game continues without the camera."""

    def open_camera() -> Camera:
        raise CameraLost("opencv:0", "There is no camera {camera}, only a USB camera.", Message("Use the other."))

    with put_together(tmp_path, camera=CameraSetup(open_camera, rate=50.0)) as app:
        until(app, lambda snapshot: snapshot.camera == "lost")
        probe = diagnostics.while_served(app)["camera"]
        (check,) = probe(ProbedMachine(Config(), time.time, time.time))
    assert (check.state, str(check.fix)) == (CheckState.FAULT, "Use the other.")
    assert "There is no camera opencv:0" in str(check.fact)
    assert [one.getMessage() for one in caplog.records if "opencv:0" in one.getMessage()] == [
        "There is no camera opencv:0, only a USB camera. Use the other. The game continues without it."
    ]


def test_a_table_without_a_camera_says_so_in_the_terminal(tmp_path: Path) -> None:
    """At the start, the terminal says that the game is played without a camera."""
    said: list[str] = []
    with put_together(tmp_path) as app:
        addresses = network.addresses_of("127.0.0.1", [], 8000)
        serve.announce(app, app.mailbox.snapshot.match, addresses, "HOST", said.append)
    assert "There is no camera; the game is played without one." in said


@pytest.mark.parametrize("sound", [True, False])
def test_the_buzzer_sounds_unless_the_table_is_to_be_silent(tmp_path: Path, sound: bool) -> None:
    app = put_together(tmp_path, sound=sound)
    told = Told(app)
    with app:
        refuse(app)
        assert app.panel.answers(PATIENCE)
    assert (("buzzer", True) in told.log) is sound


def test_a_button_held_at_the_start_is_reported_until_it_is_released(tmp_path: Path) -> None:
    with put_together(tmp_path) as app:
        app._troubled(Trouble("UNDO", ButtonFault.HELD, 0.0))
        said = until(app, lambda snapshot: [one.code for one in snapshot.say] == ["button-stuck"])
        assert said.say[0].facts == {"button": "UNDO"}
        app._troubled(Trouble("UNDO", ButtonFault.FREED, 1.0))
        until(app, lambda snapshot: not snapshot.say)


def test_a_table_that_shuts_down_says_so_once_all_is_on_the_disk_and_then_goes_dark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = put_together(tmp_path, farewell=0.01)
    closed: list[str] = []
    close = Journal.close
    shown: list[Any] = []
    wake = app.panel.wake

    def close_journal(journal: Journal) -> None:
        close(journal)
        closed.append(str(app.panel_signals()))

    def wake_panel() -> None:
        shown.append(app.panel_signals())
        wake()

    monkeypatch.setattr(Journal, "close", close_journal)
    monkeypatch.setattr(app.panel, "wake", wake_panel)
    with app:
        pin = app.panel.panel.factory.pin(OK.pin)
    assert len(closed) == 1
    assert "REST" not in closed[0]
    assert {"legal": Pattern.REST} in shown
    assert not pin.states[-1].state


def test_a_table_whose_disk_failed_never_says_that_all_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = put_together(tmp_path, farewell=0.01)

    def full(*_: object) -> NoReturn:
        raise JournalError("games", "The journal could not be written", Message("Free some space."))

    monkeypatch.setattr(Journal, "append", full)
    with app:
        revision = app.mailbox.snapshot.revision
        app.mailbox.press(Press("MONEY", Kind.PRESS, 0.0))
        app.mailbox.wait(revision, PATIENCE)
        answer = app.mailbox.act(
            GAME.parse("reveal B1.1"), on=app.mailbox.snapshot.number, id="one", seat=None, source=Source.PAGE
        )
        assert answer.error is not None
        assert app.mailbox.snapshot.signals["illegal"] is Pattern.FAST
    assert app.panel_signals() != SAVED_LIGHTS


def test_a_table_that_cannot_be_put_together_gives_its_pins_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that fails while it is made frees its pins, which safe mode tries in the same process."""

    def no_memory(*_: object, **__: object) -> NoReturn:
        raise MemoryError

    pins = mock_factory()
    monkeypatch.setattr(Room, "__init__", no_memory)
    with pytest.raises(MemoryError):
        put_together(tmp_path, factory=pins)
    assert pins.pins == {}


def test_a_table_that_cannot_be_started_gives_its_pins_and_its_journal_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the camera's thread, the last one, cannot start, pins and journal are free again."""

    def no_camera() -> Camera:
        raise CameraLost("", "There is none.")

    def no_thread() -> None:
        raise RuntimeError("can't start new thread")

    usual = sys.getswitchinterval()
    app = put_together(tmp_path, camera=CameraSetup(no_camera))
    assert app.camera_loop is not None
    monkeypatch.setattr(app.camera_loop, "start", no_thread)
    with pytest.raises(RuntimeError, match="thread"), app:
        pass
    assert app.panel.panel.factory.pins == {}
    assert sys.getswitchinterval() == usual
    newest = store.unfinished(tmp_path)
    assert newest is not None
    Journal.open(newest)[0].close()


def test_while_a_table_runs_a_thread_that_computes_gives_way_ten_times_as_often(tmp_path: Path) -> None:
    """A running table cuts the interpreter's switch interval to a tenth, for short delays from a press to its light."""
    usual = sys.getswitchinterval()
    with put_together(tmp_path):
        assert sys.getswitchinterval() == pytest.approx(usual / 10)
    assert sys.getswitchinterval() == usual
