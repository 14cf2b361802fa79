"""How fast an accepted action reaches the last of many open pages, beside a bare waitress stream on this machine.

``python bench/pages.py`` prints one JSON document.  Every seat of the game holds a stream, spectators hold the rest;
an action is sent as a phone sends it, and the clock runs from before the request until the last stream has its event.
"""

from __future__ import annotations

import argparse
import json
import resource
import selectors
import socket
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from flask import Flask
from waitress.server import create_server

sys.path.insert(0, str(Path(__file__).parent.parent))
from tabletop.rules.palazzo import GAME
from tabletop.web.app import create_app
from tabletop.web.room import Room
from tabletop.web.serve import Server
from tests.web.fake_desk import FakeDesk

NAMES = ("Anna", "Bruno", "Chiara", "Dario")


class Streams:
    """Many open streams, read by one loop."""

    def __init__(self, port: int, requests: list[str]) -> None:
        self._selector = selectors.DefaultSelector()
        self._sockets = [socket.create_connection(("127.0.0.1", port)) for _ in requests]
        for number, (one, request) in enumerate(zip(self._sockets, requests, strict=True)):
            one.sendall(f"GET {request}\r\n\r\n".encode())
            self._selector.register(one, selectors.EVENT_READ, number)

    def until_all_have(self, mark: bytes) -> float:
        """Return when the last stream has received the mark (monotonic seconds)."""
        missing = set(range(len(self._sockets)))
        tails = dict.fromkeys(missing, b"")
        while missing:
            for key, _ in self._selector.select(10):
                data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                tails[key.data] = tails[key.data][-40:] + data
                if mark in tails[key.data]:
                    missing.discard(key.data)
        return time.monotonic()

    def drain(self) -> None:
        """Read what is there."""
        while events := self._selector.select(0.3):
            for key, _ in events:
                key.fileobj.recv(1 << 16)  # type: ignore[union-attr]

    def close(self) -> None:
        """Close every stream."""
        for one in self._sockets:
            one.close()


def measure(streams: Streams, rounds: int, act: Callable[[int], bytes]) -> list[float]:
    """Return the milliseconds of each round."""
    streams.drain()
    times = []
    for number in range(rounds):
        start = time.monotonic()
        mark = act(number)
        times.append(1000 * (streams.until_all_have(mark) - start))
        streams.drain()
    return times


def bare(count: int, rounds: int) -> list[float]:
    """Measure a waitress stream that sends a few bytes and renders nothing."""
    app, news, state = Flask("bare"), threading.Condition(), {"number": 0}

    @app.get("/")
    def stream() -> Any:
        def events() -> Iterator[str]:
            while True:
                seen = state["number"]
                yield f"data: <{seen}>\n\n"
                with news:
                    while state["number"] == seen:
                        news.wait()

        return app.response_class(events(), mimetype="text/event-stream")

    server = create_server(app, host="127.0.0.1", port=0, threads=count + 8, channel_request_lookahead=1)
    threading.Thread(target=server.run, daemon=True).start()

    def act(number: int) -> bytes:
        with news:
            state["number"] = number + 1
            news.notify_all()
        return f"<{number + 1}>".encode()

    return measure(Streams(server.effective_port, ["/ HTTP/1.1\r\nHost: localhost"] * count), rounds, act)


def pages(count: int, rounds: int) -> dict[str, Any]:
    """Measure the pages of a game."""
    desk = FakeDesk(GAME, NAMES, seed=1)
    room = Room("CODE42", seats=range(len(NAMES)))
    tokens = [room.claim(seat) for seat in range(len(NAMES))]
    server = Server(create_app(desk, room=room, addresses=[]), "127.0.0.1", 0)
    threading.Thread(target=server.run, daemon=True).start()
    host = f"127.0.0.1:{server.port}"
    seats = [f"/events/seat HTTP/1.1\r\nHost: {host}\r\nCookie: seat={token}" for token in tokens]
    watchers = [f"/events/table HTTP/1.1\r\nHost: {host}"] * (count - len(seats))
    streams = Streams(server.port, seats + watchers)

    def act(number: int) -> bytes:
        snapshot = desk.snapshot
        action = next(iter(snapshot.position.legal.thrifty()))
        body = json.dumps({"action": action.to_json(), "on": snapshot.number, "id": f"bench-{number:06d}"})
        head = (
            f"POST /seat/act HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n"
            f"Cookie: seat={tokens[snapshot.position.decider or 0]}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port)) as phone:
            phone.sendall((head + body).encode())
            answer = phone.recv(4096)
        assert b" 200 " in answer[:20], answer
        return f'"on": {desk.snapshot.number},'.encode()

    times = measure(streams, rounds, act)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    streams.close()
    sleeper = Streams(server.port, watchers[:1])
    position = desk.snapshot.position
    for _ in range(10_000):
        desk.become(position)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    sleeper.close()
    server.close()
    return {"ms": times, "grown_kib": grown}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--streams", type=int, default=58)
    options.add_argument("--rounds", type=int, default=30)
    given = options.parse_args()
    plain = bare(given.streams, given.rounds)
    ours = pages(given.streams, given.rounds)
    report = {
        "streams": given.streams,
        "rounds": given.rounds,
        "bare_ms_median": round(statistics.median(plain), 1),
        "pages_ms_median": round(statistics.median(ours["ms"]), 1),
        "pages_ms_worst": round(max(ours["ms"]), 1),
        "kib_grown_over_10000_events_with_a_sleeper": ours["grown_kib"],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
