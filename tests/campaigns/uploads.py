"""Unwanted uploads: large bodies, whole and unfinished, from strangers, to every address.

``python -m tests.campaigns.uploads --seconds 60 --seed 1``: many connections at once send bodies of up to 64 MiB.  A
fault is a status of 500, a page that takes longer than five seconds meanwhile, or more than :data:`MOST` MiB kept by
the server.  ``kept_mib`` is the most it kept in temporary files, ``grown_mib`` the growth of the process.
"""

from __future__ import annotations

import http.client
import os
import random
import socket
import stat
import threading
from contextlib import closing

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.hardware.diagnostics.linux import memory_mb
from tabletop.rules.palazzo import GAME
from tabletop.web.server import Server
from tests.campaigns.harness import HANG, Budget, Tally, main

CONNECTIONS = 6
MOST = 64
"""Most MiB that strangers may make the server keep, in files or in memory."""
TARGETS = ("/host/restore", "/photo/cards", "/photo/score", "/seat/act", "/join", "/", "/nothing", "/host/backup")
KINDS = ("application/gzip", "application/json", "multipart/form-data; boundary=x", "text/plain")
PIECE = bytes(256 * 1024)


def kept() -> int:
    """Return the bytes of the unnamed files that this process holds open."""
    found = 0
    for name in os.listdir("/proc/self/fd"):
        try:
            status = os.stat(f"/proc/self/fd/{name}")
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
            found += status.st_blocks * 512
    return found


def resident() -> float:
    """Return the resident memory of this process, MiB."""
    return memory_mb("VmRSS", file="proc/self/status")


def upload(rng: random.Random, port: int, budget: Budget, tally: Tally) -> None:
    """Send one body, or as much of it as the server takes."""
    length = rng.choice((40_000, 1_000_000, 21_000_000, 60_000_000, 67_000_000))
    wanted, path, kind = rng.randint(0, length), rng.choice(TARGETS), rng.choice(KINDS)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Type: {kind}\r\n"
    )
    chunked = rng.random() < 0.2
    head += "Transfer-Encoding: chunked\r\n\r\n" if chunked else f"Content-Length: {length}\r\n\r\n"
    answer = b""
    with tally.input((path, kind, length, chunked)), socket.create_connection(("127.0.0.1", port), timeout=2) as line:
        try:
            line.sendall(head.encode())
            while wanted > 0 and budget.left():
                line.sendall(b"%X\r\n%b\r\n" % (len(PIECE), PIECE) if chunked else PIECE)
                wanted -= len(PIECE)
            line.settimeout(0.2)
            answer = line.recv(4096)
        except OSError:
            pass  # refused, or the server still waits for more
    tally.check(not answer.startswith(b"HTTP/1.1 500"), f"{path} {kind} {length}: 500")
    tally.count(answer[9:12].decode() or "no answer")


def campaign(budget: Budget, tally: Tally) -> None:
    """Upload from several connections at once, and load a page meanwhile."""
    pages = Pages(MemoryTable(GAME, NAMES, seed=3))
    server = Server(pages.app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    begun = resident()

    def send(seed: float) -> None:
        rng = random.Random(seed)
        while budget.left():
            upload(rng, server.port, budget, tally)

    senders = [threading.Thread(target=send, args=(budget.rng.random(),)) for _ in range(CONNECTIONS)]
    for sender in senders:
        sender.start()
    for _round in budget.rounds():
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=2 * HANG)
        with tally.input("the page of the table"), closing(line):
            line.request("GET", "/")
            assert line.getresponse().status == 200
        tally.most("kept_mib", round(kept() / 2**20, 1))
        tally.most("grown_mib", round(resident() - begun, 1))
    for sender in senders:
        sender.join()
    server.close()
    thread.join()
    tally.check(max(tally.counts["kept_mib"], tally.counts["grown_mib"]) <= MOST, "what strangers send is kept")


if __name__ == "__main__":
    main(campaign, __doc__)
