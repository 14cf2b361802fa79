"""A long game night: a served table with a camera, eight phones and a TV, and what it costs over time.

``nice -n 5 python -m tests.campaigns.soak --seconds 3600 --seed 1``: ``tabletop serve`` in a process of its own with a
simulated camera and mock pins; phones that hold their streams open, come and go, and play game after game of Palazzo
on their pages; the host seats them, enters what chance brings, and begins the next game.  ``every`` has one entry for
each twentieth of the time: MB of memory, threads, descriptors, and the median and the longest of the times, in ms,
from an act until the last open page has heard of it.  If it lasts ten minutes or longer, growth after the first quarter
is a fault: more than a tenth of memory, four threads or eight descriptors, or a median that doubles.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from tabletop.hardware.diagnostics.linux import memory_mb
from tabletop.match.journal_file import read_events
from tabletop.match.match import Match
from tabletop.match.store import SUFFIX
from tests.campaigns.harness import HANG, Budget, Tally, main
from tests.ports import free_port

SEATS = ("Ada", "Ben", "Cleo", "Dora")
WATCHERS = 5
"""Number of devices that only watch: four more phones and a TV."""
ENTRIES = 20
LONG = 600.0
"""Least seconds of a run whose growth is judged: before, caches still fill."""
PACE = 1.5
"""Seconds from one act to the next, about what four quick people take."""


class Phone:
    """A phone with an address of its own, its cookies, and a thread that reads its stream."""

    def __init__(self, port: int, number: int, page: str) -> None:
        self._port, self._source, self.page = port, (f"127.0.0.{20 + number}", 0), page
        self.cookies: dict[str, str] = {}
        self.heard = 0
        self._news = threading.Condition()
        self._stream: socket.socket | None = None

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=2 * HANG, source_address=self._source)
        own = f"http://127.0.0.1:{self._port}"
        headers = {"Origin": own, "Content-Type": "application/json", **self._cookie()}
        with closing(line):
            line.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = line.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie") or ():
                name, _, rest = cookie.partition("=")
                self.cookies[name] = rest.partition(";")[0]
            return answer.status, answer.read()

    def listen(self) -> None:
        """Open the page's stream and read it in a thread until it ends."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60, source_address=self._source)
        line.request("GET", f"/events/{self.page}", headers=self._cookie())
        self._stream = line.sock  # the answer takes the connection over
        answer = line.getresponse()
        threading.Thread(target=self._read, args=(answer,), daemon=True).start()

    def _read(self, answer: http.client.HTTPResponse) -> None:
        with suppress(OSError, ValueError, AttributeError), answer:
            for line in answer:
                if line.startswith(b'data: {"') and b'"on"' in line:
                    with self._news:
                        self.heard = max(self.heard, time.monotonic_ns())
                        self._on = json.loads(line[6:])["on"]
                        self._news.notify_all()

    _on = 0

    def hears(self, number: int) -> bool:
        """Wait until the page shows an event; return whether it does in time."""
        with self._news:
            return self._news.wait_for(lambda: self._on >= number, HANG)

    def forget(self) -> None:
        """Start over from the first event, because another game has begun."""
        self._on = 0

    def close(self) -> None:
        """Drop the stream, as a phone does that is put into a pocket."""
        if self._stream is not None:
            with suppress(OSError):
                self._stream.shutdown(socket.SHUT_RDWR)

    def _cookie(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}


@contextmanager
def served(folder: Path, port: int) -> Iterator[tuple[int, str, str]]:
    """Serve a table; yield its process id, the code to join with and the host's code."""
    names = ", ".join(f'"{name}"' for name in SEATS)
    settings = f'seats = [{names}]\ngames = "games"\n[camera]\nsource = "simulated"\n[panel]\npins = "mock"\n'
    (folder / "table.toml").write_text(f'{settings}[pages]\nbind = "127.0.0.1"\nport = {port}\nacts = 600\n')
    words = [sys.executable, "-m", "tabletop", "serve", "--config", str(folder / "table.toml")]
    errors = (folder / "errors").open("w+")
    with errors, subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        assert process.stdout is not None
        said = ""
        while "one-time code" not in said:
            line = process.stdout.readline()
            assert line, (folder / "errors").read_text()
            said += line
        threading.Thread(target=process.stdout.read, daemon=True).start()
        code, host = re.search(r"code=(\w+)", said), re.search(r"one-time code (\w+)", said)
        assert code is not None
        assert host is not None
        try:
            yield process.pid, code[1], host[1]
        finally:
            process.terminate()
            process.wait(30)


def held(process: int) -> tuple[float, int, int]:
    """Return the MB of memory, the threads and the descriptors of a process."""
    threads, descriptors = (len(os.listdir(f"/proc/{process}/{what}")) for what in ("task", "fd"))
    return memory_mb("VmRSS", file=f"proc/{process}/status"), threads, descriptors


class GameNight:
    """The people at the table, their phones and the watchers' devices."""

    def __init__(self, folder: Path, port: int, rng: random.Random, tally: Tally) -> None:
        self._games, self._rng, self._tally = folder / "games", rng, tally
        self.seats = [Phone(port, number, "seat") for number in range(len(SEATS))]
        self.host = Phone(port, 10, "host")
        self.watchers = [Phone(port, 11 + number, "table") for number in range(WATCHERS)]
        self.times: list[float] = []
        self._sent = 0

    def sit_down(self, code: str, host: str) -> None:
        """Seat everybody and open everybody's pages."""
        assert self.host.ask("POST", "/host", {"code": host})[0] == 200
        for seat, phone in enumerate(self.seats):
            phone.ask("GET", f"/join?code={code}")
            assert phone.ask("POST", "/join", {"code": code, "seat": seat, "name": SEATS[seat]})[0] == 200
            self.host.ask("POST", "/host/claim", {"seat": seat, "accept": True})
        for phone in self.all:
            phone.listen()

    @property
    def all(self) -> list[Phone]:
        """All devices: the seats' phones, the host's phone, and the watchers'."""
        return [*self.seats, self.host, *self.watchers]

    def match(self) -> Match:
        """Return the current match as its journal has it."""
        newest = max(self._games.glob(f"*{SUFFIX}"))
        return read_events(newest)[1]

    def act(self) -> None:
        """Do the next act on the phone of its player (or the host), and wait until every page has heard of it."""
        match = self.match()
        position, rng = match.position, self._rng
        self._sent += 1
        common = {"on": match.last, "id": f"soak-{self._sent:08d}"}
        if match.over or position.over:
            for phone in self.all:
                phone.forget()
            status, text = self.host.ask("POST", "/host/next", {})
            self._tally.check(status == 200, f"the next game: {status} {text[:200]!r}")
            self._tally.count("games")
            return
        if position.decider is None:
            action = position.game.draw(position, rng).to_json()
            seat = action.get("seat", position.active)
            told = "seat" in action or rng.random() < 0.5
        else:
            action, seat, told = rng.choice(list(position.legal.thrifty())).to_json(), position.decider, True
        phone, path = (self.seats[seat], "/seat/act") if told else (self.host, "/host/act")
        begun = time.monotonic()
        with self._tally.input(path):
            status, text = phone.ask("POST", path, {"action": action, **common})
        self._tally.count(f"status {status}")
        self._tally.check(status in (200, 409, 422, 429), f"{path} {action}: {status} {text[:200]!r}")
        if status != 200:
            return
        number = json.loads(text)["number"]
        for one in self.all:
            self._tally.check(one.hears(number), f"{one.page} did not hear of event {number} of {match.last}")
        self.times.append(1000 * (time.monotonic() - begun))

    def come_and_go(self) -> None:
        """Let a device drop its stream, open some pages, and come back."""
        phone = self._rng.choice(self.all)
        phone.close()
        for path in (f"/{phone.page}" if phone.page != "table" else "/", "/games", "/rules", "/static/style.css"):
            with self._tally.input(path):
                status = phone.ask("GET", path)[0]
            self._tally.check(status == 200, f"{path}: {status}")
        phone.listen()


def campaign(budget: Budget, tally: Tally) -> None:
    """Play, and measure the process twenty times."""
    every: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder, port = Path(name), free_port()
        with served(folder, port) as (process, code, host):
            night = GameNight(folder, port, budget.rng, tally)
            night.sit_down(code, host)
            for entry in range(ENTRIES):
                night.times.clear()
                until = budget.begun + budget.seconds * (entry + 1) / ENTRIES
                while time.monotonic() < until or not (every or night.times or tally.faults):
                    since = time.monotonic()
                    night.act()
                    if budget.rng.random() < 0.1:
                        night.come_and_go()
                    time.sleep(max(0.0, min(PACE, until - time.monotonic()) - (time.monotonic() - since)))
                times = night.times or [0.0]
                size, threads, files = held(process)
                every.append({
                    "mb": round(size, 1), "threads": threads, "files": files,
                    "median_ms": round(statistics.median(times)), "longest_ms": round(max(times)),
                })  # fmt: skip
                if tally.enough:
                    break
            for phone in night.all:
                phone.close()
        tally.check("Traceback" not in (folder / "errors").read_text(), (folder / "errors").read_text()[-800:])
    tally.counts["every"] = every
    if budget.seconds >= LONG:
        judge(every, tally)


def judge(every: list[dict[str, float]], tally: Tally) -> None:
    """Note what has grown since the first quarter of the time."""
    first, last = every[ENTRIES // 4 - 1], every[-1]
    tally.check(last["mb"] <= 1.1 * first["mb"], f"memory grew from {first['mb']} to {last['mb']} MB")
    tally.check(last["threads"] <= first["threads"] + 4, f"threads grew from {first['threads']} to {last['threads']}")
    tally.check(last["files"] <= first["files"] + 8, f"descriptors grew from {first['files']} to {last['files']}")
    medians = [entry["median_ms"] for entry in every]
    early, late = (statistics.median(part) for part in (medians[: ENTRIES // 4], medians[-ENTRIES // 4 :]))
    tally.check(late <= 2 * early + 50, f"an act took {early} ms, then {late} ms, to be heard of everywhere")


if __name__ == "__main__":
    main(campaign, __doc__)
