"""A child process that is started when it is needed, and never again after it was closed."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from tabletop.processes.child import Child


class ChildOnDemand:
    """At most one child at a time.

    Only one thread at a time may call :meth:`running` and :meth:`end`; any thread may call :meth:`close` meanwhile.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._child: Child | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def child(self) -> Child | None:
        """The process, None if none was started or it was ended."""
        return self._child

    def running(self) -> Child:
        """Return the process, starting it if necessary.  Raises OSError if it cannot be started, or was closed."""
        with self._lock:
            if self._closed:
                raise OSError("it was closed")
            if self._child is not None and not self._child.running:
                self._child.end()
                self._child = None
            self._child = self._child or Child(self._command)
            return self._child

    def end(self) -> None:
        """End the process; the next one starts when it is needed."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def close(self) -> None:
        """Kill the process, whatever it is doing, and never start another one.

        A thread that waits for an answer gets an error, and cleans up with :meth:`end`.
        """
        with self._lock:
            self._closed = True
            if (child := self._child) is not None:
                child.kill()
