"""The other side of a :class:`~tabletop.processes.child.Child`: how the answering process connects and ends."""

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
    """Return the connection to the parent process, and make this process end when the parent does.

    ``niceness`` is added to this process's; ``oom_score_adj`` is its OOM score adjustment, up to 1000.  Output that a
    library prints goes to stderr.
    """
    end_with(0)
    os.dup2(2, 1)
    os.nice(niceness)
    with contextlib.suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text(str(oom_score_adj))
    return Connection(socket.socket(fileno=int(sys.argv[1])))


def end_with(pipe: int, *, shared: bool = False) -> None:
    """End this process as soon as the other end of a pipe is closed, whatever it is doing; ignore Ctrl-C meanwhile.

    The kernel sends a signal, so that the process ends even if a library hangs.  It can signal only one process per
    pipe: in processes that share one (``shared``), a thread waits instead.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if shared:
        threading.Thread(target=_wait, args=(pipe,), name="parent", daemon=True).start()
        return
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([pipe], [], [], 0)[0]:
        os._exit(0)  # the other end was closed before


def _wait(pipe: int) -> None:
    poller = select.poll()
    poller.register(pipe, select.POLLIN)
    poller.poll()
    os._exit(0)
