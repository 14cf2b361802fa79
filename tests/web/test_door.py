"""Strangers at a real server: what they send is not stored, and what they keep open keeps nobody out."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import cast

import pytest

from doubles.clock import PATIENCE
from doubles.fake_photo_reader import FakePhotoReader
from doubles.memory_table import MemoryTable
from doubles.pages import HOST_CODE, Pages
from tabletop.web import server as serving
from tabletop.web.app import USUAL_LIMITS, PageLimits
from tabletop.web.http.bodies import QUOTA_BYTES
from tabletop.web.http.guard import MAX_BACKUP_BYTES, MAX_PHOTO_BYTES
from tabletop.web.server import Server
from tests.campaigns.uploads import kept

STRANGER, TV, PHONE = "127.0.0.9", "127.0.0.2", "127.0.0.3"
"""Loopback addresses from which one machine can send requests."""


@pytest.fixture
def pages(mailbox: MemoryTable) -> Iterator[Pages]:
    made = Pages(mailbox, photo_reader=FakePhotoReader(), limits=USUAL_LIMITS)
    yield made
    made.close()


def line_to(server: Server, source: str = STRANGER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE, source_address=(source, 0))


def head(server: Server, path: str, length: int, cookie: str = "", more: str = "", kind: str = "") -> bytes:
    own = f"127.0.0.1:{server.port}"
    kind = kind or ("multipart/form-data; boundary=x" if "photo" in path else "application/gzip")
    return (
        f"POST {path} HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\nContent-Type: {kind}\r\n"
        f"Cookie: {cookie}\r\nContent-Length: {length}\r\n{more}\r\n"
    ).encode()


@contextmanager
def asked(server: Server, path: str, source: str, cookie: str = "") -> Iterator[http.client.HTTPResponse]:
    """Yield the answer to a request for a page or stream from an address."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE, source_address=(source, 0))
    line.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    with closing(line), line.getresponse() as answer:
        yield answer


def page(server: Server, source: str) -> int:
    """Return the status of the table's page, requested from an address."""
    with asked(server, "/", source) as answer:
        return answer.status


def status(line: socket.socket) -> int:
    return int(line.recv(12)[-3:])


def test_bodies_of_strangers_are_not_stored(server: Server) -> None:
    """Six connections that send 59 MiB each take no memory, neither meanwhile nor afterwards."""
    lines = [line_to(server) for _ in range(6)]
    piece, before = bytes(2**20), kept()
    for line in lines:
        line.sendall(head(server, "/host/restore", MAX_BACKUP_BYTES - 1))
    largest = 0
    for _ in range(59):
        for line in lines:
            with suppress(OSError):  # refused
                line.sendall(piece)
        largest = max(largest, kept())
    assert largest - before < 2**20
    for line in lines:
        line.close()


@pytest.mark.parametrize("path", ["/photo/cards", "/photo/score", "/host/restore", "/seat/act", "/"])
@pytest.mark.parametrize("cookie", ["", "seat=wrong", "host=wrong", "seat=\"; host='", "a b=c"])
def test_a_body_that_is_not_wanted_is_answered_in_a_sentence(server: Server, path: str, cookie: str) -> None:
    """A body that a phone may send in good faith is read and dropped, so that the phone gets the reason."""
    length, before = 3_000_000, kept()
    with line_to(server) as line:
        line.sendall(head(server, path, length, cookie))
        for _ in range(3):
            line.sendall(bytes(1_000_000))
        assert kept() - before < 2**20
        assert status(line) in (403, 405, 413, 415)


def test_a_large_body_that_is_announced_is_refused_before_it_is_sent(server: Server) -> None:
    """A stranger with “Expect: 100-continue” and a large body gets 413 at once."""
    with line_to(server) as line:
        line.sendall(head(server, "/host/restore", MAX_BACKUP_BYTES - 1, more="Expect: 100-continue\r\n"))
        assert status(line) == 413


def test_a_body_without_an_end_is_stopped(server: Server) -> None:
    """A chunked body, whose length is unknown, is limited like that of a stranger."""
    own = f"127.0.0.1:{server.port}"
    with line_to(server) as line:
        line.sendall(f"POST /host/restore HTTP/1.1\r\nHost: {own}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        line.sendall(b"8001\r\n" + bytes(0x8001) + b"\r\n")
        assert status(line) == 413


def test_a_seat_may_send_a_photograph_and_the_host_a_backup(pages: Pages, server: Server) -> None:
    """A seat's photograph and the host's backup are read whole, and their space is free again after the answers."""
    seat, host = pages.room.claim(0), pages.room.hosts.admit(HOST_CODE)
    picture = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n' + bytes(3_000_000)
    for path, cookie, body in (
        ("/photo/score", f"seat={seat}", picture + b"\r\n--x--\r\n"),
        ("/host/restore", f"host={host}", bytes(9_000_000)),
    ):
        with line_to(server, PHONE) as line:
            line.sendall(head(server, path, len(body), cookie) + body)
            assert status(line) in (200, 404, 422)  # this table keeps no games
    while not server.guard.bodies.reserve(QUOTA_BYTES):
        pass  # the answer is sent before its request is released


def test_large_bodies_share_a_room_and_give_it_back(pages: Pages, server: Server) -> None:
    """While too many large bodies are being read a phone is told so; when one is aborted, there is space again."""
    seat = pages.room.claim(0)
    lines = [line_to(server, f"127.0.0.{20 + number}") for number in range(4)]
    for line in lines:
        line.sendall(head(server, "/photo/score", MAX_PHOTO_BYTES, f"seat={seat}") + bytes(1000))
    assert page(server, TV) == 200
    body = bytes(3_000_000)

    def sent() -> int:
        with line_to(server, PHONE) as line:
            line.sendall(head(server, "/photo/score", len(body), f"seat={seat}") + body)
            return status(line)

    assert sent() == 503
    for line in lines:
        line.close()
    while sent() == 503:
        pass


def test_streams_of_one_address_leave_places_for_tv_and_host(pages: Pages, server: Server) -> None:
    """An address that asks for sixty-four streams gets some, and all other addresses get theirs."""
    lines = []
    for _ in range(64):
        line = line_to(server)
        line.sendall(f"GET /events/table HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        lines.append(line)
    host, seat = pages.room.hosts.admit(HOST_CODE), pages.room.claim(0)
    for path, cookie in (("/events/table", ""), ("/events/host", f"host={host}"), ("/events/seat", f"seat={seat}")):
        with asked(server, path, TV, cookie) as answer:
            assert answer.status == 200
            assert answer.readline().startswith(b"retry")
    given = [line for line in lines if answered(line) == b"200"]
    assert 4 <= len(given) <= 32
    for line in lines:
        line.close()


def answered(line: socket.socket) -> bytes:
    try:
        return line.recv(12)[-3:]
    except OSError:
        return b""


def test_a_full_house_of_spectators_still_lets_a_newcomer_in(mailbox: MemoryTable) -> None:
    """The address with most streams loses one, as long as it has more than the newcomer."""
    pages = Pages(mailbox, PageLimits(spectators=4, per_address=400))
    many = [pages.phone().client.get("/events/table", base_url="http://192.168.1.20:8000") for _ in range(4)]
    streams = [iter(one.response) for one in many]
    for stream in streams:
        next(stream)
    other = pages.phone().client
    newcomer = other.get(
        "/events/table", base_url="http://192.168.1.20:8000", environ_overrides={"REMOTE_ADDR": "10.0.0.7"}
    )
    assert newcomer.status_code == 200
    assert b"ended" in b"".join(cast(Iterator[bytes], streams[-1]))
    newcomer.close()
    pages.close()


@pytest.mark.parametrize("path", [b"/static/young-serif.woff2", b"/static/icon.svg"])
def test_a_client_that_does_not_read_its_answers_blocks_no_thread(server: Server, path: bytes) -> None:
    """A client that sends requests but does not read the answers does not block a thread."""
    server._server.adj.socket_options += [(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)]  # the system holds little
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.settimeout(PATIENCE)
        line.connect(("127.0.0.1", server.port))
        line.sendall(b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % path * 40)
        until = time.monotonic() + PATIENCE
        while not any(getattr(one, "close_when_flushed", False) for one in [*server.sockets.values()]):
            assert time.monotonic() < until
        while line.recv(2**20):
            pass


def test_connections_that_ask_nothing_more_make_room_for_others_of_their_address(server: Server) -> None:
    """All phones behind one router are served, though each of their browsers keeps connections open."""
    lines = [http.client.HTTPConnection("127.0.0.1", server.port, PATIENCE, (STRANGER, 0)) for _ in range(200)]
    for line in lines:
        line.request("GET", "/static/icon.svg")
        answer = line.getresponse()
        assert (answer.status, bool(answer.read())) == (200, True)
    for line in lines:
        line.close()


def test_an_address_with_too_many_pages_reads_so_and_is_asked_to_come_back(server: Server) -> None:
    """Once streams hold all places of an address, the answer says so in every language, and loads again by itself."""
    lines = [http.client.HTTPConnection("127.0.0.1", server.port, PATIENCE, (STRANGER, 0)) for _ in range(64)]
    for line in lines:
        line.connect()
    with asked(server, "/", STRANGER) as answer:
        said = answer.read().decode()
        assert (answer.status, answer.headers["Refresh"]) == (503, "15")
    for code, word in (("en", "Too many"), ("de", "Zu viele"), ("it", "Troppe")):
        assert f'<p lang="{code}">{word}' in said
    for line in lines:
        line.close()


def test_a_body_under_way_is_released_when_the_server_stops(pages: Pages) -> None:
    """Nothing is left of a large body of which a part has arrived: neither its room nor its temporary file."""
    seat, server = pages.room.claim(0), Server(pages.app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    with line_to(server, PHONE) as line:
        line.sendall(head(server, "/photo/score", MAX_PHOTO_BYTES, f"seat={seat}") + bytes(1000))
        while not any(getattr(each, "request", None) for each in [*server.sockets.values()]):
            pass  # nothing has arrived yet
        server.close()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert server.guard.bodies.reserve(QUOTA_BYTES)


def test_unfinished_requests_keep_nobody_out(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 420 unfinished requests from one address, pages are served as before."""
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT_S", PATIENCE)
    lines = []
    for _ in range(420):
        with suppress(OSError):
            line = line_to(server)
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
            lines.append(line)
    for source in (TV, PHONE):
        assert page(server, source) == 200
    for line in lines:
        line.close()


def test_unfinished_requests_from_everywhere_keep_nobody_out(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all connections are taken, the address with most of them loses one to a newcomer."""
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT_S", PATIENCE)
    lines = []
    for number in range(14):
        for _ in range(30):
            with suppress(OSError):
                line = line_to(server, f"127.0.1.{number + 1}")
                line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
                lines.append(line)
    for source in (TV, PHONE):
        assert page(server, source) == 200
    for line in lines:
        line.close()


def test_what_is_begun_and_not_finished_ends(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unfinished request and a connection without a request are closed in time, and a stream is not."""
    with asked(server, "/events/table", TV) as stream, line_to(server) as begun, line_to(server) as silent:
        assert stream.readline()
        begun.sendall(b"GET / HTTP/1.1\r\nHost:")
        monkeypatch.setattr(serving, "REQUEST_TIMEOUT_S", 0.0)
        assert begun.recv(100) == b""
        assert silent.recv(100) == b""
        assert stream.readline()
