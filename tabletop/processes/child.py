"""A child process that this one asks questions: it is killed if it hangs, and ends when this one ends."""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from typing import Any, ClassVar

from tabletop.processes.connection import Connection

log = logging.getLogger(__name__)

KILL_TIMEOUT_S = 5.0
"""A process that has not ended this long after it was killed is stuck in the kernel, as in a driver that hangs."""


class Child:
    """A program in a process of its own; its last argument is the file descriptor of its end of the connection.

    The other side begins with :func:`tabletop.processes.answering.open_connection`.  Raises OSError if it cannot be
    started, or if the kernel still keeps the last process of this command.
    """

    _kept: ClassVar[dict[tuple[str, ...], subprocess.Popen[bytes]]] = {}
    """Command → its process that the kernel did not let end; more of them would only pile up."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        if (kept := self._kept.get(self._command)) is not None and kept.poll() is None:
            raise OSError(f"process {kept.pid} was killed, but the kernel keeps it")
        ours, theirs = socket.socketpair()
        self._connection = Connection(ours)
        with theirs:
            number = theirs.fileno()
            try:
                # Only this process holds the child's stdin: when this one ends, in whatever way, so does the child: see
                # end_with().  It is in a group of its own: Ctrl-C goes to this process, which decides about the child.
                self._process = subprocess.Popen(
                    (*self._command, str(number)), stdin=subprocess.PIPE, pass_fds=(number,), process_group=0
                )
            except OSError:
                ours.close()
                raise

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """True as long as the process has not ended."""
        return self._process.poll() is None

    def send(self, question: object, seconds: float) -> None:
        """Send a question.  Raises OSError; TimeoutError if it is not taken within ``seconds``."""
        self._connection.send(question, seconds)

    def receive(self, seconds: float) -> tuple[Any, int]:
        """Return the next answer, and the open file that came with it (-1: none).

        Raises TimeoutError if there is none within ``seconds``; EOFError, or another OSError, if the process has ended.
        """
        return self._connection.receive(seconds)

    def ask(self, question: object, seconds: float) -> tuple[Any, int]:
        """Return the answer to a question, and the open file that came with it (-1: none).

        Raises TimeoutError if there is none within ``seconds``, after killing the process; EOFError, or another
        OSError, if it has ended.
        """
        until = time.monotonic() + seconds
        try:
            self.send(question, seconds)
            return self.receive(max(0.0, until - time.monotonic()))
        except TimeoutError:
            self.kill()
            raise

    def kill(self) -> None:
        """Kill the process, from any thread; a thread that waits for its answer gets an error."""
        self._process.kill()

    def end(self, patience: float = 0.0) -> int:
        """Close the connection, kill the process unless it ends within ``patience`` seconds, and return its status.

        The status is negative if a signal ended it; ending twice is harmless.  A process that the kernel keeps is
        abandoned.
        """
        self._connection.close()
        try:
            status = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._killed()
        assert self._process.stdin is not None
        self._process.stdin.close()
        return status

    def _killed(self) -> int:
        """Return the status of the killed process; if it does not end, that of one ended by SIGKILL."""
        try:
            return self._process.wait(KILL_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            log.error("Process %d was killed, but the kernel keeps it.", self.pid)
            self._kept[self._command] = self._process
            return -signal.SIGKILL
