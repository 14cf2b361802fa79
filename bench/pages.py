"""How fast an accepted action reaches the last of many open pages, compared with a bare waitress stream.

``python -m bench.pages`` prints one JSON document.  Four seats and fifty-four spectators have a stream open each; an
action is sent as a phone sends it, and the clock runs from before the request until the last stream has the last byte
of its event.  The bare stream's event is also caused by a request.  Then ten thousand events are sent to two pages that
listen and one that sleeps, and the memory of the process is measured.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import re
import selectors
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from flask import Flask
from waitress.server import create_server

from doubles.memory_table import MemoryTable
from tabletop.hardware.diagnostics.linux import memory_mb
from tabletop.rules.palazzo import GAME
from tabletop.runtime.bench.reactions import act_request
from tabletop.web.app import PageLimits, create_app
from tabletop.web.pages.session import TableParts
from tabletop.web.seating.room import Room
from tabletop.web.server import Server

SEATS = max(GAME.seat_range)
NAMES = tuple(f"Seat {number + 1}" for number in range(SEATS))


class Phones:
    """Many open streams in a separate process, like phones; a context manager."""

    def __init__(self, port: int, requests: list[str]) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=listen, args=(port, requests, theirs), daemon=True)
        self._process.start()
        self._pipe.recv()

    def __enter__(self) -> Phones:
        return self

    def __exit__(self, *trouble: object) -> None:
        self._process.kill()
        self._process.join()

    def time(self, act: Callable[[], None]) -> float:
        """Return the seconds from before ``act`` until the last phone has an event newer than all before."""
        self._pipe.send("next")
        self._pipe.recv()
        start = time.monotonic()
        act()
        return float(self._pipe.recv()) - start


NUMBER = re.compile(rb'"on": (\d+),')
END = b"\n\n"


def listen(port: int, requests: list[str], pipe: Connection) -> None:
    """Read the streams; when asked, report the time at which each has read an event newer than all before."""
    selector = selectors.DefaultSelector()
    selector.register(pipe, selectors.EVENT_READ, -1)
    for number, request in enumerate(requests):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(f"GET {request}\r\n\r\n".encode())
        selector.register(one, selectors.EVENT_READ, number)
    newest = [0] * len(requests)
    tails = [b""] * len(requests)
    bound: int | None = None
    opened = False
    while True:
        for key, _ in selector.select():
            if key.data < 0:
                pipe.recv()
                bound = max(newest)
                pipe.send("ready")
                continue
            data = tails[key.data] + key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
            whole, _, tails[key.data] = data.rpartition(END)
            newest[key.data] = max([newest[key.data], *map(int, NUMBER.findall(whole))])
        if not opened and all(newest):
            opened = True
            pipe.send("open")
        if bound is not None and min(newest) > bound:
            bound = None
            pipe.send(time.monotonic())


class Bare:
    """A waitress stream that sends a few bytes when a request tells it to, and renders nothing."""

    def __init__(self, count: int) -> None:
        app, self._news, self._number = Flask("bare"), threading.Condition(), 1
        app.add_url_rule("/", view_func=lambda: app.response_class(self._events(), mimetype="text/event-stream"))
        app.add_url_rule("/act", view_func=self._act, methods=["POST"])
        self._server = create_server(app, host="127.0.0.1", port=0, threads=count + 8, channel_request_lookahead=1)
        threading.Thread(target=self._server.run, daemon=True).start()
        self._port = self._server.effective_port
        self.phones = Phones(self._port, ["/ HTTP/1.1\r\nHost: localhost"] * count)

    def _events(self) -> Iterator[str]:
        while True:
            seen = self._number
            yield f'data: "on": {seen},\n\n'
            with self._news:
                while self._number == seen:
                    self._news.wait()

    def _act(self) -> str:
        with self._news:
            self._number += 1
            self._news.notify_all()
        return ""

    def act(self) -> None:
        """Cause an event for all phones by a request, as one of them would."""
        post(self._port, b"POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")


def post(port: int, request: bytes) -> None:
    """Send a request as a phone does."""
    with socket.create_connection(("127.0.0.1", port)) as phone:
        phone.sendall(request)
        answer = phone.recv(4096)
    assert b" 200 " in answer[:20], answer


class Table:
    """The served pages of a crowded table, and the streams open on them."""

    def __init__(self) -> None:
        self.mailbox = MemoryTable(GAME, NAMES, seed=1)
        room = Room("CODE42", seats=range(SEATS))
        self.tokens = [room.claim(seat) for seat in range(SEATS)]
        parts = TableParts(mailbox=self.mailbox, room=room, addresses=[])
        self.app = create_app(parts, PageLimits(per_address=400, acts=1_000_000))
        self.server = Server(self.app, "127.0.0.1", 0)
        threading.Thread(target=self.server.run, daemon=True).start()
        self._host = f"127.0.0.1:{self.server.port}"

    def phones(self, seats: int, spectators: int) -> Phones:
        """Open the streams of a number of seats and spectators."""
        own = [f"/events/seat HTTP/1.1\r\nHost: {self._host}\r\nCookie: seat={token}" for token in self.tokens[:seats]]
        return Phones(self.server.port, own + [f"/events/table HTTP/1.1\r\nHost: {self._host}"] * spectators)

    def sleep(self) -> socket.socket:
        """Open a stream that nobody ever reads."""
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", self.server.port))
        one.sendall(f"GET /events/table HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())
        return one

    def next_request(self) -> bytes:
        """Return the request of the phone whose seat decides."""
        return act_request(self.server.port, self.tokens, self.mailbox.snapshot)

    def send(self, request: bytes) -> None:
        """Send the request as a phone does."""
        post(self.server.port, request)

    def waiting(self) -> int:
        """Return the bytes that the server buffers for the client that is furthest behind."""
        return max(getattr(channel, "total_outbufs_len", 0) for channel in list(self.server.sockets.values()))


class Delay(NamedTuple):
    """The milliseconds until the last phone has an event, and the CPU milliseconds that the server's process spent
    on it.
    """

    wall: float
    cpu: float


def timed(phones: Phones, act: Callable[[], None]) -> Delay:
    """Return the delay of the event that ``act`` causes."""
    before = time.process_time()
    wall = phones.time(act)
    return Delay(1000 * wall, 1000 * (time.process_time() - before))


def delays(spectators: int, rounds: int) -> tuple[list[Delay], list[Delay]]:
    """Return the delays of the bare stream and of the pages, measured in turn."""
    bare, table = Bare(SEATS + spectators), Table()
    plain, ours = [], []
    with bare.phones, table.phones(SEATS, spectators) as phones:
        for _ in range(rounds):
            plain.append(timed(bare.phones, bare.act))
            ours.append(timed(phones, partial(table.send, table.next_request())))
    table.server.close()
    return plain, ours


def medians(delays: list[Delay]) -> dict[str, float]:
    return {
        "ms": round(statistics.median(delay.wall for delay in delays), 1),
        "cpu_ms": round(statistics.median(delay.cpu for delay in delays), 1),
        "worst_ms": round(max(delay.wall for delay in delays), 1),
    }


EVENTS = 10_000


def lasting() -> dict[str, Any]:
    """Return the process's memory during ten thousand events, and the most that was buffered for the sleeping page."""
    table = Table()
    mailbox, kib, sleeper, kept = table.mailbox, [], table.sleep(), 0

    def act(number: int) -> None:
        snapshot = mailbox.snapshot
        on, id = snapshot.number, f"lasting-{number:06d}"
        if number % 2:
            mailbox.undo(snapshot.events[-2].number, on=on, id=id)
        else:
            mailbox.act(next(iter(snapshot.position.legal.thrifty())), on=on, id=id, seat=snapshot.position.decider)

    with table.phones(1, 1) as phones:
        for number in range(EVENTS + 1):
            if number % (EVENTS // 4) == 0:
                gc.collect()
                kib.append(round(1024 * memory_mb("VmRSS", file="proc/self/status")))
            phones.time(partial(act, number))
            kept = max(kept, table.waiting())
    sleeper.close()
    table.server.close()
    return {"kib": kib, "kept": kept}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--spectators", type=int, default=54)
    options.add_argument("--rounds", type=int, default=60)
    asked = options.parse_args()
    plain, ours = delays(asked.spectators, asked.rounds)
    memory = lasting()
    report = {
        "seats": SEATS,
        "spectators": asked.spectators,
        "rounds": asked.rounds,
        "bare": medians(plain),
        "pages": medians(ours),
        "times_the_bare": round(medians(ours)["ms"] / medians(plain)["ms"], 1),
        "memory_kib_every_2500_events": memory["kib"],
        "most_bytes_kept_for_a_sleeping_page": memory["kept"],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
