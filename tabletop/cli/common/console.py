"""Asking a person at a terminal while the answer may come in another way, such as by a real button."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence

import click

POLL_INTERVAL_S = 0.2
"""The time between two checks whether the answer came in another way."""


class Console:
    """A terminal whose lines are read by a thread of its own, so that nothing has to wait for them.

    Every method raises EOFError once there are no more lines.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(lines,), name="console", daemon=True).start()

    def ask(self, text: str, default: str = "", choices: Sequence[str] = ()) -> str:
        """Return the typed line, the default for an empty one; ask again for anything but the choices."""
        while True:
            click.echo(f"{text} [{default}]: " if default else f"{text}: ", nl=False)
            typed = self._line().strip() or default
            if not choices or typed in choices:
                return typed
            click.echo(f"Please type one of: {', '.join(choices)}.")

    def agrees(self, text: str) -> bool:
        """Ask a yes-or-no question and return whether the answer is yes, as it is for an empty line."""
        return self.ask(f"{text}? (y/n)", "y").lower()[:1] in ("y", "j")

    def line_unless(self, enough: Callable[[], bool]) -> str | None:
        """Return the typed line, or None as soon as ``enough`` says that none is needed any more."""
        while not enough():
            try:
                return self._require_line(self._lines.get(timeout=POLL_INTERVAL_S)).strip()
            except queue.Empty:
                continue
        return None

    def _line(self) -> str:
        while True:
            try:
                # A time-out, so that Ctrl+C is noticed.
                return self._require_line(self._lines.get(timeout=1))
            except queue.Empty:
                continue

    def _require_line(self, line: str | None) -> str:
        if line is None:
            self._lines.put(None)
            raise EOFError
        return line

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._lines.put(line)
        finally:
            self._lines.put(None)
