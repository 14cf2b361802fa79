"""Slow and broken clients: trickling heads and bodies, answers that are not read, garbage, connections left open.

``python -m tests.campaigns.slow --seconds 60 --seed 1``: some two hundred such connections from several addresses at a
real server, with new ones all the time.  A fault is a page, an act or a stream of an honest phone that fails or takes
longer than five seconds, or a traceback.  ``inputs`` counts connections and the honest phone's requests.
"""

from __future__ import annotations

import http.client
import random
import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.rules.palazzo import GAME
from tabletop.web.app import USUAL_LIMITS
from tabletop.web.server import Server
from tests.campaigns.harness import HANG, Budget, Tally, main

AT_ONCE = 200
ADDRESSES = 9
PATHS = ("/", "/seat", "/events/table", "/static/style.css", "/join", "/rules", "/host", "/demo/picture.jpg")


def silent(_line: socket.socket, _rng: random.Random, _host: str) -> bytes:
    """Return nothing to send."""
    return b""


def half(_line: socket.socket, rng: random.Random, host: str) -> bytes:
    """Return part of a request's head; the rest trickles in later."""
    head = f"GET {rng.choice(PATHS)} HTTP/1.1\r\nHost: {host}\r\nX: {'x' * 2000}\r\n".encode()
    return head[: rng.randrange(1, len(head))]


def body(_line: socket.socket, rng: random.Random, host: str) -> bytes:
    """Return the announcement of a body and part of it."""
    length = rng.choice((5, 300, 20_000, 40_000, 10**7))
    head = f"POST /seat/act HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {length}\r\n\r\n".encode() + b"{" * rng.randrange(min(length, 4000))


def unread(line: socket.socket, rng: random.Random, host: str) -> bytes:
    """Return many requests, on a connection whose answers are not read."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    return f"GET {rng.choice(PATHS)} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * rng.randrange(1, 30)


def stream(_line: socket.socket, rng: random.Random, host: str) -> bytes:
    """Return a request for a stream, which is not read."""
    return f"GET /events/{rng.choice(('table', 'demo', 'after'))} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def garbage(_line: socket.socket, rng: random.Random, host: str) -> bytes:
    """Return bytes that are nearly a request, or nothing like one."""
    head = bytearray(f"GET / HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n".encode())
    for _ in range(rng.choice((0, 1, 3, 200))):
        head[rng.randrange(len(head))] = rng.randrange(256)
    return bytes(head) if rng.random() < 0.7 else rng.randbytes(rng.randrange(1, 3000))


KINDS: tuple[Callable[[socket.socket, random.Random, str], bytes], ...] = (silent, half, body, unread, stream, garbage)


def annoy(rng: random.Random, port: int, lines: list[socket.socket]) -> None:
    """Open one more connection, trickle through an old one, and close some, properly or abruptly."""
    line = socket.socket()
    with suppress(OSError):
        line.bind((f"127.0.0.{10 + rng.randrange(ADDRESSES)}", 0))
        line.settimeout(1)
        line.connect(("127.0.0.1", port))
        line.sendall(rng.choice(KINDS)(line, rng, f"127.0.0.1:{port}"))
    lines.append(line)
    with suppress(OSError):
        rng.choice(lines).send(rng.choice((b"x", b"\r\n", b"{}", b"x: y\r\n")))
    while len(lines) > AT_ONCE:
        gone = lines.pop(rng.randrange(len(lines)))
        if rng.random() < 0.5:
            with suppress(OSError):  # abruptly: the server's next packet is refused
                gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        gone.close()


def honest(port: int, token: str, pages: Pages, number: int, tally: Tally) -> None:
    """Open pages and a stream, ask what an act would do, and wait for news on the stream."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=2 * HANG, source_address=("127.0.0.2", 0))
    cookie = {"Cookie": f"seat={token}"}
    with closing(line):
        for path in ("/", "/seat"):
            with tally.input(path):
                line.request("GET", path, headers=cookie)
                answer = line.getresponse()
                assert (answer.status, bool(answer.read())) == (200, True)
        with tally.input("a stream"):
            line.request("GET", "/events/seat", headers=cookie)
            answer = line.getresponse()
            assert answer.status == 200
            while not answer.readline().startswith(b"data"):
                pass
            pages.mailbox.become([phases()["bid"], phases()["choose"]][number % 2])
            while not answer.readline().startswith(b"data"):
                pass
            answer.close()


def campaign(budget: Budget, tally: Tally) -> None:
    """Harass a server with bad connections while an honest phone uses it."""
    pages = Pages(MemoryTable(GAME, NAMES, seed=3), limits=USUAL_LIMITS)
    server = Server(pages.app, "127.0.0.1", 0)
    thread, lines = threading.Thread(target=server.run), list[socket.socket]()
    thread.start()
    token = pages.room.claim(0)
    ended = threading.Event()

    def be_annoying(rng: random.Random) -> None:
        while not ended.is_set():
            annoy(rng, server.port, lines)
            tally.count("inputs")

    annoying = threading.Thread(target=be_annoying, args=(random.Random(budget.rng.random()),))
    annoying.start()
    for number in budget.rounds():
        honest(server.port, token, pages, number, tally)
        tally.most("connections", len(server.sockets))
        tally.most("threads", threading.active_count())
    ended.set()
    annoying.join()
    for line in lines:
        line.close()
    server.close()
    thread.join()


if __name__ == "__main__":
    main(campaign, __doc__)
