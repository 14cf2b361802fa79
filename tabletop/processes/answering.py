"""The other side of a :class:`~tabletop.processes.child.Child`: how a process that answers begins, and how it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import socket
import sys
import threading
from pathlib import Path

from tabletop.processes.connection import Connection


def open_connection(*, niceness: int = 0, oom_score_adj: int = 0) -> Connection:
    """Return the connection to the process that started this one, with which this one ends.

    ``niceness`` is how far it stands back behind that one; ``oom_score_adj`` how readily it ends when memory runs out,
    of 1000.  What a library prints goes to the log.
    """
    end_with(0)
    os.dup2(2, 1)
    os.nice(niceness)
    with contextlib.suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text(str(oom_score_adj))
    return Connection(socket.socket(fileno=int(sys.argv[1])))


def end_with(pipe: int, *, shared: bool = False) -> None:
    """End this process as soon as the other end of a pipe is closed, whatever it does; Ctrl-C is for that end.

    The kernel sends a signal, so that it ends even if a library hangs.  It can do so to one process for each pipe: in
    those that read a ``shared`` one, a thread waits.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if shared:
        threading.Thread(target=_wait, args=(pipe,), name="parent", daemon=True).start()
        return
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([pipe], [], [], 0)[0]:
        os._exit(0)  # it was closed before


def _wait(pipe: int) -> None:
    poller = select.poll()
    poller.register(pipe, select.POLLIN)
    poller.poll()
    os._exit(0)
