"""The command of the service, run as systemd runs it: ready, alive, sent into safe mode by a page, and back."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from doubles.clock import PATIENCE
from tabletop.match import store
from tabletop.rules.palazzo import GAME
from tests.ports import free_port

ROOT = Path(__file__).parents[2]


class Manager:
    """Stands in for systemd: starts the service, receives its notifications and ends it."""

    def __init__(self, folder: Path) -> None:
        self.file, self._folder = folder / "table.toml", folder
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(str(folder / "notify"))
        self._ear.settimeout(0.1)
        self.port = free_port()
        (folder / "pictures").mkdir()
        self.file.write_text(
            f'seats = ["Ada", "Ben"]\n[camera]\nsource = "images:{folder / "pictures"}"\n'
            f'[panel]\npins = "mock"\n[pages]\nbind = "127.0.0.1"\nport = {self.port}\n'
        )
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Start the service, wait until it is ready, and return what it printed until then."""
        self._heard_all()
        command = [sys.executable, "-P", "-m", "tabletop", "serve", "--service", "--config", str(self.file)]
        environment = os.environ | {
            "NOTIFY_SOCKET": str(self._folder / "notify"), "WATCHDOG_USEC": "60000000", "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        out = self._folder / "out"
        with out.open("w") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=file, env=environment, text=True)
        assert self.hears("READY=1"), out.read_text()
        return out.read_text()

    def hears(self, word: str) -> bool:
        """Wait for a notification of the service; if it has ended, read the ones that it left."""
        assert self.process is not None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            ended = self.process.poll() is not None
            try:
                if self._ear.recv(4096).decode() == word:
                    return True
            except TimeoutError:
                if ended:
                    break
        return False

    def _heard_all(self) -> None:
        """Discard the notifications of an earlier service."""
        self._ear.setblocking(False)
        with suppress(BlockingIOError):
            while self._ear.recv(4096):
                pass
        self._ear.settimeout(0.1)

    def ask(self, path: str, data: dict[str, str] | None = None, cookie: str = "") -> tuple[str, str]:
        """Request a page as a browser does, by the machine's name; return the answer and its cookie."""
        url, name = f"http://127.0.0.1:{self.port}", f"{socket.gethostname()}.local:{self.port}"
        headers = {"Host": name, "Origin": f"http://{name}", "Content-Type": "application/json", "Cookie": cookie}
        body = None if data is None else json.dumps(data).encode()
        with urllib.request.urlopen(urllib.request.Request(url + path, body, headers), timeout=PATIENCE) as answer:
            return answer.read().decode(), (answer.headers.get("Set-Cookie") or "").partition(";")[0]

    def ends(self) -> int:
        assert self.process is not None
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._ear.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(tmp_path)
    yield made
    made.close()


def test_a_table_notifies_systemd_goes_into_safe_mode_and_comes_back(manager: Manager) -> None:
    """The table's host is also the host in safe mode, and both processes end in order so that systemd restarts them."""
    said = manager.start()
    assert manager.hears("WATCHDOG=1")
    code = re.search(r"one-time code (\S+)", said)
    assert code
    _, host = manager.ask("/host", {"code": code[1]})
    assert "these pages run there" in manager.ask("/health", cookie=host)[0]
    manager.ask("/health/leave", {}, host)
    assert manager.hears("STOPPING=1")
    assert manager.ends() == 0

    assert "Safe mode: It was requested on a page." in manager.start()
    assert manager.hears("WATCHDOG=1")
    assert "The table is in safe mode" in manager.ask("/")[0]
    assert "Press the button" not in manager.ask("/setup", cookie=host)[0]
    manager.ask("/health/leave", {}, host)
    assert manager.ends() == 0

    assert "Palazzo with Ada, Ben." in manager.start()
    assert manager.process is not None
    manager.process.terminate()
    assert manager.ends() == 0


def test_a_newest_match_that_cannot_be_read_is_asked_about_on_a_page(manager: Manager, tmp_path: Path) -> None:
    """If the newest match is unreadable, safe mode says so, and its host starts the table with or without it."""
    journal, _ = store.start(tmp_path / "games", GAME, ["Ada", "Ben"], time.time())
    journal.close()
    journal.path.write_bytes(b"SQLite format 3\0")
    said = manager.start()
    code = re.search(r"one-time code (\S+)", said)
    assert code
    page = manager.ask("/")[0]
    assert f"The game that was played last ({journal.path.name}) cannot be opened." in page
    assert "If you start the table here, this game is skipped" in page
    _, host = manager.ask("/host", {"code": code[1]})
    manager.ask("/health/leave", {}, host)
    assert manager.ends() == 0
    assert "Palazzo with Ada, Ben." in manager.start()
    assert journal.path.read_bytes() == b"SQLite format 3\0"
