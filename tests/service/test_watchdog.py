"""systemd is notified only while referee and panel respond, and the starts are remembered."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from doubles.turnstile import Turnstile
from tabletop.messages import Message
from tabletop.service import starts
from tabletop.service.notify import Notifier
from tabletop.service.starts import MAX_FAILED_STARTS, Starts, StartsFile
from tabletop.service.watchdog import GOOD_START_S, Watchdog


class Ear:
    """Stands in for systemd: a socket and what was received on it."""

    def __init__(self, path: str) -> None:
        self.address = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + path[1:] if path.startswith("@") else path)
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        told = []
        while True:
            try:
                told.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return told

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    made = Ear(str(tmp_path / "notify"))
    yield made
    made.close()


def notifier(ear: Ear, **more: str) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": "60000000", **more})


def test_a_service_manager_that_does_not_listen_blocks_nothing(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service manager that does not read its socket never blocks the table."""
    monkeypatch.setattr("tabletop.service.notify.SEND_TIMEOUT_S", 0.001)
    told = notifier(ear)
    for _ in range(1000):
        told.alive()
    assert len(ear.heard()) < 1000


def test_every_notification_is_one_datagram(ear: Ear) -> None:
    """Each notification is one datagram, even if it holds line breaks or bytes that are not UTF-8."""
    told = notifier(ear)
    told.ready()
    told.alive()
    told.status("two\nlines")
    told.status(f"no {os.fsdecode(bytes([0xFF]))}")
    told.stopping()
    assert ear.heard() == ["READY=1", "WATCHDOG=1", "STATUS=two lines", "STATUS=no ?", "STOPPING=1"]


def test_an_abstract_socket_is_spoken_to(tmp_path: Path) -> None:
    """An address that begins with “@” is an abstract socket and not a file."""
    ear = Ear(f"@tabletop-{tmp_path.name}-{id(tmp_path)}")
    Notifier({"NOTIFY_SOCKET": ear.address}).ready()
    assert ear.heard() == ["READY=1"]
    ear.close()


def test_without_systemd_nothing_is_said_and_nothing_fails(tmp_path: Path) -> None:
    Notifier({}).ready()
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).ready()


def test_a_watchdog_for_another_process_is_ignored(ear: Ear) -> None:
    assert notifier(ear).watchdog_s == 60
    assert notifier(ear, WATCHDOG_PID="1").watchdog_s == 0


class Table:
    """Two parts that respond or hang, a clock, and the heartbeat between them and systemd."""

    def __init__(self, ear: Ear) -> None:
        self.now, self.referee, self.panel, self.wells = 0.0, True, True, 0
        self.ear = ear
        parts = {"the referee": lambda _: self.referee, "the panel": lambda _: self.panel}
        self.heart = Watchdog(notifier(ear), parts, lambda: self.now, self._well)

    def _well(self) -> None:
        self.wells += 1

    def beats(self, seconds: float) -> int:
        """Let time pass, beating twice a second; return how often systemd was told that the table is alive."""
        end, told = self.now + seconds, []
        while self.now < end:
            self.heart.beat()
            told += self.ear.heard()
            self.now += 0.5
        return told.count("WATCHDOG=1")


@pytest.fixture
def table(ear: Ear) -> Table:
    return Table(ear)


def test_a_living_table_notifies_several_times_per_period(table: Table) -> None:
    assert table.beats(60) == 6


def test_the_table_is_ready_once_and_only_when_every_part_answers(table: Table) -> None:
    table.panel = False
    table.heart.beat()
    assert "READY=1" not in table.ear.heard()
    table.panel = True
    table.now += 20
    table.heart.beat()
    assert table.ear.heard().count("READY=1") == 1
    table.now += 20
    table.heart.beat()
    assert table.ear.heard() == ["WATCHDOG=1"]


@pytest.mark.parametrize("part", ["referee", "panel"])
def test_a_hanging_part_stops_the_heartbeat_and_is_named(table: Table, part: str) -> None:
    table.beats(30)
    setattr(table, part, False)
    table.now += 10
    table.heart.beat()
    assert table.ear.heard() == [f"STATUS=No answer from the {part}"]
    assert table.beats(120) == 0
    setattr(table, part, True)
    assert table.beats(30) > 0


def test_a_start_is_successful_once_and_only_after_its_minute(table: Table) -> None:
    table.beats(GOOD_START_S - 5)
    assert table.wells == 0
    table.beats(300)
    assert table.wells == 1


def test_a_hanging_start_is_never_successful(table: Table) -> None:
    table.referee = False
    table.beats(600)
    assert table.wells == 0


def test_failed_starts_lead_to_safe_mode_and_say_why(tmp_path: Path) -> None:
    memory = StartsFile(tmp_path)
    for _ in range(MAX_FAILED_STARTS):
        assert memory.begin().reason == ""
        memory.failed(Message("The pins cannot be used."))
    assert memory.begin().reason == "The table could not be started 3 times in a row. The pins cannot be used."


def test_a_successful_start_clears_the_failed_ones(tmp_path: Path) -> None:
    memory = StartsFile(tmp_path)
    for _ in range(MAX_FAILED_STARTS):
        memory.begin()
    memory.well()
    assert memory.begin() == Starts()


def test_safe_mode_can_be_asked_for(tmp_path: Path) -> None:
    memory = StartsFile(tmp_path)
    memory.ask()
    assert StartsFile(tmp_path).begin().reason == "It was requested on a page."


def test_a_request_for_safe_mode_is_kept_when_the_start_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request for safe mode is kept even if it comes just as the start is recorded as successful."""
    monkeypatch.setattr(starts, "Lock", Turnstile)
    memory = StartsFile(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        pool.submit(memory.ask)
        pool.submit(memory.well)
    assert memory.read().asked


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"failed": "many"}', '{"failed": 1, "why": "", "asked": null, "x": 1}']
)
def test_a_damaged_file_of_starts_counts_as_absent(tmp_path: Path, text: str) -> None:
    (tmp_path / "starts.json").write_text(text)
    assert StartsFile(tmp_path).begin().reason == ""


def test_a_disk_that_cannot_be_written_does_not_keep_the_table_from_starting() -> None:
    memory = StartsFile(Path("/proc/nowhere"))
    assert memory.begin() == Starts()
    memory.well()
