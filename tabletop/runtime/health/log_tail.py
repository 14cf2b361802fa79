"""Keeps the last lines of this process's log, for a bug report."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

MAX_LOG_LINES = 500


class LogTail(logging.Handler):
    """Keeps the last lines of this process's log."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=MAX_LOG_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line; a warning also goes to the terminal."""
        self._lines.append(self.format(record))
        # Once a handler is attached, Python itself no longer writes warnings to the terminal, nor to the system's log.
        if logging.lastResort is not None and record.levelno >= logging.lastResort.level:
            logging.lastResort.handle(record)

    @contextmanager
    def attached(self) -> Iterator[None]:
        """Listen to everything this process logs."""
        logging.getLogger().addHandler(self)
        try:
            yield
        finally:
            logging.getLogger().removeHandler(self)

    def text(self) -> str:
        """Return the kept lines as one text."""
        return "".join(f"{line}\n" for line in [*self._lines])  # a copy: other threads log meanwhile
