"""A base class for what pages listen to: it counts its changes and tells its listeners about each."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Observable:
    """Something that changes while pages show it; ``revision`` counts how often.

    A subclass changes itself while it holds ``_lock`` and then calls :meth:`_changed` without it.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._listeners: list[Callable[[], None]] = []
        self.revision = 0

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def _changed(self) -> None:
        with self._lock:
            self.revision += 1
        for listener in self._listeners:
            listener()
