"""Worker processes never stall, and end with the process that started them."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time

import pytest

from tabletop.bots.tournament.workers import in_order, processes

LOCK = threading.Lock()


def is_locked() -> bool:
    """Return whether the lock is held in the process that runs this."""
    return LOCK.locked()


def test_a_lock_that_is_held_here_is_free_in_a_worker() -> None:
    """A lock held by another thread of this process is free in a worker, so that no game waits forever."""
    with LOCK, processes(1) as pool:
        assert pool.submit(is_locked).result() is False


def test_an_interruption_ends_the_workers_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupting a tournament reports no errors from the worker processes."""
    said: list[object] = []
    monkeypatch.setattr(threading, "excepthook", said.append)

    def interrupted() -> None:
        with processes(1) as pool:
            for _ in in_order(pool, time.sleep, [0.0] * 20):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert said == []


PARENT = """
import os, sys
from tabletop.bots.tournament.workers import in_order, processes
if __name__ == "__main__":
    with processes(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a process is followed in /proc")
def test_the_workers_end_with_their_parent() -> None:
    """Killing the parent ends its worker processes at once."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        there = os.pidfd_open(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        poller = select.poll()
        poller.register(there)
        assert poller.poll(60_000)
        os.close(there)
