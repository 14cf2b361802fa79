"""Many phones at one real server: each gets every event, no matter which others come, sleep or leave."""

from __future__ import annotations

import http.client
import json
import queue
import socket
import threading
from typing import Any

import pytest
from waitress.channel import HTTPChannel

from doubles.clock import PATIENCE
from doubles.pages import Pages
from doubles.positions import phases
from tabletop.runtime.health.log_tail import LogTail
from tabletop.web.app import MAX_SPECTATOR_STREAMS
from tabletop.web.live.hub import Audience
from tabletop.web.live.stream import ALIVE_EVENT, Stream
from tabletop.web.pages import session
from tabletop.web.server import MAX_UNSENT_BYTES, Server

CROWD = 50
SIGN_OF_LIFE = ALIVE_EVENT.splitlines(keepends=True)[1]
"""The data of a sign of life, which can come between events on a slow machine."""


class Listener:
    """An open stream of a phone, read as HTTP."""

    def __init__(self, server: Server, path: str = "/events/table", token: str = "") -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self._line.request("GET", path, headers={"Cookie": f"seat={token}"} if token else {})
        self.answer = self._line.getresponse()

    def event(self) -> dict[str, Any]:
        """Return the data of the next event, or ``{"event": "ended"}`` if the stream has ended."""
        while line := self.answer.readline():
            if line.startswith(b"event: ended"):
                return {"event": "ended"}
            if line.startswith(b"data: ") and line != SIGN_OF_LIFE:
                break
        found: dict[str, Any] = json.loads(line[6:])
        return found

    def close(self) -> None:
        self.answer.close()
        self._line.close()


def play(pages: Pages, number: int) -> int:
    """Change the position, and return the number of the newest event."""
    pages.mailbox.become([phases()["bid"], phases()["choose"]][number % 2])
    return pages.mailbox.snapshot.number


def test_a_crowd_that_joins_at_once_sees_the_table_and_all_that_happens(
    pages: Pages, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shared content is rendered once, and each phone of a crowd gets the same bytes."""
    collector, made = session.context_of(pages.app).collector, []
    collect = collector.of_audience

    def counted(*about: Any) -> Any:
        made.append(about)
        return collect(*about)

    monkeypatch.setattr(collector, "of_audience", counted)
    crowd: queue.SimpleQueue[Listener] = queue.SimpleQueue()
    threads = [threading.Thread(target=lambda: crowd.put(Listener(server))) for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    listeners = [crowd.get(timeout=PATIENCE) for _ in threads]
    first = [one.event() for one in listeners]
    assert all(event == first[0] for event in first)
    assert "board" in first[0]["regions"]
    for number in range(5):
        newest = play(pages, number)
        assert {one.event()["on"] for one in listeners} == {newest}
    assert len(made) == 1 + 5
    for one in listeners:
        one.close()


def test_a_client_that_stops_reading_delays_no_other_and_costs_little(pages: Pages, server: Server) -> None:
    token = pages.room.claim(0)
    sleeper = socket.socket()
    sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sleeper.connect(("127.0.0.1", server.port))
    sleeper.sendall(b"GET /events/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert sleeper.recv(8) == b"HTTP/1.1"
    for one in [*server.sockets.values()]:
        if isinstance(one, HTTPChannel):
            one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    awake = [Listener(server), Listener(server, "/events/seat", token)]
    for listener in awake:
        listener.event()
    largest = 0
    for number in range(200):
        newest = play(pages, number)
        assert [listener.event()["on"] for listener in awake] == [newest, newest]
        largest = max(largest, *(getattr(one, "total_outbufs_len", 0) for one in [*server.sockets.values()]))
    assert 0 < largest < 2 * MAX_UNSENT_BYTES
    for listener in awake:
        listener.close()
    sleeper.close()


def test_the_stream_of_a_seat_that_moves_to_another_phone_ends(pages: Pages, server: Server) -> None:
    tokens = [pages.room.claim(0), pages.room.claim(1)]
    old, other = (Listener(server, "/events/seat", token) for token in tokens)
    old.event()
    other.event()
    pages.room.claim(0)
    # An event that was already under way may still come, without news.
    for event in iter(old.event, {"event": "ended"}):
        assert event["regions"] == {}
    assert other.event()["on"] == pages.mailbox.snapshot.number
    old.close()
    other.close()


def test_asking_for_the_head_of_a_stream_takes_no_place(pages: Pages, server: Server) -> None:
    """A HEAD request for a stream sends nothing of it and leaves nothing open."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    for _ in range(2 * MAX_SPECTATOR_STREAMS):
        line.request("HEAD", "/events/table")
        answer = line.getresponse()
        assert (answer.status, answer.read()) == (200, b"")
    line.close()


def test_a_client_that_keeps_up_gets_news_while_the_streams_own_thread_sleeps(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """News is pushed to a client at once; only what it cannot take waits for the stream's own thread."""
    monkeypatch.setattr("tabletop.web.live.stream.BEAT_INTERVAL_S", PATIENCE)
    parts = pages.app.extensions[session.EXTENSION_KEY]
    takes: list[bool] = [True, False]
    pushed: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    own: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def push(data: bytes) -> bool:
        took = takes.pop(0)
        if took:
            pushed.put(data)
        return took

    audience = Audience("table", None, "en")
    stream = Stream(parts.hub, parts.renderer, lambda: audience, (), "", push, bool)
    asleep = threading.Semaphore(0)

    class Due(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            asleep.release()
            return super().wait(timeout)

    stream._due = Due()
    assert parts.hub.open(stream)

    def run() -> None:
        for event in stream:
            own.put(event)

    thread = threading.Thread(target=run)
    thread.start()
    assert own.get(timeout=PATIENCE).startswith(b"retry")
    assert b'"board"' in own.get(timeout=PATIENCE)
    assert asleep.acquire(timeout=PATIENCE)
    play(pages, 0)
    assert b'"board"' in pushed.get(timeout=PATIENCE)
    play(pages, 1)
    assert b'"board"' in own.get(timeout=PATIENCE)
    assert own.empty()
    assert pushed.empty()
    pages.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert own.empty()


def test_requests_that_wait_for_a_moment_leave_the_log_to_what_goes_wrong(server: Server) -> None:
    """Warnings about the request queue do not push errors out of the log's last lines."""
    log, threads = LogTail(), server._server.task_dispatcher
    with log.attached():
        threads.queue_logger.warning("Task queue depth is 1")
        threads.logger.error("Exception while serving /")
    assert [line.partition(": ")[2] for line in log.text().splitlines()] == ["Exception while serving /"]
