"""A process that this one starts and asks: it is killed if it hangs, and gone when this one is gone."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from tabletop.processes.connection import Connection


class Child:
    """A program in a process of its own.  Its last argument is the number of its end of the connection.

    The other side begins with :func:`tabletop.processes.answering.open_connection`.
    """

    def __init__(self, command: Sequence[str]) -> None:
        ours, theirs = socket.socketpair()
        self._connection = Connection(ours)
        with theirs:
            number = theirs.fileno()
            try:
                # Its stdin is held by this process alone: when that ends, however it does, the other one ends as well.
                # It is in a group of its own: Ctrl-C is for this process, which decides what becomes of the other.
                self._process = subprocess.Popen(
                    (*command, str(number)), stdin=subprocess.PIPE, pass_fds=(number,), process_group=0
                )
            except OSError:
                ours.close()
                raise

    @property
    def pid(self) -> int:
        """The number of the process."""
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
        """Kill the process, from any thread; the one that waits for its answer learns that it has ended."""
        self._process.kill()

    def end(self, patience: float = 0.0) -> int:
        """Close the connection, kill the process unless it ends within ``patience`` seconds, and return its status.

        The status is below zero for a signal; ending twice does nothing.
        """
        self._connection.close()
        try:
            status = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
        return status
